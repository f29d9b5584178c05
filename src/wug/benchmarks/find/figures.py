"""FPA and L against a task's parameter, and what each seed answered to each probe."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from wug.benchmarks.find import published
from wug.benchmarks.find.measures import Interval, mean_of, wilson
from wug.benchmarks.find.measures.agreement import NOT_TERMINATED, OTHER
from wug.benchmarks.find.published import Relation
from wug.benchmarks.find.summary import Group, Outcome, rules_of
from wug.benchmarks.find.tables.comparison import row_name, short_title
from wug.benchmarks.protocol import Heatmap, Plot, Series

SHORTEST_SHOWN = 0.001
"""Shorter description lengths, in nats, are drawn at this height."""
MOST_KINDS = 7
"""So many kinds of answers have a colour of their own in a grid."""

Point = tuple[float, Interval | None, Sequence[float]]
"""Height, interval and the single seeds' heights."""


def agreement_plot(task: str, found: Sequence[Group], command: str) -> Plot:
    """Return FPA against the parameter, a panel for each rule."""
    return Plot(
        title=f"FPA: {short_title(task)}",
        name=f"find-fpa-{task}",
        panels=_panels(found, _agreement, with_published=True),
        x_label=_x_label(found),
        y_label="FPA",
        alt=f"Share of seeds in perfect agreement with each rule of {task} against its parameter, one line a learner.",
        caption="Bands are 95% intervals (Wilson) over seeds.",
        command=command,
        trials=_trials(found),
    )


def length_plot(task: str, found: Sequence[Group], command: str) -> Plot | None:
    """Return L against the parameter, a panel for each rule; None where it was not measured."""
    panels = _panels(found, _length, with_published=False)
    if not any(series for _, series in panels):
        return None
    return Plot(
        title=f"Description length: {short_title(task)}",
        name=f"find-length-{task}",
        panels=panels,
        x_label=_x_label(found),
        y_label="L (nats)",
        y_scale="log",
        y_ticks=((SHORTEST_SHOWN, f"≤ {SHORTEST_SHOWN}"),),
        alt=f"Mean description length of each rule of {task} against its parameter, one line a learner.",
        caption="Lines are means over seeds with 95% intervals, points single seeds. A low L means a bias to the rule. "
        "Infinite lengths are not drawn.",
        command=command,
        trials=_trials(found),
    )


def _panels(
    found: Sequence[Group], point: Callable[[Group, str], Point | None], *, with_published: bool
) -> tuple[tuple[str, tuple[Series, ...]], ...]:
    learners = list(dict.fromkeys(group.learner for group in found))
    panels = []
    for rule in rules_of(found):
        series = []
        for learner in learners:
            members = [
                group
                for group in found
                if group.learner == learner and group.position is not None and rule in group.rules
            ]
            own = _series(learner, [(group.position or 0.0, point(group, rule)) for group in members])
            if own is not None:
                series.append(own)
            if with_published and own is not None and members[0].has_paper_conditions:
                stated = _published_series(members[0], rule)
                series += [stated] if stated is not None else []
        panels.append((rule, tuple(series)))
    return tuple(panels)


def _series(label: str, points: Sequence[tuple[float, Point | None]]) -> Series | None:
    known = sorted((x, point) for x, point in points if point is not None)
    if not known:
        return None
    ends = [interval or Interval(y, y) for _, (y, interval, _) in known]
    return Series(
        label=label,
        x=tuple(x for x, _ in known),
        y=tuple(y for _, (y, _, _) in known),
        low=tuple(end.low for end in ends),
        high=tuple(end.high for end in ends),
        points=tuple((x, seed) for x, (_, _, seeds) in known for seed in seeds),
    )


