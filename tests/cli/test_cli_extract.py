"""Automata out of trained classifiers, from the command line."""

import json
import subprocess
import sys

import numpy as np
import pytest

from wug.benchmarks.mlregtest.extraction import extract_model
from wug.benchmarks.mlregtest.settings import LanguageSettings
from wug.benchmarks.mlregtest.tasks import build
from wug.languages.automata import equivalent, from_formula, read_automata
from wug.learners.symbolic.extraction import Limits
from wug.learners.symbolic.strictly_local import StrictlyLocal

SMALL = ["--set", "test_size=Small"]


def wug(*arguments):
    program = "from wug.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=300)


def test_an_automaton_is_shown_beside_model_and_language(tmp_path):
    file = tmp_path / "learnt.jsonl"
    asked = ["mlregtest", "04.03.TSL.2.1.0", "--learner", "string-extension-tsl", *SMALL, "-o", str(file)]
    done = wug("extract", *asked, "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["states"], record["states_of_language"], record["ending"]) == (4, 3, "no counterexample found")
    assert record["agreement"]["SA"] == {
        "strings": 1000,
        "with_model": 1.0,
        "with_language": 1.0,
        "model_with_language": 1.0,
    }
    assert record["classes"] == record["classes_of_language"] == ["TSL"]
    assert record["coarse"]["states"] <= 4
    (learnt,) = read_automata(file).values()
    # the training strings, of 20 letters and more, never show the tier empty
    assert equivalent(learnt, from_formula("{a,b,c}: not [aa] and not /()/", "abcd"))
    assert json.loads(wug("extract", *asked, "--json").stdout) == record


def test_an_automaton_at_its_limit_is_shown_for_what_it_is():
    done = wug("extract", "mlregtest", "04.04.Zp.5.1.8", "-l", "oracle", *SMALL, "--states", "3")
    assert done.returncode == 0, done.stderr
    assert "oracle on 04.04.Zp.5.1.8: 2 states (the language has 5); too many states after" in done.stdout
    assert "smallest classes of the language: Zp" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["bliss", "anbn", "-l", "lstm"],
            "automata are extracted from classifiers, and bliss has no classification task",
        ),
        (["mlregtest", "random-automata", "-l", "oracle"], "mlregtest random-automata is none"),
        (["mlregtest", "04.04.SL.2.1.0", "-l", "oracle", "-o", "a.txt"], "a.txt: automata are written to files named"),
        (
            ["mlregtest", "04.04.SL.2.1.0", "-l", "oracle", "--states", "1"],
            "the limit 'states' must be 2 or more, not 1",
        ),
    ],
)
def test_requests_that_make_no_sense_are_refused(arguments, message):
    done = wug("extract", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_wrong_on_some_strings_agrees_with_its_automaton():
    task = build("16.07.TSL.2.1.3", LanguageSettings(test_size="Small"))
    model = StrictlyLocal(2).fit(task.data, 0)
    found = extract_model(task.data, task.judging, model, rng=np.random.default_rng(1), limits=Limits())
    assert equivalent(found.extraction.dfa, model.to_dfa())
    for shares in found.final.agreement.values():
        assert shares.with_model == 1
        assert shares.with_language == shares.model_with_language < 1
    assert found.final.classes is not None
    assert found.final.classes.k["SL"] == 2
