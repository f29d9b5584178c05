"""Which rule a learner prefers, by perfect agreement and by description length."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from wug.benchmarks.find.measures import Estimate, paired_difference, wilson
from wug.benchmarks.find.summary import Group

NEITHER = "no rule"


@dataclass(frozen=True)
class Preference:
    """A preferred rule, and whether the seeds suffice to say so."""

    rule: str
    """The rule; NEITHER where most seeds follow none."""
    is_decided: bool
    n: int
    """Seeds behind it."""

    def __str__(self) -> str:
        """Return the rule as it is printed."""
        return self.rule if self.is_decided else f"{self.rule}?"


def by_agreement(group: Group) -> Preference:
    """Return what most seeds follow; decided where its 95% interval is above that of every other behaviour."""
    counts = {rule: sum(outcome.agrees[rule] for outcome in group.outcomes) for rule in group.rules}
    counts[NEITHER] = sum(not any(outcome.agrees.values()) for outcome in group.outcomes)
    n = len(group.outcomes)
    first, *others = sorted(counts, key=lambda rule: -counts[rule])
    low = wilson(counts[first], n).low
    return Preference(first, all(wilson(counts[other], n).high < low for other in others), n)


def by_length(group: Group) -> Preference | None:
    """Return the rule with the lowest mean L; decided where it is two standard errors below every other.

    None where L was measured for fewer than two rules. Means are over the seeds that have L for all of them; a rule
    whose L is infinite under a seed has an infinite mean.
    """
    lengths = common_lengths(group)
    if len(lengths) < 2:
        return None
    means = {
        rule: math.inf if math.inf in values.values() else fmean(values.values()) for rule, values in lengths.items()
    }
    first, *others = sorted(means, key=lambda rule: means[rule])
    differences = [difference(group, first, other) for other in others]
    is_decided = all(
        means[other] == math.inf > means[first]
        if found is None
        else found.error is not None and found.mean < -2 * found.error
        for other, found in zip(others, differences, strict=True)
    )
    return Preference(first, is_decided, len(lengths[first]))


def common_lengths(group: Group) -> dict[str, Mapping[int, float]]:
    """Return L in nats by rule and seed, for the seeds that have it for all rules that were measured."""
    measured = {rule: group.lengths(rule) for rule in group.rules}
    measured = {rule: values for rule, values in measured.items() if values}
    seeds = [seed for seed in next(iter(measured.values()), {}) if all(seed in values for values in measured.values())]
    if not seeds:
        return {}
    return {
        rule: {seed: math.inf if (nats := values[seed]) is None else nats for seed in seeds}
        for rule, values in measured.items()
    }


def difference(group: Group, first: str, second: str) -> Estimate | None:
    """Return the paired difference of L in nats, first - second; None where one is infinite or nothing was measured."""
    lengths = common_lengths(group)
    if first not in lengths or second not in lengths:
        return None
    values = list(lengths[first].values()), list(lengths[second].values())
    if not all(map(math.isfinite, (*values[0], *values[1]))):
        return None
    return paired_difference(*values)


def pairs_of_rules(rules: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs of rules."""
    return list(combinations(rules, 2))
