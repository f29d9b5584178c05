"""How far a mean of the design would vary with other languages of the same classes."""

import math

import polars as pl

from wug.benchmarks.mlregtest.statistics.designs import Design
from wug.benchmarks.mlregtest.statistics.factors import LANGUAGE

_NORMAL_95 = 1.959964


def half_width(of: Design, level: str) -> float | None:
    """Return half the width of the 95% interval of a level's mean; None where a cell or class has one language alone.

    Languages are the unit that is drawn, in strata of alphabet and class: the observations of one language go together.
    With z the sum of what a language's observations add to the mean beyond their cells' means, the variance is the sum
    over strata of n languages of n / (n - 1) times the sum of squared deviations of z (Cochran 1977, chapter 5).
    It says nothing of other seeds.
    """
    rows = of.rows.filter(pl.col("level") == level)
    if rows.is_empty() or rows["in_cell"].min() == 1:
        return None
    beyond = (pl.col("accuracy") - pl.col("cell_mean")) / pl.col("in_cell")
    parts = rows.group_by(LANGUAGE).agg(part=beyond.sum() / of.n_blocks)
    strata = parts.group_by("alph", "class").agg(pl.len(), variance=pl.col("part").var() * pl.len())
    if strata["len"].min() == 1:
        return None
    return _NORMAL_95 * math.sqrt(float(strata["variance"].sum()))
