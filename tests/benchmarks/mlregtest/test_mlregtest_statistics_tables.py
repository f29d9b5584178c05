"""The paper's tables and figures out of made-up observations."""

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.mlregtest.paper_tables import Rule, figures, tables
from wug.benchmarks.mlregtest.paper_tables.by_class import critical_difference_diagram
from wug.benchmarks.mlregtest.paper_tables.claims import claims_table
from wug.benchmarks.mlregtest.paper_tables.hardest import hardest_table
from wug.benchmarks.mlregtest.paper_tables.pairs import pairs_table
from wug.benchmarks.mlregtest.paper_tables.printing import mean_agrees, probability, probability_agrees
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.published import published_means, published_pairs
from wug.benchmarks.mlregtest.statistics.factors import LEVELS
from wug.benchmarks.protocol import DotPlot, Plot, StateDiagrams
from wug.errors import InputError
from wug.languages.subregular import language_names
from wug.reports.data_files import csv_of
from wug.reports.figures import figure_files
from wug.reports.plots import looks

ALL_COMPARED = {
    "Table 8": 3, "Table 9": 9, "Table 10": 4, "Table 11": 16, "Table 12": 16, "Table 14": 5, "Table 15": 10,
    "Table 17": 4, "Table 18": 6, "Table 19": 3, "Table 20": 3, "Table 21": 4, "Table 22": 6, "Table 23": 12,
    "Table 24": 6, "Table 26": 120, "Table 4": 6,
}  # fmt: skip
"""Cells of each table that the paper gives a figure for."""


@pytest.fixture(scope="module")
def made(observations):
    return tables(observations, command="wug report")


@pytest.fixture(scope="module")
def drawn(observations):
    return {figure.name: figure for figure in figures(observations)}


@pytest.fixture(scope="module")
def small_gru(make_observations):
    return make_observations(np.random.default_rng(11), networks=("gru",), sizes=("Small",))


def cells(table):
    return {(row, column): cell for row, found in table.rows for column, cell in zip(table.columns, found, strict=True)}


def titled(found, start):
    return next(table for table in found if table.title.startswith(start))


def test_every_table_of_the_paper_is_there_and_compared_where_the_whole_design_was_run(made):
    for name, count in ALL_COMPARED.items():
        table = titled(made, f"{name}:")
        printed = [cell for cell in cells(table).values() if cell.published]
        assert len(printed) == count, name
        assert {cell.verdict for cell in printed} <= {"agrees", "differs"}, name
        assert all(cell.measured for cell in printed), name
    assert [table.title.split(":")[0] for table in made if table.title.startswith("Table")] == [
        f"Table {number}" for number in (4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26)
    ]


def test_rows_have_as_many_cells_as_columns_and_titles_are_different(made):
    assert len({table.title for table in made}) == len(made)
    for table in made:
        assert all(len(found) == len(table.columns) for _, found in table.rows), table.title
        assert csv_of(table).startswith("row,column")


def test_means_are_linked_to_their_trials(made, observations):
    table = cells(titled(made, "Table 23"))
    trials = set(observations.filter(nn_type="gru", train_size="Mid")["trial"])
    assert set(table["GRU", "Mid"].trials) == trials


def test_the_same_observations_in_another_order_give_the_same_tables(made, observations):
    shuffled = observations.sample(fraction=1.0, shuffle=True, seed=5)
    assert tables(shuffled, command="wug report") == made


def test_a_part_is_compared_only_where_it_has_all_of_the_papers_blocks(small_gru):
    found = tables(small_gru)
    compared = {
        (table.title.split(":")[0], row, column)
        for table in found
        if table.title.startswith("Table")
        for (row, column), cell in cells(table).items()
        if cell.verdict in ("agrees", "differs")
    }
    assert compared == {("Table 23", "GRU", "Small")}
    table_8 = cells(titled(found, "Table 8:"))
    assert table_8["Mid", "mean accuracy"].verdict == "not run"
    assert table_8["Small", "mean accuracy"].verdict == ""
    assert table_8["Small", "mean accuracy"].measured
    assert "192 of the design's 2,304 cells" in titled(found, "What the paper").caption


