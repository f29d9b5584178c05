import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from wug.benchmarks.protocol import Score
from wug.errors import InputError, WugError
from wug.studies.executor import failed_results
from wug.studies.expansion import Changes, plan_study
from wug.studies.results import read_results
from wug.studies.running import run_group
from wug.studies.session import missing_trials
from wug.studies.store import FILE_NAME, Store
from wug.studies.study import find_study


@pytest.fixture
def plan(fake_benchmark, fake_learner):
    return lambda **changes: plan_study(
        find_study("fake/small"), None, Changes(**{"learners": [fake_learner("Steady")], **changes})
    )


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


def run(trials):
    return run_group(list(trials), worker="here")


def test_results_are_kept(plan, folder):
    trials = plan().trials
    results = run(trials)
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        store.record(results)
    with Store.reading(folder) as store:
        assert store.done() == {trial.id for trial in trials}
        for result in results:
            assert [Score(*row) for row in store.scores(result.trial)] == list(result.scores)
        row = store.trial(trials[0].id)
    assert row["spec"] == trials[0].spec_json
    assert row["wall_s"] == results[0].wall_s
    assert row["torch_version"] == results[0].versions["torch"]


def test_what_is_missing_are_the_trials_never_run_and_those_that_failed(plan, folder):
    trials = plan().trials
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        assert missing_trials(plan(), store) == list(trials)
        store.record(run(trials[:2]))
        store.record(failed_results(trials[2:3], "it broke", "now", worker="here", attempt=1))
        assert missing_trials(plan(), store) == list(trials[2:])
        (status,) = store.studies()
        assert (status.done, status.failed, status.waiting) == (2, 1, len(trials) - 3)
        (failure,) = store.failures()
        assert (failure["id"], failure["error"]) == (trials[2].id, "it broke")
        store.record(run(trials[2:3]))
        assert store.failures() == []


def test_a_new_result_takes_the_place_of_the_old_scores(plan, folder):
    trial = plan().trials[0]
    (result,) = run([trial])
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        store.record([result])
        store.record([replace(result, scores=(Score("only", 1.0),))])
        assert store.scores(trial.id) == [("only", 1.0, "", "")]


def test_all_or_nothing_of_a_record_is_kept(plan, folder):
    first, second = run(plan().trials[:2])
    broken = replace(second, scores=(Score("measure", object()),))
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        with pytest.raises(sqlite3.Error):
            store.record([first, broken])
        assert store.done() == set()
        store.record([first])
        assert store.done() == {first.trial}


def test_a_trial_belongs_to_every_study_that_asks_for_it(plan, folder, tmp_path):
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\n[[trials]]\nbenchmark = "fake"\ntask = "plain"\nlearner = "uniform"\nseeds = 1\n'
    )
    mine = plan_study(find_study(str(tmp_path / "mine.toml")), None)
    (trial,) = mine.trials
    with Store.writing(folder) as store:
        store.register(plan(learners=()), "first")
        store.register(mine, "second")
        assert store.memberships(trial.id) == [("fake/small", ""), ("mine", "")]
        assert [status.command for status in store.studies()] == ["first", "second"]


def test_a_narrower_request_forgets_what_was_never_run_and_keeps_what_was(plan, folder):
    wide, narrow = plan(seeds=3), plan(seeds=1)
    ran = [trial for trial in wide.trials if trial.seed == 3][:1]
    with Store.writing(folder) as store:
        store.register(wide, "wide")
        store.record(run(ran))
        store.register(narrow, "narrow")
        (status,) = store.studies()
        assert (status.done, status.waiting) == (1, len(narrow.trials))
        assert status.command == "narrow"


def test_a_file_that_moved_is_found_at_its_new_place(plan, folder, tmp_path, fake_learner):
    source = Path(fake_learner("Steady").removesuffix(":Steady"))
    (tmp_path / "moved.py").write_text(source.read_text())
    moved = plan(learners=[f"{tmp_path}/moved.py:Steady"])
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        store.register(moved, "wug run")
        assert "moved.py" in store.trial(moved.trials[0].id)["locations"]
        assert len(store.rows("SELECT * FROM trials")) == len(plan().trials)


def test_a_trial_is_found_by_the_start_of_its_id(plan, folder):
    trials = plan().trials
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
        assert store.trial(trials[0].id[:10])["id"] == trials[0].id
        with pytest.raises(InputError, match="no trial 'zzz'"):
            store.trial("zzz")
        with pytest.raises(InputError, match="no trial '\\*'"):
            store.trial("*")
        with pytest.raises(InputError, match="start of several trials"):
            store.trial("")


def test_readers_read_while_a_writer_writes(plan, folder):
    trials = plan().trials
    with Store.writing(folder) as writer:
        writer.register(plan(), "wug run")
        with Store.reading(folder) as reader:
            writer.record(run(trials[:1]))
            assert reader.done() == {trials[0].id}
            assert len(read_results(reader).trials) == 1


