"""Friedman's and Nemenyi's tests and the rank correlation against published examples, peers and laws."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wug.benchmarks.mlregtest.statistics.correlation import spearman
from wug.benchmarks.mlregtest.statistics.friedman import friedman_test
from wug.benchmarks.mlregtest.statistics.implied_ranks import Printed, implied_ranks
from wug.benchmarks.mlregtest.statistics.nemenyi import critical_difference, nemenyi_test, statistics
from wug.benchmarks.mlregtest.statistics.studentized_range import critical_value, survival
from wug.errors import InputError

# Sachs 1997, p. 675: sodium in urine after six diuretics A to F; the output of R for it is printed in Pohlert 2018,
# "The Pairwise Multiple Comparison of Mean Ranks Package (PMCMR)", version 4.3, section 4.3
DIURETICS = np.array(
    [
        [3.88, 30.58, 25.24, 4.44, 29.41, 38.87],
        [5.64, 30.14, 33.52, 7.94, 30.72, 33.12],
        [5.76, 16.92, 25.45, 4.04, 32.92, 39.15],
        [4.25, 23.19, 18.85, 4.40, 28.23, 28.06],
        [5.91, 26.74, 20.45, 4.23, 23.35, 38.23],
        [4.33, 10.91, 26.67, 4.36, 12.00, 26.65],
    ]
)
DIURETICS_P = {
    "BA": 0.1880,
    "CA": 0.0917,
    "DA": 0.9996,
    "EA": 0.0395,
    "FA": 0.0016,
    "CB": 0.9996,
    "DB": 0.3388,
    "EB": 0.9898,
    "FB": 0.6363,
    "DC": 0.1880,
    "EC": 0.9996,
    "FC": 0.8200,
    "ED": 0.0917,
    "FD": 0.0052,
    "FE": 0.9400,
}
# Demšar 2006, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, Table 6: AUC of C4.5 with
# four settings on 14 data sets; mean ranks, statistic (without a correction for ties) and critical difference there
CLASSIFIERS = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],  # both printed as 0.975, with ranks 2 and 3
        [0.957, 0.978, 0.946, 0.970],
    ]
)
# Demšar 2006, Table 5: critical values of Nemenyi's test (q / sqrt(2)), for 2 to 10 classifiers
NEMENYI_05 = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
NEMENYI_10 = (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)
# Hollander and Wolfe 1973, p. 140: rounding first base, the example of R's help page on friedman.test
ROUNDING = [
    [5.40, 5.50, 5.55],
    [5.85, 5.70, 5.75],
    [5.20, 5.60, 5.50],
    [5.55, 5.50, 5.40],
    [5.90, 5.85, 5.70],
    [5.45, 5.55, 5.60],
    [5.40, 5.40, 5.35],
    [5.45, 5.50, 5.35],
    [5.25, 5.15, 5.00],
    [5.85, 5.80, 5.70],
    [5.25, 5.20, 5.10],
    [5.65, 5.55, 5.45],
    [5.60, 5.35, 5.45],
    [5.05, 5.00, 4.95],
    [5.50, 5.50, 5.40],
    [5.45, 5.55, 5.50],
    [5.55, 5.55, 5.35],
    [5.45, 5.50, 5.55],
    [5.50, 5.45, 5.25],
    [5.65, 5.60, 5.40],
    [5.70, 5.65, 5.55],
    [6.30, 6.30, 6.25],
]

tables = st.tuples(st.integers(1, 8), st.integers(2, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 8).map(lambda value: value / 8))
)
laws = settings(deadline=None, max_examples=80)


@pytest.mark.golden
def test_diuretics_as_r_prints_them():
    test = friedman_test(DIURETICS)
    assert (round(test.statistic, 3), test.degrees_of_freedom, round(test.p_value, 7)) == (23.333, 5, 0.0002915)
    p_values = nemenyi_test(test).p_values
    found = {pair: round(float(p_values["ABCDEF".index(pair[0]), "ABCDEF".index(pair[1])]), 4) for pair in DIURETICS_P}
    assert found == DIURETICS_P


@pytest.mark.golden
def test_classifiers_as_in_demsar():
    test = friedman_test(-CLASSIFIERS)
    assert [round(rank, 3) for rank in test.mean_ranks] == [3.143, 2.0, 2.893, 1.964]
    assert round(12 * 14 / 20 * sum((rank - 2.5) ** 2 for rank in test.mean_ranks), 2) == 9.28
    assert test.statistic == pytest.approx(scipy.stats.friedmanchisquare(*CLASSIFIERS.T).statistic)
    assert round(critical_difference(4, 14, 0.05), 2) == 1.25
    assert round(critical_difference(4, 14, 0.10), 2) == 1.12


@pytest.mark.golden
@pytest.mark.parametrize(("level", "values"), [(0.05, NEMENYI_05), (0.10, NEMENYI_10)])
def test_critical_values_as_in_demsar(level, values):
    found = [critical_value(level, k) / math.sqrt(2) for k in range(2, 11)]
    assert found == pytest.approx(values, abs=0.0012)  # his come from a table of q with two decimals


@pytest.mark.golden
def test_ties_as_r_corrects_for_them():
    test = friedman_test(ROUNDING)
    assert (round(test.statistic, 3), round(test.p_value, 6)) == (11.143, 0.003805)


@pytest.mark.golden
@pytest.mark.parametrize("seed", range(6))
def test_nemenyi_agrees_with_scikit_posthocs(seed):
    posthocs = pytest.importorskip("scikit_posthocs")
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rng.integers(3, 40), rng.integers(3, 17))).round(1)  # with ties
    theirs = posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    assert nemenyi_test(friedman_test(values)).p_values == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("k", [2, 3, 4, 16])
def test_survival_agrees_with_scipy(k):
    q = np.array([0.0, 0.3, 1.0, 2.0, 3.5, 5.0, 7.0, 9.0])
    assert survival(q, k) == pytest.approx(scipy.stats.studentized_range.sf(q, k, np.inf), abs=1e-12)


def test_survival_of_two_is_the_normal_tail_far_out():
    q = np.array([5.0, 12.0, 20.0, 40.0])
    assert survival(q, 2) == pytest.approx(2 * scipy.stats.norm.sf(q / math.sqrt(2)), rel=1e-9)


@given(st.floats(1e-12, 0.999), st.integers(2, 20))
@laws
def test_critical_value_inverts_survival(level, k):
    assert float(survival(critical_value(level, k), k)) == pytest.approx(level, rel=1e-6)


@given(tables)
@laws
def test_friedman_laws(values):
    test = friedman_test(values)
    n, k = values.shape
    assert -1e-9 <= test.statistic <= n * (k - 1) * (1 + 1e-9)
    assert test.greatest_statistic == n * (k - 1)
    assert 0 <= test.p_value <= 1
    assert sum(test.mean_ranks) == pytest.approx(k * (k + 1) / 2)
    assert friedman_test(values[::-1]).statistic == pytest.approx(test.statistic)
    turned = friedman_test(values[:, ::-1])
    assert turned.mean_ranks[::-1] == pytest.approx(test.mean_ranks)
    assert turned.statistic == pytest.approx(test.statistic)
    assert friedman_test(np.exp(values)).mean_ranks == pytest.approx(test.mean_ranks)
    assert friedman_test(-values).statistic == pytest.approx(test.statistic)


@given(tables)
@laws
def test_friedman_agrees_with_scipy(values):
    test = friedman_test(values)
    if values.shape[1] > 2 and np.ptp(values, axis=1).any():
        theirs = scipy.stats.friedmanchisquare(*values.T)
        assert (test.statistic, test.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)


@given(tables)
@laws
def test_nemenyi_laws(values):
    test = friedman_test(values)
    pairs = nemenyi_test(test)
    p_values = pairs.p_values
    assert ((p_values >= 0) & (p_values <= 1)).all()
    assert (p_values == p_values.T).all()
    assert (np.diag(p_values) == 1).all()
    # the farther apart, the smaller
    apart = statistics(test.mean_ranks, test.n_blocks)
    order = np.argsort(apart, axis=None)
    assert (np.diff(p_values.ravel()[order]) <= 1e-12).all()


@given(tables, st.sampled_from([0.005, 0.05, 0.3, 0.7]))
@laws
def test_bars_of_a_diagram_say_what_the_table_says(values, level):
    pairs = nemenyi_test(friedman_test(values))
    groups = pairs.alike(level)
    k = values.shape[1]
    together = {frozenset((i, j)) for group in groups for i in group for j in group if i != j}
    assert together == {frozenset((i, j)) for i in range(k) for j in range(i) if not pairs.differ(i, j, level)}
    assert not any(set(one) < set(other) for one in groups for other in groups)
    reach = critical_difference(k, len(values), level)
    ranks = pairs.mean_ranks
    for i in range(k):
        for j in range(i):
            if abs(abs(ranks[i] - ranks[j]) - reach) > 1e-9:
                assert pairs.differ(i, j, level) == (abs(ranks[i] - ranks[j]) > reach)


def test_blocks_that_all_agree_reach_the_greatest_statistic():
    test = friedman_test(np.tile([0.1, 0.2, 0.3, 0.4], (576, 1)))
    assert test.statistic == pytest.approx(1728)
    assert test.kendalls_w == pytest.approx(1)


def test_blocks_of_nothing_but_ties_show_no_difference():
    test = friedman_test(np.full((5, 3), 0.5))
    assert (test.statistic, test.p_value, test.kendalls_w) == (0.0, 1.0, 0.0)


def test_means_that_only_the_order_of_summation_sets_apart_tie():
    assert friedman_test([[(0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)]]).mean_ranks == (1.5, 1.5)


@pytest.mark.parametrize("values", [[[0.1]], [], [[0.1, float("nan")]], [0.1, 0.2]])
def test_friedman_refuses_what_is_no_table(values):
    with pytest.raises(InputError, match="Friedman test needs"):
        friedman_test(values)


def test_ranges_refuse_one_variable_and_impossible_levels():
    with pytest.raises(InputError, match="at least 2 variables, not 1"):
        survival(1.0, 1)
    with pytest.raises(InputError, match="between 0 and 1, not 1"):
        critical_value(1, 3)


pairs_of_lists = st.integers(2, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 9), min_size=n, max_size=n)] * 2)
)


@given(pairs_of_lists)
@laws
def test_spearman_agrees_with_scipy(lists):
    one, other = lists
    found = spearman(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert found.rho is None
        assert found.p_value is None
        return
    theirs = scipy.stats.spearmanr(one, other)
    assert found.rho == pytest.approx(theirs.statistic, abs=1e-12)
    if found.n > 2 and abs(found.rho) < 1 - 1e-9:
        assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-9)
    assert spearman(other, one).rho == pytest.approx(found.rho)
    assert spearman(one, [-value for value in other]).rho == pytest.approx(-found.rho)


def test_spearman_refuses_lists_of_two_lengths_and_gaps():
    with pytest.raises(InputError, match="two lists of one length"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="finite values"):
        spearman([1, float("nan")], [1, 2])


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("0.593", 0.5925, 0.5935), ("4.3e-7", 4.25e-7, 4.35e-7), ("<2e-16", 0.0, 2e-16), ("1.000", 0.9995, 1.0)],
)
def test_printed_p_values_are_ranges(text, low, high):
    printed = Printed.parse(text)
    assert (printed.low, printed.high) == pytest.approx((low, high), rel=1e-9)


def _printed(p_value):
    if p_value < 2e-16:
        return "<2e-16"
    return f"{p_value:.3f}" if p_value >= 0.001 else f"{p_value:.1e}"


@pytest.mark.parametrize("seed", range(4))
def test_printed_p_values_give_back_ranks_and_statistic(seed):
    rng = np.random.default_rng(seed)
    effects = rng.normal(scale=0.5, size=8)
    test = friedman_test(effects + rng.normal(size=(144, 8)))
    p_values = nemenyi_test(test).p_values
    names = "ABCDEFGH"
    table = {(names[i], names[j]): _printed(p_values[i, j]) for i in range(8) for j in range(i)}
    implied = implied_ranks(table, 144, dict(zip(names, effects, strict=True)))
    assert list(implied.mean_ranks.values()) == pytest.approx(test.mean_ranks, abs=0.02)
    assert implied.statistic == pytest.approx(test.statistic, rel=0.01)
    upside_down = implied_ranks(table, 144, dict(zip(names, -effects, strict=True)))
    assert upside_down.mean_ranks["A"] == pytest.approx(9 - implied.mean_ranks["A"])


def test_ranks_that_the_printed_digits_do_not_fix_are_not_given():
    table = {("B", "A"): "<2e-16", ("C", "A"): "<2e-16", ("C", "B"): "0.13"}
    assert implied_ranks(table, 576, {"A": 0.9, "B": 0.8, "C": 0.8}) is None
