"""Hierarchical-or-Linear, and what later work made of it to tell the middle symbol from the odd one out.

Sources: Kharitonov & Chaabouni 2021, section 4 (``hierarchical``); Wilson & Frank 2023, "Inductive Bias Is in the Eye
of the Beholder", GenBench (the family ``odd-one-out``). In x^d y x^d the middle symbol is also the rarest one, so the
first task cannot tell these two rules apart.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols
from wug.errors import InputError
from wug.randomness import generator

BLOCK_SIZE = 4
LETTERS = ("a", "b")
BRACKETS = ("(", ")")
SHAPES = tuple(product(LETTERS, LETTERS))
"""(centre, wrapper), in the order of the published files."""
CONTINUATION = 0.5
"""Probability that a string drawn at random goes one level deeper; the first level is always there."""
PER_SHAPE = 10
"""Training strings drawn for each (centre, wrapper)."""
PROBE_DEPTHS = range(2, 7)
MIRROR_DEPTHS = range(1, 6)
PER_MIRROR_DEPTH = 2
MIRROR_PROBE_DEPTHS = range(2, 6)


# --- rules ------------------------------------------------------------------------------------------------------------


def middle(source: Symbols) -> Symbols:
    """Return the symbol in the middle.

    >>> middle(("a", "b", "a"))
    ('b',)
    """
    return (source[len(source) // 2],)


def at_position(position: int) -> Rule:
    """Return the rule that answers with the symbol at a position, counted from 0."""
    return lambda source: (source[position],)


def odd_one_out(source: Symbols) -> Symbols:
    """Return the less frequent of two symbols, or the one that there is.

    >>> odd_one_out(("a", "b", "b")), odd_one_out(("a", "a"))
    (('a',), ('a',))
    """
    ordered = Counter(source).most_common()
    if len(ordered) > 1 and ordered[-1][1] == ordered[-2][1]:
        raise ValueError("its symbols are equally frequent")
    return (ordered[-1][0],)


# --- the paper's task -------------------------------------------------------------------------------------------------


def nested(centre: str, wrapper: str, depth: int) -> Symbols:
    """Return wrapper^depth centre wrapper^depth."""
    return (wrapper,) * depth + (centre,) + (wrapper,) * depth


def hierarchical_task(d: int) -> FindTask:
    """Return Hierarchical-or-Linear: x^d y x^d -> y is trained for x, y in {a, b}; other depths are asked.

    Depths go from d - 2 to d + 2, those below d / 2 left out because they have no symbol at position d. Rules:
    ``hierar`` answers with the middle symbol, ``linear`` with the one at position d, counted from 0.

    >>> task = hierarchical_task(4)
    >>> len(task.probes), len(task.hold_out)
    (20, 16)
    >>> sum(task.answers("hierar")[source] != task.answers("linear")[source] for source in task.hold_out)
    8
    """
    depths = [depth for depth in range(d - 2, d + 3) if 2 * depth >= d]
    return FindTask(
        "hierarchical",
        training=_nested_pairs(d),
        probes=tuple(nested(*shape, depth) for depth in depths for shape in SHAPES),
        hold_out=tuple(nested(*shape, depth) for depth in depths if depth != d for shape in SHAPES),
        rules={"hierar": middle, "linear": at_position(d)},
        block_size=BLOCK_SIZE,
    )


def _nested_pairs(depth: int) -> tuple[Pair, ...]:
    return tuple(Pair(nested(centre, wrapper, depth), (centre,)) for centre, wrapper in SHAPES)


# --- the odd one out --------------------------------------------------------------------------------------------------


def odd_one_out_task(d: int) -> FindTask:
    """Return the paper's training pairs with the odd symbol at every position of the probes.

    Rules: ``oddone``, ``hierar`` and, ``linear``, the symbol at position d.

    >>> len(odd_one_out_task(4).probes)
    100
    """
    rules: dict[str, Rule] = {"oddone": odd_one_out, "hierar": middle, "linear": at_position(d)}
    shortest = 2 * PROBE_DEPTHS[0] + 1
    if d >= shortest:
        raise InputError(f"setting 'd' of odd-one-out: the shortest probe has {shortest} symbols, none at position {d}")
    return _off_centre("odd-one-out", _nested_pairs(d), rules)


def odd_one_out_depths_task(data_seed: int) -> FindTask:
    """Return the same probes after training pairs of many depths, which no fixed position explains.

    Depths of the 40 training pairs are drawn: each further level has probability 1/2.

    >>> len(odd_one_out_depths_task(1).training)
    40
    """
    rng = generator(data_seed, "find", "odd-one-out-depths")
    training = tuple(
        Pair(nested(centre, wrapper, _draw_depth(rng)), (centre,))
        for centre, wrapper in SHAPES
        for _ in range(PER_SHAPE)
    )
    return _off_centre("odd-one-out-depths", training, {"oddone": odd_one_out, "hierar": middle})


def _off_centre(name: str, training: tuple[Pair, ...], rules: dict[str, Rule]) -> FindTask:
    probes: list[Symbols] = []
    for depth in PROBE_DEPTHS:
        length = 2 * depth + 1
        for odd, wrapper in (("a", "b"), ("b", "a")):
            probes += [
                tuple(odd if place == position else wrapper for place in range(length)) for position in range(length)
            ]
        probes += [(letter,) * length for letter in LETTERS]
    return _of_probes(name, training, probes, rules)


def _of_probes(name: str, training: tuple[Pair, ...], probes: list[Symbols], rules: dict[str, Rule]) -> FindTask:
    trained = {pair.source for pair in training}
    held_out = tuple(source for source in probes if source not in trained)
    return FindTask(name, training, tuple(probes), held_out, rules, BLOCK_SIZE)


def _draw_depth(rng: np.random.Generator) -> int:
    return int(rng.geometric(1 - CONTINUATION))


# --- mirrors ----------------------------------------------------------------------------------------------------------


class Palindrome(NamedTuple):
    """A half, outermost symbol first, with the symbol in the middle."""

    half: Symbols
    centre: str

    def written(self, *, brackets: bool) -> Symbols:
        """Return the whole string, each pair of equal symbols between brackets of its own if wanted.

        >>> " ".join(Palindrome(("a", "b"), "a").written(brackets=True))
        '( a ( b a b ) a )'
        """
        string: Symbols = (self.centre,)
        for symbol in reversed(self.half):
            string = (symbol, *string, symbol)
            if brackets:
                string = (BRACKETS[0], *string, BRACKETS[1])
        return string


def mirror_task(name: str, data_seed: int, *, brackets: bool, drawn_depths: bool) -> FindTask:
    """Return palindromes whose middle symbol is the rarer one in training, and the more frequent one in the probes.

    40 training pairs, 10 for each (centre, wrapper): either two of each depth from 1 to 5, or of depths drawn as in
    ``odd_one_out_depths_task``. With centre and wrapper different, each symbol of a half is drawn with equal odds, and
    a string is kept if its centre is strictly rarer; with both equal it is uniform. Rules: ``oddone`` and ``hierar``.

    >>> task = mirror_task("odd-one-out-mirror", 1, brackets=False, drawn_depths=False)
    >>> len(task.training), len(task.probes)
    (40, 60)
    """
    rng = generator(data_seed, "find", "mirror", "drawn depths" if drawn_depths else "all depths")
    draw = _drawn_depths if drawn_depths else _all_depths
    training = tuple(
        Pair(palindrome.written(brackets=brackets), (palindrome.centre,))
        for centre, wrapper in SHAPES
        for palindrome in draw(centre, wrapper, rng)
    )
    probes = [
        palindrome.written(brackets=brackets) for depth in MIRROR_PROBE_DEPTHS for palindrome in _unlike_training(depth)
    ]
    rules: dict[str, Rule] = {"oddone": _without_brackets(odd_one_out), "hierar": middle}
    return _of_probes(name, training, probes, rules)


def _without_brackets(rule: Rule) -> Rule:
    return lambda source: rule(tuple(symbol for symbol in source if symbol not in BRACKETS))


def _all_depths(centre: str, wrapper: str, rng: np.random.Generator) -> Iterator[Palindrome]:
    for depth in MIRROR_DEPTHS:
        for _ in range(PER_MIRROR_DEPTH):
            yield _drawn(centre, wrapper, depth, rng)


def _drawn_depths(centre: str, wrapper: str, rng: np.random.Generator) -> Iterator[Palindrome]:
    for _ in range(PER_SHAPE):
        yield _drawn(centre, wrapper, None, rng)


def _drawn(centre: str, wrapper: str, depth: int | None, rng: np.random.Generator) -> Palindrome:
    """Return a palindrome with this centre; where it is not the wrapper, one in which it is strictly rarer.

    Where no depth is given, it is drawn together with the half.
    """
    while True:
        length = depth if depth is not None else _draw_depth(rng)
        if centre == wrapper:
            return Palindrome((wrapper,) * length, centre)
        half = tuple(LETTERS[int(bit)] for bit in rng.integers(2, size=length))
        if 1 + 2 * half.count(centre) < 2 * half.count(wrapper):
            return Palindrome(half, centre)


def _unlike_training(depth: int) -> Iterator[Palindrome]:
    """Yield the palindromes whose centre is not the rarer symbol: with halves of both symbols."""
    for half in product(LETTERS, repeat=depth):
        for centre in LETTERS:
            if 0 < half.count(centre) < depth and 2 * half.count(centre) >= depth:
                yield Palindrome(half, centre)
