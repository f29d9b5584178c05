"""What is kept of the paper's figures: against an independent copy of them, and against each other."""

import csv
import json
from pathlib import Path
from statistics import fmean, median, stdev

import pytest

from wug.benchmarks.mlregtest.paper_tables.consistency import (
    consistency_table,
    contradiction,
    friedman_checks,
    implied_by_pairs,
    margin_checks,
)
from wug.benchmarks.mlregtest.published import (
    published_correlations,
    published_friedman,
    published_means,
    published_measure_correlations,
    published_pairs,
)
from wug.benchmarks.mlregtest.statistics.factors import COMPLEMENTS, LOGIC, ORDER
from wug.benchmarks.mlregtest.statistics.implied_ranks import Printed
from wug.benchmarks.mlregtest.statistics.sizes import language_size, language_sizes
from wug.languages.subregular import RegularLanguage, language_names

SHARED = Path(__file__).parents[3] / "../shared/data/mlregtest"
MEANS = {
    ("train_size",): "table8_trainsize",
    ("test_type",): "table10_testtype",
    ("nn_type", "test_type"): "table11_test_by_nn",
    ("class",): "table12_class",
    ("logic",): "table14_logic",
    ("order",): "table17_order",
    ("alph",): "table19_alphabet",
    ("nn_type",): "table21_nn",
    ("nn_type", "train_size"): "table23_nn_by_trainsize",
}
PAIRS = {
    "logic": "table15_logic_p",
    "order": "table18_order_p",
    "alph": "table20_alphabet_p",
    "nn_type": "table22_nn_p",
    "class": "table26_class_p",
}


@pytest.fixture(scope="module")
def shared():
    file = SHARED / "paper_tables.json"
    if not file.is_file():
        pytest.skip(f"needs {file.name} in a folder 'shared' beside the checkout")
    return json.loads(file.read_text("utf-8"))


@pytest.mark.golden
@pytest.mark.parametrize("factors", MEANS)
def test_means_equal_the_independent_copy(shared, factors):
    table = {name: value for name, value in shared[MEANS[factors]].items() if name != "note"}
    if len(factors) == 2:
        table = {f"{row} × {column}": value for row, values in table.items() for column, value in values.items()}
    assert published_means(*factors).values == table


@pytest.mark.golden
@pytest.mark.parametrize("factor", PAIRS)
def test_p_values_equal_the_independent_copy(shared, factor):
    theirs = {(row, column): value for row, column, value in shared[PAIRS[factor]]}
    ours = published_pairs(factor).p_values
    assert ours.keys() == theirs.keys()
    for pair, text in ours.items():
        value = float(text) if isinstance(theirs[pair], float) else text
        assert value == theirs[pair], pair


@pytest.mark.golden
def test_tests_and_correlations_equal_the_independent_copy(shared):
    theirs = [(test["section"], test["chi2"], test["df"]) for test in shared["friedman"]]
    ours = [
        (test.section, float(test.statistic), test.degrees_of_freedom)
        for test in published_friedman()
        if test.statistic
    ]
    assert ours == theirs
    for factor, key in (("logic", "logic_p"), ("alph", "alphabet_p")):
        per_network = {
            test.network: test.p_value for test in published_friedman() if test.factor == factor and test.network
        }
        assert {name: text if text[0] == "<" else float(text) for name, text in per_network.items()} == shared[
            "friedman_per_network"
        ][key]
    table = shared["table24_spearman"]
    found = {(one.size, one.part): float(one.rho) for one in published_correlations()}
    for size, key, short in (("states", "dfa_size~accuracy", "dfa"), ("monoid", "monoid_size~accuracy", "monoid")):
        assert found[size, "all"] == table[key]["all"]
        assert found[size, "Large"] == table[key]["large"]
        assert found[size, "GRU Large SA"] == table["strongest_block_GRU_Large_SA"][short]
    names = {"auc": "AUC", "accuracy": "Accuracy", "brier": "Brier", "fscore": "Fscore"}
    correlations = {f"{names[row]}~{names[column]}": r for (row, column), r in published_measure_correlations().items()}
    assert correlations == shared["table4_metric_correlations"]


