"""The minimal forbidden subsequences of a strictly piecewise language.

Words grow letter by letter. What matters of a word is the state q it leads to and the set D of states that it leads to
with one of its letters deleted. It can grow into a minimal forbidden word only while q and D are inside the language
(which holds every subsequence of its words) and q is not in D: a word that a deletion does not move is not minimal
however it goes on. A word that has just left the language is minimal.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.grammar import Grammar, collected
from wug.languages.automata.classes.specimen import Specimen
from wug.languages.automata.formulas.syntax import Blocks, Formula

Node = tuple[int, frozenset[int]]


def longest_minimal_subsequence(specimen: Specimen, inside: NDArray[np.bool_]) -> int:
    """Return the length of the longest minimal word outside the subsequence-closed set of the states ``inside``."""
    levels = _levels(specimen, inside)
    return max((length for length, (_, ends) in enumerate(levels, start=1) if ends), default=0)


def subsequence_grammar(specimen: Specimen, *, complement: bool) -> Grammar:
    """Return the minimal forbidden (``complement``: required) subsequences of an SP (coSP) language, by length."""
    return collected(_literals(specimen, complement), forbids=not complement, tier=None)


def _literals(specimen: Specimen, complement: bool) -> Iterator[Formula]:
    inside = specimen.dfa.accepting != complement
    if not inside[0]:
        yield Blocks(((),))
        return
    words: dict[Node, list[tuple[int, ...]]] = {(0, frozenset()): [()]}
    for arcs, ends in _levels(specimen, inside):
        for word in sorted((*word, action) for source, action in ends for word in words[source]):
            for letters in product(*(specimen.alike[action] for action in word)):
                yield Blocks(tuple((letter,) for letter in letters))
        longer: dict[Node, list[tuple[int, ...]]] = {}
        for source, action, target in arcs:
            longer.setdefault(target, []).extend((*word, action) for word in words[source])
        words = longer


def _levels(
    specimen: Specimen, inside: NDArray[np.bool_]
) -> Iterator[tuple[list[tuple[Node, int, Node]], list[tuple[Node, int]]]]:
    """Yield for each length the arcs of words that may still grow, and the last arcs of minimal words."""
    actions = specimen.letters.actions.tolist()
    is_inside = inside.tolist()
    frontier: set[Node] = {(0, frozenset())} if is_inside[0] else set()
    while frontier:
        arcs: list[tuple[Node, int, Node]] = []
        ends: list[tuple[Node, int]] = []
        for node in frontier:
            state, deleted = node
            for action, targets in enumerate(actions):
                others = {targets[other] for other in deleted}
                others.add(state)
                if targets[state] in others or not all(is_inside[other] for other in others):
                    continue
                if is_inside[targets[state]]:
                    arcs.append((node, action, (targets[state], frozenset(others))))
                else:
                    ends.append((node, action))
        yield arcs, ends
        frontier = {target for _, _, target in arcs}
