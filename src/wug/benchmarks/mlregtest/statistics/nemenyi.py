"""Nemenyi's all-pairs test after Friedman's: which of the treatments differ?

Also called the Nemenyi-Wilcoxon-Wilcox or the Wilcoxon-Nemenyi-McDonald-Thompson test; ``frdAllPairsNemenyiTest`` of
R's package PMCMRplus. It does not correct for ties.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.mlregtest.statistics.friedman import FriedmanTest
from wug.benchmarks.mlregtest.statistics.studentized_range import critical_value, survival

LEVEL = 0.005
"""The paper's level of significance: a difference whose p-value is smaller counts."""


@dataclass(frozen=True, eq=False)
class AllPairs:
    """The outcome for every pair of treatments."""

    mean_ranks: tuple[float, ...]
    p_values: NDArray[np.float64]
    """(n_treatments, n_treatments), symmetric, 1 on the diagonal; they allow for the number of pairs."""

    def differ(self, first: int, second: int, level: float = LEVEL) -> bool:
        """Tell whether two treatments differ significantly."""
        return bool(self.p_values[first, second] < level)

    def alike(self, level: float = LEVEL) -> list[tuple[int, ...]]:
        """Return the largest groups of treatments without a significant difference, of two or more, lowest first.

        Members are in order of mean rank. These are the bars of a critical-difference diagram (Demšar 2006).
        """
        order = sorted(range(len(self.mean_ranks)), key=lambda one: self.mean_ranks[one])
        groups: list[tuple[int, ...]] = []
        reached = 0
        for start in range(len(order)):
            end = start
            while end + 1 < len(order) and not self.differ(order[start], order[end + 1], level):
                end += 1
            if end > start and end > reached:
                groups.append(tuple(order[start : end + 1]))
            reached = max(reached, end)
        return groups


def nemenyi_test(friedman: FriedmanTest) -> AllPairs:
    """Return the test of all pairs: p = P(range of k normals > |r_i - r_j| / sqrt(k (k + 1) / (12 n)))."""
    p_values = survival(statistics(friedman.mean_ranks, friedman.n_blocks), friedman.n_treatments)
    np.fill_diagonal(p_values, 1.0)
    return AllPairs(friedman.mean_ranks, p_values)


def statistics(mean_ranks: Sequence[float], n_blocks: int) -> NDArray[np.float64]:
    """Return the studentized differences of mean ranks, (n_treatments, n_treatments)."""
    ranks = np.asarray(mean_ranks)
    return np.abs(ranks[:, None] - ranks[None, :]) / rank_error(len(ranks), n_blocks)


def rank_error(n_treatments: int, n_blocks: int) -> float:
    """Return the standard error of a mean rank that the statistics are measured in."""
    return math.sqrt(n_treatments * (n_treatments + 1) / (12 * n_blocks))


def critical_difference(n_treatments: int, n_blocks: int, level: float = LEVEL) -> float:
    """Return the least difference of mean ranks that is significant.

    >>> round(critical_difference(4, 14, 0.05), 2)
    1.25
    """
    return critical_value(level, n_treatments) * rank_error(n_treatments, n_blocks)
