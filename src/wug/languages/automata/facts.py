"""What kind of language a DFA accepts: empty, everything, finite; live states; shortest words."""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.boolean import complement
from wug.languages.automata.dfa import DFA, Word
from wug.languages.automata.minimisation import reachable


def live_states(dfa: DFA) -> NDArray[np.bool_]:
    """Return (n_states,) whether some word leads from the state to an accepting one."""
    return _can_reach(dfa.transitions, dfa.accepting)


def n_trimmed_states(dfa: DFA) -> int:
    """Return the number of states of the trimmed DFA: reachable and live ones."""
    return int(live_states(reachable(dfa)).sum())


def is_empty(dfa: DFA) -> bool:
    """Return whether no word is accepted."""
    return not reachable(dfa).accepting.any()


def is_universal(dfa: DFA) -> bool:
    """Return whether every word is accepted."""
    return bool(reachable(dfa).accepting.all())


def is_finite(dfa: DFA) -> bool:
    """Return whether finitely many words are accepted: no cycle goes through live states."""
    return longest_length(dfa) is not None


def longest_length(dfa: DFA) -> int | None:
    """Return the length of the longest accepted words, -1 if there are none, None if there is no bound."""
    found = reachable(dfa)
    length = _longest_path(found.transitions, live_states(found), found.accepting)
    return None if length == _UNBOUNDED else length


def shortest_accepted(dfa: DFA) -> Word | None:
    """Return the first accepted word by length, then alphabet order; None if there is none.

    >>> from wug.languages.automata.building import from_table
    >>> shortest_accepted(from_table([[0, 1], [2, 1], [2, 2]], [2], "ab"))
    ('b', 'a')
    """
    word = _least_word(dfa.transitions, dfa.start, dfa.accepting)
    return None if word.size and word[0] < 0 else tuple(dfa.alphabet[column] for column in word)


def shortest_rejected(dfa: DFA) -> Word | None:
    """Return the first rejected word by length, then alphabet order; None if there is none."""
    return shortest_accepted(complement(dfa))


_UNBOUNDED = -2


@numba.njit(cache=True, nogil=True)
def _can_reach(transitions: NDArray[np.int32], goal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which states reach a goal, by a backward search over all arcs."""
    n_states, n_letters = transitions.shape
    starts = np.zeros(n_states + 1, dtype=np.int64)
    for state in range(n_states):
        for letter in range(n_letters):
            starts[transitions[state, letter] + 1] += 1
    starts = np.cumsum(starts)
    free = starts[:-1].copy()
    sources = np.empty(n_states * n_letters, dtype=np.int32)
    for state in range(n_states):
        for letter in range(n_letters):
            target = transitions[state, letter]
            sources[free[target]] = state
            free[target] += 1
    reaches = goal.copy()
    stack = np.empty(n_states, dtype=np.int32)
    height = 0
    for state in range(n_states):
        if goal[state]:
            stack[height] = state
            height += 1
    while height > 0:
        height -= 1
        target = stack[height]
        for arc in range(starts[target], starts[target + 1]):
            source = sources[arc]
            if not reaches[source]:
                reaches[source] = True
                stack[height] = source
                height += 1
    return reaches


@numba.njit(cache=True, nogil=True)
def _longest_path(transitions: NDArray[np.int32], live: NDArray[np.bool_], accepting: NDArray[np.bool_]) -> int:
    """Return the longest path from state 0 to an accepting state, by removing live states in topological order.

    Every state must be reachable from state 0.
    """
    if not live[0]:
        return -1
    n_states, n_letters = transitions.shape
    incoming = np.zeros(n_states, dtype=np.int64)
    for state in range(n_states):
        if live[state]:
            for letter in range(n_letters):
                incoming[transitions[state, letter]] += 1
    if incoming[0] > 0:
        return _UNBOUNDED
    depth = np.zeros(n_states, dtype=np.int64)
    queue = np.zeros(n_states, dtype=np.int32)
    done = 0
    found = 1
    while done < found:
        state = queue[done]
        done += 1
        for letter in range(n_letters):
            target = transitions[state, letter]
            if live[target]:
                depth[target] = max(depth[target], depth[state] + 1)
                incoming[target] -= 1
                if incoming[target] == 0:
                    queue[found] = target
                    found += 1
    if done < live.sum():
        return _UNBOUNDED
    longest = 0
    for state in range(n_states):
        if accepting[state]:
            longest = max(longest, depth[state])
    return longest


@numba.njit(cache=True, nogil=True)
def _least_word(transitions: NDArray[np.int32], start: int, goal: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the columns of the least word into a goal state; a single -1 if there is none."""
    n_states, n_letters = transitions.shape
    parent = np.full(n_states, -1, dtype=np.int32)
    by = np.empty(n_states, dtype=np.int32)
    queue = np.empty(n_states, dtype=np.int32)
    queue[0] = start
    parent[start] = start
    done = 0
    found = 1
    while done < found:
        state = queue[done]
        done += 1
        if goal[state]:
            length = 0
            while state != start:
                queue[length] = by[state]
                state = parent[state]
                length += 1
            return queue[:length][::-1].copy()
        for letter in range(n_letters):
            target = transitions[state, letter]
            if parent[target] < 0:
                parent[target] = state
                by[target] = letter
                queue[found] = target
                found += 1
    return np.full(1, -1, dtype=np.int32)
