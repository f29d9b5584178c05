"""A factor's design with the tests made on it."""

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

import polars as pl

from wug.benchmarks.mlregtest.statistics.designs import Design, design
from wug.benchmarks.mlregtest.statistics.factors import FACTORS, GROUPS, LEVELS
from wug.benchmarks.mlregtest.statistics.friedman import FriedmanTest, friedman_test
from wug.benchmarks.mlregtest.statistics.nemenyi import AllPairs, nemenyi_test


@dataclass(frozen=True, eq=False)
class Analysis:
    """What the observations tell of one factor, or of several as one."""

    design: Design
    friedman: FriedmanTest | None
    """None where there is no block with two levels or more."""
    pairs: AllPairs | None

    def p_value(self, one: str, other: str) -> float | None:
        """Return the p-value of a pair of levels; None where one of them was not tested."""
        levels = self.design.levels
        if self.pairs is None or one not in levels or other not in levels:
            return None
        return float(self.pairs.p_values[levels.index(one), levels.index(other)])

    def mean_rank(self, level: str) -> float | None:
        """Return the mean rank of a level; None where it was not tested."""
        levels = self.design.levels
        return self.friedman.mean_ranks[levels.index(level)] if self.friedman and level in levels else None


def analyse(rows: pl.DataFrame, *factors: str) -> Analysis:
    """Return the design of the factors (see ``design``) with Friedman's test and the test of all pairs."""
    made = design(rows, *factors)
    test = friedman_test(made.values) if made.is_testable else None
    return Analysis(made, test, nemenyi_test(test) if test else None)


def paper_blocks(*factors: str, held: Collection[str] = ()) -> int:
    """Return how many blocks the paper's design has for these factors; of those ``held`` one level alone is looked at.

    >>> paper_blocks("class"), paper_blocks("nn_type", "test_type"), paper_blocks("logic", held=["nn_type"])
    (144, 144, 36)
    """
    treated = {"class" if name in GROUPS else name for name in factors}
    return prod(len(LEVELS[name]) for name in FACTORS if name not in treated and name not in held)
