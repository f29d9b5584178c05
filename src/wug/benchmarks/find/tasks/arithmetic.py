"""Count-or-Memorization and Add-or-Multiply: one training pair of runs of one symbol.

Source: Kharitonov & Chaabouni 2021, section 4. a^k is k copies of a.
"""

from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols

COUNT_REACH = 10
"""Probes of Count-or-Memorization go this far below and above the trained length."""
ADD_REACH = 3
"""Probes of Add-or-Multiply go this far below and above the trained length."""


def count_task(l: int) -> FindTask:  # noqa: E741 - the paper's name
    """Return Count-or-Memorization: a^l -> b^l is trained, a^m is asked for m from l - 10 to l + 10.

    Rules: ``mem`` answers b^l, ``count`` b^m.

    >>> task = count_task(10)
    >>> len(task.probes), len(task.hold_out), len(task.answers("mem")[()]), task.answers("count")[()]
    (21, 20, 10, ())
    """
    return _one_pair("count", l, l, COUNT_REACH, {"mem": lambda _: ("b",) * l, "count": lambda x: ("b",) * len(x)})


def add_or_multiply_task(l: int) -> FindTask:  # noqa: E741
    """Return Add-or-Multiply: a^l -> b^(2l) is trained, a^m is asked for m from l - 3 to l + 3.

    Rules: ``add`` answers b^(m+l), ``mul`` b^(2m), ``mem`` b^(2l).

    >>> task = add_or_multiply_task(5)
    >>> [len(task.answers(rule)[("a",) * 8]) for rule in ("add", "mul", "mem")]
    [13, 16, 10]
    """
    rules: dict[str, Rule] = {
        "add": lambda x: ("b",) * (len(x) + l),
        "mul": lambda x: ("b",) * (2 * len(x)),
        "mem": lambda _: ("b",) * (2 * l),
    }
    return _one_pair("add-or-multiply", l, 2 * l, ADD_REACH, rules)


def _one_pair(name: str, length: int, answer_length: int, reach: int, rules: dict[str, Rule]) -> FindTask:
    probes: tuple[Symbols, ...] = tuple(("a",) * m for m in range(max(length - reach, 0), length + reach + 1))
    return FindTask(
        name,
        training=(Pair(("a",) * length, ("b",) * answer_length),),
        probes=probes,
        hold_out=tuple(source for source in probes if len(source) != length),
        rules=rules,
    )