def test_one_writer_at_a_time(folder):
    with Store.writing(folder), pytest.raises(InputError, match=f"in use by process {os.getpid()} on") as error:  # noqa: SIM117
        with Store.writing(folder):
            pass
    assert "--store" in str(error.value)
    with Store.writing(folder):
        pass


def test_there_is_nothing_to_read_where_no_store_is(folder):
    with pytest.raises(InputError, match="there is no store in"), Store.reading(folder):
        pass


def test_other_files_are_refused(folder):
    folder.mkdir()
    (folder / FILE_NAME).write_text("something else, and long enough to be no SQLite header at all")
    for way in (Store.reading, Store.writing):
        with pytest.raises(InputError, match="is not a store of wug"), way(folder):
            pass
    (folder / FILE_NAME).unlink()
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.execute("CREATE TABLE mine (a)")
    connection.close()
    with pytest.raises(InputError, match="is not a store of wug"), Store.writing(folder):
        pass


def test_another_format_is_one_sentence(folder):
    with Store.writing(folder):
        pass
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for way in (Store.reading, Store.writing):
        with pytest.raises(InputError, match="has format 99, but this version of wug knows format 1"), way(folder):
            pass


def test_a_full_store_says_so_and_keeps_what_it_has(plan, folder):
    trials = plan().trials
    results = run(trials)
    long = replace(results[1], scores=tuple(Score("measure", 1.0, item="x" * 1000 + str(n)) for n in range(2000)))
    with pytest.raises(WugError, match="disk is full") as error, Store.writing(folder) as store:  # noqa: PT012
        store.register(plan(), "wug run")
        store.record(results[:1])
        store._connection.execute("PRAGMA max_page_count = 40")
        store.record([long])
    assert "every trial recorded before is kept" in str(error.value)
    with Store.writing(folder) as store:
        assert store.done() == {results[0].trial}
        store.record([long])
        assert store.done() == {result.trial for result in results[:2]}


PROGRAM = """
import resource, sys
from pathlib import Path
from wug.errors import WugError
from wug.studies.store import Store
folder, n_bytes = Path(sys.argv[1]), int(sys.argv[2])
try:
    with Store.writing(folder) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, resource.RLIM_INFINITY))
        columns = dict(benchmark="b", task="t", learner="l", seed=1, spec="{}", status="done")
        for number in range(1000):
            store.merge([dict(columns, id=str(number))], {str(number): [("m", "x" * 1000, 1.0, "")]}, [])
            print(number, flush=True)
except WugError as error:
    print(error)
"""


def test_a_disk_that_is_really_full(folder):
    size = 300_000
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(size)], capture_output=True, text=True, timeout=60
    )
    *numbers, sentence = result.stdout.splitlines()
    assert "cannot be written" in sentence, result.stderr
    assert len(numbers) > 10
    with Store.reading(folder) as store:
        assert store.done() >= set(numbers)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_store_is_one_sentence_and_can_be_read(folder, plan):
    with Store.writing(folder) as store:
        store.register(plan(), "wug run")
    folder.chmod(0o500)
    (folder / FILE_NAME).chmod(0o400)
    try:
        with pytest.raises(WugError, match="cannot be written"), Store.writing(folder):
            pass
        with Store.reading(folder) as store:
            assert store.studies()
    finally:
        folder.chmod(0o700)


def test_results_have_a_row_for_each_study_of_a_trial_and_only_those_that_ended(plan, folder, tmp_path):
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\n[[trials]]\nbenchmark = "fake"\ntask = "plain"\nlearner = "uniform"\nseeds = 1\n'
    )
    mine = plan_study(find_study(str(tmp_path / "mine.toml")), None)
    small = plan(learners=())
    with Store.writing(folder) as store:
        store.register(small, "first")
        store.register(mine, "second")
        store.record(failed_results(mine.trials, "it broke", "now", worker="here", attempt=2))
        results = read_results(store)
    assert results.trials.select("id", "study", "status", "error").rows() == [
        (mine.trials[0].id, study, "failed", "it broke") for study in ("fake/small", "mine")
    ]
    assert results.command == "first; second"
    assert results.scores.columns == ["trial", "measure", "item", "value", "note"]
    assert len(results.scores) == 0


def test_frames_of_an_empty_store_have_the_types_of_a_full_one(plan, folder):
    with Store.writing(folder) as store:
        empty = read_results(store)
        store.register(plan(), "wug run")
        store.record(run(plan().trials))
        full = read_results(store)
    assert len(full.trials) == len(plan().trials)
    assert empty.trials.schema == full.trials.schema
    assert empty.scores.schema == full.scores.schema
