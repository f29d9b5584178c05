"""Trials: settings, scores at both ends, several seeds, replicas."""

import math
from dataclasses import dataclass

import pytest

from wug.benchmarks.find.benchmark import BENCHMARK
from wug.benchmarks.find.families import FAMILIES
from wug.benchmarks.find.fitting import SeedFit
from wug.errors import InputError, TrialError
from wug.learners.exact_transducers import known_answers
from wug.learners.registry import build_learner, parse_learner
from wug.studies.running import run_group
from wug.studies.trial import group_trials, plan_trials

NEED_FILES = {"scan"}
LN8 = math.log(8)


def trial(task, learner, seed=1, **settings):
    """Return the scores of a trial of the whole task, its items, and its notes."""
    resolved = BENCHMARK.resolve(task, settings)
    built = BENCHMARK.build(task, resolved, seed)
    model = BENCHMARK.fit(built, build_learner(parse_learner(learner)), seed)
    scores = BENCHMARK.judge(built, model, resolved)
    return (
        {score.measure: score.value for score in scores if not score.item},
        {(score.measure, score.item): score.value for score in scores if score.item},
        {score.measure: score.note for score in scores if score.note and not score.item},
    )


# --- known values -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", [name for name in FAMILIES if name not in NEED_FILES])
def test_every_task_has_an_oracle_for_each_rule_that_pins_both_measures(task):
    rules = list(BENCHMARK.build(task, BENCHMARK.resolve(task, {}), 1).judging.task.rules)
    assert len(rules) >= 2
    for rule in rules:
        whole, _, notes = trial(task, f"oracle:{rule}")
        assert [whole[f"agrees:{other}"] for other in rules] == [int(other == rule) for other in rules]
        assert (whole[f"share:{rule}"], whole["training_share"]) == (1, 1)
        assert (whole[f"L_nats:{rule}"], whole[f"L_bits:{rule}"]) == (0, 0)
        for other in rules:
            if other != rule:
                assert whole[f"L_nats:{other}"] is None
                assert "has probability 0" in notes[f"L_nats:{other}"]


@pytest.mark.parametrize(
    ("task", "settings", "nats"),
    [
        ("count", {}, {"mem": 820 * LN8, "count": 820 * LN8}),
        ("count", {"l": 10}, {"mem": 20 * 11 * LN8, "count": 220 * LN8}),
        ("add-or-multiply", {"l": 20}, dict.fromkeys(("add", "mul", "mem"), 246 * LN8)),
        ("hierarchical", {}, {"hierar": 32 * LN8, "linear": 32 * LN8}),
        ("composition", {"M": 6}, {"comp": 34 * 4 * math.log(48), "mem": 34 * 2 * math.log(48)}),
        ("count", {"vocab_padding": 1}, {"mem": 820 * math.log(5), "count": 820 * math.log(5)}),
    ],
)
def test_a_uniform_predictor_pays_the_same_for_every_symbol(task, settings, nats):
    whole, items, _ = trial(task, "uniform", **settings)
    for rule, expected in nats.items():
        assert whole[f"L_nats:{rule}"] == pytest.approx(expected)
        assert whole[f"L_bits:{rule}"] == pytest.approx(expected / math.log(2))
        blocks = [value for (measure, item), value in items.items() if measure == f"L_nats:{rule}" and "block" in item]
        assert math.fsum(blocks) == pytest.approx(expected)
        assert whole[f"agrees:{rule}"] == 0
    assert whole["share:not-terminated"] == 1


@pytest.mark.parametrize("task", ["count", "add-or-multiply"])
@pytest.mark.parametrize("learner", ["constant", "ignore-source"])
def test_what_does_not_look_at_the_source_memorises(task, learner):
    whole, _, _ = trial(task, learner)
    assert (whole["agrees:mem"], whole["L_nats:mem"]) == (1, 0)


def test_ignoring_the_source_costs_one_bit_where_two_answers_are_equally_frequent():
    whole, items, _ = trial("hierarchical", "ignore-source")
    assert whole["L_bits:hierar"] == pytest.approx(whole["L_nats:hierar"] / math.log(2))
    assert items["L_nats:hierar", "block 1"] == pytest.approx(4 * math.log(2))


def test_a_model_that_never_ends_follows_nothing():
    whole, items, _ = trial("count", "never-end")
    assert whole["share:not-terminated"] == 1
    assert whole["training_share"] == 0
    assert {item for (measure, item) in items if measure == "response:not-terminated"} == {
        f"a^{m}" for m in range(30, 51)
    }


