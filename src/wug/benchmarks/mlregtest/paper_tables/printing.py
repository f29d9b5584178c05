"""Numbers as the tables print them, and whether they agree with what the paper prints."""

from wug.benchmarks.mlregtest.paper_tables.sample import Rule
from wug.benchmarks.mlregtest.statistics.friedman import DECIMALS
from wug.benchmarks.mlregtest.statistics.implied_ranks import SATURATED, Printed
from wug.benchmarks.mlregtest.statistics.nemenyi import LEVEL

MEAN_MARGIN = 0.02
"""Means of a rerun agree within so much, two points of accuracy, ..."""
CORRELATION_MARGIN = 0.1
"""... and rank correlations within so much."""
LEAST = 2.2e-16
"""Smaller probabilities are printed as smaller than this, as R does."""


def mean(value: float) -> str:
    """Return a mean as the paper prints it: ``0.856``."""
    return f"{value:.3f}"


def difference(value: float) -> str:
    """Return a difference with its sign: ``+0.012``."""
    return f"{value:+.3f}".replace("-", "−")


def probability(value: float) -> str:
    """Return a probability as R and the paper print it.

    >>> probability(0.1298), probability(4.3e-7), probability(1e-40)
    ('0.130', '4.3e-7', '<2.2e-16')
    """
    if value < LEAST:
        return f"<{LEAST}"
    if value >= 0.001:
        return f"{value:.3f}"
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def verdict(agrees: bool) -> str:
    """Return the word for a comparison."""
    return "agrees" if agrees else "differs"


def mean_agrees(measured: float, published: float, rule: Rule, tolerance: float = 0.0) -> bool:
    """Tell whether a mean agrees: by its three digits in a reprint, within the margin and the tolerance in a rerun."""
    margin = 0.0005 if rule is Rule.REPRINT else MEAN_MARGIN + tolerance
    return round(abs(measured - published) - margin, DECIMALS) <= 0


def probability_agrees(measured: float, published: str, rule: Rule) -> bool:
    """Tell whether a probability agrees: by its digits in a reprint, by the decision at the level in a rerun.

    Where the printed digits allow either decision, either agrees. Probabilities below 1e-12 are told apart by no rule.
    """
    printed = Printed.parse(published)
    if rule is Rule.REPRINT:
        both_tiny = measured <= SATURATED and printed.low <= SATURATED
        return both_tiny or printed.low * (1 - 1e-9) <= measured <= printed.high * (1 + 1e-9)
    return printed.low < LEVEL if measured < LEVEL else printed.high >= LEVEL


def statistic_agrees(measured: float, published: str) -> bool:
    """Tell whether a statistic has the printed digits."""
    decimals = len(published.partition(".")[2])
    return round(abs(measured - float(published)) - 0.5 * 10**-decimals, DECIMALS) <= 0
