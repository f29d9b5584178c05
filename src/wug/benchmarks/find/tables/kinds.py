"""What share of all answers is of each kind: of a candidate, of a rival rule, of none."""

from collections.abc import Sequence

from wug.benchmarks.find.measures.agreement import NOT_TERMINATED, OTHER
from wug.benchmarks.find.preferences import pairs_of_rules
from wug.benchmarks.find.summary import Group, rules_of
from wug.benchmarks.find.tables.comparison import row_name, short_title
from wug.benchmarks.protocol import Cell, Table


def kinds_table(task: str, found: Sequence[Group], command: str) -> Table:
    """Return what share of all answers is of each kind: of a candidate, of a rival rule, of none."""
    pairs = [
        pair for first, second in pairs_of_rules(rules_of(found)) for pair in (f"{first}|{second}", f"{second}|{first}")
    ]
    pairs = [pair for pair in pairs if any(pair in group.shares for group in found)]
    names = dict.fromkeys(name for group in found for name in group.shares if "|" not in name)
    kinds = [
        name
        for name in names
        if any(group.shares.get(name) and name not in group.twins for group in found) or name in (OTHER, NOT_TERMINATED)
    ]
    twins = {rival: rule for group in found for rival, rule in group.twins.items()}
    columns = [*kinds, *(f"{pair.partition('|')[0]}, where not {pair.partition('|')[2]}" for pair in pairs)]
    rows = [(row_name(group), tuple(_share_cell(group, name) for name in (*kinds, *pairs))) for group in found]
    caption = (
        "Share of all answers to the probes; an answer can be of several kinds. Where two candidates differ: the share "
        "of those answers that the first of them gives."
    )
    if twins:
        told = "; ".join(f"{rival} as {rule}" for rival, rule in sorted(twins.items()))
        caption += f" Further simple rules fit the training pairs but answer these probes as one named here: {told}."
    return Table(
        title=f"Kinds of answers: {short_title(task)}",
        columns=tuple(columns),
        rows=tuple(rows),
        caption=caption,
        command=command,
    )


def _share_cell(group: Group, name: str) -> Cell:
    if name not in group.shares:
        return Cell()
    return Cell(f"{group.shares[name]:.1%}", trials=group.trials)