def test_an_n_gram_that_loses_sight_of_the_source_never_ends_its_answers():
    whole, _, _ = trial("count", "n-gram-s2s")
    assert whole["share:not-terminated"] == 1
    assert whole["L_nats:mem"] < 820 * LN8


def test_a_model_without_numbers_fails_by_name():
    with pytest.raises(TrialError, match=r"output .* of .* the log probability nan"):
        trial("count", "nan")
    with pytest.raises(TrialError, match="not numbers"):
        trial("count", "nan", description_length="none")


def test_counts_of_probes():
    assert [trial("count", "constant", l=10)[0][name] for name in ("probes", "probes_held_out")] == [21, 20]
    assert trial("composition", "constant", M=36)[0]["probes_held_out"] == 4


# --- settings ---------------------------------------------------------------------------------------------------------


def test_the_empty_answer_counts_by_default_and_not_with_a_least_length():
    assert trial("count", "oracle:count", l=10)[0]["agrees:count"] == 1
    assert trial("count", "oracle:count", l=10, min_len=1)[0]["agrees:count"] == 0
    assert trial("count", "oracle:count", l=10, min_len=1, probes="non-empty")[0]["agrees:count"] == 1
    whole, items, _ = trial("count", "oracle:count", l=10, min_len=1)
    assert whole["L_nats:count"] == 0
    assert ("response:other", "(empty)") in items


def test_probes_without_the_trained_inputs():
    whole, _, _ = trial("hierarchical", "oracle:hierar", probes="hold-out")
    assert (whole["probes"], whole["agrees:hierar"]) == (16, 1)
    with pytest.raises(InputError, match="non-empty"):
        BENCHMARK.resolve("count", {"probes": "all"})


def test_probes_that_tell_rivals_apart():
    whole, _, notes = trial("hierarchical", "oracle:hierar", probes="telling")
    assert whole["share:hierar"] == 1
    assert whole["share:rarest"] < 1
    assert "share:rarest" not in notes
    assert trial("hierarchical", "oracle:hierar")[2]["share:rarest"] == "answers these probes as 'hierar' does"


def test_rivals_need_not_be_looked_for():
    whole, _, _ = trial("hierarchical", "oracle:hierar", rivals=False)
    assert "share:rarest" not in whole
    assert whole["share:hierar|linear"] == 1


def test_description_lengths_of_some_rules():
    whole, _, _ = trial("add-or-multiply", "uniform", description_length="mem, add")
    assert {name for name in whole if name.startswith("L_nats")} == {"L_nats:mem", "L_nats:add"}
    assert not any(name.startswith("L_") for name in trial("count", "uniform", description_length="none")[0])
    with pytest.raises(InputError, match="did you mean 'count'"):
        BENCHMARK.resolve("count", {"description_length": "cuont"})


def test_blocks_of_a_trial():
    def blocks(**settings):
        return [item for measure, item in trial("hierarchical", "uniform", **settings)[1] if measure == "L_nats:hierar"]

    assert len(blocks()) == 4
    assert len(blocks(block=1)) == 16
    assert len(blocks(block=0)) == 1
    assert BENCHMARK.resolve("hierarchical", {})["block"] == 4
    assert BENCHMARK.resolve("count", {})["block"] == 1


@pytest.mark.parametrize(
    ("task", "settings", "reason"),
    [
        ("cuont", {}, "did you mean 'count'"),
        ("count", {"d": 3}, "unknown setting of find count 'd'"),
        ("hierarchical", {"l": 3}, "unknown setting of find hierarchical 'l'"),
        ("composition", {"M": 40}, "below N = 40"),
        ("composition", {"M": 0}, "'M'"),
        ("composition-proportion", {"M": 40}, "at most 36"),
        ("count", {"min_len": 5, "max_len": 4}, "min_len"),
        ("count", {"optimizer_state": "kept"}, "fresh"),
        ("scan", {}, "needs the setting 'scan'"),
        ("scan", {"scan": "nowhere"}, "cannot be read"),
    ],
)
def test_settings_that_are_refused(task, settings, reason):
    with pytest.raises(InputError, match=reason):
        BENCHMARK.resolve(task, settings)


def test_tasks_have_no_factors():
    with pytest.raises(InputError, match="by name"):
        BENCHMARK.select_tasks({"class": "SL"})


