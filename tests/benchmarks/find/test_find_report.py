"""From the trials of a store to preferences and the report's sections; what is published."""

import csv
import json
import math
import re
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from wug.benchmarks.find import figures, published
from wug.benchmarks.find.benchmark import BENCHMARK
from wug.benchmarks.find.measures import Interval
from wug.benchmarks.find.preferences import NEITHER, by_agreement, by_length, difference
from wug.benchmarks.find.published import Relation
from wug.benchmarks.find.summary import Group, Outcome, groups
from wug.benchmarks.find.tables import preference_table, results_table, sweep_table
from wug.benchmarks.protocol import Heatmap, Plot, Results, Table
from wug.learners.baselines import Baseline
from wug.learners.registry import parse_learner
from wug.studies.expansion import plan_study
from wug.studies.study import find_study

PAPER_TABLES = Path(__file__).parents[3] / "../shared/data/find/paper_tables.csv"
STUDIES = ("table-1a", "table-1b", "table-1c", "table-1d", "sweep", "odd-one-out", "all")


def outcome(seed, agrees=(), lengths=None, trial="t", rules=("mem", "count"), responses=None):
    return Outcome(trial, seed, {rule: rule in agrees for rule in rules}, lengths or {}, responses or {})


def group(*outcomes, learner="transformer-s2s", task="count", parameters=None, options=None, **more):
    return Group(
        task=task,
        parameters={"l": 40} if parameters is None else parameters,
        learner=learner,
        conditions=more.get("conditions", ()),
        name=learner,
        options={**parse_learner(learner).defaults, **(options or {})},
        outcomes=outcomes,
        shares=more.get("shares", {}),
        twins={},
        failed=0,
    )


# --- preferences ------------------------------------------------------------------------------------------------------


def test_agreement_is_decided_when_the_intervals_part():
    assert by_agreement(group(*(outcome(seed, ["mem"]) for seed in range(4)))).is_decided
    three = by_agreement(group(*(outcome(seed, ["mem"]) for seed in range(3))))
    assert (three.rule, three.is_decided, str(three)) == ("mem", False, "mem?")
    assert by_agreement(group(*(outcome(seed) for seed in range(9)))).rule == NEITHER


def test_the_shorter_description_length_is_preferred():
    decided = group(*(outcome(seed, lengths={"mem": 3.0 + seed, "count": 9.0 + 1.1 * seed}) for seed in range(4)))
    assert (by_length(decided).rule, by_length(decided).is_decided) == ("mem", True)
    assert difference(decided, "mem", "count").mean == pytest.approx(-6.15)
    one = by_length(group(outcome(1, lengths={"mem": 3.0, "count": 9.0})))
    assert (one.rule, one.is_decided) == ("mem", False)
    assert by_length(group(outcome(1, ["mem"]))) is None
    assert by_length(group(outcome(1, lengths={"mem": 3.0}))) is None


def test_an_infinite_length_is_longer_than_any():
    found = group(*(outcome(seed, lengths={"mem": None, "count": 9.0}) for seed in range(2)))
    assert (by_length(found).rule, by_length(found).is_decided) == ("count", True)
    assert difference(found, "mem", "count") is None
    both = group(outcome(1, lengths={"mem": None, "count": None}))
    assert not by_length(both).is_decided


def test_lengths_are_compared_on_the_seeds_that_have_all_of_them():
    found = group(outcome(1, lengths={"mem": 1.0, "count": 5.0}), outcome(2, lengths={"mem": 100.0}), outcome(3))
    assert by_length(found).n == 1
    assert by_length(found).rule == "mem"


