import polars as pl
import pytest
import reports_examples as examples

from wug.benchmarks.protocol import Results
from wug.reports.stores import merged, of_benchmark


def part(results, ids, **columns):
    """Some trials of some results, changed, with scores that tell where they are from."""
    trials = results.trials.filter(pl.col("id").is_in(ids)).with_columns(**{k: pl.lit(v) for k, v in columns.items()})
    scores = results.scores.filter(pl.col("trial").is_in(ids), item="").with_columns(note=pl.lit(str(columns)))
    return Results(trials, scores, f"wug run {columns.get('study', 'x')}")


@pytest.fixture(scope="module")
def whole():
    return examples.results(failed=0)


@pytest.fixture(scope="module")
def ids(whole):
    return list(whole.trials["id"][:3])


def test_one_store_is_itself(whole):
    assert merged([whole]) is whole


def test_stores_without_a_common_trial_are_put_together(whole, ids):
    both = merged([part(whole, ids[:1]), part(whole, ids[1:])])
    assert set(both.trials["id"]) == set(ids)
    assert both.trials.columns == whole.trials.columns
    assert set(both.scores["trial"]) == set(ids)


def test_a_done_trial_wins_over_a_failed_one_and_keeps_both_studies(whole, ids):
    failed = part(whole, ids[:1], status="failed", error="no", study="a")
    both = merged([failed, part(whole, ids[:1], status="done", study="b")])
    assert both.trials.select("study", "status", "error").rows() == [("a", "done", ""), ("b", "done", "")]
    assert set(both.scores["note"]) == {"{'status': 'done', 'study': 'b'}"}
    assert both.command == "wug run a; wug run b"


def test_of_two_equal_outcomes_the_first_counts_and_its_scores_once(whole, ids):
    first, second = part(whole, ids[:1], study="a", host="one"), part(whole, ids[:1], study="a", host="two")
    both = merged([first, second])
    assert list(both.trials["host"]) == ["one"]
    assert both.scores.equals(first.scores)


def test_a_trial_without_a_study_takes_the_study_that_another_store_knows(whole, ids):
    both = merged([part(whole, ids[:2], study="", scale=""), part(whole, ids[:1], study="a", scale="smoke")])
    assert sorted(both.trials.select("study", "scale").rows()) == [("", ""), ("a", "smoke")]


def test_the_order_of_a_trials_scores_stays(whole, ids):
    both = merged([part(whole, ids[:1]), part(whole, ids[1:])])
    for one in ids:
        wanted = whole.scores.filter(trial=one, item="")["measure"]
        assert list(both.scores.filter(trial=one)["measure"]) == list(wanted)


def test_a_benchmark_gets_its_own_trials_scores_and_commands(whole, ids):
    named = part(whole, ids, study="mine", scale="laptop")
    foreign = part(whole, ids[:1], study="other", scale="smoke", benchmark="other")
    foreign = Results(
        foreign.trials.with_columns(id=pl.lit("f" * 16)), foreign.scores.with_columns(trial=pl.lit("f" * 16))
    )
    commands = {("mine", "laptop"): "wug run mine", ("other", "smoke"): "wug run other --scale smoke"}
    both = Results(
        pl.concat([named.trials, foreign.trials]),
        pl.concat([named.scores, foreign.scores]),
        "; ".join(commands.values()),
        commands,
    )
    own = of_benchmark(both, named.trials["benchmark"][0])
    assert own.trials.equals(named.trials)
    assert own.scores.equals(named.scores)
    assert own.command == "wug run mine"
    assert list(of_benchmark(both, "other").trials["id"]) == ["f" * 16]
    assert of_benchmark(both, "other").command == "wug run other --scale smoke"
