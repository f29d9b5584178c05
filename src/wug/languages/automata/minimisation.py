"""The minimal DFA, by Hopcroft's partition refinement, numbered canonically.

Sources: Hopcroft 1971, "An n log n algorithm for minimizing states in a finite automaton"; the refinable partition
is that of Valmari and Lehtinen 2008, "Efficient minimization of DFAs with partial transition functions".
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.dfa import DFA


def reachable(dfa: DFA) -> DFA:
    """Return the states that some word reaches, numbered by breadth-first search in letter order, start 0."""
    order, number = _breadth_first(dfa.transitions, dfa.start)
    return DFA(number[dfa.transitions[order]], dfa.accepting[order], dfa.alphabet)


def minimise(dfa: DFA) -> DFA:
    """Return the complete minimal DFA in its canonical numbering; O(n s log n) for n states and s letters.

    States are numbered by breadth-first search from the start state, letters in alphabet order, so that two DFAs
    accept the same language over the same alphabet exactly if their minimal tables are equal.
    """
    order, number = _breadth_first(dfa.transitions, dfa.start)
    transitions = number[dfa.transitions[order]]
    accepting = dfa.accepting[order]
    # The least word (by length, then letters) that reaches a block is that of its first state, so blocks numbered by
    # their first states are in breadth-first order already.
    block, first_states = _coarsest_partition(transitions, accepting)
    return DFA(block[transitions[first_states]], accepting[first_states], dfa.alphabet)


@numba.njit(cache=True, nogil=True)
def _breadth_first(transitions: NDArray[np.int32], start: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the reachable states in order and the number of each state (-1 where it is not reachable)."""
    n_states, n_letters = transitions.shape
    order = np.empty(n_states, dtype=np.int32)
    number = np.full(n_states, -1, dtype=np.int32)
    order[0] = start
    number[start] = 0
    found = 1
    done = 0
    while done < found:
        state = order[done]
        done += 1
        for letter in range(n_letters):
            target = transitions[state, letter]
            if number[target] < 0:
                number[target] = found
                order[found] = target
                found += 1
    return order[:found].copy(), number


@numba.njit(cache=True, nogil=True)
def _predecessors(transitions: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return ``starts`` and ``sources``: the sources of arcs by ``letter`` into ``target`` begin at
    ``starts[letter * n_states + target]``.
    """
    n_states, n_letters = transitions.shape
    starts = np.zeros(n_states * n_letters + 1, dtype=np.int64)
    for state in range(n_states):
        for letter in range(n_letters):
            starts[letter * n_states + transitions[state, letter] + 1] += 1
    for index in range(1, starts.shape[0]):
        starts[index] += starts[index - 1]
    free = starts[:-1].copy()
    sources = np.empty(n_states * n_letters, dtype=np.int32)
    for state in range(n_states):
        for letter in range(n_letters):
            key = letter * n_states + transitions[state, letter]
            sources[free[key]] = state
            free[key] += 1
    return starts, sources


@numba.njit(cache=True, nogil=True)
def _coarsest_partition(
    transitions: NDArray[np.int32], accepting: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the block of each state, blocks numbered by their first states, and those first states."""
    n_states, n_letters = transitions.shape
    starts, sources = _predecessors(transitions)
    members = np.empty(n_states, dtype=np.int32)  # the blocks' members, block after block
    position = np.empty(n_states, dtype=np.int32)
    block = np.zeros(n_states, dtype=np.int32)
    begin = np.zeros(n_states, dtype=np.int32)
    end = np.zeros(n_states, dtype=np.int32)
    marked = np.zeros(n_states, dtype=np.int32)  # how many members at the front of the block are marked
    touched = np.empty(n_states, dtype=np.int32)
    pending = np.empty(n_states, dtype=np.int32)
    splitter = np.empty(n_states, dtype=np.int32)

    n_accepting = 0
    for state in range(n_states):
        if accepting[state]:
            members[n_accepting] = state
            n_accepting += 1
    rest = n_accepting
    for state in range(n_states):
        if not accepting[state]:
            members[rest] = state
            rest += 1
    for index in range(n_states):
        position[members[index]] = index
    end[0] = n_states
    n_blocks = 1
    n_pending = 0
    if 0 < n_accepting < n_states:
        end[0] = n_accepting
        begin[1] = n_accepting
        end[1] = n_states
        for index in range(n_accepting, n_states):
            block[members[index]] = 1
        n_blocks = 2
        pending[0] = 0 if 2 * n_accepting <= n_states else 1
        n_pending = 1

    while n_pending > 0:
        n_pending -= 1
        current = pending[n_pending]
        size = end[current] - begin[current]
        splitter[:size] = members[begin[current] : end[current]]
        for letter in range(n_letters):
            n_touched = 0
            for index in range(size):
                key = letter * n_states + splitter[index]
                for arc in range(starts[key], starts[key + 1]):
                    source = sources[arc]
                    home = block[source]
                    if marked[home] == 0:
                        touched[n_touched] = home
                        n_touched += 1
                    front = begin[home] + marked[home]
                    other = members[front]
                    members[position[source]] = other
                    position[other] = position[source]
                    members[front] = source
                    position[source] = front
                    marked[home] += 1
            for index in range(n_touched):
                home = touched[index]
                cut = begin[home] + marked[home]
                n_marked = marked[home]
                marked[home] = 0
                if cut == end[home]:
                    continue
                # The smaller part becomes the new block. It must be pending in any case: together with the rest if
                # that is pending, and in its stead (Hopcroft's "smaller half") if not.
                if 2 * n_marked <= end[home] - begin[home]:
                    begin[n_blocks] = begin[home]
                    end[n_blocks] = cut
                    begin[home] = cut
                else:
                    begin[n_blocks] = cut
                    end[n_blocks] = end[home]
                    end[home] = cut
                for place in range(begin[n_blocks], end[n_blocks]):
                    block[members[place]] = n_blocks
                pending[n_pending] = n_blocks
                n_pending += 1
                n_blocks += 1

    number = np.full(n_blocks, -1, dtype=np.int32)
    first_states = np.empty(n_blocks, dtype=np.int32)
    found = 0
    for state in range(n_states):
        if number[block[state]] < 0:
            number[block[state]] = found
            first_states[found] = state
            found += 1
        block[state] = number[block[state]]
    return block, first_states
