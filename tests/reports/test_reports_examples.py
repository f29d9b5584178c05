"""The examples in the docstrings are true."""

import doctest

import pytest

from wug.reports import plots, rendering, text


@pytest.mark.parametrize("module", [text, rendering, plots])
def test_examples(module):
    failed, attempted = doctest.testmod(module)
    assert failed == 0
    assert attempted > 0
