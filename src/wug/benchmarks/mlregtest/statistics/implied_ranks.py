"""The mean ranks, and with them the Friedman statistic, that a printed table of all-pairs p-values implies.

A p-value of Nemenyi's test is a function of the difference of two mean ranks, so that a table of them can be turned
back and compared with the statistic printed beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import shortest_path

from wug.benchmarks.mlregtest.statistics.nemenyi import rank_error
from wug.benchmarks.mlregtest.statistics.studentized_range import critical_value

SATURATED = 1e-12
"""R prints smaller p-values from a difference of nearly equal numbers, so that they tell only that they are small."""
_STEPS = 20


@dataclass(frozen=True)
class Printed:
    """A p-value as printed, as the range of values that would be printed so."""

    low: float
    high: float

    @classmethod
    def parse(cls, text: str) -> "Printed":
        """Return the range of ``0.593``, ``4.3e-7``, ``<2e-16`` or ``≤3.6e-14``.

        >>> Printed.parse("0.5"), Printed.parse("<2e-16")
        (Printed(low=0.45, high=0.55), Printed(low=0.0, high=2e-16))
        """
        if text[0] in "<≤":
            return cls(0.0, float(text[1:]))
        if text[0] == ">":
            return cls(float(text[1:]), 1.0)
        mantissa, _, exponent = text.partition("e")
        half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        value = float(text)
        return cls(round(max(value - half, 0.0), 20), round(min(value + half, 1.0), 20))


@dataclass(frozen=True)
class ImpliedRanks:
    """What a table of p-values implies."""

    mean_ranks: Mapping[str, float]
    n_blocks: int

    @property
    def statistic(self) -> float:
        """Friedman's statistic of these ranks, without a correction for ties."""
        ranks = np.array(list(self.mean_ranks.values()))
        k = len(ranks)
        return float(12 * self.n_blocks / (k * (k + 1)) * ((ranks - (k + 1) / 2) ** 2).sum())


def implied_ranks(
    p_values: Mapping[tuple[str, str], str], n_blocks: int, means: Mapping[str, float]
) -> ImpliedRanks | None:
    """Return the mean ranks that fit all pairs' printed ``p_values`` best, by least squares.

    A difference weighs the more the better its printed digits fix it. Turning all ranks round changes no p-value;
    ``means`` (of the accuracies, by treatment) tell which way is up. None where a treatment is told from the others by
    no more than probabilities below ``SATURATED``, which fix no distance.
    """
    names = list(means)
    place = {name: index for index, name in enumerate(names)}
    k = len(names)
    distance, weight = np.zeros((k, k)), np.zeros((k, k))
    for (one, other), text in p_values.items():
        printed = Printed.parse(text)
        i, j = place[one], place[other]
        nearest, farthest = (_difference(p, k, n_blocks) for p in (printed.high, max(printed.low, SATURATED)))
        distance[i, j] = distance[j, i] = (nearest + farthest) / 2
        if printed.high > SATURATED:
            weight[i, j] = weight[j, i] = 1 / max(farthest - nearest, 1e-6)
    along = shortest_path(np.where(weight > 0, np.maximum(distance, 1e-9), 0.0), directed=False)
    if not np.isfinite(along).all():
        return None
    ranks = _on_a_line(along)
    for _ in range(_STEPS):
        ranks = _fitted(ranks, distance, weight)
    if np.corrcoef(ranks, [means[name] for name in names])[0, 1] < 0:
        ranks = -ranks
    ranks += (k + 1) / 2 - ranks.mean()
    return ImpliedRanks({name: float(ranks[place[name]]) for name in names}, n_blocks)


def _difference(p_value: float, n_treatments: int, n_blocks: int) -> float:
    return critical_value(p_value, n_treatments) * rank_error(n_treatments, n_blocks) if p_value < 1 else 0.0


def _on_a_line(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the classical scaling of distances to one dimension (Torgerson 1952)."""
    squared = distance**2
    centred = -(squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()) / 2
    values, vectors = np.linalg.eigh(centred)
    return np.asarray(vectors[:, -1] * np.sqrt(max(values[-1], 0.0)))


def _fitted(
    ranks: NDArray[np.float64], distance: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the ranks whose differences are nearest to the distances, in the order of ``ranks``."""
    pairs = [(i, j) for i, j in combinations(range(len(ranks)), 2) if weight[i, j]]
    rows = np.zeros((len(pairs) + 1, len(ranks)))
    wanted = np.zeros(len(pairs) + 1)
    for row, (i, j) in enumerate(pairs):
        lower, upper = (i, j) if ranks[i] < ranks[j] else (j, i)
        rows[row, upper], rows[row, lower] = weight[i, j], -weight[i, j]
        wanted[row] = weight[i, j] * distance[i, j]
    rows[-1] = 1  # the ranks are only told apart, so their sum is set to zero
    return np.asarray(np.linalg.lstsq(rows, wanted, rcond=None)[0])
