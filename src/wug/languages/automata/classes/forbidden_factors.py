"""The minimal forbidden factors of a strictly local language, its beginnings and ends included."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from wug.languages.automata.classes.grammar import Grammar, collected
from wug.languages.automata.classes.specimen import Specimen
from wug.languages.automata.dfa import Word
from wug.languages.automata.formulas.syntax import Blocks, Formula, Matches, Prefix, Suffix

Actions = tuple[int, ...]


def factor_grammar(specimen: Specimen, width: int, *, complement: bool, tier: bool) -> Grammar:
    """Return the minimal forbidden (``complement``: required) factors of a language that is SL, coSL, TSL or TcoSL.

    Factors have at most ``width`` symbols, the beginning and the end counting as symbols. A factor is minimal if
    none of its own factors is forbidden. They come by length, then alphabet order of their first letters.
    """
    letters = tuple(specimen.dfa.alphabet[column] for column in specimen.salient)
    literals = _literals(specimen, width, complement)
    return collected(literals, forbids=not complement, tier=letters if tier and specimen.neutral and letters else None)


def _literals(specimen: Specimen, width: int, complement: bool) -> Iterator[Formula]:
    for word, begins, ends in _minimal_forbidden(specimen, width, complement):
        for letters in product(*(specimen.alike[action] for action in word)):
            yield _literal(letters, begins, ends)


def _literal(word: Word, begins: bool, ends: bool) -> Formula:
    if begins and ends:
        return Matches("".join(map(_in_regex, word)) or "()")
    if begins:
        return Prefix(word)
    return Suffix(word) if ends else Blocks((word,))


def _in_regex(letter: str) -> str:
    if len(letter) > 1:
        return f"'{letter}'"
    return letter if letter.isalnum() else f"\\{letter}"


def _minimal_forbidden(specimen: Specimen, width: int, complement: bool) -> Iterator[tuple[Actions, bool, bool]]:
    """Yield (word, is at the beginning, is at the end) of every minimal forbidden factor.

    ``places`` are the live states that an allowed word can lead to from anywhere, ``here`` the one it leads to from
    the start, -1 if it is not live.
    """
    actions = specimen.letters.actions.tolist()
    live = set(np.flatnonzero(specimen.live(complement)).tolist())
    inside = set(np.flatnonzero(specimen.dfa.accepting != complement).tolist())
    if not live:
        yield (), False, False
        return
    allowed: dict[Actions, tuple[frozenset[int], int]] = {(): (frozenset(live), 0)}
    shorter: dict[Actions, tuple[frozenset[int], int]] = {}
    for length in range(width):
        for word, (places, here) in allowed.items():
            if word and not places & inside:
                if shorter[word[1:]][0] & inside:
                    yield word, False, True
            elif here >= 0 and here not in inside and length + 2 <= width:
                yield word, True, True
        shorter, allowed = allowed, {}
        for word, (places, here) in shorter.items():
            for action, targets in enumerate(actions):
                longer = (*word, action)
                if longer[1:] not in shorter:
                    continue
                reached = frozenset(targets[place] for place in places) & live
                target = targets[here] if here >= 0 else -1
                if not reached:
                    yield longer, False, False
                    continue
                if here >= 0 and target not in live:
                    yield longer, True, False
                allowed[longer] = reached, target if target in live else -1
