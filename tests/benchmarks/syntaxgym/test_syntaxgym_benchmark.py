"""syntaxgym as studies and commands use it: settings, the learners at both ends, files, the report."""

import json

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.protocol import Results, Score
from wug.benchmarks.syntaxgym.benchmark import BENCHMARK
from wug.benchmarks.syntaxgym.oracle import SuiteOracle
from wug.benchmarks.syntaxgym.suites import Item, Metric, Suite, parse_formula, write_suite
from wug.benchmarks.syntaxgym.surprisal import read_surprisals, write_surprisals
from wug.errors import InputError, TrialError
from wug.learners.protocols import ScoredText
from wug.learners.registry import build_learner, parse_learner


def judged(learner, seed=1, **settings):
    resolved = BENCHMARK.resolve("suites", settings)
    task = BENCHMARK.build("suites", resolved, seed)
    model = (
        learner if hasattr(learner, "score_texts") else build_learner(parse_learner(learner, {})).fit(task.data, seed)
    )
    return {(score.measure, score.item): score for score in BENCHMARK.judge(task, model, resolved)}


@pytest.fixture
def folder(tiny, tmp_path):
    (tmp_path / "suites").mkdir()
    write_suite(tiny, tmp_path / "suites" / "tiny.json")
    return tmp_path / "suites"


def test_the_oracle_satisfies_every_first_prediction_of_our_own_suites():
    found = judged("oracle", items=1)
    assert found["SG", ""].value == found["SG_above_chance", ""].value == 1
    assert "31 of 31 suites; start symbol declared, end symbol none" in found["SG", ""].note
    assert found["accuracy", "fgd-embed3"].value == 1
    assert found["accuracy_all_predictions", "fgd_hierarchy"].value == 0
    assert found["accuracy_all_predictions", "nn-nv-rpl"].value == 1


@pytest.mark.golden
def test_the_oracle_satisfies_every_first_prediction_of_the_published_suites(published):
    found = judged("oracle", suites=str(published / "suites_parenthesised"), suite_set=33)
    assert all(score.value == 1 for (measure, _), score in found.items() if measure in ("accuracy", "SG", "circuit"))


def test_the_uniform_learner_ties_and_nothing_else_does(folder):
    found = judged("uniform", suites=folder)
    assert (found["accuracy", "tiny"].value, found["ties", "tiny"].value) == (0, 2)
    assert found["SG", ""].value is None


def test_a_learner_without_values_fails(folder):
    with pytest.raises(TrialError, match="no item has a value; the first is suite tiny, item 1"):
        judged("nan", suites=folder)


def test_a_network_has_nothing_to_train_on(folder):
    with pytest.raises(TrialError, match="no strings to train a network on"):
        judged("lstm", suites=folder)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(1;%x%) > (2;%x%) | (1;%x%) < 0", 1),
        ("(1;%x%) = (2;%x%) & (*;%x%) > 100", 1),
        ("(1;%x%) < (1;%x%)", None),
        ("(2;%y%) > 0", None),
    ],
)
def test_the_oracle_finds_surprisals_where_there_are_any(formula, expected):
    contents = {"x": ("a", "b"), "y": ("a", "")}
    suite = Suite("s", Metric.SUM, ("1", "2"), (parse_formula(formula),), (Item(1, contents),))
    if expected is None:
        with pytest.raises(TrialError, match="no surprisals satisfy the prediction of suite s, item 1"):
            SuiteOracle().region_bits(suite, suite.items[0])
    else:
        bits = SuiteOracle().region_bits(suite, suite.items[0])
        value = {(number, condition): one for condition, row in bits.items() for number, one in enumerate(row, 1)}
        total = {condition: sum(row) for condition, row in bits.items()}
        assert (
            suite.predictions[0]
            .evaluate(lambda cell: value[cell.region, cell.condition] if cell.region else total[cell.condition])
            .holds
        )


class Characters:
    """Scores each character that is no blank by 1 bit, and lies about what it is told to lie about."""

    def __init__(self, lie=""):
        self.lie = lie
        self.asked = []

    def score_texts(self, texts, stops, start):
        self.asked += list(zip(texts, stops, strict=True))
        answers = []
        for text in texts:
            places = np.array([place for place, character in enumerate(text) if character != " "])
            shift = 1 if self.lie and self.lie in text else 0
            word_starts = np.zeros(len(places) + 1)
            answers.append(
                ScoredText(
                    tuple(text[place] for place in places),
                    places + shift,
                    places + shift + 1,
                    np.ones(len(places)),
                    word_starts,
                )
            )
        return answers


def test_a_model_with_a_tokenizer_is_asked_for_each_text_once_up_to_what_is_needed(folder):
    model = Characters()
    found = judged(model, suites=folder)
    assert model.asked == [
        ("The author is good", 13),
        ("The author are good", 14),
        ("The pilots is old", 13),
        ("The pilots are old", 14),
    ]
    assert found["accuracy", "tiny"].value == 0.5
    model = Characters()
    assert judged(model, suites=folder, regions="all")["surprisal_bits", "tiny: 1: match: 3"].value == 4
    assert model.asked[0] == ("The author is good", 18)


