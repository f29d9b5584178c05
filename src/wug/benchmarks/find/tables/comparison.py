"""Which published figures a group of trials can be compared with, and how tables name and print things."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from wug.benchmarks.find import published
from wug.benchmarks.find.measures import Interval
from wug.benchmarks.find.published import Figure, Relation
from wug.benchmarks.find.summary import INDIFFERENT_OPTIONS, Group
from wug.errors import InputError

TITLES = {
    "count": "Table 1(a): Count-or-Memorization",
    "add-or-multiply": "Table 1(b): Add-or-Multiply",
    "hierarchical": "Table 1(c): Hierarchical-or-Linear",
    "composition": "Table 1(d): Composition-or-Memorization",
}


def row_name(group: Group) -> str:
    """Return how a table names a group: learner and parameter."""
    return f"{group.learner} · {group.parameter}" if group.parameter else group.learner


def short_title(task: str) -> str:
    """Return a task's name in the paper, its own name where the paper has no such task."""
    return TITLES.get(task, task).rpartition(": ")[2]


def nats(value: float) -> str:
    """Return a number of nats as it is printed: to three digits.

    >>> nats(1705.12), nats(12.345), nats(0.00123), nats(-3.2), nats(0.0)
    ('1705', '12.3', '0.00123', '-3.20', '0')
    """
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{digits}f}" if digits < 6 else f"{value:.2e}"


@cache
def recipe(learner: str) -> dict[str, Any]:
    """Return the options of the paper's own recipe for a learner, which are the defaults; none of unknown learners."""
    from wug.learners.registry import parse_learner

    try:
        return {k: v for k, v in parse_learner(learner).defaults.items() if k not in INDIFFERENT_OPTIONS}
    except InputError:
        return {}


def deviations(group: Group) -> Mapping[str, Any]:
    """Return the options in which a group's learner differs from the paper's recipe."""
    usual = recipe(group.name)
    return {
        name: value
        for name, value in sorted(group.options.items())
        if name in usual and name not in INDIFFERENT_OPTIONS and usual[name] != value
    }


def published_for(group: Group, measure: str, rule: str) -> list[Figure]:
    """Return the published figures for a group's learner, as far as it was trained as the paper says."""
    return [
        figure
        for figure in published.figures()
        if (figure.task, figure.learner, figure.measure, figure.rule) == (group.task, group.name, measure, rule)
        and all(group.parameters.get(name) == value for name, value in figure.parameters.items())
        and group.parameters.get("N", 40) == 40
        and dict(figure.options) == deviations(group)
        and group.has_paper_conditions
    ]


def compared(figures: Sequence[Figure], mean: float, interval: Interval | None) -> tuple[str, str]:
    """Return (what the paper prints, the verdict)."""
    stated = [figure for figure in figures if figure.relation is not Relation.PREFERRED]
    if not stated:
        return "", ""
    (figure, *_) = stated
    if figure.relation is Relation.ONE_SEED:
        return figure.printed, ""
    return figure.printed, "agrees" if figure.agrees(mean, interval) else "differs"
