"""Stops training further seeds of a trial once it is decided what the learner prefers."""

import math
from collections.abc import Sequence
from itertools import combinations

from wug.benchmarks.find.judge import Verdict
from wug.benchmarks.find.measures import paired_difference, wilson


def is_decided(verdicts: Sequence[Verdict], rules: Sequence[str]) -> bool:
    """Return whether more seeds would hardly change which rule is preferred.

    Agreement is decided when the seeds that follow the most frequent behaviour (a rule, or none of them) have a 95%
    interval above that of every other behaviour. Where description lengths are measured, every paired difference
    between rules must lie two standard errors from zero too, or be infinite under every seed.
    """
    return _agreement_is_decided(verdicts, rules) and _lengths_are_decided(verdicts)


def _agreement_is_decided(verdicts: Sequence[Verdict], rules: Sequence[str]) -> bool:
    counts = [sum(one.agrees[rule] for one in verdicts) for rule in rules]
    counts.append(sum(not any(one.agrees.values()) for one in verdicts))
    largest, *others = (wilson(count, len(verdicts)) for count in sorted(counts, reverse=True))
    return all(other.high < largest.low for other in others)


def _lengths_are_decided(verdicts: Sequence[Verdict]) -> bool:
    for first, second in combinations(verdicts[0].lengths, 2):
        totals = [[one.lengths[rule].total_nats for one in verdicts] for rule in (first, second)]
        infinite = [sum(map(math.isinf, values)) for values in totals]
        if any(infinite):
            if sorted(infinite) != [0, len(verdicts)]:
                return False
            continue
        difference = paired_difference(totals[0], totals[1])
        if difference.error is None or not abs(difference.mean) > 2 * difference.error:
            return False
    return True
