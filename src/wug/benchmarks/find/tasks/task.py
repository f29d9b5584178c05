"""A task: training pairs that several rules explain, and inputs on which the rules disagree.

Source: Kharitonov & Chaabouni 2021, section 2. Nothing here knows of learners.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, groupby

from wug.errors import InputError

Symbols = tuple[str, ...]
"""A sequence of symbols; inputs and outputs have symbols of their own, even where they are written alike."""
Rule = Callable[[Symbols], Sequence[str]]
"""What a rule answers to an input: the output's symbols."""
Written = str | Sequence[str]
"""A sequence as people write it: its symbols between blanks, or one by one."""


@dataclass(frozen=True)
class Pair:
    """An input with its output."""

    source: Symbols
    target: Symbols


@dataclass(frozen=True, eq=False)
class FindTask:
    """Training pairs T, inputs H that are held out, probes, and the rules that are consistent with T.

    >>> task = FindTask(
    ...     "double",
    ...     training=(Pair(("a", "a"), ("b",) * 4),),
    ...     probes=(("a",), ("a", "a"), ("a",) * 3),
    ...     hold_out=(("a",), ("a",) * 3),
    ...     rules={"mul": lambda source: ("b",) * 2 * len(source), "mem": lambda source: ("b",) * 4},
    ... )
    >>> check_task(task)
    >>> task.answers("mul")[("a",)]
    ('b', 'b')
    """

    name: str
    training: tuple[Pair, ...]
    """T; a pair may occur several times."""
    probes: tuple[Symbols, ...]
    """The inputs whose greedy answers are compared with the rules'."""
    hold_out: tuple[Symbols, ...]
    """H, in the order that is shuffled and cut into blocks for the description length; none of them is in T."""
    rules: Mapping[str, Rule]
    """The candidates by name."""
    block_size: int = 1
    """Inputs in a block of the description length; 0 for one block."""
    responses: Mapping[str, Callable[[Symbols], Collection[Symbols]]] = field(default_factory=dict)
    """Kinds of answers that are no rules, by name: the outputs that belong to the kind, for an input."""

    @cached_property
    def trained_sources(self) -> frozenset[Symbols]:
        """The inputs of T."""
        return frozenset(pair.source for pair in self.training)

    @cached_property
    def _answers(self) -> dict[str, dict[Symbols, Symbols]]:
        inputs = dict.fromkeys([*(pair.source for pair in self.training), *self.probes, *self.hold_out])
        return {name: {source: answer(name, rule, source) for source in inputs} for name, rule in self.rules.items()}

    def answers(self, rule: str) -> Mapping[Symbols, Symbols]:
        """Return a rule's outputs for the inputs of T, the probes and H."""
        return self._answers[rule]

    @cached_property
    def source_symbols(self) -> Symbols:
        """The inputs' symbols: those of T by falling frequency, ties in alphabetical order, then all others."""
        return _by_frequency((pair.source for pair in self.training), (*self.probes, *self.hold_out))

    @cached_property
    def target_symbols(self) -> Symbols:
        """The outputs' symbols, ordered likewise; the others are those that only a rule puts out."""
        outputs = (output for answers in self._answers.values() for output in answers.values())
        return _by_frequency((pair.target for pair in self.training), outputs)


def answer(name: str, rule: Rule, source: Symbols) -> Symbols:
    """Return what a rule answers to an input; InputError where it is no sequence of symbols or there is none."""
    try:
        output = rule(source)
    except Exception as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise InputError(f"the rule '{name}' has no answer to '{shown(source)}': {reason}") from error
    if isinstance(output, str) or not all(isinstance(symbol, str) for symbol in output):
        raise InputError(
            f"the rule '{name}' answers '{shown(source)}' with {output!r}; an answer is a sequence of symbols, such as "
            '("b", "b")'
        )
    return tuple(output)


def check_task(task: FindTask) -> None:
    """Raise InputError, naming the pair, for a task that cannot be measured.

    Every rule must reproduce the training pairs, and any two rules must differ somewhere on the hold-out.
    """
    for what, there in (("training pair", task.training), ("probe", task.probes), ("rule", task.rules)):
        if not there:
            raise InputError(f"the task '{task.name}' has no {what}")
    if not task.hold_out:
        raise InputError(f"the task '{task.name}' holds no input out: all probes are in the training pairs")
    _check_inputs(task)
    _check_rules(task)


