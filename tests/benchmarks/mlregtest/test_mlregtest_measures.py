"""Measures against their definitions, written out plainly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.benchmarks.mlregtest.measures import Answers, pairs_ordered, pairs_right

GRID = st.integers(0, 20).map(lambda n: n / 20)


@st.composite
def answers(draw):
    n = draw(st.integers(1, 30))
    probabilities = draw(st.lists(GRID, min_size=n, max_size=n))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return Answers(np.array(probabilities), np.array(labels))


@settings(deadline=None, max_examples=100)
@given(answers())
def test_every_measure_equals_its_definition(given):
    pairs = list(zip(given.probabilities.tolist(), given.labels.tolist(), strict=True))
    tp = sum(p > 0.5 for p, truth in pairs if truth)
    fn = sum(p <= 0.5 for p, truth in pairs if truth)
    tn = sum(p < 0.5 for p, truth in pairs if not truth)
    fp = sum(p >= 0.5 for p, truth in pairs if not truth)
    assert given.counts == {"tp": tp, "fp": fp, "tn": tn, "fn": fn}
    assert given.accuracy == pytest.approx((tp + tn) / len(pairs))
    assert given.precision == (pytest.approx(tp / (tp + fp)) if tp + fp else None)
    assert given.f_score == (pytest.approx(tp / (tp + (fp + fn) / 2)) if tp + fp + fn else None)
    assert given.brier == pytest.approx(sum((p - truth) ** 2 for p, truth in pairs) / len(pairs))
    inside = [p for p, truth in pairs if truth]
    outside = [p for p, truth in pairs if not truth]
    if inside and outside:
        wins = sum((p > q) + (p == q) / 2 for p in inside for q in outside)
        assert given.auc == pytest.approx(wins / (len(inside) * len(outside)))
    else:
        assert given.auc is None


@settings(deadline=None, max_examples=50)
@given(answers())
def test_areas_turn_round_with_the_probabilities(given):
    turned = Answers(1 - given.probabilities, given.labels)
    if given.auc is not None:
        assert given.auc + turned.auc == pytest.approx(1)


def test_the_paper_s_area_is_the_exact_one_where_thresholds_separate_all_probabilities():
    rng = np.random.default_rng(1)
    labels = rng.random(500) < 0.5
    coarse = Answers(np.round(rng.random(500), 2), labels)
    # every hundredth lies between two of the 100 thresholds, save 0 and 1, which lie inside as well
    assert coarse.auc_of_100_thresholds == pytest.approx(coarse.auc, abs=2e-3)


def test_an_answer_of_one_half_is_wrong_whatever_the_truth():
    undecided = Answers(np.full(4, 0.5), np.array([True, False, True, False]))
    assert undecided.accuracy == 0
    assert undecided.auc == 0.5


def test_border_pairs_are_right_when_both_of_their_strings_are():
    labels = np.array([True, True, True, False, False, False])
    pairs = np.array([0, 1, 2, 2, 0, 1])  # the strings outside stand in another order
    given = Answers(np.array([0.9, 0.9, 0.4, 0.3, 0.2, 0.95]), labels)
    assert pairs_right(given, pairs) == pytest.approx(1 / 3)  # pair 0; pair 1 has .95 outside, pair 2 has .4 inside
    assert pairs_ordered(given, pairs) == pytest.approx(2 / 3)  # pair 1 is the wrong way round
