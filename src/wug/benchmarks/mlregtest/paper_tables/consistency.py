"""Whether the figures that the paper prints agree with each other: what follows from some, beside others."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from wug.benchmarks.mlregtest.paper_tables.printing import mean
from wug.benchmarks.mlregtest.published import (
    PAPER,
    PublishedFriedman,
    published_friedman,
    published_means,
    published_pairs,
)
from wug.benchmarks.mlregtest.statistics.analysis import paper_blocks
from wug.benchmarks.mlregtest.statistics.designs import TIMES
from wug.benchmarks.mlregtest.statistics.factors import NAMES
from wug.benchmarks.mlregtest.statistics.implied_ranks import ImpliedRanks, implied_ranks
from wug.benchmarks.protocol import Cell, Table

TWO_WAY = (("nn_type", "test_type"), ("nn_type", "train_size"))
"""The factors of the paper's two-way tables, 11 and 23."""
_SLACK = 0.01
"""Share by which a statistic may miss the one that the rounded p-values imply."""
_ROUNDING = 0.001
"""Means of means of three digits may differ by so much."""


@dataclass(frozen=True)
class Check:
    """One printed figure beside what must hold of it."""

    figure: str
    printed: str
    expected: str
    """What other figures imply, in words."""
    holds: bool


@cache
def implied_by_pairs(factor: str) -> ImpliedRanks | None:
    """Return the mean ranks implied by the paper's p-values for a factor; None where they are too small to tell."""
    return implied_ranks(published_pairs(factor).p_values, paper_blocks(factor), published_means(factor).values)


@cache
def friedman_checks() -> Mapping[PublishedFriedman, tuple[Check, ...]]:
    """Return the checks of each statistic: against the greatest possible, and against the p-values of all pairs."""
    checks: dict[PublishedFriedman, tuple[Check, ...]] = {}
    for test in published_friedman():
        if not test.statistic:
            continue
        figure, value = f"χ² of {NAMES[test.factor]}, section {test.section}", float(test.statistic)
        greatest = paper_blocks(test.factor) * test.degrees_of_freedom
        found = [Check(figure, test.statistic, f"at most {greatest:,}", value <= greatest)]
        implied = implied_by_pairs(test.factor)
        if implied is not None:
            where = published_pairs(test.factor).where
            agrees = abs(value - implied.statistic) <= _SLACK * implied.statistic
            found.append(Check(figure, test.statistic, f"about {implied.statistic:.1f} by {where}", agrees))
        checks[test] = tuple(found)
    return checks


@cache
def margin_checks(factors: tuple[str, ...]) -> tuple[Check, ...]:
    """Return the checks of a two-way table: its margins must be the one-way tables; none of a one-way table."""
    if len(factors) < 2:
        return ()
    table = published_means(*factors)
    checks = []
    for place, factor in enumerate(factors):
        one_way = published_means(factor)
        for level, value in one_way.values.items():
            margin = fmean(v for label, v in table.values.items() if label.split(TIMES)[place] == level)
            figure = f"{level}, margin of Table {table.table}"
            expected = f"{mean(value)} by Table {one_way.table}"
            checks.append(Check(figure, mean(margin), expected, abs(margin - value) <= _ROUNDING))
    return tuple(checks)


def contradiction(test: PublishedFriedman) -> str:
    """Return why a printed statistic cannot be right, or contradicts other figures; empty where it does not."""
    failed = [check.expected for check in friedman_checks().get(test, ()) if not check.holds]
    return "; ".join(failed)


def consistency_table() -> Table:
    """Return every check, those that fail marked."""
    checks = [check for found in friedman_checks().values() for check in found]
    for factors in TWO_WAY:
        checks += margin_checks(factors)
    rows = tuple(
        (
            check.figure,
            (
                Cell(published=check.printed),
                Cell(measured=check.expected),
                Cell(measured="yes" if check.holds else "† no"),
            ),
        )
        for check in checks
    )
    return Table(
        title="Do the paper's figures agree with each other?",
        columns=("printed, or the margin of what is", "implied by its other figures", "agree"),
        rows=rows,
        caption=(
            "A statistic is at most n (k − 1). P-values of all pairs fix the mean ranks, and these the statistic but "
            "for ties. Margins of two-way tables are the one-way tables to rounding. † marks what contradicts another."
        ),
        source=f"{PAPER}, section 6 and Table 26",
    )
