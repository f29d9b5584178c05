"""``wug suite check``."""

import json

import pytest
from typer.testing import CliRunner

from wug.cli.data import app as data
from wug.cli.score import app as score
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


@pytest.mark.journey
def test_sentences_are_written_and_surprisals_scored_without_naming_the_task(tmp_path):
    (tmp_path / "tiny.csv").write_text(SUITE.replace(" The author", "The author"))
    options = ["--set", f"suites={tmp_path / 'tiny.csv'}"]
    done = CliRunner().invoke(data, ["syntaxgym", *options, "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    rows = ["suite\titem\tcondition\tstart\tend\ttoken\tsurprisal_bits"]
    for line in (tmp_path / "out" / "sentences.tsv").read_text().splitlines()[1:]:
        suite, item, condition, sentence, needed = line.split("\t")
        rows.append(f"{suite}\t{item}\t{condition}\t0\t10\tThe author\t0")
        rows.append(f"{suite}\t{item}\t{condition}\t11\t{needed}\t{sentence[11:]}\t{needed}")
    (tmp_path / "s.tsv").write_text("\n".join(rows) + "\n")
    done = CliRunner().invoke(score, ["syntaxgym", str(tmp_path / "s.tsv"), *options, "--json"])
    assert done.exit_code == 0, done.output
    assert {"measure": "accuracy", "item": "tiny", "value": 1.0} in json.loads(done.stdout)["items"]
