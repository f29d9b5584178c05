"""find from the command line: a trial, data to fill in, answers judged."""

import json
import subprocess
import sys

import pytest

from wug.cli.data import task_and_options

TRIAL = ("trial", "find", "add-or-multiply", "--set", "l=5", "--json")


def wug(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from wug.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=300)


def test_a_trial_prints_agreement_and_description_lengths():
    record = json.loads(wug(*TRIAL, "--learner", "oracle:mul").stdout)
    assert record["scores"]["agrees:mul"] == 1
    assert record["scores"]["agrees:add"] == 0
    assert record["scores"]["L_nats:mul"] == record["scores"]["L_bits:mul"] == 0
    assert record["scores"]["L_nats:add"] is None
    assert record["notes"]["L_nats:add"][""].startswith("infinite")
    assert record["items"]["response:mul"]["a^4"] == 1


def test_a_trial_of_several_seeds_prints_fpa():
    record = json.loads(wug(*TRIAL, "--learner", "constant", "--set", "seeds=4").stdout)
    assert record["scores"]["FPA:mem"] == 1
    assert record["items"]["agrees:mem"] == {f"seed {seed}": 1 for seed in (1, 2, 3, 4)}


def test_a_rule_that_does_not_exist_is_refused():
    done = wug(*TRIAL, "--learner", "oracle:multiply")
    assert done.returncode == 2
    assert "unknown rule of the oracle 'multiply'" in done.stderr
    unsuited = wug("trial", "find", "count", "--learner", "repeat-last")
    assert unsuited.returncode == 2
    assert "find asks for transduction" in unsuited.stderr


def test_data_are_written_filled_in_and_scored(tmp_path):
    done = wug("data", "find", "count", "--set", "l=5", "--set", "seeds=2", "-o", str(tmp_path))
    assert done.returncode == 0, done.stderr
    predictions, nats = tmp_path / "predictions.tsv", tmp_path / "nats.tsv"
    lines = predictions.read_text().splitlines()
    answers = ["\t".join([seed, x, x.replace("a", "b")]) for seed, x, _ in (line.split("\t") for line in lines[1:])]
    predictions.write_text("\n".join([lines[0], *answers]) + "\n")
    nats.write_text(nats.read_text().replace("?", "0.5"))
    done = wug("score", "find/count", str(predictions), str(nats), "--set", "l=5", "--json")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["scores"]
    assert (scores["FPA:count"], scores["FPA:mem"], scores["seeds"]) == (1, 0, 2)
    assert scores["L_nats:mem"] == pytest.approx(0.5 * 15)
    assert scores["L_nats_difference:mem-count"] == 0


def test_answers_of_other_settings_are_refused(tmp_path):
    wug("data", "find", "count", "--l", "5", "-o", str(tmp_path))
    done = wug("score", "find/count", str(tmp_path / "predictions.tsv"))
    assert done.returncode == 2
    assert "is no probe of count with these settings" in done.stderr


def test_tasks_of_one_s_own(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[tasks]]\nname = "mine"\ntraining = [["a", "x"], ["b", "y"]]\nprobes = ["a b", "b a"]\n'
        '[tasks.rules]\nfirst = "first"\nlast = "last"\n'
    )
    record = json.loads(wug("trial", "find", "mine", "-l", "n-gram-s2s", "--set", f"tasks={file}", "--json").stdout)
    assert (record["scores"]["agrees:last"], record["scores"]["agrees:first"]) == (1, 0)
    file.write_text(file.read_text().replace('last = "last"', 'last = { "a b" = "x", "b a" = "y" }'))
    done = wug("trial", "find", "mine", "-l", "uniform", "--set", f"tasks={file}")
    assert done.returncode == 2
    assert "'first' and 'last'" in done.stderr
    assert "nowhere differ" in done.stderr


def test_settings_of_data_are_written_in_either_way():
    assert task_and_options(["count", "--set", "l=5", "--block=2"]) == ("count", {"l": 5, "block": 2})
