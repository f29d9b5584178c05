"""Further simple rules that fit a task's training pairs, and probes that tell rules apart.

A *shape* says how an output follows from an input up to the names of symbols: "the last symbol", "three times the
last symbol", "as many as the input has". The training pairs decide which output symbol stands for which input symbol;
a shape that no such translation brings to agree with every pair does not fit. So the rules that are found explain the
training data as well as the candidates do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice

from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols

Shape = Callable[[Symbols], Symbols]
"""Which of the input's symbols, translated, make the output; LookupError or ValueError where there are none."""

LARGEST_REPETITION = 4
"""Shapes repeat a symbol or the input up to so many times."""
MOST_EDITS = 10
"""Probes are searched up to so many edits from a training input."""
MOST_LOOKED_AT = 2_000
"""So many sequences are looked at, those with fewer edits first."""


# --- shapes -----------------------------------------------------------------------------------------------------------


def _most_frequent(source: Symbols) -> Symbols:
    return (_of_frequency(source, most=True),)


def _rarest(source: Symbols) -> Symbols:
    return (_of_frequency(source, most=False),)


def _of_frequency(source: Symbols, *, most: bool) -> str:
    counts = Counter(source).most_common()
    place = 0 if most else -1
    if sum(times == counts[place][1] for _, times in counts) > 1:
        raise ValueError("several symbols are equally frequent")
    return counts[place][0]


