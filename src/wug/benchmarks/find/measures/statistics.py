"""Intervals of shares, means with their standard errors, paired differences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

NORMAL_95 = 1.959963984540054
"""Quantile of the standard normal distribution that leaves 2.5% above it."""


@dataclass(frozen=True)
class Interval:
    """A 95% interval."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        """Tell whether a value is inside, the ends included."""
        return self.low <= value <= self.high

    def overlaps(self, other: "Interval") -> bool:
        """Tell whether the two have a value in common."""
        return self.low <= other.high and other.low <= self.high


def wilson(successes: int, trials: int) -> Interval:
    """Return the Wilson score interval of a share (E. B. Wilson 1927).

    >>> interval = wilson(13, 20)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.43, 0.82)
    """
    share, z2 = successes / trials, NORMAL_95**2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = NORMAL_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return Interval(low, high)


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds."""

    mean: float
    error: float | None
    """Standard error of the mean; None of a single value."""
    n: int

    @property
    def interval(self) -> Interval | None:
        """The 95% interval, by the normal distribution; None of a single value."""
        if self.error is None:
            return None
        return Interval(self.mean - NORMAL_95 * self.error, self.mean + NORMAL_95 * self.error)


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of one or more values with its standard error, sd / sqrt(n).

    >>> mean_of([1.0, 2.0, 3.0])
    Estimate(mean=2.0, error=0.5773502691896258, n=3)
    """
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Estimate(fmean(values), error, len(values))


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Return the mean difference first - second of values that belong together, seed by seed.

    >>> paired_difference([3.0, 5.0], [1.0, 3.0])
    Estimate(mean=2.0, error=0.0, n=2)
    """
    return mean_of([one - other for one, other in zip(first, second, strict=True)])