# --- published figures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "value", "mean", "interval", "agrees"),
    [
        ("equals", 0.69, 0.65, Interval(0.43, 0.82), True),
        ("equals", 0.69, 0.95, Interval(0.76, 0.99), False),
        ("above", 0.90, 0.79, Interval(0.60, 0.91), True),
        ("above", 0.90, 0.70, Interval(0.55, 0.90), False),
        ("equals", 1.21, 1.21, None, True),
        ("equals", 1.21, 1.22, None, False),
    ],
)
def test_a_figure_agrees_when_the_interval_reaches_it(relation, value, mean, interval, agrees):
    figure = published.Figure("t", "l", {}, {}, "FPA", "r", Relation(relation), value, "", "")
    assert figure.agrees(mean, interval) is agrees


def test_every_published_rule_and_learner_exists():
    for figure in published.figures():
        settings = BENCHMARK.resolve(figure.task, dict(figure.parameters))
        assert figure.rule in BENCHMARK.build(figure.task, settings, 1).judging.task.rules
        assert parse_learner(figure.learner, figure.options).options == figure.options
        assert figure.source
        assert (figure.value is None) == (figure.relation is Relation.PREFERRED)


def test_nothing_is_published_twice():
    keys = Counter(
        (
            f.task,
            f.learner,
            tuple(f.parameters.items()),
            str(f.options),
            f.measure,
            f.rule,
            f.relation is Relation.PREFERRED,
        )
        for f in published.figures()
    )
    assert max(keys.values()) == 1


@pytest.mark.golden
def test_every_figure_of_the_shared_table_is_there():
    if not PAPER_TABLES.exists():
        pytest.skip("the shared data are not beside this checkout")
    tasks = {
        "count_or_mem": "count",
        "add_or_mul": "add-or-multiply",
        "hierar_or_linear": "hierarchical",
        "comp_or_mem": "composition",
    }
    learners = {
        "cnn": "conv-s2s",
        "transformer": "transformer-s2s",
        "transformer_emb64plus": "transformer-s2s",
        "lstm_noatt": "lstm-s2s",
        "lstm_att": "lstm-s2s-attention",
    }
    known = {}
    for figure in published.figures():
        for name, value in figure.parameters.items():
            key = (figure.task, figure.learner, name, value, figure.rule, figure.measure, bool(figure.options))
            if figure.value is not None:
                known[key] = figure
    n_compared = 0
    for row in csv.DictReader(PAPER_TABLES.open()):
        name, values = re.fullmatch(r"(?:N=40 )?(\w)=([\d;]+)(?: seed=1)?", row["param"]).groups()
        for value in values.split(";"):
            options = row["learner"].endswith("64plus")
            for measure, stated in (("FPA", row["fpa"]), ("L", row["L"])):
                if stated:
                    key = (
                        tasks[row["task"]],
                        learners[row["learner"]],
                        name,
                        int(value),
                        row["rule"],
                        measure,
                        options,
                    )
                    number = float(re.sub(r"[> ]|\(bits\)", "", stated))
                    number *= math.log(2) if "bits" in stated else 1
                    assert known[key].value == pytest.approx(number, rel=1e-6), key
                    assert (known[key].relation is Relation.ABOVE) == stated.startswith(">")
                    n_compared += 1
    assert n_compared >= 50


# --- tables -----------------------------------------------------------------------------------------------------------


def cells(table):
    return {row: dict(zip(table.columns, found, strict=True)) for row, found in table.rows}


def test_the_published_figure_stands_beside_the_measured_one():
    seeds = [outcome(seed, ["mem"] if seed < 19 else [], {"mem": 1.0 + seed, "count": 50.0}) for seed in range(24)]
    table = cells(results_table("count", [group(*seeds)], "wug run find/table-1a"))
    cell = table["transformer-s2s · l = 40"]["FPA mem"]
    assert (cell.measured, cell.published, cell.verdict) == ("0.79", "> 0.90", "agrees")
    assert cell.detail == "19 of 24 seeds, 0.60–0.91"
    length = table["transformer-s2s · l = 40"]["L mem (nats)"]
    assert (length.measured, length.verdict) == ("12.5", "")
    assert table["conv-s2s · l = 10"]["FPA mem"].verdict == "not run"
    assert table["lstm-s2s · l = 40"]["FPA count"].published == "1.00"
    few = cells(results_table("count", [group(*(outcome(seed) for seed in range(24)))], ""))
    assert few["transformer-s2s · l = 40"]["FPA mem"].verdict == "differs"
    assert few["transformer-s2s · l = 40"]["L mem (nats)"].detail == "not run at this scale"


