"""Letters that act alike: the few distinct actions behind a large alphabet."""

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.dfa import DFA


@dataclass(frozen=True, eq=False)
class LetterActions:
    """The distinct non-identity actions of the letters on the states; every other letter is neutral."""

    actions: NDArray[np.int32]
    """(n_actions, n_states) what each action does, in the order of the first letter that has it."""
    representatives: NDArray[np.int32]
    """(n_actions,) column of the first letter with the action."""
    action_of: NDArray[np.int32]
    """(n_letters,) action of each letter; -1 for a neutral letter, one that changes no state."""


def merge_letters(dfa: DFA) -> LetterActions:
    """Return the distinct actions of the letters, neutral letters apart.

    A letter is *neutral* if it fixes every state, *salient* otherwise. Every tier of the (minimal) DFA's language
    contains the salient letters, and the salient letters are a tier: the smallest.
    """
    actions, representatives, action_of = _merge(dfa.transitions)
    return LetterActions(actions, representatives, action_of)


@numba.njit(cache=True, nogil=True)
def _merge(
    transitions: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    n_states, n_letters = transitions.shape
    representatives = np.empty(n_letters, np.int32)
    action_of = np.full(n_letters, -1, np.int32)
    n_actions = 0
    for letter in range(n_letters):
        neutral = True
        for state in range(n_states):
            if transitions[state, letter] != state:
                neutral = False
                break
        if neutral:
            continue
        for action in range(n_actions):
            other = representatives[action]
            same = True
            for state in range(n_states):
                if transitions[state, letter] != transitions[state, other]:
                    same = False
                    break
            if same:
                action_of[letter] = action
                break
        if action_of[letter] < 0:
            action_of[letter] = n_actions
            representatives[n_actions] = letter
            n_actions += 1
    actions = np.empty((n_actions, n_states), np.int32)
    for action in range(n_actions):
        for state in range(n_states):
            actions[action, state] = transitions[state, representatives[action]]
    return actions, representatives[:n_actions].copy(), action_of
