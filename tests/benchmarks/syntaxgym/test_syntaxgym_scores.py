"""Scores: reference accuracies, ties, failures, chance, circuits, modifiers, effects, intervals."""

import json
from fractions import Fraction

import numpy as np
import pytest

from wug.benchmarks.syntaxgym.scores import (
    MODIFIER_PAIRS,
    SUITE_NAMES,
    SuiteSet,
    circuit_of,
    contrasts,
    evaluate_suite,
    scores_of,
)
from wug.benchmarks.syntaxgym.scores.bootstrap import bootstrap_items, bootstrap_suites
from wug.benchmarks.syntaxgym.suites import Item, Metric, Suite, chance, parse_formula, read_suites
from wug.errors import TrialError
from wug.learners.protocols import ScoredText


def one_token_a_region(sentence, bits):
    spans = [
        (start, stop, value) for (start, stop), value in zip(sentence.spans, bits, strict=True) if start < stop or value
    ]
    starts, stops, values = (np.array(column) for column in zip(*spans, strict=True))
    return ScoredText(tuple(sentence.text[start:stop] for start, stop, _ in spans), starts, stops, values.astype(float))


def from_regions(regions):
    """Return what evaluates a suite by the surprisals of its regions: (item, condition) -> bits."""

    def scored(item, condition):
        sentence = item.sentence(condition)
        return sentence, one_token_a_region(sentence, regions[item.number, condition])

    return scored


@pytest.mark.golden
@pytest.mark.parametrize("name", ["tiny_gpt2_all_suites.json", "smollm2_135m_11_suites.json"])
def test_predictions_of_the_reference_surprisals(name, published):
    reference = json.loads((published / "golden" / name).read_text())
    reference = reference.get("suites", reference)
    for suite in read_suites(published / "suites_parenthesised"):
        if suite.name not in reference:
            continue
        expected = reference[suite.name]
        regions = {
            (item["item_number"], condition): bits
            for item in expected["items"]
            for condition, bits in item["conditions"].items()
        }
        outcome = evaluate_suite(suite, from_regions(regions))
        for item, wanted in zip(outcome.items, expected["items"], strict=True):
            assert [one.holds for one in item.evaluations] == wanted["predictions"]
        assert outcome.accuracy(None) == pytest.approx(expected["accuracy_all"])
        for index, accuracy in expected["accuracy_per_prediction"].items():
            assert outcome.accuracy(int(index)) == pytest.approx(accuracy)


@pytest.mark.golden
def test_mean_chance_of_the_suites_in_the_mean(published):
    suites = {suite.name: suite for suite in read_suites(published / "suites_parenthesised")}
    assert set(suites) == set(SUITE_NAMES)
    for suite_set, size, expected in ((SuiteSet.PAPER, 31, 0.2849), (SuiteSet.ALL, 33, 0.2828)):
        levels = [chance(suites[name].predictions[:1], suites[name]).value for name in suite_set.names]
        assert len(levels) == size
        assert float(sum(levels, Fraction(0)) / size) == pytest.approx(expected, abs=5e-5)


def test_circuits_have_the_suites_that_the_paper_gives_them():
    sizes = {}
    for name in SuiteSet.PAPER.names:
        sizes[circuit_of(name)] = sizes.get(circuit_of(name), 0) + 1
    assert sizes == {
        "Center Embedding": 2,
        "Long-Distance Dependencies": 6,
        "Garden-Path Effects": 6,
        "Licensing": 10,
        "Agreement": 3,
        "Gross Syntactic State": 4,
    }
    assert circuit_of("nn-nv-rpl") == ""
    assert all(name in SUITE_NAMES for pair in MODIFIER_PAIRS for name in pair)


def small_suite(name="number_orc", n_items=4, formulas=("(2;%x%) < (2;%y%)",)):
    items = tuple(Item(number, {"x": ("a", "b"), "y": ("a", "c")}) for number in range(1, n_items + 1))
    return Suite(name, Metric.SUM, ("one", "two"), tuple(map(parse_formula, formulas)), items)


