"""Accuracy by language class: the paper's Figures 8 to 11, and critical-difference diagrams of the factors."""

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.consistency import implied_by_pairs
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.published import PAPER, published_pairs
from wug.benchmarks.mlregtest.statistics.factors import LEVELS, NAMES, in_order, shown
from wug.benchmarks.mlregtest.statistics.nemenyi import LEVEL, critical_difference
from wug.benchmarks.protocol import DotPlot, Series

FIGURES = {"8": ("train_size", ""), "9": ("test_type", ""), "10": ("nn_type", ""), "11": ("nn_type", "Large")}
"""By number: what the series are, and the size of training where it is one alone."""


def accuracy_by_class(sample: Sample, figure: str) -> DotPlot | None:
    """Return one of the Figures 8 to 11: medians and quartiles of the observations; None where there are none."""
    factor, size = FIGURES[figure]
    rows = sample.rows.filter(pl.col("train_size") == size) if size else sample.rows
    if rows.is_empty():
        return None
    classes = in_order("class", rows["class"].to_list())
    quartiles = rows.group_by("class", factor).agg(
        pl.col("accuracy").quantile(share, "linear").alias(name)
        for name, share in (("low", 0.25), ("median", 0.5), ("high", 0.75))
    )
    series = []
    for level in in_order(factor, quartiles[factor].to_list()):
        found = {row["class"]: row for row in quartiles.filter(pl.col(factor) == level).iter_rows(named=True)}
        places = [place for place, name in enumerate(classes) if name in found]
        columns = {name: tuple(found[classes[place]][name] for place in places) for name in ("low", "median", "high")}
        x = tuple(float(place) for place in places)
        series.append(Series(shown(factor, level), x, columns["median"], columns["low"], columns["high"]))
    where = f", {size} training" if size else ""
    return DotPlot(
        title=f"Figure {figure}: accuracy by class and {NAMES[factor]}{where}",
        name=f"mlregtest-figure-{figure}",
        rows=tuple(classes),
        series=tuple(series),
        value_label="accuracy",
        alt=f"Median and quartiles of accuracy, a row for each class, a dot for each {NAMES[factor]}.",
        caption=f"{sample.part} Median and quartiles over single observations; the paper draws boxes of the same.",
        command=sample.command,
    )


def critical_difference_diagram(sample: Sample, factor: str) -> DotPlot | None:
    """Return the levels of a factor by mean rank, with bars over those without a significant difference.

    None where there is no test. Bars and the table of p-values come from the same probabilities.
    """
    analysis = sample.analysis(factor)
    if analysis.friedman is None or analysis.pairs is None:
        return None
    levels, ranks = analysis.design.levels, analysis.friedman.mean_ranks
    order = sorted(range(len(levels)), key=lambda one: ranks[one])
    place = {one: float(len(order) - 1 - index) for index, one in enumerate(order)}
    bars = sorted((int(place[group[-1]]), int(place[group[0]])) for group in analysis.pairs.alike())
    places = {shown(factor, levels[one]): place[one] for one in order}
    series = [Series("mean rank", tuple(place[one] for one in order), tuple(ranks[one] for one in order))]
    implied = implied_by_pairs(factor)
    covers = sample.covers(factor) and implied is not None
    if covers and implied is not None:
        printed = {places[label]: rank for label, rank in implied.mean_ranks.items() if label in places}
        series.append(Series("mean rank", tuple(printed), tuple(printed.values()), published=True))
    n_blocks = analysis.design.n_blocks
    reach = critical_difference(len(levels), n_blocks)
    paper = f" Open: mean ranks that the p-values of {PAPER}, {published_pairs(factor).where}, imply." if covers else ""
    return DotPlot(
        title=f"Mean ranks by {NAMES[factor]}",
        name=f"mlregtest-ranks-{factor.replace('_', '-')}",
        rows=tuple(sorted(places, key=lambda label: places[label])),
        series=tuple(series),
        value_label=f"mean rank ({len(levels)} is best)",
        alt=f"Mean rank of each {NAMES[factor]}, best first; bars join those that do not differ significantly.",
        bars=tuple(bars),
        caption=(
            f"{n_blocks:,} blocks; bars join levels without a significant difference (p ≥ {LEVEL}); "
            f"critical difference {reach:.2f}.{paper}"
        ),
        command=sample.command,
    )


def diagrams(sample: Sample) -> list[DotPlot]:
    """Return the diagrams of all factors that could be tested and have three levels or more."""
    found = (critical_difference_diagram(sample, factor) for factor in LEVELS)
    return [diagram for diagram in found if diagram is not None and len(diagram.rows) > 2]