def test_all_settings_are_listed():
    listed = BENCHMARK.settings.model_fields
    for name, family in FAMILIES.items():
        assert set(family.settings.model_fields) <= set(listed), name
    assert {"l", "d", "N", "M", "min_len", "probes", "optimizer_state", "block", "scan", "tasks"} <= set(listed)
    assert all(field.description for field in listed.values())


def test_a_task_of_one_s_own_is_known_by_its_content(tmp_path):
    source = (
        "from wug.benchmarks.find.tasks import new_task\n"
        "TASK = new_task('double', {'a a': 'b b b b'}, ['a', 'a a', 'a a a'],\n"
        "    {'mul': lambda x: ['b'] * 2 * len(x), 'mem': lambda x: ['b'] * 4})\n"
    )
    (tmp_path / "one.py").write_text(source)
    (tmp_path / "other.py").write_text(source)
    first, second = (BENCHMARK.resolve("double", {"tasks": str(tmp_path / name)}) for name in ("one.py", "other.py"))
    assert first == second
    whole, _, _ = trial("double", "oracle:mul", tasks=str(tmp_path / "one.py"))
    assert (whole["agrees:mul"], whole["agrees:mem"], whole["L_nats:mul"]) == (1, 0, 0)
    with pytest.raises(InputError, match="did you mean 'double'"):
        BENCHMARK.resolve("duoble", {"tasks": str(tmp_path / "one.py")})


# --- several seeds ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Whimsical:
    """A learner that counts under some seeds and memorises under the others."""

    counting: frozenset
    settings: frozenset = frozenset({"transduction"})

    def fit(self, data, seed, *, state=None, on_epoch=None):
        length = int(data.targets.lengths[0])
        counts = seed in self.counting
        return known_answers(
            data.source_vocabulary, data.target_vocabulary, lambda x: ("b",) * (len(x) if counts else length)
        )


def whimsical(counting, seed=1, **settings):
    resolved = BENCHMARK.resolve("count", settings)
    task = BENCHMARK.build("count", resolved, seed)
    fits = BENCHMARK.fit(task, Whimsical(frozenset(counting)), seed)
    scores = BENCHMARK.judge(task, fits, resolved)
    whole = {score.measure: score.value for score in scores if not score.item}
    items = {(score.measure, score.item): score.value for score in scores if score.item}
    return whole, items


def test_fpa_is_formed_over_the_seeds_of_a_trial():
    whole, items = whimsical({3, 4, 5, 7}, seed=3, seeds=4)
    assert (whole["seeds"], whole["FPA:count"], whole["FPA:mem"]) == (4, 0.75, 0.25)
    assert whole["FPA_low:count"] == pytest.approx(0.3006, abs=1e-4)
    assert whole["FPA_high:count"] == pytest.approx(0.9544, abs=1e-4)
    agreed = [items["agrees:count", f"seed {seed}"] for seed in (3, 4, 5, 6)]
    assert agreed == [1, 1, 1, 0]
    assert ("response:count", "seed 6: a^40") in items
    assert ("response:count", "seed 6: a^41") not in items


def test_one_impossible_output_makes_the_mean_infinite():
    whole, items = whimsical({1}, seeds=2)
    assert whole["L_nats:count"] is None
    assert items["L_nats:count", "seed 1"] == 0
    assert items["L_nats:count", "seed 2"] is None
    assert "L_nats_difference:mem-count" not in whole


def test_lengths_over_seeds_have_errors_and_paired_differences():
    whole, items, _ = trial("count", "n-gram-s2s", seeds=3)
    for rule in ("mem", "count"):
        values = [items[f"L_nats:{rule}", f"seed {seed}"] for seed in (1, 2, 3)]
        assert whole[f"L_nats:{rule}"] == pytest.approx(sum(values) / 3)
        blocks = [items[f"L_nats:{rule}", f"seed 2, block {number}"] for number in range(1, 21)]
        assert sum(blocks) == pytest.approx(values[1])
    assert whole["L_nats_error:mem"] == pytest.approx(0)  # its outputs are all alike, so their order is nothing
    assert whole["L_nats_error:count"] > 0
    assert whole["L_nats_difference:mem-count"] == pytest.approx(whole["L_nats:mem"] - whole["L_nats:count"])
    assert whole["L_nats_difference_error:mem-count"] == pytest.approx(whole["L_nats_error:count"])


def test_seeds_are_spent_until_the_preferred_rule_is_decided():
    options = {"description_length": "none", "stop_when_decided": True}
    assert whimsical(range(100), seeds=50, **options)[0]["seeds"] == 4
    mixed = whimsical(set(range(100)) - {2, 5}, seeds=50, **options)[0]
    assert 4 < mixed["seeds"] < 50
    assert mixed["FPA_low:count"] > mixed["FPA_high:mem"]
    assert whimsical(range(0, 100, 2), seeds=12, **options)[0]["seeds"] == 12