def _published_series(group: Group, rule: str) -> Series | None:
    """Return the paper's own values for a learner, as far as its text gives exact ones."""
    stated = sorted(
        (float(value), figure.value)
        for figure in published.figures()
        if (figure.task, figure.learner, figure.rule, figure.measure) == (group.task, group.name, rule, "FPA")
        and figure.relation is Relation.EQUALS
        and figure.value is not None
        and not figure.options
        for value in figure.parameters.values()
    )
    if not stated:
        return None
    return Series(group.learner, tuple(x for x, _ in stated), tuple(y for _, y in stated), published=True)


def _agreement(group: Group, rule: str) -> Point:
    count, n = sum(outcome.agrees[rule] for outcome in group.outcomes), len(group.outcomes)
    return count / n, wilson(count, n), ()


def _length(group: Group, rule: str) -> Point | None:
    lengths = list(group.lengths(rule).values())
    finite = [value for value in lengths if value is not None]
    if not finite or len(finite) < len(lengths):
        return None
    estimate = mean_of(finite)
    interval = estimate.interval
    shown = [max(value, SHORTEST_SHOWN) for value in finite]
    if interval is not None:
        interval = Interval(max(interval.low, SHORTEST_SHOWN), max(interval.high, SHORTEST_SHOWN))
    return max(estimate.mean, SHORTEST_SHOWN), interval, shown


def _x_label(found: Sequence[Group]) -> str:
    names = dict.fromkeys(name for group in found for name in group.parameters if name != "N")
    return ", ".join(names)


def _trials(found: Sequence[Group]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(trial for group in found for trial in group.trials))


# --- the grid of answers ----------------------------------------------------------------------------------------------


def answer_grid(group: Group, command: str) -> Heatmap:
    """Return what each seed answered to each probe: rows are seeds, columns probes, colours kinds of answers."""
    probes = list(dict.fromkeys(probe for outcome in group.outcomes for probe in outcome.responses))
    kinds = [[_kind(outcome, probe, group.rules) for probe in probes] for outcome in group.outcomes]
    classes = _classes(kinds, group.rules)
    numbers = {name: number for number, name in enumerate(classes)}
    rest = numbers.get(OTHER, 0)
    return Heatmap(
        title=f"What each seed answered: {group.task}, {row_name(group)}",
        name=f"find-answers-{group.task}-{row_name(group)}",
        x_names=tuple(probes),
        y_names=tuple(str(outcome.seed) for outcome in group.outcomes),
        values=tuple(tuple(float(numbers.get(kind, rest)) for kind in row) for row in kinds),
        marks=(),
        x_label="probe",
        y_label="seed",
        classes=classes,
        alt=f"A grid with a row for each seed of {row_name(group)} and a column for each probe of {group.task}; "
        "colours tell which rules the answer follows.",
        caption="Names joined by + are rules that give the same answer to the probe.",
        command=command,
        trials=group.trials,
    )


def _kind(outcome: Outcome, probe: str, rules: Sequence[str]) -> str:
    """Return one name for the kinds of an answer: its candidates, else the first rival, else what no rule gives."""
    given = outcome.responses.get(probe, (OTHER,))
    candidates = [rule for rule in rules if rule in given]
    return " + ".join(candidates) if candidates else given[0]


def _classes(kinds: Sequence[Sequence[str]], rules: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that have a colour of their own; where there are too many, the rarest are 'other' too."""
    names = [kind for kind, _ in Counter(kind for row in kinds for kind in row).most_common()]
    if len(names) > MOST_KINDS:
        frequent = [name for name in names if name != OTHER]
        names = [*frequent[: MOST_KINDS - 1], OTHER]
    return tuple(sorted(names, key=lambda kind: _rank(kind, rules)))


def _rank(kind: str, rules: Sequence[str]) -> tuple[float, int, str]:
    parts = kind.split(" + ")
    if kind in (OTHER, NOT_TERMINATED):
        return math.inf, 0, kind
    places = [rules.index(part) for part in parts if part in rules]
    return (places[0] if places else len(rules)), len(parts), kind
