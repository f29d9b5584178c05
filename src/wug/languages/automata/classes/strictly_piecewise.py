"""SP and coSP: which subsequences may, or must, occur.

A language is strictly piecewise (SP) if a string belongs to it exactly if none of a finite set of words is one of its
subsequences; equivalently if it is closed under deleting letters (Rogers et al. 2010, "On languages piecewise testable
in the strict sense"; Haines 1969). On the minimal DFA: L(q·a) is part of L(q) for every state q and letter a, where
L(q) is what q accepts. The smallest k is the length of the longest minimal forbidden subsequence.

The complement of an SP language is coSP.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import separated
from wug.languages.automata.classes.forbidden_subsequences import (
    longest_minimal_subsequence,
    subsequence_grammar,
)
from wug.languages.automata.classes.paths import access_word
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def strictly_piecewise(specimen: Specimen) -> Verdict:
    """Decide SP; k is the length of the longest minimal forbidden subsequence."""
    return _decide(specimen, complement=False)


@decision
def co_strictly_piecewise(specimen: Specimen) -> Verdict:
    """Decide coSP; k is the length of the longest minimal required subsequence."""
    return _decide(specimen, complement=True)


def _decide(specimen: Specimen, complement: bool) -> Verdict:
    inside = specimen.dfa.accepting != complement
    state, action, rest = _harmful_deletion(specimen.letters.actions, inside)
    if state < 0:
        return yes(
            longest_minimal_subsequence(specimen, inside), lambda: subsequence_grammar(specimen, complement=complement)
        )
    return no(lambda: _deletion_failure(specimen, complement, state, action, rest))


def _deletion_failure(
    specimen: Specimen, complement: bool, state: int, action: int, rest: NDArray[np.int32]
) -> Witness:
    letters = specimen.letters.representatives
    u, a, v = access_word(specimen, state), (int(letters[action]),), tuple(letters[rest].tolist())
    criterion = f"if uav is {'outside' if complement else 'in'} the language so is uv, for every letter a"
    return separated(specimen, criterion, {"u": u, "a": a, "v": v}, u + a + v, u + v)


@numba.njit(cache=True, nogil=True)
def _harmful_deletion(actions: NDArray[np.int32], inside: NDArray[np.bool_]) -> tuple[int, int, NDArray[np.int32]]:
    """Return (q, a, actions of a shortest v) with v inside after q·a and outside after q; q is -1 if there is none."""
    n_actions, n_states = actions.shape
    parent = np.full(n_states * n_states, -1, np.int32)
    by = np.empty(n_states * n_states, np.int32)
    queue = np.empty(n_states * n_states, np.int32)
    n_queued = 0
    # the pairs (q·a, q) are their own parents; `by` holds their action
    for state in range(n_states):
        for action in range(n_actions):
            target = actions[action, state]
            pair = target * n_states + state
            if target != state and parent[pair] < 0:
                parent[pair] = pair
                by[pair] = action
                queue[n_queued] = pair
                n_queued += 1
    done = 0
    while done < n_queued:
        pair = queue[done]
        done += 1
        first = pair // n_states
        second = pair % n_states
        if inside[first] and not inside[second]:
            length = 0
            root = pair
            while parent[root] != root:
                root = parent[root]
                length += 1
            rest = np.empty(length, np.int32)
            while parent[pair] != pair:
                length -= 1
                rest[length] = by[pair]
                pair = parent[pair]
            return root % n_states, by[root], rest
        for action in range(n_actions):
            left = actions[action, first]
            right = actions[action, second]
            target = left * n_states + right
            if left != right and parent[target] < 0:
                parent[target] = pair
                by[target] = action
                queue[n_queued] = target
                n_queued += 1
    return -1, -1, np.empty(0, np.int32)