def test_missing_languages_widen_the_margin_or_leave_no_verdict(make_observations):
    rng = np.random.default_rng(12)
    names = [name for name in language_names() if name[-1] in "01" or ".Zp." in name]
    some = titled(tables(make_observations(rng, ("gru",), ("Small",), languages=names)), "Table 23")
    assert cells(some)["GRU", "Small"].verdict in ("agrees", "differs")
    first = {name.rsplit(".", 3)[0]: name for name in language_names()}
    one_each = titled(tables(make_observations(rng, ("gru",), ("Small",), languages=list(first.values()))), "Table 23")
    cell = cells(one_each)["GRU", "Small"]
    assert (cell.verdict, bool(cell.measured)) == ("", True)


def test_without_observations_nothing_was_run(observations):
    found = tables(observations.clear())
    verdicts = {cell.verdict for table in found for cell in cells(table).values() if cell.published}
    assert verdicts <= {"not run", ""}  # '' in the table of the paper's own figures
    assert figures(observations.clear()) == []


def test_other_learners_stand_beside_the_networks_and_not_in_the_papers_tables(small_gru, make_observations):
    baseline = make_observations(
        np.random.default_rng(13), ("n-gram",), ("Small",), languages=language_names("SL") + language_names("PT")
    )
    both = pl.concat([small_gru, baseline])
    without, found = tables(small_gru), tables(both)
    assert [table for table in found if table.title.startswith("Table")] == [
        table for table in without if table.title.startswith("Table")
    ]
    table = titled(found, "All learners by kind of test set, Small")
    assert table.columns == ("GRU", "n-gram")
    assert "180 languages" in table.caption
    of_gru = small_gru.filter(pl.col("class").is_in(["SL", "PT"]), test_type="SA")
    expected = of_gru.group_by("alph", "class").agg(pl.col("accuracy").mean())["accuracy"].mean()
    assert cells(table)["SA", "GRU"].measured == f"{expected:.3f}"


def test_statistics_that_cannot_be_right_are_marked(made):
    table = cells(titled(made, "Friedman tests"))
    assert table["kind of test set", "χ²"].published == "1965.5 †"
    assert "at most 1,728" in table["kind of test set", "χ²"].detail
    assert table["language class", "χ²"].published == "375.65 and 831.03 †"
    assert table["size of alphabet", "χ²"].published == "267.82 †"
    assert table["logical level", "χ²"].published == "69.772"
    assert table["order relation, GRU only", "p-value"].published == "not rejected"
    assert table["network, Large only", "blocks"].measured == "192"
    assert table["logical level, RNN only", "blocks"].measured == "36"


def test_a_diagrams_bars_say_what_the_table_of_p_values_says(observations):
    sample = Sample.of(observations).of_paper()
    for factor in LEVELS:
        diagram, table = critical_difference_diagram(sample, factor), cells(pairs_table(sample, factor))
        place = {label: index for index, label in enumerate(diagram.rows)}
        joined = {
            frozenset((one, other))
            for first, last in diagram.bars
            for one in diagram.rows[first : last + 1]
            for other in diagram.rows[first : last + 1]
        }
        for pair in published_pairs(factor).p_values:
            assert (frozenset(pair) in joined) == (table[pair].detail != "significant"), (factor, pair)
        ranks = dict(zip(diagram.series[0].x, diagram.series[0].y, strict=True))
        assert [ranks[float(index)] for index in range(len(place))] == sorted(ranks.values(), reverse=True)


def test_figures_8_to_11_show_medians_and_quartiles(observations, drawn):
    figure = drawn["mlregtest-figure-10"]
    assert isinstance(figure, DotPlot)
    assert figure.rows == LEVELS["class"]
    assert [series.label for series in figure.series] == ["RNN", "GRU", "LSTM", "Transformer"]
    accuracies = observations.filter(pl.col("class") == "SP", nn_type="gru")["accuracy"].to_numpy()
    place = LEVELS["class"].index("SP")
    gru = figure.series[1]
    assert (gru.low[place], gru.y[place], gru.high[place]) == pytest.approx(
        tuple(np.quantile(accuracies, [0.25, 0.5, 0.75]))
    )
    large = drawn["mlregtest-figure-11"].series[1]
    only = observations.filter(pl.col("class") == "SP", nn_type="gru", train_size="Large")["accuracy"].median()
    assert large.y[place] == pytest.approx(only)


