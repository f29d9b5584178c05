"""Regular languages from the command line: lists, data sets, words, languages of one's own."""

import json
import subprocess
import sys

import pytest

from wug.cli.data import task_and_options
from wug.errors import InputError

PATTERNS = """
[[languages]]
name = "harmony"
alphabet = "sza"
tier = "sz"
pattern = "not [sz] and not [zs]"
"""


def wug(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from wug.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=300)


@pytest.fixture
def patterns(tmp_path):
    file = tmp_path / "patterns.toml"
    file.write_text(PATTERNS)
    return str(file)


def test_languages_of_a_class_are_listed_with_their_formulas():
    rows = json.loads(wug("list", "languages", "--class", "Zp", "--json").stdout)
    assert len(rows) == 30
    first = {"name": "04.04.Zp.2.1.0", "class": "Zp", "alphabet": 4, "tier": 4, "k": 2, "j": 1, "i": 0}
    assert rows[0] == first | {"formula": "#c mod 2 in {0}"}
    assert wug("list", "languages", "--class", "XL").returncode == 2
    assert wug("list", "tasks", "mlregtest", "--class", "SL").returncode == 2


def test_data_sets_of_a_class_are_written(tmp_path):
    done = wug("data", "mlregtest", "--class", "SF", "--strings", "40", "-o", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "210 files for 30 tasks" in done.stdout
    assert "30 tasks" in done.stderr
    assert len(list((tmp_path / "40").iterdir())) == 180


def test_one_language_in_one_size_names_its_files(tmp_path):
    done = wug("data", "mlregtest", "16.07.TLTT.4.2.3", "--size=small", "--seed", "5", "-o", str(tmp_path), "--json")
    files = json.loads(done.stdout)
    assert len(files) == 7
    assert json.loads((tmp_path / "manifests" / "Small" / "16.07.TLTT.4.2.3.json").read_text())["seed"] == 5


def test_data_need_a_folder_and_a_name(tmp_path):
    assert "-o DIR" in wug("data", "mlregtest", "04.04.SL.2.1.0").stderr
    nameless = wug("data", "mlregtest", "-o", str(tmp_path))
    assert nameless.returncode == 2
    assert "--class" in nameless.stderr


def test_languages_of_one_s_own_are_classified_and_asked_for_words(patterns):
    done = wug("classify", "harmony", "--languages", patterns, "--word", "sas", "--word", "saz", "--json")
    record = json.loads(done.stdout)
    assert record["words"] == {"sas": True, "saz": False}
    assert record["classes"]["TSL"]
    assert not record["classes"]["SL"]
    assert wug("classify", "--languages", patterns, "--regex", "a*").returncode == 2
    assert wug("classify", "harmony", "--languages", patterns, "--word", "x").returncode == 2


def test_a_trial_on_a_language_of_one_s_own_is_scored_from_its_data(patterns, tmp_path):
    trial = wug(
        *("trial", "mlregtest", "harmony", "--learner", "constant", "--json"),
        *("--set", f"languages={patterns}", "--set", "test_size=small"),
    )
    scores = json.loads(trial.stdout)["scores"]
    assert scores.pop("accuracy_Train") == scores.pop("accuracy_Dev") == 0.5
    wug("data", "mlregtest", "harmony", "--languages", patterns, "--size", "small", "-o", str(tmp_path))
    lines = [
        line.split("\t")[0] + "\tTRUE\n"
        for file in sorted((tmp_path / "Small").glob("*_Test*"))
        for line in file.read_text().splitlines()
    ]
    answers = tmp_path / "answers.tsv"
    answers.write_text("".join(lines))
    judged = wug(
        *("score", "mlregtest/harmony", str(answers), "--json"),
        *("--set", f"languages={patterns}", "--set", "test_size=small"),
    )
    assert json.loads(judged.stdout)["scores"] == scores


@pytest.mark.parametrize("arguments", [["a", "b"], ["--x", "1", "a", "b"]])
def test_two_tasks_are_one_too_many(arguments):
    with pytest.raises(InputError, match="unexpected argument 'b'"):
        task_and_options(arguments)