def test_a_learner_that_is_not_the_paper_s_is_not_compared_with_it():
    for changed in (
        group(outcome(1, ["mem"]), options={"epochs": 20}),
        group(outcome(1, ["mem"]), conditions=("probes=telling",)),
        group(outcome(1, ["mem"]), parameters={"l": 41}),
    ):
        (row, *_) = results_table("count", [changed], "").rows
        assert row[1][0].verdict == ""
    (row, *_) = results_table("count", [group(outcome(1, ["mem"]), options={"replicas": 3})], "").rows
    assert row[1][0].verdict == "agrees"


def test_wide_embeddings_have_a_figure_of_their_own():
    seeds = [outcome(seed, ["hierar"], rules=("hierar", "linear")) for seed in range(5)]
    wide = group(*seeds, task="hierarchical", parameters={"d": 4}, options={"embedding": 64})
    (row, *_) = results_table("hierarchical", [wide], "").rows
    assert (row[1][0].published, row[1][0].verdict) == ("1.00", "agrees")


def test_the_paper_s_words_on_preferences_are_compared():
    lengths = [{"mem": 9.0, "count": 3.0 + seed / 10} for seed in range(3)]
    lstm = group(*(outcome(seed, ["count"], lengths[seed]) for seed in range(3)), learner="lstm-s2s")
    table = cells(preference_table("count", [lstm], ""))
    cell = table["lstm-s2s · l = 40"]["by L"]
    assert (cell.measured, cell.published, cell.verdict) == ("count", "count", "agrees")
    assert table["lstm-s2s · l = 40"]["L mem − L count (nats)"].measured == "5.90"
    wrong = [{"mem": 3.0, "count": 9.0}] * 2
    other = group(*(outcome(seed, [], wrong[seed]) for seed in range(2)), learner="lstm-s2s")
    assert cells(preference_table("count", [other], ""))["lstm-s2s · l = 40"]["by L"].verdict == "differs"


def test_the_sweep_counts_switches():
    usual = group(*(outcome(seed, ["mem"]) for seed in range(5)))
    same = group(*(outcome(seed, ["mem"]) for seed in range(5)), options={"dropout": 0.2})
    other = group(*(outcome(seed, ["count"]) for seed in range(5)), options={"dropout": 0.7})
    table = sweep_table([usual, same, other], "")
    assert "1 of 2 settings" in table.caption
    assert [cells_[0].measured for _, cells_ in table.rows] == ["mem", "count"]
    assert sweep_table([usual], "") is None


# --- the grid ---------------------------------------------------------------------------------------------------------


def test_the_grid_shows_what_each_seed_answered():
    answers = {"a^39": ("mem",), "a^40": ("mem", "count"), "a^41": ("other",)}
    second = {"a^39": ("not-terminated",), "a^40": ("mem", "count"), "a^41": ("copy",)}
    grid = figures.answer_grid(group(outcome(1, responses=answers), outcome(2, responses=second)), "")
    assert grid.x_names == ("a^39", "a^40", "a^41")
    assert grid.y_names == ("1", "2")
    named = [[grid.classes[int(value)] for value in row] for row in grid.values]
    assert named == [["mem", "mem + count", "other"], ["not-terminated", "mem + count", "copy"]]
    assert grid.classes == ("mem", "mem + count", "copy", "not-terminated", "other")


def test_a_grid_has_seven_colours_at_most():
    many = {f"a^{number}": (f"kind {number}",) for number in range(12)}
    grid = figures.answer_grid(group(outcome(1, responses=many)), "")
    assert len(grid.classes) == 7
    assert grid.classes[-1] == "other"
    assert Counter(grid.classes[int(value)] for value in grid.values[0])["other"] == 6


