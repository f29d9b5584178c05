"""Intervals of the SG score by the bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """Ends of a 95 % percentile interval."""

    low: float
    high: float


def bootstrap_items(n_holding: Sequence[int], n_items: Sequence[int], *, rng: np.random.Generator) -> Interval:
    """Return the interval of the mean accuracy when the items of each suite are drawn anew."""
    counts = rng.binomial(n_items, np.divide(n_holding, n_items), size=(RESAMPLES, len(n_items)))
    return _interval((counts / np.asarray(n_items)).mean(axis=1))


def bootstrap_suites(n_holding: Sequence[int], n_items: Sequence[int], *, rng: np.random.Generator) -> Interval:
    """Return the interval of the mean accuracy when suites are drawn anew, and items within them."""
    totals = np.asarray(n_items)
    chosen = rng.integers(len(totals), size=(RESAMPLES, len(totals)))
    counts = rng.binomial(totals[chosen], np.divide(n_holding, n_items)[chosen])
    return _interval((counts / totals[chosen]).mean(axis=1))


def _interval(means: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
