"""What a store does with 100,000 trials: planned, written, found missing after a stop, read back, exported.

The study has the shape of the largest one that is planned: thousands of tasks and settings (here 5,000), four learners,
five seeds. A trial has 20 scores, so the store holds two million. CPU seconds.
"""

import time
from dataclasses import replace

import pytest

from wug.benchmarks.protocol import Score
from wug.studies.exchange import export_results
from wug.studies.expansion import plan_study
from wug.studies.results import read_results
from wug.studies.session import missing_trials
from wug.studies.store import FILE_NAME, Store
from wug.studies.study import read_study
from wug.studies.trial import TrialResult, group_by_training

pytestmark = pytest.mark.benchmark(timer=time.process_time)

STUDY = """
title = "A large study"
[[trials]]
benchmark = "bliss"
task = ["anbn", "dyck1"]
learner = ["lstm", "gru", "srn", "transformer"]
seeds = 5
[trials.set]
b = [1, 2, 4, 10]
up_to = {values}
"""
N_TRIALS = 100_000
N_SCORES = 20
BATCH = 1000
"""Results that arrive together and are kept in one transaction."""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "large.toml"
    path.write_text(STUDY.format(values=list(range(N_TRIALS // (2 * 4 * 5 * 4)))))
    return read_study(path, "large")


def result_of(trial) -> TrialResult:
    scores = tuple(Score(f"measure_{number}", number / 7, item=str(number % 3)) for number in range(N_SCORES))
    outcome = TrialResult(
        trial.id, "done", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", "host", "worker", 1, {}
    )
    return replace(outcome, scores=scores, wall_s=1.0, cpu_s=1.0, peak_mb=100.0)


@pytest.fixture(scope="module")
def written(study, tmp_path_factory):
    """Returns (store's folder, plan, CPU seconds by step) of a study of which all but every tenth trial is done."""
    folder, seconds = tmp_path_factory.mktemp("store"), {}

    def timed(name, call):
        start = time.process_time()
        value = call()
        seconds[name] = time.process_time() - start
        return value

    plan = timed("planned", lambda: plan_study(study, None))
    assert len(plan.trials) == N_TRIALS
    results = [result_of(trial) for number, trial in enumerate(plan.trials) if number % 10]
    with Store.writing(folder) as store:
        timed("registered", lambda: store.register(plan, "wug run large.toml"))

        def write():
            for first in range(0, len(results), BATCH):
                store.record(results[first : first + BATCH])

        timed("written, 90 %", write)
    return folder, plan, seconds


def test_resuming(benchmark, written, study):
    """From the study file to the groups that are left to run, in a store where 90,000 trials are done."""
    folder, _, seconds = written

    def resume():
        with Store.writing(folder) as store:
            plan = plan_study(study, None)
            store.register(plan, "wug run large.toml")
            return group_by_training(missing_trials(plan, store))

    groups = benchmark.pedantic(resume, rounds=3)
    assert sum(map(len, groups)) == N_TRIALS // 10
    benchmark.extra_info.update({name: round(value, 2) for name, value in seconds.items()})
    benchmark.extra_info["megabytes"] = (folder / FILE_NAME).stat().st_size // 2**20
    print(dict(benchmark.extra_info))


def test_one_result_at_a_time(benchmark, written, tmp_path):
    """A transaction for each of 200 trials, durable on disk: what a trial costs that arrives alone."""
    _, plan, _ = written
    few = replace(plan, trials=plan.trials[:200])
    results = [result_of(trial) for trial in few.trials]
    with Store.writing(tmp_path) as store:
        store.register(few, "wug run large.toml")
        benchmark.pedantic(lambda: [store.record([result]) for result in results], rounds=3)


def test_summary(benchmark, written):
    """The status of the study."""

    def summarise():
        with Store.reading(written[0]) as store:
            return store.studies()

    (status,) = benchmark.pedantic(summarise, rounds=3)
    assert status.done == N_TRIALS * 9 // 10


def test_frames(benchmark, written):
    """All trials and scores as frames, as reports are made from."""

    def read():
        with Store.reading(written[0]) as store:
            return read_results(store)

    results = benchmark.pedantic(read, rounds=2)
    assert len(results.scores) == N_TRIALS * 9 // 10 * N_SCORES


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_export(benchmark, written, tmp_path, ending):
    """All scores as one long table."""

    def export():
        with Store.reading(written[0]) as store:
            return export_results(store, tmp_path / f"results.{ending}")

    assert benchmark.pedantic(export, rounds=1) == N_TRIALS * 9 // 10