# --- from a store -----------------------------------------------------------------------------------------------------

RAN = [
    ("count", {"l": 10}, ("oracle:count", "uniform", "constant"), 1),
    ("count", {"l": 40}, ("oracle:count", "uniform", "constant"), 1),
    ("count", {"l": 40, "description_length": "none"}, ("constant",), 2),
    ("count", {"l": 40, "seeds": 3}, ("uniform",), 5),
    ("hierarchical", {}, ("oracle:hierar",), 1),
    ("hierarchical", {"probes": "telling"}, ("oracle:hierar",), 1),
    ("composition", {"M": 1}, ("oracle:comp",), 1),
    ("composition", {"M": 6}, ("oracle:comp",), 1),
    ("odd-one-out", {"description_length": "none"}, ("oracle:oddone",), 1),
]


@pytest.fixture(scope="module")
def results() -> Results:
    """Real trials of baselines, in the store's shape, and one that failed."""
    trials, scores = [], []
    for task, given, learners, seed in RAN:
        settings = BENCHMARK.resolve(task, given)
        built = BENCHMARK.build(task, settings, seed)
        for learner in learners:
            identity = f"{task}-{json.dumps(given)}-{learner}-{seed}"
            name, _, rule = learner.partition(":")
            spec = {"learner": {"name": learner, "options": {}, "content": None}, "settings": settings}
            trials.append(
                {
                    "id": identity,
                    "study": "find/table-1a",
                    "scale": "laptop",
                    "benchmark": "find",
                    "task": task,
                    "learner": learner,
                    "seed": seed,
                    "spec": json.dumps(spec),
                    "status": "done",
                }
            )
            fits = BENCHMARK.fit(built, Baseline(name, rule), seed)
            for score in BENCHMARK.judge(built, fits, settings):
                value = None if score.value is None else float(score.value)
                scores.append((identity, score.measure, score.item, value, score.note))
    failed = {**trials[0], "id": "failed", "seed": 9, "status": "failed"}
    frame = pl.DataFrame(scores, schema=["trial", "measure", "item", "value", "note"], orient="row")
    return Results(trials=pl.DataFrame([*trials, failed]), scores=frame, command="wug run find/table-1a")


def test_seeds_of_several_trials_come_together(results):
    found = {(one.task, one.learner, one.parameter): one for one in groups(results)}
    uniform = found["count", "uniform", "l = 40"]
    assert [one.seed for one in uniform.outcomes] == [1, 5, 6, 7]
    assert all(one.lengths["mem"] == pytest.approx(820 * math.log(8)) for one in uniform.outcomes)
    constant = found["count", "constant", "l = 40"]
    assert [one.seed for one in constant.outcomes] == [1, 2]
    assert [bool(one.lengths) for one in constant.outcomes] == [True, False]
    assert found["count", "oracle:count", "l = 10"].failed == 1
    assert found["count", "oracle:count", "l = 10"].outcomes[0].lengths == {"mem": None, "count": 0.0}
    assert ("hierarchical", "oracle:hierar probes=telling", "d = 4") in found
    assert found["composition", "oracle:comp", "M = 1"].rules == ("comp", "mem", "mem_func")
    assert found["odd-one-out", "oracle:oddone", "d = 4"].shares["oddone|hierar"] == 1
    assert len(uniform.outcomes[1].responses) == 21


