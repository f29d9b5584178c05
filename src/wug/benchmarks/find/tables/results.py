"""FPA and L of every rule, the published figures beside."""

import math
from collections.abc import Sequence
from statistics import median

from wug.benchmarks.find import published
from wug.benchmarks.find.measures import mean_of, wilson
from wug.benchmarks.find.published import Relation
from wug.benchmarks.find.summary import Group, rules_of
from wug.benchmarks.find.tables.comparison import TITLES, compared, nats, published_for, row_name
from wug.benchmarks.protocol import Cell, Table


def results_table(task: str, found: Sequence[Group], command: str) -> Table:
    """Return FPA and L of every rule for each learner and parameter, the published figures beside."""
    rules = rules_of(found)
    rows = [
        (
            row_name(group),
            tuple([_agreement_cell(group, rule) for rule in rules] + [_length_cell(group, rule) for rule in rules]),
        )
        for group in found
    ]
    rows += _unmeasured_rows(task, found, rules)
    return Table(
        title=TITLES.get(task, f"Results of {task}"),
        columns=(*(f"FPA {rule}" for rule in rules), *(f"L {rule} (nats)" for rule in rules)),
        rows=tuple(rows),
        caption="FPA: share of seeds that answer every probe as the rule says, with a 95% interval (Wilson). L: mean "
        "description length over seeds and its standard error; 1 bit is 0.693 nats. A figure agrees when the measured "
        "95% interval holds the published value (of a lower bound: reaches above it).",
        source=published.PAPER if task in TITLES else "",
        command=command,
    )


def _unmeasured_rows(task: str, found: Sequence[Group], rules: Sequence[str]) -> list[tuple[str, tuple[Cell, ...]]]:
    """Return rows for learners and parameters of which the paper states something and nothing was run."""
    measured = {(group.name, tuple(group.parameters.items())) for group in found}
    rows: dict[str, dict[tuple[str, str], str]] = {}
    for figure in published.figures():
        parameters = tuple(figure.parameters.items())
        known = any(name == figure.learner and set(parameters) <= set(given) for name, given in measured)
        if figure.task == task and not known and not figure.options and figure.value is not None:
            shown = ", ".join(f"{name} = {value}" for name, value in parameters)
            rows.setdefault(f"{figure.learner} · {shown}", {})[figure.measure, figure.rule] = figure.printed
    return [
        (
            name,
            tuple(
                Cell(published=stated.get((measure, rule), ""), verdict="not run", detail="not run at this scale")
                for measure in ("FPA", "L")
                for rule in rules
            ),
        )
        for name, stated in rows.items()
    ]


def _agreement_cell(group: Group, rule: str) -> Cell:
    if rule not in group.rules:
        return Cell()
    n = len(group.outcomes)
    count = sum(outcome.agrees[rule] for outcome in group.outcomes)
    interval = wilson(count, n)
    printed, verdict = compared(published_for(group, "FPA", rule), count / n, interval)
    detail = f"{count} of {n} seeds, {interval.low:.2f}–{interval.high:.2f}"
    if group.failed:
        detail += f"; {group.failed} trials failed"
    return Cell(f"{count / n:.2f}", printed, verdict, detail, group.trials)


def _length_cell(group: Group, rule: str) -> Cell:
    if rule not in group.rules:
        return Cell()
    lengths = group.lengths(rule)
    figures = published_for(group, "L", rule)
    if not lengths:
        printed = next((figure.printed for figure in figures if figure.relation is not Relation.PREFERRED), "")
        return Cell(published=printed, verdict="not run", detail="not run at this scale")
    values = list(lengths.values())
    finite = [value for value in values if value is not None]
    trials = tuple(dict.fromkeys(outcome.trial for outcome in group.outcomes if rule in outcome.lengths))
    if len(finite) < len(values):
        detail = f"infinite under {len(values) - len(finite)} of {len(values)} seeds"
        return Cell("∞", compared(figures, math.inf, None)[0], "", detail, trials)
    estimate = mean_of(finite)
    printed, verdict = compared(figures, estimate.mean, estimate.interval)
    if estimate.error is None:
        return Cell(nats(estimate.mean), printed, "", "one seed", trials)
    detail = f"± {nats(estimate.error)}, {estimate.n} seeds, median {nats(median(finite))}"
    return Cell(nats(estimate.mean), printed, verdict, detail, trials)
