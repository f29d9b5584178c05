"""PT: which subsequences occur decides.

A language is piecewise testable if the set of subsequences of length k of a string decides whether it belongs; exactly
then its syntactic monoid is J-trivial (Simon 1975, "Piecewise testable events"). On the minimal DFA: its only cycles
are self-loops, and from every state q and letters a, b the states q·a and q·b can be brought together by a word over
{a, b} (Klíma and Polák 2013, "Alternative automata characterization of piecewise testable languages"). That needs no
monoid and is what is decided here; without shortcuts it is the monoid's J-classes.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata._components import strong_components
from wug.languages.automata.classes.equations import separated
from wug.languages.automata.classes.one_sided import l_trivial, r_trivial
from wug.languages.automata.classes.paths import access_word, connecting_word, distinguishing_word, run
from wug.languages.automata.classes.specimen import Columns, Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def piecewise_testable(specimen: Specimen) -> Verdict:
    """Decide PT."""
    if not specimen.shortcuts:
        return r_trivial(specimen) and l_trivial(specimen)
    actions = specimen.letters.actions
    component = strong_components(specimen.merged.transitions)
    if component[-1] < component.size - 1:
        return no(lambda: _cycle_failure(specimen, component))
    state, a, b, rounds = _not_confluent(actions)
    if state < 0:
        return yes()
    return no(lambda: _confluence_failure(specimen, state, a, b, rounds))


def _cycle_failure(specimen: Specimen, component: NDArray[np.int32]) -> Witness:
    first, second = np.flatnonzero(component == np.bincount(component).argmax())[:2].tolist()
    x, y = connecting_word(specimen, first, second), connecting_word(specimen, second, first)
    criterion = "for large n (here for no n) u(xy)^n xv is in the language exactly if u(xy)^n v is"
    return _failure(specimen, criterion, access_word(specimen, first), x, y, x + y + x, x + y)


def _confluence_failure(specimen: Specimen, state: int, a: int, b: int, rounds: int) -> Witness:
    x, y = ((int(specimen.letters.representatives[action]),) for action in (a, b))
    criterion = "for large n (here for no n) ux(xy)^n v is in the language exactly if uy(xy)^n v is"
    turns = (x + y) * rounds
    return _failure(specimen, criterion, access_word(specimen, state), x, y, x + turns, y + turns)


def _failure(
    specimen: Specimen, criterion: str, u: Columns, x: Columns, y: Columns, left: Columns, right: Columns
) -> Witness:
    v = distinguishing_word(specimen, run(specimen, 0, u + left), run(specimen, 0, u + right))
    return separated(specimen, criterion, {"u": u, "x": x, "y": y, "v": v}, u + left + v, u + right + v)


@numba.njit(cache=True, nogil=True)
def _not_confluent(actions: NDArray[np.int32]) -> tuple[int, int, int, int]:
    """Return (q, a, b, n) with q·a(ab)^n and q·b(ab)^n different and fixed by a and b, or -1s.

    The only cycles must be self-loops, so that repeating ab comes to rest.
    """
    n_actions, n_states = actions.shape
    for state in range(n_states):
        for a in range(n_actions):
            for b in range(a):
                first = actions[a, state]
                second = actions[b, state]
                rounds = 0
                while first != second:
                    next_first = actions[b, actions[a, first]]
                    next_second = actions[b, actions[a, second]]
                    if next_first == first and next_second == second:
                        return state, a, b, rounds
                    first = next_first
                    second = next_second
                    rounds += 1
    return -1, -1, -1, -1
