"""How far a mean of the design would vary with other languages of the same classes."""

import math

import polars as pl

from wug.benchmarks.mlregtest.statistics.designs import Design
from wug.benchmarks.mlregtest.statistics.factors import LANGUAGE

_NORMAL_95 = 1.959964


def half_width(of: Design, level: str) -> float | None:
    """Return half the width of the 95% interval of a level's mean; None where a class has one language alone.

    Languages are the unit that is drawn, in strata of alphabet and class: the observations of one language go together.
    With z the part that a language contributes to the mean, the variance is the sum over the strata of n languages of
    n / (n - 1) times the sum of squared deviations of z (Cochran 1977, chapter 5). It says nothing of other seeds.
    """
    parts = (
        of.rows.filter(pl.col("level") == level)
        .group_by(LANGUAGE)
        .agg(part=(pl.col("accuracy") / pl.col("in_cell")).sum() / of.n_blocks)
    )
    strata = parts.group_by("alph", "class").agg(pl.len(), variance=pl.col("part").var() * pl.len())
    if strata.is_empty() or strata["len"].min() == 1:
        return None
    return _NORMAL_95 * math.sqrt(float(strata["variance"].sum()))