def _middle(source: Symbols) -> Symbols:
    if len(source) % 2 == 0:
        raise ValueError("there is no middle")
    return (source[len(source) // 2],)


def _shapes(longest: int) -> dict[str, Shape]:
    """Return all shapes by name; positions are counted from 1, up to the longest input."""
    shapes: dict[str, Shape] = {
        "copy": lambda source: source,
        "reverse": lambda source: source[::-1],
        "first": lambda source: (source[0],),
        "last": lambda source: (source[-1],),
        "middle": _middle,
        "rarest": _rarest,
        "most-frequent": _most_frequent,
    }
    for times in range(2, LARGEST_REPETITION + 1):
        shapes[f"first-{times}-times"] = lambda source, times=times: (source[0],) * times  # type: ignore[misc]
        shapes[f"last-{times}-times"] = lambda source, times=times: (source[-1],) * times  # type: ignore[misc]
        shapes[f"copy-{times}-times"] = lambda source, times=times: source * times  # type: ignore[misc]
    for position in range(2, longest):
        shapes[f"position-{position}"] = lambda source, place=position: (source[place - 1],)  # type: ignore[misc]
        shapes[f"position-{position}-from-end"] = lambda source, place=position: (source[-place],)  # type: ignore[misc]
    return shapes


def _translated(shape: Shape, training: Iterable[Pair]) -> Rule | None:
    """Return the rule of a shape under the one translation that the pairs allow; None where there is none."""
    translation: dict[str, str] = {}
    for pair in training:
        try:
            chosen = shape(pair.source)
        except (LookupError, ValueError):
            return None
        if len(chosen) != len(pair.target):
            return None
        for symbol, output in zip(chosen, pair.target, strict=True):
            if translation.setdefault(symbol, output) != output:
                return None
    return lambda source: tuple(translation[symbol] for symbol in shape(source))


# --- rules that look outputs up in the training pairs -----------------------------------------------------------------


def _lookups(training: Sequence[Pair]) -> Iterator[tuple[str, Rule]]:
    """Yield rules that answer with a whole trained output; they fit wherever they return an input's own output."""
    known = {pair.source: pair.target for pair in training}
    outputs = list(dict.fromkeys(pair.target for pair in training))
    if len(outputs) == 1:
        yield "constant", lambda _: outputs[0]
    by_last: dict[str, Symbols] = {}
    by_first: dict[str, Symbols] = {}
    for source, target in known.items():
        if source:
            by_last.setdefault(source[-1], target)
            by_first.setdefault(source[0], target)
    yield "output-of-same-last", lambda source: known[source] if source in known else by_last[source[-1]]
    yield "output-of-same-first", lambda source: known[source] if source in known else by_first[source[0]]
    yield "output-of-nearest", lambda source: known[nearest(source, known)]


def _offsets(training: Sequence[Pair]) -> Iterator[tuple[str, Rule]]:
    """Yield, where all outputs consist of one symbol, the rules by which their length follows from the input's."""
    symbols = {symbol for pair in training for symbol in pair.target}
    if len(symbols) != 1:
        return
    (symbol,) = symbols
    lengths = {len(pair.source): len(pair.target) for pair in training}
    more = {output - given for given, output in lengths.items()}
    factors = {output // given for given, output in lengths.items() if given and output % given == 0}
    if len(more) == 1 and (added := more.pop()) > 0:
        yield f"length-plus-{added}", lambda source: (symbol,) * (len(source) + added)
    if len(factors) == 1 and all(given and output % given == 0 for given, output in lengths.items()):
        factor = factors.pop()
        yield f"length-times-{factor}", lambda source: (symbol,) * (len(source) * factor)


def nearest(source: Symbols, others: Iterable[Symbols]) -> Symbols:
    """Return the sequence at the smallest edit distance, the first of several.

    >>> nearest(("a", "b", "c"), [("c", "c", "c"), ("b", "c"), ("a", "b")])
    ('b', 'c')
    """
    ordered = sorted(enumerate(others), key=lambda item: (abs(len(item[1]) - len(source)), item[0]))
    best, (_, found), place = len(source) + len(ordered[0][1]) + 1, ordered[0], len(ordered)
    for number, other in ordered:
        if abs(len(other) - len(source)) > best:
            break
        distance = edit_distance(source, other, at_most=best)
        if distance is not None and (distance, number) < (best, place):
            best, place, found = distance, number, other
    return found


def edit_distance(first: Symbols, second: Symbols, *, at_most: int) -> int | None:
    """Return how few insertions, deletions and replacements make one sequence the other; None for more than asked.

    >>> edit_distance(("a", "b", "c"), ("b", "c", "c"), at_most=2)
    2
    """
    row = list(range(len(second) + 1))
    for i, symbol in enumerate(first, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (symbol != other))
        if min(row) > at_most:
            return None
    return row[-1] if row[-1] <= at_most else None


# --- what fits --------------------------------------------------------------------------------------------------------


def rival_rules(task: FindTask) -> dict[str, Rule]:
    """Return the simple rules, by name, that reproduce every training pair and answer all probes and the hold-out.

    A candidate may come back under another name, and several may give the same answers to the task's own probes.

    >>> from wug.benchmarks.find.tasks.hierarchical import hierarchical_task
    >>> [name for name in rival_rules(hierarchical_task(4)) if not name.startswith("output")]
    ['middle', 'rarest', 'position-5', 'position-5-from-end']
    """
    inputs = list(dict.fromkeys([*task.probes, *task.hold_out]))
    longest = max(len(pair.source) for pair in task.training)
    shaped = ((name, _translated(shape, task.training)) for name, shape in _shapes(longest).items())
    proposed = chain(
        _lookups(task.training), _offsets(task.training), ((name, rule) for name, rule in shaped if rule is not None)
    )
    found: dict[str, Rule] = {}
    for name, rule in proposed:
        if _fits(rule, task.training) and all(_answers(rule, x) is not None for x in inputs):
            found[name] = rule
    return found


def _fits(rule: Rule, training: Iterable[Pair]) -> bool:
    return all(_answers(rule, pair.source) == pair.target for pair in training)


def _answers(rule: Rule, source: Symbols) -> Symbols | None:
    """Return a rule's answer, None where it has none."""
    try:
        return tuple(rule(source))
    except (LookupError, ValueError):
        return None


# --- probes that tell rules apart -------------------------------------------------------------------------------------


def telling_probes(
    rules: Mapping[str, Rule], around: Iterable[Symbols], symbols: Symbols, n_probes: int
) -> tuple[Symbols, ...]:
    """Return inputs on which every rule answers and the rules disagree, so that all can be told apart that can be.

    The inputs are searched among those that come from ``around`` by few edits (MOST_EDITS, MOST_LOOKED_AT). They are
    chosen one by one: each time the one that tells most of those pairs of rules apart that the chosen ones tell apart
    least often; of equal ones the first that was found.

    >>> rules = {"first": lambda x: x[:1], "last": lambda x: x[-1:], "middle": lambda x: x[1:2]}
    >>> telling_probes(rules, [("a", "a", "a")], ("a", "b"), 2)
    (('b', 'a', 'a'), ('a', 'b', 'a'))
    """
    names = list(rules)
    pairs = list(combinations(range(len(names)), 2))
    apart: dict[Symbols, tuple[int, ...]] = {}
    for source in islice(_edited(around, symbols), MOST_LOOKED_AT):
        answers = [_answers(rules[name], source) for name in names]
        if None not in answers:
            told = tuple(k for k, (i, j) in enumerate(pairs) if answers[i] != answers[j])
            if told:
                apart[source] = told
    times = [0] * len(pairs)
    chosen: list[Symbols] = []
    while apart and len(chosen) < n_probes:
        best = max(apart, key=lambda source: sum(1.0 / (1 + times[k]) ** 2 for k in apart[source]))
        for k in apart.pop(best):
            times[k] += 1
        chosen.append(best)
    return tuple(chosen)


def _edited(around: Iterable[Symbols], symbols: Symbols) -> Iterator[Symbols]:
    """Yield these sequences and those around them by number of edits, each once."""
    level = list(dict.fromkeys(around))
    seen = set(level)
    yield from level
    for _ in range(MOST_EDITS):
        following = []
        for source in level:
            for changed in _one_edit(source, symbols):
                if changed not in seen:
                    seen.add(changed)
                    following.append(changed)
                    yield changed
        level = following


def _one_edit(source: Symbols, symbols: Symbols) -> Iterator[Symbols]:
    for place in range(len(source) + 1):
        before, after = source[:place], source[place:]
        if after:
            yield before + after[1:]
            yield from ((*before, symbol, *after[1:]) for symbol in symbols if symbol != after[0])
        yield from ((*before, symbol, *after) for symbol in symbols)
