"""SPL, coSPL and their tier versions: the strict counterparts of PLT.

A language is in coSPL if it is a finite union of languages w0 Σ* w1 Σ* ... Σ* wm: a string must have one of a set of
factor sequences, adjacent in places and ordered at a distance elsewhere (level one half of the dot-depth hierarchy).
Exactly then inserting is harmless inside a repeated word: if u x^ω v is in L so is u x^ω y x^ω v, which is the
inequality x^ω y x^ω ≤ x^ω of ordered syntactic semigroups (Pin and Weil 1997, "Polynomial closure and unambiguous
product"). SPL holds their complements, where such sequences are forbidden; the paper on MLRegTest left both out for
want of a decision procedure. The tier versions take x and y from words of salient letters.

On the minimal DFA: for every idempotent e, every state q that e fixes and every state r that q leads to,
L(q) is part of L(r·e) for coSPL and contains it for SPL.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.dot_depth_one import dot_depth_one, tier_dot_depth_one
from wug.languages.automata.classes.equations import separated
from wug.languages.automata.classes.paths import access_word, connecting_word, excluding_word
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def strictly_piecewise_local(specimen: Specimen) -> Verdict:
    """Decide SPL."""
    return _decide(specimen, complement=False, tier=False)


@decision
def co_strictly_piecewise_local(specimen: Specimen) -> Verdict:
    """Decide coSPL."""
    return _decide(specimen, complement=True, tier=False)


@decision
def tier_strictly_piecewise_local(specimen: Specimen) -> Verdict:
    """Decide TSPL."""
    return _decide(specimen, complement=False, tier=True)


@decision
def tier_co_strictly_piecewise_local(specimen: Specimen) -> Verdict:
    """Decide TcoSPL."""
    return _decide(specimen, complement=True, tier=True)


def _decide(specimen: Specimen, complement: bool, tier: bool) -> Verdict:
    if specimen.shortcuts:
        dot_depth = (tier_dot_depth_one if tier else dot_depth_one)(specimen)
        if not dot_depth:
            return dot_depth
    inside = specimen.dfa.accepting != complement
    idempotents = specimen.objects[specimen.start(tier) :]
    index, state, between = _harmful_insertion(specimen.monoid.elements[idempotents], specimen.letters.actions, inside)
    if index < 0:
        return yes()
    return no(lambda: _failure(specimen, complement, tier, int(idempotents[index]), state, between))


def _failure(specimen: Specimen, complement: bool, tier: bool, idempotent: int, state: int, between: int) -> Witness:
    x = specimen.monoid.word(idempotent) or specimen.monoid.unit_word(tier)
    u, y = access_word(specimen, state), connecting_word(specimen, state, between)
    reached = int(specimen.monoid.elements[idempotent, between])
    v = excluding_word(specimen, reached, state, not complement)
    kind = "outside" if complement else "in"
    criterion = f"if uxyxv is {kind} the language so is uxv, where x acts like xx"
    return separated(specimen, criterion, {"u": u, "x": x, "y": y, "v": v}, u + x + y + x + v, u + x + v)


@numba.njit(cache=True, nogil=True)
def _harmful_insertion(
    idempotents: NDArray[np.int32], actions: NDArray[np.int32], inside: NDArray[np.bool_]
) -> tuple[int, int, int]:
    """Return (index of e, q, r): a word is inside after r·e and not after q = q·e, which leads to r; or -1s."""
    n_actions, n_states = actions.shape
    included = _inclusions(actions, inside)
    seen = np.full(n_states, -1, np.int32)
    stack = np.empty(n_states, np.int32)
    for state in range(n_states):
        # the states that this one leads to, collected once for all idempotents that fix it
        height = 1
        stack[0] = state
        seen[state] = state
        done = 0
        while done < height:
            for action in range(n_actions):
                target = actions[action, stack[done]]
                if seen[target] != state:
                    seen[target] = state
                    stack[height] = target
                    height += 1
            done += 1
        for index in range(idempotents.shape[0]):
            if idempotents[index, state] != state:
                continue
            for between in stack[:height]:
                if not included[idempotents[index, between], state]:
                    return index, state, between
    return -1, -1, -1


@numba.njit(cache=True, nogil=True)
def _inclusions(actions: NDArray[np.int32], inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n_states, n_states) whether every word that leads inside from the row does so from the column."""
    n_actions, n_states = actions.shape
    offsets = np.zeros((n_actions, n_states + 1), np.int32)
    sources = np.empty((n_actions, n_states), np.int32)
    for action in range(n_actions):
        for state in range(n_states):
            offsets[action, actions[action, state] + 1] += 1
        for state in range(n_states):
            offsets[action, state + 1] += offsets[action, state]
        fill = offsets[action, :n_states].copy()
        for state in range(n_states):
            target = actions[action, state]
            sources[action, fill[target]] = state
            fill[target] += 1
    included = np.ones((n_states, n_states), np.bool_)
    queue = np.empty(n_states * n_states, np.int32)
    n_queued = 0
    for row in range(n_states):
        for column in range(n_states):
            if inside[row] and not inside[column]:
                included[row, column] = False
                queue[n_queued] = row * n_states + column
                n_queued += 1
    done = 0
    while done < n_queued:
        row = queue[done] // n_states
        column = queue[done] % n_states
        done += 1
        for action in range(n_actions):
            for i in range(offsets[action, row], offsets[action, row + 1]):
                for j in range(offsets[action, column], offsets[action, column + 1]):
                    first = sources[action, i]
                    second = sources[action, j]
                    if included[first, second]:
                        included[first, second] = False
                        queue[n_queued] = first * n_states + second
                        n_queued += 1
    return included