def test_sections_hold_tables_figures_and_grids(results):
    sections = BENCHMARK.sections(results)
    titles = [section.title for section in sections]
    assert titles == [
        "Which rule a learner follows",
        "Further tasks",
        "Which rule it prefers",
        "Kinds of answers, rival rules among them",
        "What each seed answered",
    ]
    blocks = [block for section in sections for block in section.blocks]
    tables = [block for block in blocks if isinstance(block, Table)]
    for table in tables:
        assert all(len(row) == len(table.columns) for _, row in table.rows)
    plots = [block for block in blocks if isinstance(block, Plot)]
    assert {plot.name for plot in plots} >= {"find-fpa-count", "find-length-count", "find-fpa-odd-one-out"}
    grids = [block for block in blocks if isinstance(block, Heatmap)]
    assert len(grids) == len(groups(results))
    assert all(block.alt for block in (*plots, *grids))


def test_the_kinds_table_names_rivals_that_cannot_be_told_apart(results):
    (section,) = (one for one in BENCHMARK.sections(results) if one.title.startswith("Kinds"))
    hierarchical = next(table for table in section.blocks if "Hierarchical" in table.title)
    by_row = cells(hierarchical)
    assert "rarest as hierar" in hierarchical.caption
    assert by_row["oracle:hierar probes=telling · d = 4"]["hierar"].measured == "100.0%"
    assert by_row["oracle:hierar · d = 4"]["hierar, where not linear"].measured == "100.0%"


def test_sections_can_be_drawn(results, tmp_path):
    from wug.reports.data_files import csv_of
    from wug.reports.figures import figure_files
    from wug.reports.plots import looks

    blocks = [block for section in BENCHMARK.sections(results) for block in section.blocks]
    places = looks(blocks)
    drawn = [block for block in blocks if not isinstance(block, Table)][:4]
    drawn += [block for block in blocks if isinstance(block, Heatmap)][:1]
    for block in drawn:
        assert list(figure_files(block, "x", places))
    assert all(csv_of(block).count("\n") > 1 for block in blocks)


def test_what_a_scale_reduces_is_said(results):
    assert "description lengths over 10 seeds" in BENCHMARK.sections(results)[0].reduced


def test_no_trials_no_sections(results):
    assert list(BENCHMARK.sections(Results(results.trials.clear(), results.scores.clear()))) == []


# --- studies ----------------------------------------------------------------------------------------------------------


def planned(name, scale):
    study = find_study(f"find/{name}")
    return plan_study(study, study.choose_scale(scale)).trials


def test_all_is_all_of_the_tables_and_the_criticism():
    for scale in ("smoke", "laptop"):
        parts = {trial.id for name in STUDIES if name not in ("all", "sweep") for trial in planned(name, scale)}
        assert {trial.id for trial in planned("all", scale)} == parts


def test_paper_scale_is_the_paper_s_grid():
    trials = planned("table-1a", "paper")
    assert {trial.seed for trial in trials} == set(range(1, 101))
    assert {trial.settings["l"] for trial in trials} == {10, 20, 30, 40}
    assert {trial.settings["description_length"] for trial in trials} == {"all"}
    assert {trial.settings["l"] for trial in planned("table-1b", "paper")} == {5, 10, 15, 20}
    assert {trial.settings["d"] for trial in planned("table-1c", "paper")} == {4}
    assert {(trial.settings["N"], trial.settings["M"]) for trial in planned("table-1d", "paper")} == {
        (40, 6),
        (40, 24),
        (40, 36),
    }
    assert len(trials) == 5 * 4 * 100


def test_laptop_scale_keeps_the_recipe_and_has_the_seeds_it_promises():
    for name in ("table-1a", "table-1b", "table-1c", "table-1d"):
        seeds = {}
        for trial in planned(name, "laptop"):
            assert "epochs" not in trial.learner.options
            parameter = (trial.learner.name, *(trial.settings.get(key) for key in ("l", "d", "M")))
            measured = trial.settings["description_length"] == "all"
            seeds.setdefault(parameter, {}).setdefault(measured, set()).add(trial.seed)
        for (learner, *_), by_kind in seeds.items():
            n = len(set().union(*by_kind.values()))
            assert n == 20 if learner == "transformer-s2s" else n >= 5
            if learner == "transformer-s2s":
                assert len(by_kind[True]) == 10