REGIONS = {
    **{(1, "x"): (0, 1), (1, "y"): (0, 3), (2, "x"): (0, 2), (2, "y"): (0, 2)},
    **{(3, "x"): (0, 5), (3, "y"): (0, 1), (4, "x"): (0, float("nan")), (4, "y"): (0, 1)},
}


def by_name(scores):
    return {(score.measure, score.item): score for score in scores}


def test_ties_and_failures_are_false_and_told_apart():
    found = by_name(scores_of([evaluate_suite(small_suite(), from_regions(REGIONS))], SuiteSet.PAPER, 1, "as made"))
    assert found["accuracy", "number_orc"].value == 0.25
    assert "item 4, x, region 2 (two): its surprisal is nan" in found["accuracy", "number_orc"].note
    assert found["ties", "number_orc"].value == found["failures", "number_orc"].value == 1
    assert found["chance", "number_orc"].value == 0.5
    assert found["accuracy_above_chance", "number_orc"].value == -0.5
    assert found["effect_bits", "number_orc: 2(x) < 2(y)"].value == pytest.approx((2 + 0 - 4) / 3)
    assert found["SG", ""].value == found["circuit", "Agreement"].value == 0.25
    assert found["SG", ""].note.startswith("mean of 1 of 31 suites")
    assert found["SG_low", ""].value <= 0.25 <= found["SG_high", ""].value


def test_a_suite_outside_the_mean_does_not_enter_it():
    outcomes = [evaluate_suite(small_suite(name), from_regions(REGIONS)) for name in ("fgd-embed3", "mine")]
    found = by_name(scores_of(outcomes, SuiteSet.PAPER, 1, "as made"))
    assert found["SG", ""].value is None
    assert found["accuracy", "mine"].value == 0.25
    assert by_name(scores_of(outcomes, SuiteSet.ALL, 1, "as made"))["SG", ""].value == 0.25


def test_where_nothing_has_a_value_the_trial_fails():
    regions = {key: (0, float("inf")) for key in REGIONS}
    with pytest.raises(TrialError, match="no item has a value; the first is suite number_orc, item 1, x, region 2"):
        scores_of([evaluate_suite(small_suite(), from_regions(regions))], SuiteSet.PAPER, 1, "as made")


def test_all_predictions_are_told_where_there_are_several():
    suite = small_suite(formulas=("(2;%x%) < (2;%y%)", "(2;%x%) = (2;%y%)"))
    found = by_name(scores_of([evaluate_suite(suite, from_regions(REGIONS))], SuiteSet.PAPER, 1, "as made"))
    assert found["accuracy", "number_orc"].value == found["SG", ""].value == 0.25
    assert found["accuracy_all_predictions", "number_orc"].value == found["SG_all_predictions", ""].value == 0


def test_modifier_pairs_are_compared():
    other = {(number, condition): (0, 1 if condition == "x" else 2) for number, condition in REGIONS}
    outcomes = [
        evaluate_suite(small_suite("cleft"), from_regions(REGIONS)),
        evaluate_suite(small_suite("cleft_modifier"), from_regions(other)),
    ]
    found = by_name(scores_of(outcomes, SuiteSet.PAPER, 1, "as made"))
    assert (found["without_modifier", ""].value, found["with_modifier", ""].value) == (0.25, 1)


def test_contrasts_are_written_in_the_order_of_evaluation():
    text = "[1(a)]".replace("1(a)", "(1;%a%) < (1;%b%)") + " & [(1;%a%) - [(1;%b%) - 2] > 0.5]"
    assert contrasts(parse_formula(text)) == ["1(a) < 1(b)", "1(a) - (1(b) - 2) > 0.5"]


def test_the_bootstrap_is_as_wide_as_theory_says():
    rng = np.random.default_rng(1)
    items = bootstrap_items([50] * 4, [100] * 4, rng=rng)
    assert items.high - items.low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.1)
    suites = bootstrap_suites([0, 100] * 8, [100] * 16, rng=rng)
    assert suites.high - suites.low == pytest.approx(2 * 1.96 * 0.5 / 4, rel=0.1)
    certain = bootstrap_items([7, 9], [7, 9], rng=rng)
    assert (certain.low, certain.high) == (1, 1)
