"""Friedman's rank test: do any of the treatments differ, in blocks that have each treatment once?"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc
from scipy.stats import rankdata

from wug.errors import InputError

DECIMALS = 12
"""Values that agree to so many decimals tie.

Means of accuracies on up to 100,000 strings over up to 300 languages are fractions that differ by 3e-10 or more, unless
they are equal and only the order of summation sets them apart.
"""


@dataclass(frozen=True)
class FriedmanTest:
    """The outcome; the largest value of a block has the largest rank, ties have their mean rank."""

    n_blocks: int
    mean_ranks: tuple[float, ...]
    """By treatment, between 1 and the number of treatments."""
    statistic: float
    """Chi-squared, corrected for ties; 0 where every block ties all treatments (R gives no number there)."""

    @property
    def n_treatments(self) -> int:
        """Number of treatments."""
        return len(self.mean_ranks)

    @property
    def degrees_of_freedom(self) -> int:
        """Of the chi-squared distribution that the statistic is referred to."""
        return self.n_treatments - 1

    @property
    def greatest_statistic(self) -> int:
        """What the statistic is when all blocks order the treatments alike; it cannot be more."""
        return self.n_blocks * self.degrees_of_freedom

    @property
    def kendalls_w(self) -> float:
        """Kendall's coefficient of concordance: from 0, blocks that disagree, to 1, blocks that all order alike."""
        return self.statistic / self.greatest_statistic

    @cached_property
    def p_value(self) -> float:
        """Probability of such a statistic, or a greater one, without any difference (asymptotic)."""
        return float(chdtrc(self.degrees_of_freedom, self.statistic))


def friedman_test(values: ArrayLike) -> FriedmanTest:
    """Return the test of ``values`` (n_blocks, n_treatments); InputError for fewer than 1 block or 2 treatments.

    Friedman 1937, with the correction for ties of R's ``friedman.test`` (Hollander and Wolfe 1973, p. 140).

    >>> test = friedman_test([[0.9, 0.7, 0.8], [0.6, 0.5, 0.6]])
    >>> test.mean_ranks, round(test.statistic, 3), round(test.kendalls_w, 3)
    ((2.75, 1.0, 2.25), 3.714, 0.929)
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise InputError(
            f"a Friedman test needs blocks with at least two treatments, not values of shape {table.shape}"
        )
    if not np.isfinite(table).all():
        block, treatment = np.argwhere(~np.isfinite(table))[0]
        raise InputError(f"a Friedman test needs finite values: block {block + 1}, treatment {treatment + 1} has none")
    ranks: NDArray[np.float64] = rankdata(table.round(DECIMALS), axis=1)
    n_blocks, n_treatments = ranks.shape
    # the mean square of a block's ranks around their middle, summed, is its share of the greatest dispersion:
    # (k³ - k - Σ(t³ - t)) / 12 for ties of t values
    middle = (n_treatments + 1) / 2
    dispersion = float(((ranks - middle) ** 2).sum()) / (n_treatments - 1)
    sums = (ranks - middle).sum(axis=0)
    statistic = float((sums**2).sum()) / dispersion if dispersion else 0.0
    return FriedmanTest(n_blocks, tuple(float(rank) for rank in ranks.mean(axis=0)), statistic)
