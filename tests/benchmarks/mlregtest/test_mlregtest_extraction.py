"""Automata extracted in trials: scores, trial ids, the report's table."""

import json

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.mlregtest.benchmark import BENCHMARK
from wug.benchmarks.mlregtest.extracted_automata import section
from wug.benchmarks.mlregtest.summary import runs
from wug.benchmarks.mlregtest.tasks import TEST_SETS
from wug.benchmarks.protocol import Results
from wug.errors import InputError
from wug.languages.automata.classes import COVERS


def scores_of(task, model_of, **settings):
    resolved = BENCHMARK.resolve(task, {"test_size": "Small", **settings})
    built = BENCHMARK.build(task, resolved, 1)
    scores = BENCHMARK.judge(built, model_of(built), resolved)
    return {(score.measure, score.item): score for score in scores}


def oracle(built):
    return built.data.oracles[""]()


def test_the_oracle_s_automaton_is_the_language():
    scores = scores_of("04.03.TSL.2.1.0", oracle, extract=20)
    assert (scores["automaton_states", ""].value, scores["automaton_queries", ""].note) == (3, "")
    for of in ("SR", "SA", "LR", "LA"):
        assert scores[f"automaton_agreement_{of}", ""].value == 1
        assert scores[f"automaton_accuracy_{of}", ""].value == 1
    assert scores["coarse_automaton_states", ""].value == 3
    held = {item for (measure, item), score in scores.items() if measure == "automaton_in" and score.value}
    assert held == {"TSL", "TLT", "TLTT", "TPLT", "SF", "Reg"}


class Always:
    """A classifier that says yes to everything."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def classify(self, corpus):
        return np.ones(len(corpus))


def test_a_constant_answer_is_one_state_in_every_class_but_zp_s_own():
    scores = scores_of("04.04.Zp.2.1.0", lambda built: Always(built.data.vocabulary), extract=20)
    assert scores["automaton_states", ""].value == 1
    assert scores["automaton_accuracy_SR", ""].value == 0.5
    assert scores["automaton_in", "SL"].value == scores["automaton_in", "coSP"].value == 1


def test_an_automaton_at_its_limit_says_so():
    scores = scores_of("04.04.Zp.5.1.8", oracle, extract=3)
    assert scores["automaton_queries", ""].note == "too many states"
    assert scores["automaton_states", ""].value == 2
    assert ("coarse_automaton_states", "") not in scores


def test_trials_without_extraction_are_as_before():
    assert "extract" not in BENCHMARK.resolve("04.04.SL.2.1.0", {})
    assert BENCHMARK.resolve("04.04.SL.2.1.0", {"extract": 0}) == BENCHMARK.resolve("04.04.SL.2.1.0", {})
    assert BENCHMARK.resolve("04.04.SL.2.1.0", {"extract": 5})["extract"] == 5
    assert not any(measure.startswith("automaton") for measure, _ in scores_of("04.04.SL.2.1.0", oracle))


def test_one_state_is_refused():
    with pytest.raises(InputError, match="should be 0, or 2 or more"):
        BENCHMARK.resolve("04.04.SL.2.1.0", {"extract": 1})


def test_the_report_tells_which_classes_the_automata_are_in():
    trials, scores = [], []
    for task, classes, states in (
        ("04.04.SL.2.1.0", ("SL", "LT", "Reg"), 3),
        ("16.16.SL.2.1.0", ("SF", "Reg"), 9),
        ("64.64.SL.2.1.0", None, 50),
    ):
        spec = {"settings": BENCHMARK.resolve(task, {"extract": 50})}
        trials.append(
            {"id": task, "task": task, "learner": "net", "seed": 1, "status": "done", "spec": json.dumps(spec)}
        )
        values = {("automaton_states", ""): states}
        values |= {(f"automaton_{what}_{of}", ""): 0.75 for what in ("agreement", "accuracy") for of in TEST_SETS}
        values |= {("automaton_in", key): None if classes is None else float(key in classes) for key in COVERS}
        scores += [
            {"trial": task, "measure": measure, "item": item, "value": v} for (measure, item), v in values.items()
        ]
    results = Results(pl.DataFrame(trials), pl.DataFrame(scores, schema_overrides={"value": pl.Float64}))
    (table,) = section(runs(results), results).blocks
    ((name, cells),) = table.rows
    assert name == "SL"
    measured = dict(zip(table.columns, [cell.measured for cell in cells], strict=True))
    assert measured == {
        "languages": "3",
        "in that class": "1 of 3",
        "smallest classes": "SL 1, SF 1, ? 1",
        "states": "9 (3)",
        "agrees with the model": "0.750",
        "is right": "0.750",
    }
    assert section([], results) is None