def _check_inputs(task: FindTask) -> None:
    targets: dict[Symbols, Symbols] = {}
    for pair in task.training:
        if targets.setdefault(pair.source, pair.target) != pair.target:
            raise InputError(
                f"the task '{task.name}' has two outputs for the training input '{shown(pair.source)}': "
                f"'{shown(targets[pair.source])}' and '{shown(pair.target)}'"
            )
    for what, inputs in (("probe", task.probes), ("held-out input", task.hold_out)):
        source, times = Counter(inputs).most_common(1)[0]
        if times > 1:
            raise InputError(f"the task '{task.name}' has the {what} '{shown(source)}' {times} times")
    for source in task.hold_out:
        if source in task.trained_sources:
            raise InputError(f"the task '{task.name}' holds '{shown(source)}' out, which is a training input")


def _check_rules(task: FindTask) -> None:
    for name in task.rules:
        answers = task.answers(name)
        for pair in task.training:
            if answers[pair.source] != pair.target:
                raise InputError(
                    f"the rule '{name}' of the task '{task.name}' disagrees with a training pair: it answers "
                    f"'{shown(pair.source)}' with '{shown(answers[pair.source])}', not '{shown(pair.target)}'"
                )
    for first, second in combinations(task.rules, 2):
        if all(task.answers(first)[source] == task.answers(second)[source] for source in task.hold_out):
            raise InputError(
                f"the rules '{first}' and '{second}' of the task '{task.name}' nowhere differ on the hold-out "
                f"({len(task.hold_out)} inputs); for example both answer '{shown(task.hold_out[0])}' with "
                f"'{shown(task.answers(first)[task.hold_out[0]])}'"
            )


def new_task(
    name: str,
    training: Iterable[tuple[Written, Written]] | Mapping[str, Written],
    probes: Iterable[Written],
    rules: Mapping[str, Rule],
    *,
    hold_out: Iterable[Written] | None = None,
    block_size: int = 1,
) -> FindTask:
    """Return a checked task of one's own; inputs and outputs are written with blanks between symbols.

    What is held out are the probes that are not in the training pairs, unless ``hold_out`` says otherwise.

    >>> task = new_task(
    ...     "double",
    ...     training={"a a": "b b b b"},
    ...     probes=["a", "a a", "a a a"],
    ...     rules={"mul": lambda source: ["b"] * 2 * len(source), "mem": lambda source: ["b"] * 4},
    ... )
    >>> task.hold_out
    (('a',), ('a', 'a', 'a'))
    """
    pairs = training.items() if isinstance(training, Mapping) else training
    read = tuple(Pair(symbols_of(source), symbols_of(target)) for source, target in pairs)
    inputs = tuple(map(symbols_of, probes))
    trained = {pair.source for pair in read}
    held = tuple(map(symbols_of, hold_out)) if hold_out is not None else tuple(x for x in inputs if x not in trained)
    task = FindTask(name, read, inputs, held, dict(rules), block_size)
    check_task(task)
    return task


def symbols_of(written: Written) -> Symbols:
    """Return the symbols of a sequence that is written with blanks between them, or one by one.

    >>> symbols_of("a b"), symbols_of(["a", "b"])
    (('a', 'b'), ('a', 'b'))
    """
    return tuple(written.split()) if isinstance(written, str) else tuple(written)


def shown(symbols: Symbols) -> str:
    """Return a sequence for people: from three equal symbols on as a power.

    >>> shown(("a", "a", "a", "b", "a", "a")), shown(())
    ('a^3 b a a', '(empty)')
    """
    parts = []
    for symbol, run in groupby(symbols):
        length = len(list(run))
        parts += [f"{symbol}^{length}"] if length > 2 else [symbol] * length
    return " ".join(parts) if parts else "(empty)"


def _by_frequency(counted: Iterable[Symbols], others: Iterable[Symbols]) -> Symbols:
    counts = Counter(symbol for symbols in counted for symbol in symbols)
    ordered = sorted(counts, key=lambda symbol: (-counts[symbol], symbol))
    return (*ordered, *sorted({symbol for symbols in others for symbol in symbols} - set(ordered)))
