"""Compiled merging of the states of a prefix tree, red and blue.

Red states are settled, blue ones are the other states that a red one leads to; behind each blue state is a tree. A
merge leads the arc into the blue state to a red one instead and *folds* the blue tree into the automaton there: states
that the same string reaches become one. A fold that would make one state of an accepted and of a rejected string is
undone.
"""

import numba
import numpy as np
from numpy.typing import NDArray

NONE = -1
"""No transition; no label."""
_LABEL = -1
"""Stands for the letter where a change of a label is noted."""


@numba.njit(cache=True, nogil=True)
def prefix_tree(
    columns: NDArray[np.int32], offsets: NDArray[np.int64], labels: NDArray[np.int8], n_letters: int
) -> tuple[NDArray[np.int32], NDArray[np.int8], bool]:
    """Return transitions and labels of the prefix tree, state 0 the root, and whether no string has two labels."""
    child = np.full((len(columns) + 1, n_letters), NONE, np.int32)
    label = np.full(len(columns) + 1, NONE, np.int8)
    n_states = 1
    is_consistent = True
    for string in range(len(labels)):
        state = 0
        for place in range(offsets[string], offsets[string + 1]):
            letter = columns[place]
            if child[state, letter] == NONE:
                child[state, letter] = n_states
                n_states += 1
            state = child[state, letter]
        if label[state] == 1 - labels[string]:
            is_consistent = False
        label[state] = labels[string]
    return child[:n_states].copy(), label[:n_states].copy(), is_consistent


@numba.njit(cache=True, nogil=True)
def _fold(
    child: NDArray[np.int32],
    label: NDArray[np.int8],
    arc: NDArray[np.int32],
    red: int,
    stack: NDArray[np.int32],
    changes: NDArray[np.int32],
) -> tuple[int, int]:
    """Merge the state behind an arc (state, letter) into a red one; return (evidence or NONE, number of changes).

    Evidence is how often two states with the same label became one. ``changes`` holds (state, letter, what it was).
    """
    changes[0, 0], changes[0, 1], changes[0, 2] = arc[0], arc[1], child[arc[0], arc[1]]
    n_changes, evidence, height = 1, 0, 1
    stack[0, 0], stack[0, 1] = red, child[arc[0], arc[1]]
    child[arc[0], arc[1]] = red
    while height > 0:
        height -= 1
        into, state = stack[height, 0], stack[height, 1]
        if label[state] != NONE:
            if label[into] == NONE:
                changes[n_changes, 0], changes[n_changes, 1], changes[n_changes, 2] = into, _LABEL, NONE
                n_changes += 1
                label[into] = label[state]
            elif label[into] != label[state]:
                return NONE, n_changes
            else:
                evidence += 1
        for letter in range(child.shape[1]):
            target = child[state, letter]
            if target == NONE:
                continue
            if child[into, letter] == NONE:
                changes[n_changes, 0], changes[n_changes, 1], changes[n_changes, 2] = into, letter, NONE
                n_changes += 1
                child[into, letter] = target
            else:
                stack[height, 0], stack[height, 1] = child[into, letter], target
                height += 1
    return evidence, n_changes


@numba.njit(cache=True, nogil=True)
def _undo(child: NDArray[np.int32], label: NDArray[np.int8], changes: NDArray[np.int32], n_changes: int) -> None:
    for index in range(n_changes - 1, -1, -1):
        state, letter = changes[index, 0], changes[index, 1]
        if letter == _LABEL:
            label[state] = NONE
        else:
            child[state, letter] = changes[index, 2]


@numba.njit(cache=True, nogil=True)
def merge_states(child: NDArray[np.int32], label: NDArray[np.int8], weighs: bool, window: int) -> NDArray[np.int32]:
    """Merge states in place until all are red; return the red states, the root first.

    States are ordered by their access words: length, then letters. Each of the first ``window`` blue states (at least
    one) is tried with each red one. The first blue state that fits none becomes red. If all fit some, the merge with
    most evidence is made, the first of equals: EDSM on the blue fringe. Unless it ``weighs``, the first red state that
    fits is taken: RPNI, with a window of one.
    """
    n_states, n_letters = child.shape
    stack = np.empty((n_states + 1, 2), np.int32)
    changes = np.empty((2 * n_states + 2, 3), np.int32)
    is_red = np.zeros(n_states, np.bool_)
    is_red[0] = True
    reds = np.zeros(1, np.int32)
    position, depth = np.zeros(n_states, np.int32), np.zeros(n_states, np.int32)
    parent, last = np.zeros(n_states, np.int32), np.zeros(n_states, np.int32)
    arc, best_arc = np.empty(2, np.int32), np.empty(2, np.int32)
    while True:
        best, best_red, n_blue, fits = NONE, reds[0], 0, True
        for place in range(len(reds)):
            for letter in range(n_letters):
                blue = child[reds[place], letter]
                if blue == NONE or is_red[blue]:
                    continue
                n_blue += 1
                arc[0], arc[1] = reds[place], letter
                fits = False
                for red in reds:
                    evidence, n_changes = _fold(child, label, arc, red, stack, changes)
                    _undo(child, label, changes, n_changes)
                    fits |= evidence != NONE
                    if evidence > best:
                        best, best_red = evidence, red
                        best_arc[:] = arc
                    if fits and not weighs:
                        break
                if not fits or n_blue == window:
                    break
            if not fits or n_blue == window:
                break
        if n_blue == 0:
            return reds
        if fits:
            _fold(child, label, best_arc, best_red, stack, changes)
            continue
        state = child[arc[0], arc[1]]
        is_red[state] = True
        parent[state], last[state], depth[state] = arc[0], arc[1], depth[arc[0]] + 1
        at = len(reds)
        while _is_shorter_or_earlier(state, reds[at - 1], depth, position, parent, last):
            at -= 1
        reds = np.concatenate((reds[:at], np.array([state], np.int32), reds[at:]))
        for place in range(at, len(reds)):
            position[reds[place]] = place


@numba.njit(cache=True, nogil=True)
def _is_shorter_or_earlier(
    state: int,
    other: int,
    depth: NDArray[np.int32],
    position: NDArray[np.int32],
    parent: NDArray[np.int32],
    last: NDArray[np.int32],
) -> bool:
    """Return whether the access word of a state comes before that of a red one, both being red states' and a letter."""
    if depth[state] != depth[other]:
        return depth[state] < depth[other]
    if parent[state] != parent[other]:
        return position[parent[state]] < position[parent[other]]
    return last[state] < last[other]