def test_figures_have_names_of_their_own_and_can_be_drawn(drawn):
    assert len(drawn) == 14
    assert all(figure.alt and figure.caption for figure in drawn.values())
    for name in ("mlregtest-figure-8", "mlregtest-ranks-logic", "mlregtest-border-gap"):
        assert len(list(figure_files(drawn[name], name, looks(drawn.values())))) == 5


def test_learning_curves_show_table_23_beside(drawn):
    plot = drawn["mlregtest-learning-curves"]
    assert isinstance(plot, Plot)
    assert [title for title, _ in plot.panels] == ["all test sets", "SR", "LR", "SA", "LA"]
    published = {series.label: series for series in plot.panels[0][1] if series.published}
    assert published["GRU"].y == (0.843, 0.934, 0.939)
    assert published["GRU"].x == (1000.0, 10_000.0, 100_000.0)
    assert all(series.low for series in plot.panels[1][1])


def test_claims_hold_or_not_as_the_accuracies_were_made(make_observations):
    rows = make_observations(np.random.default_rng(14))
    effects = {"Zp": -0.2, "Reg": -0.15, "SF": 0.1, "PT": 0.05}
    plain = rows.with_columns(
        accuracy=0.7
        + pl.col("class").replace_strict(effects, default=0.0, return_dtype=pl.Float64)
        + pl.col("test_type").replace_strict({"SR": 0.1, "SA": 0.02, "LR": 0.05, "LA": 0.0}, return_dtype=pl.Float64)
        + pl.col("nn_type").replace_strict({"gru": 0.05}, default=0.0, return_dtype=pl.Float64)
        - pl.col("alph").replace_strict({4: 0.0, 16: 0.01, 64: 0.02}, return_dtype=pl.Float64)
    )
    table = cells(claims_table(Sample.of(plain)))

    def outcome(start, column="all networks run"):
        cell = next(cell for (row, name), cell in table.items() if row.startswith(start) and name == column)
        return cell.measured, cell.verdict

    assert outcome("Border sets") == ("holds", "agrees")
    assert outcome("Long strings") == ("holds", "agrees")
    assert outcome("Zp and Reg") == ("holds", "agrees")
    assert outcome("SF is") == ("holds", "agrees")
    assert outcome("The GRU") == ("holds", "agrees")
    assert outcome("MSO") == ("holds", "agrees")
    assert outcome("PROP", "RNN") == ("holds", "agrees")
    assert outcome("More data") == ("does not hold", "differs")  # all alike: a tie is no order
    assert outcome("Larger alphabets") == ("does not hold", "differs")
    assert outcome("Larger alphabets", "GRU") == ("does not hold", "agrees")
    assert outcome("Classes and their complements") == ("holds", "agrees")
    assert outcome("The GRU", "GRU") == ("", "")


def test_the_hardest_language_is_far_below_what_the_same_network_reaches(make_observations):
    names = language_names("SL", alphabet_size=4)
    rng = np.random.default_rng(15)
    strong = make_observations(rng, ("gru",), ("Small",), languages=names[1:])
    weak = make_observations(rng, ("srn",), ("Small",), languages=names)
    rows = pl.concat([strong.with_columns(accuracy=pl.lit(0.95)), weak.with_columns(accuracy=pl.lit(0.6))])
    hard = (pl.col("k") == 6) & (pl.col("i") == 9)
    rows = rows.with_columns(accuracy=pl.when(hard).then(pl.col("accuracy") - 0.1).otherwise(pl.col("accuracy")))
    table = hardest_table(Sample.of(rows), 3)
    assert table.rows[0][0] == "04.04.SL.6.1.9"
    # names[0], which the weak network alone was trained on, is not among the hard ones for that
    lowest = float(cells(table)["04.04.SL.6.1.9", "below the mean"].measured.replace("−", "-"))
    assert lowest == pytest.approx(-0.1 * 29 / 30, abs=0.002)
    assert all(cell.measured == "+0.003" for _, (_, cell, *_) in table.rows[1:])
    assert cells(table)["04.04.SL.6.1.9", "definition"].detail == "^a^5 and b^5$"
    assert cells(table)["04.04.SL.6.1.9", "definition"].measured == "11 states, monoid 45"


