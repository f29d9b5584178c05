"""Trainings of one shape that a learner does together."""

import pytest

from wug.learners.registry import parse_learner
from wug.studies.executor import execute_here
from wug.studies.expansion import Plan, plan_study
from wug.studies.running import run_group
from wug.studies.session import Session, missing_groups
from wug.studies.store import Store
from wug.studies.study import read_study
from wug.studies.trial import group_trials, plan_trials


@pytest.fixture
def plan(fake_benchmark, fake_learner, tmp_path):
    def plan(seeds=7, learner="Replicated", options=""):
        path = tmp_path / "mine.toml"
        path.write_text(
            f'title = "T"\n[[trials]]\nbenchmark = "fake"\ntask = ["plain", "shared"]\n'
            f'learner = {{ name = "{fake_learner(learner)}"{options} }}\nseeds = {seeds}\n'
        )
        return plan_study(read_study(path, "mine"), None)

    return plan


def sizes(groups):
    return [len({trial.training_key for trial in group}) for group in groups]


def scores(results):
    return {result.trial: {(s.measure, s.item): s.value for s in result.scores} for result in results}


def test_groups_hold_as_many_trainings_as_the_learner_has_replicas(plan):
    assert sizes(group_trials(plan().trials)) == [3, 3, 1]
    assert sizes(group_trials(plan(options=", replicas = 2").trials)) == [2, 2, 2, 1]
    assert sizes(group_trials(plan(options=", replicas = 1").trials)) == [1] * 7
    assert sizes(group_trials(plan(learner="Steady").trials)) == [1] * 7
    for group in group_trials(plan().trials):  # a task that is judged on another's model stays with it
        assert {trial.task for trial in group} == {"plain", "shared"}


def test_trainings_of_different_shapes_stay_apart(fake_benchmark, fake_learner):
    spec = parse_learner(fake_learner("Replicated"))
    trials = [trial for size in (4, 5, 4, 5) for trial in plan_trials("fake", "plain", {"size": size}, [spec], [size])]
    trials += plan_trials("fake", "plain", {"size": 4}, [spec], [8, 9])
    assert [[trial.settings["size"] for trial in group] for group in group_trials(trials)] == [[4, 4, 4, 4], [5, 5]]


def test_together_gives_the_scores_that_alone_gives(plan):
    planned = plan()
    (group, *_) = group_trials(planned.trials)
    together = run_group(group, worker="here")
    alone = [result for trial in group for result in run_group([trial], worker="here")]
    assert scores(together) == scores(alone)
    assert {result.status for result in together} == {"done"}
    assert all(result.wall_s >= 0 for result in together)


def test_one_that_fails_does_not_touch_the_others(plan):
    trials = plan(seeds=[12, 13, 14]).trials
    results = run_group(list(trials), worker="here")
    by_seed = {(trial.seed, result.status) for trial, result in zip(trials, results, strict=True)}
    assert by_seed == {(12, "done"), (13, "failed"), (14, "done")}
    (error,) = {result.error for result in results if result.status == "failed"}
    assert error == "the loss became nan"


def test_a_learner_that_breaks_fails_the_group(plan):
    results = run_group(list(plan(seeds=2, options=", broken = true").trials), worker="here")
    assert {(result.status, result.error) for result in results} == {("failed", "RuntimeError: out of memory")}


def test_a_group_is_rerun_whole_and_what_was_done_keeps_its_results(plan, tmp_path):
    planned = plan()
    with Store.writing(tmp_path / "store") as store:
        session = Session(planned, store, "wug run mine.toml")
        missing = session.begin()
        first = [trial for trial in missing if trial.seed == 1]
        store.record(run_group(first, worker="alone"))
        left = [trial for trial in session.begin() if trial.seed != 7]
        groups = missing_groups(planned, left)
        assert sizes(groups) == [3, 3]  # the first with the training that is done, the last not at all
        reported = []
        session.run(left, execute_here, None, reported.extend)
        assert sorted(result.trial for result in reported) == sorted(trial.id for trial in left)
        assert not store.done() & {trial.id for trial in planned.trials if trial.seed == 7}


def test_the_groups_do_not_depend_on_what_is_left(plan):
    planned: Plan = plan()
    for n_done in range(len(planned.trials)):
        groups = missing_groups(planned, planned.trials[n_done:])
        assert [group for group in group_trials(planned.trials) if group in groups] == groups


def test_the_number_of_replicas_is_part_of_the_spec(fake_learner, fake_benchmark):
    two, three = (parse_learner(fake_learner("Replicated"), {"replicas": n}) for n in (2, 3))
    assert two.identity() != three.identity()
    assert (two.replicas, parse_learner("lstm").replicas) == (2, 1)
