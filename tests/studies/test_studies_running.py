import mmap
import os
import sys

import pytest

from wug.errors import InputError
from wug.learners.registry import parse_learner
from wug.studies.measuring import Stopwatch, peak_memory_mib, reset_peak_memory
from wug.studies.running import THREAD_VARIABLES, require_suitable, run_group, sentence, use_one_thread
from wug.studies.trial import plan_trials


@pytest.fixture
def run_one(fake_benchmark, fake_learner):
    def run_one(learner, task="plain", seed=1, options=None, **settings):
        spec = parse_learner(fake_learner(learner), options)
        (result,) = run_group(plan_trials("fake", task, settings, [spec], [seed]), worker="here")
        return result

    return run_one


def scores_of(result):
    return {(score.measure, score.item): score.value for score in result.scores}


def test_a_trial_has_its_scores_and_says_where_it_ran(run_one):
    result = run_one("Steady", options={"bias": 0.5}, level=2)
    assert result.status == "done"
    assert result.error == result.traceback == ""
    assert scores_of(result)["success", ""] is True
    assert scores_of(result)["missing", ""] is None
    assert (result.worker, result.attempt) == ("here", 1)
    assert set(result.versions) == {"wug", "python", "numpy", "torch"}
    assert result.started <= result.finished
    assert result.wall_s > 0
    assert result.peak_mb > 1


def test_equal_specs_give_equal_scores(run_one):
    first, second = run_one("Steady"), run_one("Steady")
    assert first.trial == second.trial
    assert first.scores == second.scores
    assert run_one("Steady", seed=2).scores != first.scores


def test_global_generators_are_settled_for_every_trial(run_one):
    first = run_one("Unseeded")
    run_one("Unseeded", seed=2)
    assert run_one("Unseeded").scores == first.scores


def test_a_training_is_shared_and_each_trial_judged(fake_benchmark, fake_learner):
    from wug_fake.benchmark import BUILT

    spec = parse_learner(fake_learner("Slow"), {"seconds": 0.2})
    trials = [trial for level in (1, 2, 3) for trial in plan_trials("fake", "plain", {"level": level}, [spec], [1])]
    BUILT.clear()
    results = run_group(trials, worker="here")
    assert [result.trial for result in results] == [trial.id for trial in trials]
    assert len(BUILT) == 3
    means = [scores_of(result)["mean", ""] for result in results]
    assert means == pytest.approx([means[0], 2 * means[0], 3 * means[0]])
    assert sum(result.wall_s for result in results) >= 0.2
    assert all(result.wall_s >= 0.2 / 3 for result in results)


def test_what_a_learner_prints_goes_to_standard_error(run_one, capsys):
    run_one("Steady")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "a learner talks" in captured.err


@pytest.mark.parametrize(
    ("learner", "settings", "error"),
    [
        ("Raising", {}, "ValueError: no luck"),
        ("Exiting", {}, "SystemExit: 3"),
        ("NotANumber", {}, "the model answers not a number to item 1"),
        ("Steady", {"broken": "raise"}, "RuntimeError: the judge broke"),
        (
            "Steady",
            {"broken": "nan"},
            "the measure 'wrong' of 'first' is nan, which the benchmark should have reported as a missing value",
        ),
        ("Steady", {"broken": "twice"}, "the measure 'mean' was reported twice by the benchmark"),
    ],
)
def test_what_goes_wrong_is_recorded_with_sentence_and_traceback(run_one, learner, settings, error):
    result = run_one(learner, **settings)
    assert result.status == "failed"
    assert result.error == error
    assert result.traceback.startswith("Traceback")
    assert not result.refused


def test_scores_of_a_failed_trial_are_kept(run_one):
    assert scores_of(run_one("NotANumber")) == {("size", ""): 3}


def test_a_failed_training_fails_all_its_trials_and_a_failed_judgement_its_own(fake_benchmark, fake_learner):
    def run(learner, *settings):
        spec = parse_learner(fake_learner(learner))
        trials = [trial for given in settings for trial in plan_trials("fake", "plain", given, [spec], [1])]
        return [result.status for result in run_group(trials, worker="here")]

    assert run("Raising", {"level": 1}, {"level": 2}) == ["failed", "failed"]
    assert run("Steady", {"level": 1}, {"broken": "raise"}, {"level": 2}) == ["done", "failed", "done"]


def test_a_learner_of_another_setting_is_refused(fake_benchmark, fake_learner, run_one):
    with pytest.raises(InputError, match="'Translator' does transduction, but fake asks for language modelling"):
        require_suitable("fake", parse_learner(fake_learner("Translator")))
    assert run_one("Translator").refused


def test_suiting_learners_are_let_pass_and_built_in_ones_not_even_imported(fake_benchmark, fake_learner):
    require_suitable("fake", parse_learner(fake_learner("Steady")))
    require_suitable("fake", parse_learner("oracle:rule"))


def test_data_that_changed_since_the_trial_was_planned_are_refused(run_one, fake_benchmark, tmp_path, fake_learner):
    data = tmp_path / "data.txt"
    data.write_text("1")
    (trial,) = plan_trials("fake", "plain", {"folder": str(data)}, [parse_learner(fake_learner("Steady"))], [1])
    data.write_text("2")
    (result,) = run_group([trial], worker="here")
    assert result.refused
    assert "has changed since this trial was planned" in result.error


def test_one_thread(monkeypatch):
    for name in THREAD_VARIABLES:
        monkeypatch.setenv(name, "4")
    use_one_thread()
    assert {os.environ[name] for name in THREAD_VARIABLES} == {"1"}


def test_sentences_are_one_line():
    assert sentence(InputError("two\n  lines")) == "two lines"
    assert sentence(KeyError("x")) == "KeyError: 'x'"
    assert sentence(MemoryError()) == "MemoryError"


def test_the_stopwatch_starts_again_after_a_lap():
    watch = Stopwatch()
    sum(range(200_000))
    wall, cpu = watch.lap()
    assert wall > 0
    assert cpu > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lets the peak start anew")
def test_the_peak_can_start_anew():
    reset_peak_memory()
    with mmap.mmap(-1, 64 * 2**20) as block:
        for page in range(0, len(block), mmap.PAGESIZE):
            block[page] = 1
        high = peak_memory_mib()
    reset_peak_memory()
    assert peak_memory_mib() < high - 32