def test_what_is_no_observation_is_refused(observations):
    with pytest.raises(InputError, match="there is no column accuracy"):
        tables(observations.drop("accuracy"))


@pytest.mark.parametrize(
    ("measured", "published", "rerun", "reprint"),
    [
        (0.1301, "0.130", True, True),
        (0.2, "0.130", True, False),
        (0.004, "0.130", False, False),
        (0.0052, "0.005", True, True),  # printed at the level: either decision agrees
        (0.0048, "0.005", True, True),
        (4.3e-7, "4.3e-7", True, True),
        (4.4e-7, "4.3e-7", True, False),
        (1e-20, "3.7e-14", True, True),  # R's probabilities end about there
        (1e-20, "<2e-16", True, True),
        (1e-10, "<2e-16", True, False),
        (0.5, "<2e-16", False, False),
        (1e-15, "≤3.6e-14", True, True),
        (0.02, ">0.005", True, True),
        (0.001, ">0.005", False, False),
    ],
)
def test_probabilities_agree_by_decision_or_by_digits(measured, published, rerun, reprint):
    assert probability_agrees(measured, published, Rule.RERUN) == rerun
    assert probability_agrees(measured, published, Rule.REPRINT) == reprint


def test_means_agree_within_two_points_or_by_digits():
    assert mean_agrees(0.889, 0.869, Rule.RERUN)
    assert not mean_agrees(0.8891, 0.869, Rule.RERUN)
    assert mean_agrees(0.8891, 0.869, Rule.RERUN, tolerance=0.001)
    assert mean_agrees(0.8694, 0.869, Rule.REPRINT)
    assert not mean_agrees(0.8696, 0.869, Rule.REPRINT)


@pytest.mark.parametrize("text", ["0.130", "1.000", "4.3e-7", "<2.2e-16", "0.001"])
def test_probabilities_are_printed_as_the_paper_prints_them(text):
    assert probability(float(text.lstrip("<")) * (0.5 if text[0] == "<" else 1)) == text


def test_the_papers_levels_are_the_designs():
    assert set(published_means("class").values) == set(LEVELS["class"])


def test_masked_padding_stands_beside_padding_that_is_seen(small_gru):
    masked = small_gru.with_columns(
        pl.lit("mlregtest-gru padding=masked").alias("nn_type"),
        pl.when(pl.col("test_type") == "SA").then(pl.col("accuracy") - 0.25).otherwise(pl.col("accuracy")),
    ).filter(pl.col("class").is_in(["SL", "Zp"]), pl.col("i") < 3)
    table = titled(tables(pl.concat([small_gru, masked])), "GRU: padding masked or seen")
    assert [row for row, _ in table.rows] == ["SL", "Zp", "all"]
    found = cells(table)
    for row in ("SL", "Zp", "all"):
        assert found[row, "SA: masked − seen"].measured == "−0.250"
        assert found[row, "SR: masked − seen"].measured == "+0.000"
        assert found[row, "masked − seen"].measured in ("−0.062", "−0.063")
        assert found[row, "masked − seen"].detail == "95% ±0.000"
    assert not [table for table in tables(small_gru) if "padding" in table.title]


def test_learners_come_first_where_no_network_of_the_paper_was_run(small_gru):
    others = small_gru.with_columns(pl.lit("n-gram").alias("nn_type")).filter(pl.col("i") == 0)
    assert tables(others)[0].title == "All learners by kind of test set, Small training"


def test_the_hardest_small_languages_are_drawn(small_gru):
    worst = small_gru.with_columns(
        accuracy=pl.when((pl.col("class") == "Zp") & (pl.col("k") == 2) & (pl.col("i") == 0))
        .then(0.31)
        .otherwise(pl.col("accuracy").clip(0.6))
    )
    (block,) = (figure for figure in figures(worst) if isinstance(figure, StateDiagrams))
    first = block.diagrams[0]
    assert first.title == "04.04.Zp.2.1.0 (0.310)"
    assert len(first.accepting) == 2
    assert sorted(first.accepting) == [False, True]
    assert {(source, target) for source, target, _ in first.arcs} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert any("letters" in letters or "−" in letters for d in block.diagrams for _, _, letters in d.arcs)
    assert max(len(diagram.accepting) for diagram in block.diagrams) <= 8
