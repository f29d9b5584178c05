"""The commands for trials, studies and stores, as a user types them."""

import json
import shlex
import sys
from dataclasses import dataclass

import polars as pl
import pytest

from wug.cli.main import run

pytestmark = pytest.mark.journey


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def wug(fake_benchmark, tmp_path, monkeypatch, capsys):
    """Types a command in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)

    def wug(line):
        monkeypatch.setattr(sys, "argv", ["wug", *shlex.split(line)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_info:
            run()
        captured = capsys.readouterr()
        return Outcome(int(exit_info.value.code or 0), captured.out, captured.err)

    return wug


@pytest.fixture
def steady(fake_learner):
    return fake_learner("Steady")


def test_a_trial_prints_its_scores_as_json(wug, steady):
    outcome = wug(f"trial fake plain --learner {steady} --seed 3 --set size=2 --set learner.bias=0.5 --json")
    assert outcome.status == 0
    record = outcome.json
    assert len(record["id"]) == 16
    assert (record["benchmark"], record["task"], record["seed"]) == ("fake", "plain", 3)
    assert record["learner"] == "Steady bias=0.5"
    assert record["spec"]["settings"]["size"] == 2
    assert record["spec"]["learner"]["options"] == {"bias": 0.5}
    assert list(record["scores"]) == ["mean", "success", "missing"]
    assert record["scores"]["success"] is True
    assert record["scores"]["missing"] is None
    assert record["items"]["part"]["first"] == 0.1 + 0.2
    assert record["notes"]["missing"] == {"": "there is none"}
    assert (record["status"], record["error"]) == ("done", "")
    assert (
        wug(f"trial fake plain --learner {steady} --seed 3 --set size=2 --set learner.bias=0.5 --json").json["scores"]
        == (record["scores"])
    )


def test_a_trial_prints_a_table(wug, steady):
    outcome = wug(f"trial fake plain --learner {steady}")
    assert outcome.status == 0
    assert "success  yes" in outcome.out
    assert "there is none" in outcome.out
    assert "part: first" in outcome.out


def test_a_trial_on_a_real_benchmark(wug):
    outcome = wug("trial bliss anbn --learner repeat-last --seed 1 --set train=100 --set b=10 --set up_to=5 --json")
    assert outcome.status == 0
    assert outcome.json["scores"]["strings"] == 10000
    assert outcome.json["scores"]["success"] is True
    assert outcome.json["scores"]["M_det"] == pytest.approx(0.999801, abs=5e-7)


def test_a_trial_that_fails_says_why_and_exits_1(wug, fake_learner):
    outcome = wug(f"trial fake plain --learner {fake_learner('Raising')} --json")
    assert outcome.status == 1
    assert outcome.json["status"] == "failed"
    assert outcome.json["scores"] == {}
    assert outcome.err.splitlines()[-1] == "Error: ValueError: no luck"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("trial flake plain -l uniform", "unknown benchmark 'flake'; did you mean 'fake'?"),
        ("trial fake plian -l uniform", "unknown task of fake 'plian'; did you mean 'plain'?"),
        ("trial fake plain -l unifrom", "unknown learner 'unifrom'; did you mean 'uniform'?"),
        ("trial fake plain -l uniform --set sise=1", "unknown setting of fake 'sise'; did you mean 'size'?"),
        ("trial fake plain -l uniform --set size=x", "setting 'size' of fake"),
        ("trial fake plain -l uniform --set size", "--set takes NAME=VALUE"),
        ("trial fake plain -l lstm --set learner.widht=1", "did you mean 'width'?"),
        ("trial fake plain -l {translator}", "'Translator' does transduction, but fake asks for language modelling"),
        ("trial fake plain -l nowhere.py:Net", "nowhere.py cannot be read: No such file or directory"),
        ("trial fake plain -l uniform --set folder=nowhere", "nowhere cannot be read: No such file or directory"),
        ("run fake/smal", "unknown study 'fake/smal'; did you mean 'fake/small'?"),
        ("run nowhere.toml", "the study file nowhere.toml cannot be read: No such file"),
        ("run fake/small --scale smoke", "the study fake/small has no scales"),
        ("run bliss/demo --scale smok", "unknown scale of bliss/demo 'smok'; did you mean 'smoke'?"),
        ("run fake/small -l {translator}", "'Translator' does transduction"),
        ("run fake/small --timeout 0", "--timeout must be more than 0 seconds"),
        ("run fake/small --dask tcp://x:1 --slurm", "--dask and --slurm exclude each other"),
        ("run fake/small --slurm", "--slurm needs --workers N"),
        ("run fake/small --dask tcp://x:1 -j 2", "leave --workers out"),
        ("run fake/small --job memory=1GB", "--job is for jobs of a batch system"),
        ("status", "there is no store in wug-store; 'wug run STUDY --store wug-store' makes one"),
        ("show abc --store nowhere", "there is no store in nowhere"),
        ("export x.parquet --store nowhere", "there is no store in nowhere"),
        ("import nowhere.csv", "nowhere.csv cannot be read: No such file"),
        ("list tasks", "needs the name of a benchmark"),
        ("list tasks flake", "unknown benchmark 'flake'"),
        ("list learners bliss", "takes no further name"),
        ("list sutdies", "unknown list 'sutdies'; did you mean 'studies'?"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_exits_2(wug, fake_learner, line, complaint):
    outcome = wug(line.format(translator=fake_learner("Translator")))
    assert outcome.status == 2
    assert complaint in outcome.err
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


@pytest.mark.parametrize(
    "line", ["run", "trial fake plain", "run fake/small --seeds 0", "run fake/small --what", "show"]
)
def test_a_command_that_is_written_wrong_exits_2(wug, line):
    outcome = wug(line)
    assert outcome.status == 2
    assert "Usage: wug" in outcome.err


def test_a_study_is_run_looked_at_exported_and_imported(wug, steady, fake_learner):
    outcome = wug(f"run fake/small --workers 0 -l {steady} -l {fake_learner('Raising')}")
    assert outcome.status == 1
    assert outcome.out.splitlines()[0] == "fake/small: 16 trials, 8 done, 8 failed"
    assert outcome.err.startswith("0 of 16 trials after 0 s")
    assert "failed (fake plain, Raising, seed 1): ValueError: no luck" in outcome.err

    status = wug("status --json").json
    (study,) = status["studies"]
    assert (study["study"], study["scale"], study["done"], study["failed"], study["waiting"]) == (
        "fake/small",
        "",
        8,
        8,
        0,
    )
    assert study["command"].startswith("wug run fake/small")
    failed = status["failures"][0]["id"]
    assert "ValueError: no luck" in wug("status").out

    shown = wug(f"show {failed[:12]}")
    assert shown.status == 0
    assert "Traceback (most recent call last)" in shown.out
    assert "with this one" in shown.out

    assert wug("export results.parquet").out == "16 trials in results.parquet\n"
    assert wug("export results.csv").status == 0
    table = pl.read_parquet("results.parquet")
    assert table["trial"].n_unique() == 16

    assert wug("import results.csv --store other").out == "16 trials imported, 0 were done already\n"
    assert wug("import results.csv --store other").out == "8 trials imported, 8 were done already\n"
    assert wug("export again.parquet --store other").status == 0
    assert pl.read_parquet("again.parquet").equals(table)


def test_a_rerun_does_only_what_is_missing(wug, steady):
    first = wug(f"run fake/small --workers 0 -l {steady} --seeds 1 --json")
    assert first.status == 0
    assert [("id" in line) for line in first.lines] == [True] * 4 + [False]
    assert first.lines[-1] == {
        "study": "fake/small",
        "scale": "",
        "store": "wug-store",
        "trials": 4,
        "done": 4,
        "failed": 0,
        "left": 0,
    }
    second = wug(f"run fake/small --workers 0 -l {steady} --seeds 2 --json")
    assert len(second.lines) == 4 + 1
    assert {line["seed"] for line in second.lines[:-1]} == {2}
    third = wug(f"run fake/small --workers 0 -l {steady} --seeds 2")
    assert third.status == 0
    assert "8 of 8 trials are done already" in third.err


def test_lines_of_json_are_what_a_trial_prints(wug, steady):
    line = wug(f"run fake/small --workers 0 -l {steady} --seeds 1 --json").lines[0]
    settings = " ".join(f"--set {name}={value}" for name, value in line["spec"]["settings"].items() if value != "")
    trial = wug(f"trial fake {line['task']} -l {steady} --seed {line['seed']} {settings} --json").json
    measured = {"wall_s", "cpu_s", "peak_mb"}
    assert {key: line[key] for key in line.keys() - measured} == {key: trial[key] for key in trial.keys() - measured}


def test_show_gives_the_command_that_runs_the_trial_again(wug, steady, tmp_path):
    (tmp_path / "data.txt").write_text("1 2 3")
    wug(f"run fake/small --workers 0 -l {steady} --seeds 1 --set folder=data.txt --set learner.bias=0.25 --json")
    (study,) = wug("status --json").json["studies"]
    assert study["done"] == 4
    assert wug("export x.parquet").status == 0
    trial = pl.read_parquet("x.parquet").filter(pl.col("spec").str.contains('"level":2'))["trial"][0]
    shown = wug(f"show {trial} --json").json
    assert shown["command_is_same"] is True
    assert "--set level=2" in shown["command"]
    assert "--set learner.bias=0.25" in shown["command"]
    assert "size" not in shown["command"]
    again = wug(shown["command"].removeprefix("wug ") + " --json").json
    assert again["id"] == trial == shown["id"]
    assert again["scores"] == {**shown["scores"], "success": True}

    (tmp_path / "data.txt").write_text("4 5 6")
    assert wug(f"show {trial} --json").json["command_is_same"] is False
    assert "makes another trial today" in wug(f"show {trial}").out


def test_a_study_file_of_ones_own(wug, steady, tmp_path):
    (tmp_path / "mine.toml").write_text(
        f'title = "Mine"\n[[trials]]\nbenchmark = "fake"\ntask = "plain"\nlearner = "{steady}"\nseeds = [4]\n'
    )
    assert wug("run mine.toml --workers 0 --store mine").out.splitlines()[0] == "mine: 1 trials, 1 done"
    assert wug("status --store mine").out.count("mine") >= 1


def test_list_tells_what_there_is(wug):
    everything = wug("list --json").json
    assert {"benchmarks", "learners", "studies"} == set(everything)
    assert "fake" in {card["name"] for card in everything["benchmarks"]}
    assert "oracle" in {card["name"] for card in everything["learners"]}
    assert "fake/small" in {study["name"] for study in everything["studies"]}
    assert wug("list tasks fake --json").json == [{"name": name} for name in ("plain", "other", "shared")]
    settings = {row["name"]: row for row in wug("list settings fake --json").json}
    assert settings["size"] == {"name": "size", "default": 3, "description": "numbers to learn from"}
    assert "numbers to learn from" in wug("list settings fake").out
    assert "A small study" in wug("list").out
