"""Spearman's rank correlation."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr
from scipy.stats import rankdata

from wug.errors import InputError


@dataclass(frozen=True)
class RankCorrelation:
    """How far two quantities order the same things alike."""

    n: int
    rho: float | None
    """From -1, opposite orders, to 1, the same order; None where one of the two never varies."""

    @property
    def p_value(self) -> float | None:
        """Two-sided, by Student's distribution with n - 2 degrees of freedom; None without rho or with n < 3."""
        if self.rho is None or self.n < 3:
            return None
        if abs(self.rho) >= 1:
            return 0.0
        t = abs(self.rho) * math.sqrt((self.n - 2) / (1 - self.rho**2))
        return 2 * float(stdtr(self.n - 2, -t))


def spearman(first: ArrayLike, second: ArrayLike) -> RankCorrelation:
    """Return the correlation of the ranks, with mean ranks for ties.

    >>> spearman([1, 2, 3, 4], [10, 30, 20, 40]).rho
    0.8
    """
    one, other = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if one.shape != other.shape or one.ndim != 1:
        raise InputError(f"a correlation needs two lists of one length, not of shapes {one.shape} and {other.shape}")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise InputError("a correlation needs finite values")
    ranks = [rankdata(values) - (len(one) + 1) / 2 for values in (one, other)]
    spread = math.sqrt(float((ranks[0] ** 2).sum()) * float((ranks[1] ** 2).sum()))
    if not spread:
        return RankCorrelation(len(one), None)
    rho = float((ranks[0] * ranks[1]).sum()) / spread
    return RankCorrelation(len(one), min(1.0, max(-1.0, rho)))
