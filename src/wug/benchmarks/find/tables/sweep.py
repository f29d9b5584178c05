"""How the preferred rule changes with one option of the learner."""

from collections.abc import Sequence

from wug.benchmarks.find import published
from wug.benchmarks.find.preferences import by_agreement, by_length
from wug.benchmarks.find.summary import Group
from wug.benchmarks.find.tables.comparison import deviations
from wug.benchmarks.protocol import Cell, Table


def sweep_table(found: Sequence[Group], command: str) -> Table | None:
    """Return how the preferred rule changes with one option of the learner; None where no options were varied."""
    variants = [group for group in found if deviations(group)]
    if not variants:
        return None
    usual = {
        (group.task, group.parameter, group.name): group
        for group in found
        if not deviations(group) and group.has_paper_conditions
    }
    columns = list(dict.fromkeys((group.task, group.parameter) for group in variants))
    by_row: dict[str, dict[tuple[str, str], Cell]] = {}
    switched = compared = 0
    for group in variants:
        base = usual.get((group.task, group.parameter, group.name))
        cell, switches = _sweep_cell(group, base)
        compared += switches is not None
        switched += bool(switches)
        row = " ".join([group.name, *(f"{name}={value}" for name, value in deviations(group).items())])
        by_row.setdefault(row, {})[group.task, group.parameter] = cell
    return Table(
        title="The sweep: one option changed at a time",
        columns=tuple(f"{task}, {parameter}" if parameter else task for task, parameter in columns),
        rows=tuple((row, tuple(cells.get(column, Cell()) for column in columns)) for row, cells in by_row.items()),
        caption="The preferred rule, by L where it was measured and else by FPA. "
        f"{switched} of {compared} settings that can be compared switch it; the paper found {published.SWITCHES} "
        "on a grid that it does not print.",
        source="Kharitonov & Chaabouni 2021, section 5, Robustness to hyper-parameters",
        command=command,
    )


def _sweep_cell(group: Group, base: Group | None) -> tuple[Cell, bool | None]:
    """Return the cell, and whether the preferred rule is another one than with the paper's own options."""
    own, usual = by_length(group), by_length(base) if base is not None else None
    if own is None or usual is None:
        own, usual = by_agreement(group), by_agreement(base) if base is not None else None
    details = [f"{count} of {len(group.outcomes)} {rule}" for rule, count in _counts(group).items()]
    switches = None if usual is None else own.rule != usual.rule
    if switches and usual is not None:
        details.append(f"otherwise {usual}")
    return Cell(str(own), detail="; ".join(details), trials=group.trials), switches


def _counts(group: Group) -> dict[str, int]:
    return {rule: sum(outcome.agrees[rule] for outcome in group.outcomes) for rule in group.rules}
