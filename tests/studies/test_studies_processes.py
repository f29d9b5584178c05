"""Real worker processes, and everything that can happen to them."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import psutil
import pytest

from wug.studies.exchange import export_results
from wug.studies.store import Store

pytestmark = pytest.mark.xdist_group("processes")

PATIENCE_S = 60


def _listen_to_ctrl_c():
    """A process that was started in the background ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Command:
    """A running ``wug run --json``, the leader of a process group of its own, as in a terminal."""

    def __init__(self, *arguments, cwd, largest_file=None):
        program = "from wug.cli.main import run; run()"
        if largest_file:
            limits = f"({largest_file}, resource.RLIM_INFINITY)"
            program = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, {limits}); {program}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "run", *map(str, arguments), "--json"],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_listen_to_ctrl_c,
        )

    def end(self):
        """Return (exit status, the trials it ran by id, the summary, standard error)."""
        try:
            out, err = self.process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise
        lines = [json.loads(line) for line in out.splitlines()]
        trials = {line["id"]: line for line in lines if "id" in line}
        summary = next((line for line in lines if "left" in line), None)
        return self.process.returncode, trials, summary, err

    def children(self):
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture
def run(tmp_path, fake_benchmark):
    """Starts ``wug run`` on the study of a text, in a store of the test's own."""
    running = []

    def start(text, *arguments, **limits):
        study = tmp_path / "mine.toml"
        study.write_text(f'title = "Mine"\n{text}')
        running.append(Command(study, "--store", tmp_path / "store", *arguments, cwd=tmp_path, **limits))
        return running[-1]

    yield start
    for command in running:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.process.pid, signal.SIGKILL)


@pytest.fixture
def block(fake_learner):
    """Returns the text of a block of trials for a learner of fakes/learners.py."""

    def block(learner, seeds=1, **options):
        options = "".join(f", {name} = {json.dumps(value)}" for name, value in options.items())
        name = json.dumps(fake_learner(learner))
        return (
            f'[[trials]]\nbenchmark = "fake"\ntask = "plain"\nlearner = {{name = {name}{options}}}\nseeds = {seeds}\n'
        )

    return block


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited too long until {what}"
        time.sleep(0.02)


def has_ended(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def by_learner(trials):
    return {trial["learner"].partition(" ")[0]: trial for trial in trials.values()}


def attempts(tmp_path):
    with Store.reading(tmp_path / "store") as store:
        return {row["learner"].partition(" ")[0]: row["attempt"] for row in store.rows("SELECT * FROM trials")}


def test_a_killed_worker_is_replaced_and_its_trial_tried_again(run, block, tmp_path):
    command = run(block("Waiting", folder=str(tmp_path)) + block("Steady", seeds=3), "--workers", 2)
    pid_file = tmp_path / "pid-1"
    wait_until(pid_file.exists, "the trial runs")
    pid = int(pid_file.read_text())
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: int(pid_file.read_text()) != pid, "it runs again")
    (tmp_path / "go").touch()
    status, trials, summary, errors = command.end()
    assert status == 0, errors
    assert {trial["status"] for trial in trials.values()} == {"done"}
    assert summary["done"] == 4
    assert "a worker died during trial" in errors
    assert attempts(tmp_path) == {"Waiting": 2, "Steady": 1}


def test_a_trial_whose_workers_always_die_fails_and_the_others_go_on(run, block, tmp_path):
    command = run(block("Dying", folder=str(tmp_path), deaths=9) + block("Steady", seeds=2), "--workers", 1)
    status, trials, summary, _ = command.end()
    assert status == 1
    assert (summary["done"], summary["failed"], summary["left"]) == (2, 1, 0)
    assert by_learner(trials)["Dying"]["error"].startswith("the worker died in each of 3 attempts")
    assert len(list(tmp_path.glob("attempt-*"))) == 3


def test_a_killed_coordinator_loses_nothing_and_a_rerun_does_the_rest(run, block, tmp_path):
    study = block("Steady", seeds=3) + block("Waiting", seeds=2, folder=str(tmp_path))
    command = run(study, "--workers", 2)
    wait_until(lambda: all((tmp_path / f"pid-{seed}").exists() for seed in (1, 2)), "both workers wait")
    workers = [int((tmp_path / f"pid-{seed}").read_text()) for seed in (1, 2)]

    with Store.reading(tmp_path / "store") as store:
        wait_until(lambda: len(store.done()) == 3, "the store has the other trials")

    status, trials, _, errors = run(study, "--workers", 0).end()
    assert (status, trials) == (2, {})
    assert f"in use by process {command.process.pid}" in errors
    assert errors.count("\n") == 1

    os.kill(command.process.pid, signal.SIGKILL)
    wait_until(lambda: all(map(has_ended, workers)), "the workers end by themselves")
    (tmp_path / "go").touch()
    status, trials, summary, errors = run(study, "--workers", 2).end()
    assert status == 0, errors
    assert [trial["learner"].partition(" ")[0] for trial in trials.values()] == ["Waiting", "Waiting"]
    assert (summary["trials"], summary["done"]) == (5, 5)


