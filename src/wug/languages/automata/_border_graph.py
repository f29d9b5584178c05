"""The graph whose walks are the border pairs of a language; ``borders.py`` explains its nodes."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from wug.languages.automata.dfa import DFA
from wug.languages.automata.walks import WalkGraph
from wug.languages.automata.words import LetterClasses

DEAD = -1


class Edit(StrEnum):
    """What turns the word of the language into the one outside it."""

    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


class Step(IntEnum):
    """What an edge writes; its classes are those of the letter of x and, second, of the other letter involved."""

    COPY = 0
    """The same letter to both words."""
    SUBSTITUTE = 1
    """A letter to x and another to y."""
    DELETE = 2
    """A letter to x alone."""
    COPY_BEHIND_DELETION = 3
    """The same letter to both words, another one than just deleted; its second class is the deleted letter's."""
    INSERT_DIFFERENT = 4
    """A letter to y alone, then a different one to both words."""
    INSERT_ANY = 5
    """A letter to y alone, then one to both words."""


@dataclass(frozen=True, eq=False)
class BorderGraph:
    """A walk graph with what each edge writes."""

    walks: WalkGraph
    steps: NDArray[np.uint8]
    """(n_edges,) a Step."""
    classes: NDArray[np.int32]
    """(n_edges, 2) letter classes, see Step."""
    n_states: int
    """Nodes below this number are states with the edit still to come: an ending there is an insertion."""


class _Edges:
    """Edges collected as arrays, impossible ones left out."""

    def __init__(self) -> None:
        self._columns: list[list[NDArray[np.int64]]] = []

    def add(self, step: Step, source: ArrayLike, target: ArrayLike, ways: ArrayLike, classes: tuple[Any, Any]) -> None:
        arrays = [np.ravel(array) for array in np.broadcast_arrays(source, target, ways, int(step), *classes)]
        possible = (arrays[1] != DEAD) & (arrays[2] > 0)
        self._columns.append([array[possible] for array in arrays])

    def graph(self, final_ways: NDArray[np.uint32], n_states: int) -> BorderGraph:
        source, target, ways, step, x_class, other = (
            np.concatenate(parts) for parts in zip(*self._columns, strict=True)
        )
        order = np.argsort(source, kind="stable")
        first = np.searchsorted(source[order], np.arange(len(final_ways) + 1)).astype(np.int64)
        walks = WalkGraph(first, target[order].astype(np.int32), ways[order].astype(np.uint32), final_ways)
        return BorderGraph(
            walks, step[order].astype(np.uint8), np.column_stack((x_class, other))[order].astype(np.int32), n_states
        )


def border_graph(dfa: DFA, letters: LetterClasses, edits: Collection[Edit], *, every_alignment: bool) -> BorderGraph:
    """Return the graph of the border pairs made by some edits; ``every_alignment`` is the weighting ``paths``.

    Nodes: the states (before the edit); then for each class the states (behind the deletion of a letter of that class);
    then the live pairs of states (after the edit).
    """
    action, sizes, accepting = letters.actions, letters.sizes, dfa.accepting
    n_classes, n_states = action.shape
    codes, numbers = _live_pairs(action, accepting)
    p, q, number = codes // n_states, codes % n_states, numbers.reshape(n_states, n_states)
    n_single = n_states * (1 + n_classes)
    number[number != DEAD] += n_single

    state = np.arange(n_states)
    x, y = np.arange(n_classes)[:, None, None], np.arange(n_classes)[None, :, None]
    after_x, after_y, after_yx = action[x, state], action[y, state], action[x, action[y, state]]
    same, ways = x == y, sizes[x] * sizes[y]
    one = np.arange(n_classes)[:, None]

    edges = _Edges()
    edges.add(Step.COPY, state, action, sizes[one], (one, one))
    final_before = np.zeros(n_states, dtype=np.int64)
    final_behind = np.zeros((n_classes, n_states), dtype=np.int64)
    if Edit.SUBSTITUTION in edits:
        edges.add(Step.SUBSTITUTE, state, number[after_x, after_y], ways, (x, y))
    if Edit.DELETION in edits and every_alignment:
        edges.add(Step.DELETE, state, number[action, state], sizes[one], (one, one))
    elif Edit.DELETION in edits:
        edges.add(Step.DELETE, state, n_states * (1 + one) + state, sizes[one], (one, one))
        behind = n_states * (1 + y) + state
        edges.add(Step.COPY_BEHIND_DELETION, behind, number[after_yx, after_x], sizes[x] - same, (x, y))
        final_behind = (accepting[action] & ~accepting).astype(np.int64)
    if Edit.INSERTION in edits:
        step = Step.INSERT_ANY if every_alignment else Step.INSERT_DIFFERENT
        edges.add(step, state, number[after_x, after_yx], ways if every_alignment else ways - sizes[x] * same, (x, y))
        final_before = (accepting & ~accepting[action]).astype(np.int64).T @ sizes
    edges.add(Step.COPY, n_single + np.arange(len(codes)), number[action[:, p], action[:, q]], sizes[one], (one, one))
    final_after = accepting[p] & ~accepting[q]
    final_ways = np.concatenate((final_before, final_behind.ravel(), final_after)).astype(np.uint32)
    return edges.graph(final_ways, n_states)


@numba.njit(cache=True, nogil=True)
def _live_pairs(
    actions: NDArray[np.int32], accepting: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return (n_pairs,) codes p * n_states + q of the live pairs (p, q) that one edit leads to, and their numbers.

    Live are the pairs that some word sends to an accepting state first and a rejecting one second. The numbers, by code
    (n_states * n_states,), are DEAD for all other pairs.
    """
    n_classes, n_states = actions.shape
    number = np.full(n_states * n_states, DEAD, np.int32)
    found = np.empty(256, np.int64)
    n_found = 0
    explored = -n_states
    while explored < n_found:
        # an edit leaves one state by two letters, or by one and none; afterwards both words read the same letters
        is_edit = explored < 0
        p = explored + n_states if is_edit else found[explored] // n_states
        q = p if is_edit else found[explored] % n_states
        if n_found + (n_classes + 1) ** 2 > len(found):
            larger = np.empty(2 * len(found) + (n_classes + 1) ** 2, np.int64)
            larger[:n_found] = found[:n_found]
            found = larger
        for x in range(-1, n_classes):
            for y in range(-1, n_classes):
                if not is_edit and x != y:
                    continue
                next_p = p if x < 0 else np.int64(actions[x, p])
                next_q = q if y < 0 else np.int64(actions[y, q])
                code = next_p * n_states + next_q
                if next_p != next_q and number[code] == DEAD:
                    number[code] = n_found
                    found[n_found] = code
                    n_found += 1
        explored += 1
    live = np.zeros(n_found, np.bool_)
    changed = True
    while changed:
        changed = False
        for pair in range(n_found - 1, -1, -1):
            if live[pair]:
                continue
            p, q = found[pair] // n_states, found[pair] % n_states
            is_live = accepting[p] and not accepting[q]
            for letter in range(n_classes):
                next_pair = number[np.int64(actions[letter, p]) * n_states + actions[letter, q]]
                is_live |= next_pair != DEAD and live[next_pair]
            if is_live:
                live[pair] = True
                changed = True
    n_live = 0
    for pair in range(n_found):
        number[found[pair]] = DEAD
        if live[pair]:
            number[found[pair]] = n_live
            found[n_live] = found[pair]
            n_live += 1
    return found[:n_live].copy(), number