@pytest.mark.golden
def test_groups_equal_the_independent_copy(shared):
    for ours, key in ((LOGIC, "table13_logic_groups"), (ORDER, "table16_order_groups")):
        assert {group: sorted(classes) for group, classes in ours.items()} == {
            group: sorted(classes) for group, classes in shared[key].items()
        }


@pytest.mark.golden
@pytest.mark.parametrize("factor", ["class", "logic", "order"])
def test_implied_ranks_equal_the_independent_ones(shared, factor):
    theirs = {name: rank for name, rank in shared[f"derived_mean_ranks_{factor}"].items() if name != "note"}
    assert implied_by_pairs(factor).mean_ranks == pytest.approx(theirs, abs=0.015)


@pytest.mark.golden
@pytest.mark.parametrize(
    ("factor", "statistic"), [("class", 375.65), ("logic", 69.772), ("order", 28.675), ("alph", 100.6)]
)
def test_p_values_imply_statistics(factor, statistic):
    assert implied_by_pairs(factor).statistic == pytest.approx(statistic, rel=1e-3)


def test_networks_p_values_are_too_small_to_imply_ranks():
    assert implied_by_pairs("nn_type") is None


def test_exactly_three_statistics_contradict_other_figures():
    found = {(test.factor, test.statistic): text for test in published_friedman() if (text := contradiction(test))}
    assert found == {
        ("class", "831.03"): "about 375.6 by Table 26",
        ("test_type", "1965.5"): "at most 1,728",
        ("alph", "267.82"): "about 100.6 by Table 20",
    }
    assert len(friedman_checks()) == 8


def test_table_11_alone_has_other_margins():
    assert {check.figure for check in margin_checks(("nn_type", "test_type")) if not check.holds} == {
        f"{level}, margin of Table 11" for level in ("SR", "LR", "SA", "LA", "RNN", "GRU", "LSTM", "Transformer")
    }
    assert all(check.holds for check in margin_checks(("nn_type", "train_size")))
    assert margin_checks(("class",)) == ()


def test_the_table_of_checks_marks_what_fails():
    table = consistency_table()
    failed = [row for row, cells in table.rows if cells[2].measured == "† no"]
    assert len(failed) == 3 + 8
    assert len(table.rows) == len({(row, cells[1].measured) for row, cells in table.rows})
    assert all(not cell.verdict for _, cells in table.rows for cell in cells)


def test_triangles_are_whole():
    for factor in (*PAIRS, "train_size", "test_type"):
        pairs = published_pairs(factor)
        assert [len(texts) for texts in pairs.rows.values()] == list(range(1, len(pairs.columns) + 1))
        levels = [pairs.columns[0], *pairs.rows]
        assert tuple(levels[:-1]) == pairs.columns
        assert set(levels) == set(published_means(factor).values)
        for text in pairs.p_values.values():
            assert 0 <= Printed.parse(text).low <= Printed.parse(text).high <= 1


def test_complements_stand_in_table_26():
    pairs = published_pairs("class").p_values
    assert all((one, other) in pairs or (other, one) in pairs for one, other in COMPLEMENTS)


# --- sizes -----------------------------------------------------------------------------------------------------------


def test_sizes_are_those_of_the_automata():
    sizes = language_sizes()
    assert list(sizes) == list(language_names())
    for name in language_names()[::20]:
        assert language_size(RegularLanguage.named(name).dfa) == sizes[name], name


@pytest.mark.golden
def test_sizes_are_those_of_table_1():
    sizes = language_sizes().values()
    for values, printed in (
        ([size.states for size in sizes], (2, 613, 11, 23.45, 53.24)),
        ([size.monoid for size in sizes], (2, 4229, 51, 155.41, 329.89)),
    ):
        found = (
            min(values),
            max(values),
            median(values),
            fmean(values),
            stdev(values),
        )
        assert tuple(round(value, 2) for value in found) == printed


@pytest.mark.golden
def test_sizes_equal_the_independent_copy():
    file = SHARED / "languages.csv"
    if not file.is_file():
        pytest.skip(f"needs {file.name} in a folder 'shared' beside the checkout")
    with file.open(encoding="utf-8") as lines:
        theirs = {row["name"]: (int(row["states_trim"]), int(row["syntactic_monoid"])) for row in csv.DictReader(lines)}
    assert {name: (size.states, size.monoid) for name, size in language_sizes().items()} == theirs
