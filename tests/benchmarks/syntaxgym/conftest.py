"""Suites for the tests of syntaxgym: the published ones where they are, and a small one of our own."""

from pathlib import Path

import pytest

from wug.benchmarks.syntaxgym.suites import read_suite

SHARED = Path(__file__).parents[4] / "shared" / "data" / "syntaxgym"

TINY = """# name,tiny
# metric,sum
# prediction,(2;%match%) < (2;%mismatch%)
item_number,condition_name,subject,verb,rest
1,match,The author,is,good
1,mismatch,The author,are,good
2,mismatch,The pilots,is,old
2,match,The pilots,are,old
"""


@pytest.fixture
def published():
    """The folder of published suites, results and reference values."""
    if not SHARED.is_dir():
        pytest.skip("the published suites are not here")
    return SHARED


@pytest.fixture
def tiny(tmp_path):
    """A suite with two items in two conditions."""
    path = tmp_path / "tiny.csv"
    path.write_text(TINY)
    return read_suite(path)
