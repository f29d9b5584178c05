"""Nondeterministic automata with silent arcs, and the subset construction that turns them into DFAs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata._interning import grown, intern, new_table
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states

SILENT = -1
"""Column of an arc that reads nothing."""
MAX_SUBSETS = 250_000
"""Subsets after which the subset construction refuses."""


@dataclass(frozen=True, eq=False)
class NFA:
    """Arcs between numbered states; a word is accepted if some path of it leads from a start to an accepting state."""

    arcs: NDArray[np.int32]
    """(n_arcs, 3) source, column of the letter (or SILENT), target."""
    starts: NDArray[np.int32]
    """(n_starts,) the start states."""
    accepting: NDArray[np.bool_]
    """(n_states,) whether a word that can end here is accepted."""
    alphabet: tuple[str, ...]
    """The letters, in column order."""


def arc_array(arcs: Iterable[tuple[int, int, int]]) -> NDArray[np.int32]:
    """Return (n_arcs, 3) the arcs (source, column, target) as an array."""
    return np.array(list(arcs), dtype=np.int32).reshape(-1, 3)


def live_arcs(dfa: DFA, offset: int = 0) -> NDArray[np.int32]:
    """Return (n_arcs, 3) the DFA's arcs between live states, every state number raised by ``offset``.

    A dead state would only blow up the subsets that contain it.
    """
    live = live_states(dfa)
    sources, columns = np.nonzero(live[:, None] & live[dfa.transitions])
    targets = dfa.transitions[sources, columns]
    return np.stack([sources + offset, columns, targets + offset], axis=1).astype(np.int32)


def silent_arcs(sources: Sequence[int] | NDArray[np.int64], target: int) -> NDArray[np.int32]:
    """Return (n_sources, 3) a silent arc from each source to the target."""
    origins = np.asarray(sources, dtype=np.int32)
    return np.stack([origins, np.full_like(origins, SILENT), np.full_like(origins, target)], axis=1)


def determinise(nfa: NFA, max_subsets: int = MAX_SUBSETS) -> DFA:
    """Return the DFA on the reachable sets of states, the empty set included where it is reached; not minimal.

    There can be 2^n sets of n states; beyond ``max_subsets`` of them InputError says so.
    """
    n_states = len(nfa.accepting)
    order = np.argsort(nfa.arcs[:, 0], kind="stable")
    arcs = nfa.arcs[order]
    bounds = np.searchsorted(arcs[:, 0], np.arange(n_states + 1)).astype(np.int64)
    transitions, accepting = _subset_construction(
        bounds,
        np.ascontiguousarray(arcs[:, 1]),
        np.ascontiguousarray(arcs[:, 2]),
        nfa.starts,
        nfa.accepting,
        len(nfa.alphabet),
        max_subsets,
    )
    if len(transitions) > max_subsets:
        raise InputError(
            f"the automaton is too large: determinising {n_states} states gave more than {max_subsets} sets of states"
        )
    return DFA(transitions, accepting, nfa.alphabet)


@numba.njit(cache=True, nogil=True)
def _subset_construction(
    bounds: NDArray[np.int64],
    columns: NDArray[np.int32],
    targets: NDArray[np.int32],
    starts: NDArray[np.int32],
    accepting: NDArray[np.bool_],
    n_letters: int,
    max_subsets: int,
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the table and acceptance of the subsets; arcs of state q are ``bounds[q]`` to ``bounds[q + 1]``.

    Gives up with a table of more than ``max_subsets`` rows.
    """
    width = max(1, (accepting.size + 63) >> 6)
    capacity = 64
    while capacity <= n_letters:
        capacity *= 2
    rows, slots = new_table(capacity, width)
    transitions = np.empty((capacity, n_letters), dtype=np.int32)
    first = np.zeros((1, width), dtype=np.uint64)
    stack = np.empty(accepting.size + 1, dtype=np.int32)
    for state in starts:
        _add(state, first, 0, stack, bounds, columns, targets)
    count = intern(rows, 0, slots, first[0]) + 1
    done = 0
    while done < count <= max_subsets:
        done, count = _follow_letters(bounds, columns, targets, rows, slots, transitions, done, count)
        if done < count:
            rows, slots = grown(rows, count)
            larger = np.empty((rows.shape[0], n_letters), dtype=np.int32)
            larger[:done] = transitions[:done]
            transitions = larger
    accepts = np.zeros(count, dtype=np.bool_)
    for subset in range(count):
        for state in range(accepting.size):
            if accepting[state] and (rows[subset, state >> 6] >> np.uint64(state & 63)) & np.uint64(1):
                accepts[subset] = True
    return transitions[:count].copy(), accepts


@numba.njit(cache=True, nogil=True)
def _follow_letters(
    bounds: NDArray[np.int64],
    columns: NDArray[np.int32],
    targets: NDArray[np.int32],
    rows: NDArray[np.uint64],
    slots: NDArray[np.int32],
    transitions: NDArray[np.int32],
    done: int,
    count: int,
) -> tuple[int, int]:
    """Fill in rows of the transitions until all subsets are done or the table could overflow; return both numbers."""
    capacity, n_letters = transitions.shape
    width = rows.shape[1]
    stack = np.empty(bounds.size, dtype=np.int32)
    following = np.zeros((n_letters, width), dtype=np.uint64)
    while done < count and count + n_letters <= capacity:
        following[:] = 0
        for block in range(width):
            bits = rows[done, block]
            state = block << 6
            while bits != 0:
                if bits & np.uint64(1):
                    for arc in range(bounds[state], bounds[state + 1]):
                        if columns[arc] != SILENT:
                            _add(targets[arc], following, columns[arc], stack, bounds, columns, targets)
                bits >>= np.uint64(1)
                state += 1
        for letter in range(n_letters):
            number = intern(rows, count, slots, following[letter])
            transitions[done, letter] = number
            count += number == count
        done += 1
    return done, count


@numba.njit(cache=True, nogil=True)
def _add(
    state: int,
    subsets: NDArray[np.uint64],
    row: int,
    stack: NDArray[np.int32],
    bounds: NDArray[np.int64],
    columns: NDArray[np.int32],
    targets: NDArray[np.int32],
) -> None:
    """Add the state, and what silent arcs reach from it, to the subset in the given row of bits."""
    if (subsets[row, state >> 6] >> np.uint64(state & 63)) & np.uint64(1):
        return
    subsets[row, state >> 6] |= np.uint64(1) << np.uint64(state & 63)
    stack[0] = state
    height = 1
    while height > 0:
        height -= 1
        source = stack[height]
        for arc in range(bounds[source], bounds[source + 1]):
            target = targets[arc]
            if columns[arc] == SILENT and not (subsets[row, target >> 6] >> np.uint64(target & 63)) & np.uint64(1):
                subsets[row, target >> 6] |= np.uint64(1) << np.uint64(target & 63)
                stack[height] = target
                height += 1
