"""Complement and Boolean combinations of DFAs over the same alphabet."""

from typing import Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata._interning import grown, intern, new_table
from wug.languages.automata.dfa import DFA, listed

MAX_PAIRS = 2_000_000
"""Pairs of states after which a combination refuses."""


class Connective(Protocol):
    """A truth function of two arguments, element by element; NumPy's ``logical_and`` and its like."""

    def __call__(self, left: NDArray[np.bool_], right: NDArray[np.bool_], /) -> NDArray[np.bool_]:
        """Return the truth values."""


def complement(dfa: DFA) -> DFA:
    """Return the DFA of all words that ``dfa`` rejects."""
    return DFA(dfa.transitions, ~dfa.accepting, dfa.alphabet, dfa.start)


def product(left: DFA, right: DFA, connective: Connective) -> DFA:
    """Return the DFA of the words whose two memberships satisfy the connective; reachable pairs only.

    Raises InputError unless both alphabets are equal, order included (``restrict`` and ``extend`` change them).
    """
    transitions, pairs = reachable_pairs(left, right)
    accepting = np.asarray(connective(left.accepting[pairs[:, 0]], right.accepting[pairs[:, 1]]), dtype=np.bool_)
    return DFA(transitions, accepting, left.alphabet)


def reachable_pairs(left: DFA, right: DFA) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return (n_pairs, n_letters) the transitions between reachable pairs, breadth first, and (n_pairs, 2) the pairs.

    Raises InputError for different alphabets and beyond ``MAX_PAIRS``.
    """
    if left.alphabet != right.alphabet:
        raise different_alphabets(left, right)
    transitions, pairs = _explore_pairs(left.transitions, left.start, right.transitions, right.start, MAX_PAIRS)
    if len(pairs) > MAX_PAIRS:
        raise InputError(
            f"the automaton is too large: combining {left.n_states} and {right.n_states} states gave more than "
            f"{MAX_PAIRS} pairs"
        )
    return transitions, pairs


def intersection(left: DFA, right: DFA) -> DFA:
    """Return the DFA of the words in both."""
    return product(left, right, np.logical_and)


def union(left: DFA, right: DFA) -> DFA:
    """Return the DFA of the words in at least one."""
    return product(left, right, np.logical_or)


def difference(left: DFA, right: DFA) -> DFA:
    """Return the DFA of the words in the left one and not in the right one."""
    return product(left, right, np.greater)


def symmetric_difference(left: DFA, right: DFA) -> DFA:
    """Return the DFA of the words in exactly one."""
    return product(left, right, np.logical_xor)


def different_alphabets(left: DFA, right: DFA) -> InputError:
    """Return the error for two automata that do not have the same letters in the same order."""
    return InputError(
        f"two automata can only be combined over one alphabet, got {listed(left.alphabet)} and {listed(right.alphabet)}"
    )


@numba.njit(cache=True, nogil=True)
def _explore_pairs(
    left: NDArray[np.int32], left_start: int, right: NDArray[np.int32], right_start: int, max_pairs: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the transitions between pairs, breadth first, and the pairs; gives up with more than ``max_pairs``.

    Left and right state stand in the high and low half of a table's only word.
    """
    n_letters = left.shape[1]
    capacity = 64
    while capacity <= n_letters:
        capacity *= 2
    rows, slots = new_table(capacity, 1)
    transitions = np.empty((capacity, n_letters), dtype=np.int32)
    pair = np.empty(1, dtype=np.uint64)
    pair[0] = (np.uint64(left_start) << np.uint64(32)) | np.uint64(right_start)
    count = intern(rows, 0, slots, pair) + 1
    done = 0
    while done < count <= max_pairs:
        done, count = _follow_letters(left, right, rows, slots, transitions, done, count)
        if done < count:
            rows, slots = grown(rows, count)
            larger = np.empty((rows.shape[0], n_letters), dtype=np.int32)
            larger[:done] = transitions[:done]
            transitions = larger
    pairs = np.empty((count, 2), dtype=np.int32)
    for index in range(count):
        pairs[index, 0] = np.int32(rows[index, 0] >> np.uint64(32))
        pairs[index, 1] = np.int32(rows[index, 0] & np.uint64(0xFFFFFFFF))
    return transitions[:count].copy(), pairs


@numba.njit(cache=True, nogil=True)
def _follow_letters(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    rows: NDArray[np.uint64],
    slots: NDArray[np.int32],
    transitions: NDArray[np.int32],
    done: int,
    count: int,
) -> tuple[int, int]:
    """Fill in rows of the transitions until all pairs are done or the table could overflow; return both numbers."""
    capacity, n_letters = transitions.shape
    pair = np.empty(1, dtype=np.uint64)
    while done < count and count + n_letters <= capacity:
        p = np.int64(rows[done, 0] >> np.uint64(32))
        q = np.int64(rows[done, 0] & np.uint64(0xFFFFFFFF))
        for letter in range(n_letters):
            pair[0] = (np.uint64(left[p, letter]) << np.uint64(32)) | np.uint64(right[q, letter])
            number = intern(rows, count, slots, pair)
            transitions[done, letter] = number
            count += number == count
        done += 1
    return done, count
