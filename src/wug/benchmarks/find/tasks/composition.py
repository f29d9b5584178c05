"""Composition-or-Memorization, and the variants of later work that keep the hold-out or the proportion fixed.

Sources: Kharitonov & Chaabouni 2021, section 4 (``composition``); Wilson & Frank 2023 (the others).
"""

from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols
from wug.errors import InputError

THRICE, TWICE = "thrice", "twice"
FUNCTIONS = {THRICE: 3, TWICE: 2}
"""How often a function repeats the output of what it is applied to."""
CONTROLLED_PRIMITIVES = 100
CONTROLLED_PROBES = range(51, 101)
CONSTANT_COMPOSITES = 36
"""Composite training pairs of the tasks in which their proportion does not change with M."""


def primitive(item: int) -> Pair:
    """Return a_i -> b_i."""
    return Pair((f"a{item}",), (f"b{item}",))


def composite(item: int) -> Pair:
    """Return thrice a_i -> b_i b_i b_i."""
    return Pair((THRICE, f"a{item}"), (f"b{item}",) * 3)


def compose(source: Symbols) -> Symbols:
    """Return the output that the parts of an input make; ValueError for what is no such input.

    >>> compose(("thrice", "a7")), compose(("twice", "a7")), compose(("a7",))
    (('b7', 'b7', 'b7'), ('b7', 'b7'), ('b7',))
    """
    match source:
        case (name,) if name.startswith("a"):
            return (_output(name),)
        case (function, name) if function in FUNCTIONS and name.startswith("a"):
            return (_output(name),) * FUNCTIONS[function]
    raise ValueError("it is neither a primitive nor a function of one")


def _output(name: str) -> str:
    return f"b{name.removeprefix('a')}"


def _task(name: str, training: tuple[Pair, ...], asked: tuple[Symbols, ...], n_composites: int) -> FindTask:
    """Return the task with rules ``comp``, ``mem`` and, with one composite trained, ``mem_func``.

    ``mem_func`` answers with the output of a trained composite; where there are several it is a kind of answer instead.
    """
    known = {pair.source: pair.target for pair in training}
    rules: dict[str, Rule] = {
        "comp": compose,
        "mem": lambda source: known[source] if source in known else compose(source[-1:]),
    }
    outputs = frozenset(composite(item).target for item in range(1, n_composites + 1))
    if n_composites == 1:
        rules["mem_func"] = lambda source: known[source] if source in known else composite(1).target
        return FindTask(name, training, asked, asked, rules)
    return FindTask(name, training, asked, asked, rules, responses={"mem_func": lambda _: outputs})


def composition_task(N: int, M: int) -> FindTask:
    """Return Composition-or-Memorization: N primitives and the first M composites are trained, the others asked.

    Rules: ``comp`` answers thrice a_i with b_i b_i b_i, ``mem`` with b_i.

    >>> task = composition_task(40, 6)
    >>> len(task.training), len(task.probes), task.answers("mem")[("thrice", "a40")]
    (46, 34, ('b40',))
    """
    if M >= N:
        raise InputError(f"setting 'M' of composition must be below N = {N}, or no composite is held out, not {M}")
    training = (*map(primitive, range(1, N + 1)), *map(composite, range(1, M + 1)))
    return _task("composition", training, tuple(composite(item).source for item in range(M + 1, N + 1)), M)


def controlled_task(name: str, M: int, *, constant_proportion: bool = False, two_functions: bool = False) -> FindTask:
    """Return a composition task of 100 primitives in which always the composites 51 to 100 are asked.

    With a constant proportion the M composites are repeated, the odd-numbered ones first, to 36 pairs in all; with two
    functions all inputs ``twice a_i`` are trained too.

    >>> [len(controlled_task("composition-proportion", M, constant_proportion=True).training) for M in (1, 6, 24, 36)]
    [136, 136, 136, 136]
    """
    limit = CONSTANT_COMPOSITES if constant_proportion else CONTROLLED_PROBES[0] - 1
    if limit < M:
        raise InputError(f"setting 'M' of {name} must be at most {limit}, not {M}")
    items = list(range(1, CONTROLLED_PRIMITIVES + 1))
    trained = list(range(1, M + 1))
    if constant_proportion:
        whole, rest = divmod(CONSTANT_COMPOSITES, M)
        odd_first = trained[::2] + trained[1::2]
        trained = sorted(trained * whole + odd_first[:rest])
    training = [*map(primitive, items), *map(composite, trained)]
    if two_functions:
        training += [Pair((TWICE, f"a{item}"), (f"b{item}",) * 2) for item in items]
    return _task(name, tuple(training), tuple(composite(item).source for item in CONTROLLED_PROBES), M)