@pytest.mark.parametrize("workers", [0, 1])
def test_ctrl_c_keeps_what_is_finished(run, block, tmp_path, workers):
    study = block("Steady", seeds=2) + block("Waiting", folder=str(tmp_path))
    command = run(study, "--workers", workers)
    wait_until((tmp_path / "pid-1").exists, "the last trial runs")
    worker = int((tmp_path / "pid-1").read_text())
    os.killpg(command.process.pid, signal.SIGINT)
    began = time.monotonic()
    status, trials, summary, errors = command.end()
    assert status == 130, errors
    assert len(trials) == 2
    assert (summary["done"], summary["left"]) == (2, 1)
    assert "2 done, 1 left; run the same command to continue" in errors
    assert "Traceback" not in errors
    assert time.monotonic() - began < PATIENCE_S / 2
    wait_until(lambda: has_ended(worker), "the worker has ended")

    (tmp_path / "go").touch()
    status, trials, summary, _ = run(study, "--workers", workers).end()
    assert (status, len(trials), summary["done"]) == (0, 1, 3)


@pytest.mark.parametrize("workers", [0, 2])
def test_what_goes_wrong_in_one_trial_leaves_the_others(run, block, workers):
    names = ["Raising", "NotANumber", "Exiting", "Endless", "Steady"]
    study = "".join(map(block, names))
    status, trials, summary, errors = run(study, "--workers", workers, "--timeout", 1).end()
    assert status == 1, errors
    assert (summary["done"], summary["failed"]) == (1, 4)
    assert {name: trial["error"] for name, trial in by_learner(trials).items()} == {
        "Raising": "ValueError: no luck",
        "NotANumber": "the model answers not a number to item 1",
        "Exiting": "SystemExit: 3",
        "Endless": "took longer than the 1 s of --timeout",
        "Steady": "",
    }


BLISS = """
[[trials]]
benchmark = "bliss"
task = "anbn"
learner = "lstm"
seeds = 2
[trials.set]
N = 1
b = 1
up_to = 5
"learner.width" = 4
"learner.epochs" = 3
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_full_disk_is_one_sentence_and_what_was_kept_is_not_run_again(run, block, workers):
    study = block("Steady", seeds=150)
    status, kept, _, errors = run(study, "--workers", workers, largest_file=160_000).end()
    assert status == 1
    assert "cannot be written: the disk is full" in errors
    assert "Traceback" not in errors
    assert 0 < len(kept) < 150
    status, trials, summary, _ = run(study, "--workers", 0).end()
    assert (status, summary["done"]) == (0, 150)
    assert not kept.keys() & trials.keys()


@pytest.mark.parametrize(("text", "workers"), [("fake", (0, 1, 2)), (BLISS, (0, 2))], ids=["fake", "bliss"])
def test_scores_do_not_depend_on_the_number_of_workers(run, block, tmp_path, text, workers):
    may_differ = ["started", "finished", "wall_s", "cpu_s", "peak_mb", "host", "worker", "attempt"]
    tables = []
    for number in workers:
        study = block("Unseeded", seeds=3) if text == "fake" else text
        status, trials, _, errors = run(study, "--workers", number).end()
        assert status == 0, errors
        assert len(trials) >= 2
        with Store.reading(tmp_path / "store") as store:
            export_results(store, tmp_path / "results.parquet")
        tables.append(pl.read_parquet(tmp_path / "results.parquet").drop(may_differ))
        (tmp_path / "store" / "store.sqlite").unlink()
    assert tables[0]["value"].null_count() < len(tables[0]) / 2
    assert all(table.equals(tables[0]) for table in tables)


def test_trials_that_are_done_are_not_run_again(run, block):
    study = block("Steady", seeds=2)
    assert len(run(study, "--workers", 0).end()[1]) == 2
    status, trials, summary, _ = run(study, "--workers", 1).end()
    assert (status, trials, summary["done"]) == (0, {}, 2)
    status, trials, _, _ = run(study, "--workers", 0, "--seeds", 3).end()
    assert (status, [trial["seed"] for trial in trials.values()]) == (0, [3])