def test_a_tokenizer_that_lies_fails_its_items_and_the_rest_goes_on(folder):
    found = judged(Characters(lie="pilots"), suites=folder)
    assert found["failures", "tiny"].value == 1
    assert "item 2, mismatch: no token has the characters 'T' at 0" in found["accuracy", "tiny"].note
    assert found["accuracy", "tiny"].value == 0.5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start": "both"}, "two starts are two trials of a study"),
        ({"suite_set": 32}, "setting 'suite_set'"),
        ({"suites": "/nowhere"}, "cannot be read"),
        ({"results": "x"}, "unknown setting"),
        ({"items": 0}, "setting 'items'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        BENCHMARK.resolve("suites", settings)


def test_settings_of_our_own_suites_do_not_go_with_others(folder):
    resolved = BENCHMARK.resolve("suites", {"suites": folder})
    assert "items" not in resolved
    assert BENCHMARK.resolve("suites", resolved) == resolved
    with pytest.raises(InputError, match="setting 'items' is for wug's own suites"):
        BENCHMARK.resolve("suites", {"suites": folder, "items": 3})


def test_sentences_are_written_answered_and_scored(folder, tmp_path):
    files = list(BENCHMARK.write_data("suites", {"suites": folder}, 1, tmp_path / "out"))
    assert [file.name for file in files] == ["tiny.json", "sentences.tsv", "task.json"]
    lines = (tmp_path / "out" / "sentences.tsv").read_text().splitlines()
    assert lines[1] == "tiny\t1\tmatch\tThe author is good\t13"
    assert "surprisal_bits" in json.loads((tmp_path / "out" / "task.json").read_text())["answers"]
    answers = {}
    for line in lines[1:]:
        suite, item, condition, text, _ = line.split("\t")
        answers[suite, int(item), condition] = Characters().score_texts([text], [0], "none")[0]
    write_surprisals(answers, tmp_path / "s.tsv")
    settings = BENCHMARK.resolve("suites", {"suites": folder})
    found = {
        (one.measure, one.item): one.value for one in BENCHMARK.score_file("suites", settings, 1, tmp_path / "s.tsv")
    }
    assert found["accuracy", "tiny"] == 0.5
    assert len(read_surprisals(tmp_path / "s.tsv", BENCHMARK.build("suites", settings, 1).judging.suites)) == 4


def results_of(*records):
    """Return the results of a store: (trial, task, learner, settings, scores)."""
    trials = [
        {"id": trial, "benchmark": "syntaxgym", "task": task, "learner": learner, "seed": 1, "status": "done"}
        | {"study": "mine", "scale": "", "spec": json.dumps({"settings": settings})}
        for trial, task, learner, settings, _ in records
    ]
    scores = [
        (trial, score.measure, score.item, score.value, score.note) for trial, *_, found in records for score in found
    ]
    columns = {"trial": pl.String, "measure": pl.String, "item": pl.String, "value": pl.Float64, "note": pl.String}
    return Results(pl.DataFrame(trials), pl.DataFrame(scores, schema=columns, orient="row"), "wug run mine")


def test_the_report_has_scores_suites_effects_and_an_item_region_by_region():
    found = judged("oracle", items=1, regions="all")
    results = results_of(("t1", "suites", "oracle", {"regions": "all"}, list(found.values())))
    main, by_suite, effects, items = BENCHMARK.sections(results)
    label, cells = main.blocks[0].rows[0]
    assert (label, cells[0].measured, cells[0].trials) == ("oracle", "1.000", ("t1",))
    assert "start symbol declared" in cells[0].detail
    assert [entry.value for entry in main.profile] == [1]
    assert len(by_suite.blocks[0].rows) == 34
    assert any(row == "mvrr: 5(reduced_ambig) > 5(unreduced_ambig)" for row, _ in effects.blocks[0].rows)
    plot = items.blocks[0]
    assert plot.title == "mvrr, item 1: oracle"
    assert plot.panels[0][1][0].label == "reduced_ambig"


def test_the_report_shows_published_figures_beside_what_is_printed():
    scores = [Score("SG-31", 0.31664, "LSTM XS"), Score("SG-31", 0.5, "LSTM SM"), Score("AIC", -573.59, "L")]
    (section,) = BENCHMARK.sections(results_of(("t1", "published", "oracle", {}, scores)))
    grid, table = section.blocks
    assert grid.columns == ("XS", "SM")
    assert [cell.verdict for cell in grid.rows[0][1]] == ["agrees", "differs"]
    assert table.rows[0][1][0].published == "-573.59"


def test_without_trials_there_is_no_section():
    assert list(BENCHMARK.sections(results_of(("t1", "suites", "oracle", {}, [])))) == []