def test_description_lengths_must_be_decided_too():
    whole, _, _ = trial("count", "uniform", seeds=6, stop_when_decided=True)  # L is equal, so never decided
    assert whole["seeds"] == 6
    assert whimsical(range(100), seeds=50, stop_when_decided=True)[0]["seeds"] == 4


# --- what trials share ------------------------------------------------------------------------------------------------


def test_trials_that_ask_other_probes_share_their_training():
    settings = [BENCHMARK.resolve("hierarchical", {"probes": probes}) for probes in ("paper", "telling", "hold-out")]
    assert len({str(BENCHMARK.training_settings("hierarchical", one)) for one in settings}) == 1
    for changed in ({"d": 5}, {"description_length": "none"}, {"block": 1}, {"optimizer_state": "carry"}):
        other = BENCHMARK.resolve("hierarchical", changed)
        assert BENCHMARK.training_settings("hierarchical", other) != BENCHMARK.training_settings(
            "hierarchical", settings[0]
        )
    stopping = [
        BENCHMARK.resolve("hierarchical", {"probes": probes, "stop_when_decided": True, "seeds": 9})
        for probes in ("paper", "telling")
    ]
    assert BENCHMARK.training_settings("hierarchical", stopping[0]) != BENCHMARK.training_settings(
        "hierarchical", stopping[1]
    )


def test_only_single_trainings_of_one_task_are_done_together():
    def shape(task="count", **settings):
        return BENCHMARK.training_shape(task, BENCHMARK.resolve(task, settings))

    assert shape() == shape(description_length="none", seeds=2) == ""
    alone = shape(description_length="none")
    assert alone
    assert alone == shape(description_length="none", probes="hold-out", min_len=1)
    assert alone != shape(description_length="none", l=30)
    assert alone != shape("add-or-multiply", description_length="none")


def test_a_model_that_was_trained_among_replicas_is_judged_like_one_trained_alone():
    settings = BENCHMARK.resolve("count", {"description_length": "none"})
    task = BENCHMARK.build("count", settings, 5)
    model = build_learner(parse_learner("oracle:count")).fit(task.data, 5)
    assert BENCHMARK.judge(task, model, settings) == BENCHMARK.judge(task, [SeedFit(5, model)], settings)


def test_network_replicas_give_the_scores_of_networks_alone():
    options = {"epochs": 3, "width": 8, "dtype": "float64", "replicas": 2}
    spec = parse_learner("transformer-s2s", options)
    trials = plan_trials("find", "hierarchical", {"description_length": "none"}, [spec], [1, 2, 3])
    groups = group_trials(trials)
    assert [len(group) for group in groups] == [2, 1]
    together = [result for group in groups for result in run_group(group, worker="here")]
    alone = [result for trial in trials for result in run_group([trial], worker="here")]
    assert [result.scores for result in together] == [result.scores for result in alone]
    assert all(result.status == "done" for result in together)


def test_a_network_s_description_length_is_the_same_with_and_without_replicas():
    def lengths(replicas):
        options = {"epochs": 2, "width": 8, "dtype": "float64", "replicas": replicas}
        spec = parse_learner("transformer-s2s", options)
        (trial_,) = plan_trials("find", "hierarchical", {}, [spec], [1])
        (result,) = run_group([trial_], worker="here")
        assert result.error == ""
        return [score.value for score in result.scores if score.measure.startswith("L_nats")]

    assert lengths(1) == pytest.approx(lengths(4), rel=1e-9)


def test_a_network_carries_its_optimiser_along():
    def lengths(policy):
        spec = parse_learner("transformer-s2s", {"epochs": 5, "width": 8})
        (trial_,) = plan_trials("find", "hierarchical", {"optimizer_state": policy}, [spec], [1])
        (result,) = run_group([trial_], worker="here")
        assert result.error == ""
        return {(s.measure, s.item): s.value for s in result.scores if s.measure == "L_nats:hierar"}

    fresh, carried = lengths("fresh"), lengths("carry")
    assert fresh["L_nats:hierar", "block 1"] == pytest.approx(carried["L_nats:hierar", "block 1"], rel=1e-4)
    assert fresh["L_nats:hierar", "block 2"] != carried["L_nats:hierar", "block 2"]
