import json
import sys
from pathlib import Path

import pytest

from wug.cli import main

ENCODERS = Path(__file__).parents[1] / "learners" / "broken_encoders.py"


@pytest.fixture
def check_learner(monkeypatch: pytest.MonkeyPatch):
    """Runs the command in this process and returns its exit status."""

    def run(*arguments: str) -> int | str | None:
        monkeypatch.setattr(sys, "argv", ["wug", "check-learner", *arguments])
        with pytest.raises(SystemExit) as exit_info:
            main.run()
        return exit_info.value.code

    return run


def test_a_whole_encoder_passes(check_learner, capsys):
    assert check_learner(f"{ENCODERS}:Fine", "--set", "learner.width=6") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "Fine width=6: all is well"
    assert all(line.startswith("ok ") for line in lines[:-1])


def test_what_is_wrong_is_said_in_words(check_learner, capsys):
    assert check_learner(f"{ENCODERS}:Acausal") == 1
    output = capsys.readouterr().out
    assert "FAILED features do not change when later symbols change: when the symbols after position 0 change" in output
    assert output.splitlines()[-1].startswith("Acausal: 3 of 14 checks failed")


def test_json_names_every_check(check_learner, capsys):
    assert check_learner(f"{ENCODERS}:UnusedLayer", "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["passed"] is False
    assert answer["learner"]["name"] == "UnusedLayer"
    failed = [check for check in answer["checks"] if check["outcome"] == "failed"]
    assert failed[0]["message"] == "no gradient reaches second.weight, second.bias"


def test_what_is_optional_is_noted(check_learner, capsys):
    assert check_learner("transformer") == 0
    assert "note   step agrees with forward: it has no method step" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere.py:Net",), "Error: the learner's file nowhere.py cannot be read: No such file or directory\n"),
        ((f"{ENCODERS}:Fien",), f"Error: unknown class in {ENCODERS}: 'Fien'; did you mean 'Fine'?\n"),
        (("lstm", "--set", "learner.widht=3"), "Error: unknown option of LSTM 'widht'; did you mean 'width'?\n"),
        (("lstm", "--set", "b=3"), "Error: only options of the learner can be set here (learner.b=...), not 'b'\n"),
    ],
)
def test_what_cannot_be_loaded_has_status_2(check_learner, capsys, arguments, sentence):
    assert check_learner(*arguments) == 2
    assert capsys.readouterr().err == sentence
