"""Which rule each learner prefers, and the paired differences of L that say so."""

from collections.abc import Sequence

from wug.benchmarks.find import published
from wug.benchmarks.find.preferences import by_agreement, by_length, difference, pairs_of_rules
from wug.benchmarks.find.published import Relation
from wug.benchmarks.find.summary import Group, rules_of
from wug.benchmarks.find.tables.comparison import TITLES, nats, published_for, row_name, short_title
from wug.benchmarks.protocol import Cell, Table


def preference_table(task: str, found: Sequence[Group], command: str) -> Table:
    """Return which rule each learner prefers, and the paired differences of L that say so."""
    pairs = pairs_of_rules(rules_of(found))
    rows = [
        (
            row_name(group),
            (
                _agreement_preference(group),
                _length_preference(group),
                *(_difference_cell(group, *pair) for pair in pairs),
            ),
        )
        for group in found
    ]
    return Table(
        title=f"Which rule is preferred: {short_title(task)}",
        columns=("by FPA", "by L", *(f"L {first} − L {second} (nats)" for first, second in pairs)),
        rows=tuple(rows),
        caption="Differences are paired: same seed, same order of blocks. A question mark says that the seeds do not "
        "decide it: the 95% intervals of FPA overlap, or a difference of L lies within two standard errors of zero. By "
        "L a cell agrees when the rule of which the paper says so has the lowest mean.",
        source=published.PAPER if task in TITLES else "",
        command=command,
    )


def _agreement_preference(group: Group) -> Cell:
    found = by_agreement(group)
    return Cell(str(found), detail=f"{found.n} seeds", trials=group.trials)


def _length_preference(group: Group) -> Cell:
    found = by_length(group)
    stated = [
        figure.rule
        for rule in group.rules
        for figure in published_for(group, "L", rule)
        if figure.relation is Relation.PREFERRED
    ]
    printed = stated[0] if stated else ""
    if found is None:
        return Cell(published=printed, verdict="not run", detail="not run at this scale")
    verdict = ("agrees" if found.rule == printed else "differs") if printed else ""
    return Cell(str(found), printed, verdict, f"{found.n} seeds", group.trials)


def _difference_cell(group: Group, first: str, second: str) -> Cell:
    found = difference(group, first, second)
    if found is None:
        infinite = [rule for rule in (first, second) if None in group.lengths(rule).values()]
        detail = f"L {' and L '.join(infinite)} infinite" if infinite else ""
        return Cell(measured="–" if infinite else "", detail=detail)
    detail = f"± {nats(found.error)}, {found.n} seeds" if found.error is not None else "one seed"
    return Cell(nats(found.mean), detail=detail, trials=group.trials)
