"""``wug suite check``."""

import json

import pytest
from typer.testing import CliRunner

from wug.cli.suite import app
from wug.errors import InputError

SUITE = """# name,tiny
# prediction,(2;%match%) < (2;%mismatch%)
item_number,condition_name,subject,verb
1,match,The author,is
1,mismatch, The author,are
"""


def check(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def test_a_suite_is_described_with_its_chance_level(tmp_path):
    (tmp_path / "tiny.csv").write_text(SUITE)
    done = check(tmp_path / "tiny.csv")
    assert done.exit_code == 0, done.output
    assert "tiny, 1 items, 2 conditions, 2 regions; by chance 1/2" in done.stdout
    assert "item 1, mismatch, region 1 (subject): ' The author' begins or ends with a space" in done.stdout


def test_one_wrong_suite_is_named_and_the_others_are_checked(tmp_path):
    (tmp_path / "tiny.csv").write_text(SUITE)
    (tmp_path / "wrong.csv").write_text(SUITE.replace("(2;%match%)", "(3;%match%)"))
    done = check(tmp_path / "wrong.csv", tmp_path / "tiny.csv", "--json")
    assert isinstance(done.exception, InputError)
    wrong, right = json.loads(done.stdout)
    assert "prediction 0, position 1: no region 3; there are 2" in wrong["error"]
    assert right["chance"] == ["1/2"]


@pytest.mark.parametrize(("arguments", "passes"), [((), True), (("--strict",), False)])
def test_strict_checks_refuse_blanks(arguments, passes, tmp_path):
    (tmp_path / "tiny.csv").write_text(SUITE)
    assert (check(tmp_path / "tiny.csv", *arguments).exit_code == 0) is passes
