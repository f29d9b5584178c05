"""From scores to the index and the report's sections."""

import json
import re

import polars as pl
import pytest

from wug.benchmarks.bliss import summary
from wug.benchmarks.bliss.benchmark import BENCHMARK
from wug.benchmarks.bliss.settings import Scan, Select
from wug.benchmarks.protocol import Heatmap, Plot, Results, Table

FACTORS = (1, 2, 4, 10)


def make_run(b: float, success: bool, seed: int = 1, loss: float = 0.4, failed: bool = False) -> summary.Run:
    settings = BENCHMARK.resolve("anbn", {"b": b})
    scores = {"success": float(success), "success_strict": 0.0, "training_bits": loss, "M_det": 0.9}
    return summary.Run(f"{b}-{seed}", "anbn", "lstm", "lstm", seed, settings, failed, scores, {})


def index_of(vector, scan=Scan.MAX):
    runs = [make_run(b, success) for b, success in zip(FACTORS, vector, strict=True)]
    return summary.index(runs, "success", select=Select.TRAIN_LOSS, scan=scan)


@pytest.mark.parametrize(
    ("vector", "largest", "contiguous"),
    [
        ((1, 1, 1, 1), 10, 10),
        ((1, 1, 0, 0), 2, 2),
        ((0, 0, 0, 1), 10, 0),
        ((1, 0, 1, 0), 4, 1),
        ((0, 0, 0, 0), 0, 0),
    ],
)
def test_the_index_is_the_largest_successful_factor(vector, largest, contiguous):
    assert index_of(vector).value == largest
    assert index_of(vector, Scan.CONTIGUOUS).value == contiguous


def test_below_one_is_a_value_of_its_own():
    assert index_of((0, 0, 0, 0)).printed == "<1"
    assert index_of((1, 1, 1, 1)).printed == "10"


def test_an_index_is_open_where_larger_factors_were_not_tried():
    one = summary.index([make_run(1, True)], "success", select=Select.TRAIN_LOSS, scan=Scan.MAX)
    assert (one.printed, one.complete) == ("≥1", False)


def test_the_winner_has_the_lowest_training_loss_unless_asked_otherwise():
    runs = [make_run(1, False, seed=1, loss=0.30), make_run(1, True, seed=2, loss=0.40)]
    assert summary.winner(runs, Select.TRAIN_LOSS).seed == 1
    assert summary.winner(runs, Select.BEST_INDEX).seed == 2


def test_a_trial_that_failed_to_run_does_not_succeed_and_never_wins():
    runs = [make_run(1, True, seed=1, failed=True), make_run(1, False, seed=2)]
    assert summary.winner(runs, Select.TRAIN_LOSS).seed == 2
    assert not runs[0].succeeds("success")


@pytest.fixture(scope="module")
def results() -> Results:
    """Real trials of two baselines and an oracle, in the store's shape."""
    from wug.learners.baselines import Baseline

    trials, scores = [], []
    for task in ("anbn", "anbmcnm", "dyck1"):
        for learner in ("oracle", "repeat-last"):
            for b in (1, 0.5):
                settings = BENCHMARK.resolve(task, {"b": b, "train": int(1000 / b) if b > 0.5 else 2000, "up_to": 50})
                built = BENCHMARK.build(task, settings, 1)
                identity = f"{task}-{learner}-{b}"
                spec = {"learner": {"name": learner, "options": {}, "content": None}, "settings": settings}
                trials.append(
                    {
                        "id": identity,
                        "study": "bliss/demo",
                        "scale": "laptop",
                        "benchmark": "bliss",
                        "task": task,
                        "learner": learner,
                        "seed": 1,
                        "spec": json.dumps(spec),
                        "status": "done",
                    }
                )
                for score in BENCHMARK.judge(built, Baseline(learner).fit(built.data, 1), settings):
                    value = None if score.value is None else float(score.value)
                    scores.append((identity, score.measure, score.item, value, score.note))
    frame = pl.DataFrame(scores, schema=["trial", "measure", "item", "value", "note"], orient="row")
    return Results(trials=pl.DataFrame(trials), scores=frame, command="wug run bliss/demo")


def test_sections_show_the_paper_beside_the_measured(results):
    sections = BENCHMARK.sections(results)
    tables = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    first = tables[0]
    assert first.columns[:2] == ("a^n b^n", "a^n b^n c^n")
    rows = dict(first.rows)
    assert rows["lstm"][0].published == "10"
    assert rows["lstm"][0].verdict == "not run"
    assert rows["oracle"][0].measured == "≥1"
    assert rows["repeat-last"][0].measured == "≥1"
    strict = dict(tables[1].rows)
    assert strict["oracle"][0].measured == "≥1"
    assert strict["repeat-last"][0].measured == "<1"
    for table in tables:
        for _, cells in table.rows:
            assert len(cells) == len(table.columns)


def test_sections_say_what_the_scale_reduced(results):
    assert "b = 1 alone" in BENCHMARK.sections(results)[0].reduced


def test_figures_have_words_for_what_they_show(results):
    blocks = [block for section in BENCHMARK.sections(results) for block in section.blocks]
    pictures = [block for block in blocks if isinstance(block, Plot | Heatmap)]
    assert len(pictures) >= 4
    assert all(picture.alt and re.fullmatch(r"[a-z0-9.-]+", picture.name) for picture in pictures)


def test_the_oracles_trace_is_what_the_language_allows(results):
    heatmaps = [b for s in BENCHMARK.sections(results) for b in s.blocks if isinstance(b, Heatmap)]
    trace = next(heatmap for heatmap in heatmaps if heatmap.title == "oracle on a^n b^n")
    allowed = {(y, x) for y, row in enumerate(trace.values) for x, value in enumerate(row) if value > 0}
    assert set(trace.marks) == allowed
    assert trace.x_names[0] == "#"


def test_no_trials_no_sections(results):
    empty = Results(trials=results.trials.clear(), scores=results.scores.clear())
    assert list(BENCHMARK.sections(empty)) == []
