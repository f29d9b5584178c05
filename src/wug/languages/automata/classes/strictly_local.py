"""SL, coSL and their tier versions: which factors may, or must, occur.

A language is strictly k-local (SL) if a string belongs to it exactly if none of a set of factors of width at most k
occurs in it, the ends of the string counting as symbols. On the minimal DFA: the graph on unordered pairs of distinct
live states, which moves both along a common letter while they stay live and distinct, has no cycle; the smallest k is
the number of arcs of its longest path plus two, or one where at most one state is live (Edlefsen et al. 2008,
"Deciding strictly local (SL) languages"; Rogers and Lambert 2019, J. Language Modelling 7(2)). That is suffix
substitution closure: two strings that share a factor of width k - 1 may exchange what follows it.

The complement of an SL language is coSL; TSL and TcoSL are the same after erasing the neutral letters.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.forbidden_factors import factor_grammar
from wug.languages.automata.classes.paths import access_word, completing_word, distinguishing_word, run, spell
from wug.languages.automata.classes.specimen import Columns, Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def strictly_local(specimen: Specimen) -> Verdict:
    """Decide SL; k is the width."""
    return _decide(specimen, complement=False, tier=False)


@decision
def co_strictly_local(specimen: Specimen) -> Verdict:
    """Decide coSL; k is the width."""
    return _decide(specimen, complement=True, tier=False)


@decision
def tier_strictly_local(specimen: Specimen) -> Verdict:
    """Decide TSL; k is the width on the tier of salient letters."""
    return _decide(specimen, complement=False, tier=True)


@decision
def tier_co_strictly_local(specimen: Specimen) -> Verdict:
    """Decide TcoSL; k is the width on the tier of salient letters."""
    return _decide(specimen, complement=True, tier=True)


def _decide(specimen: Specimen, complement: bool, tier: bool) -> Verdict:
    live = specimen.live(complement)
    if not tier and specimen.neutral and live.sum() > 1:
        other = int(np.flatnonzero(live)[1])
        return no(lambda: _substitution_failure(specimen, complement, 0, other, specimen.neutral[:1]))
    width, first, second, loop = _longest_pair_path(specimen.letters.actions, live)
    if width:
        return yes(width, lambda: factor_grammar(specimen, width, complement=complement, tier=tier))
    word = tuple(specimen.letters.representatives[loop].tolist())
    return no(lambda: _substitution_failure(specimen, complement, first, second, word))


def _substitution_failure(specimen: Specimen, complement: bool, first: int, second: int, loop: Columns) -> Witness:
    """Return the witness of two live states that the word ``loop`` fixes: it can be repeated to any width."""
    inside = not complement
    s = distinguishing_word(specimen, first, second)
    if specimen.dfa.accepting[run(specimen, first, s)] == inside:
        first, second = second, first
    words = {
        "u": access_word(specimen, first),
        "x": loop,
        "v": completing_word(specimen, first, inside),
        "r": access_word(specimen, second),
        "s": s,
    }
    exchanged = (spell(specimen, words["u"] + loop + s),)
    given = tuple(spell(specimen, words[before] + loop + words[after]) for before, after in ("uv", "rs"))
    kind = "in" if inside else "outside"
    return Witness(
        f"if uxv and rxs are {kind} the language so is uxs, for every long x (here for no power of x)",
        {name: spell(specimen, word) for name, word in words.items()},
        *((given, exchanged) if inside else (exchanged, given)),
    )


@numba.njit(cache=True, nogil=True)
def _longest_pair_path(actions: NDArray[np.int32], live: NDArray[np.bool_]) -> tuple[int, int, int, NDArray[np.int32]]:
    """Return (width, -1, -1, empty), or (0, p, q, actions of a word that fixes the live states p and q)."""
    n_actions, n_states = actions.shape
    n_live = 0
    for state in range(n_states):
        n_live += live[state]
    if n_live <= 1:
        return 1, -1, -1, np.empty(0, np.int32)
    # depth: 0 not seen, -1 on the path, otherwise arcs of the longest path from the pair plus one
    depth = np.zeros(n_states * n_states, np.int32)
    n_pairs = n_live * (n_live - 1) // 2
    path = np.empty(n_pairs, np.int64)
    arc = np.empty(n_pairs, np.int32)
    best = np.empty(n_pairs, np.int32)
    longest = 0
    for p in range(n_states):
        if not live[p]:
            continue
        for q in range(p + 1, n_states):
            if not live[q] or depth[p * n_states + q] != 0:
                continue
            top = 0
            path[0] = p * n_states + q
            arc[0] = 0
            best[0] = 1
            depth[path[0]] = -1
            while top >= 0:
                pair = path[top]
                if arc[top] == n_actions:
                    depth[pair] = best[top]
                    longest = max(longest, best[top])
                    top -= 1
                    if top >= 0:
                        best[top] = max(best[top], depth[pair] + 1)
                    continue
                target = _pair_target(actions, live, pair, arc[top])
                arc[top] += 1
                if target < 0:
                    continue
                if depth[target] > 0:
                    best[top] = max(best[top], depth[target] + 1)
                    continue
                if depth[target] == 0:
                    top += 1
                    path[top] = target
                    arc[top] = 0
                    best[top] = 1
                    depth[target] = -1
                    continue
                bottom = top
                while path[bottom] != target:
                    bottom -= 1
                loop = np.empty(top - bottom + 1, np.int32)
                for index in range(bottom, top + 1):
                    loop[index - bottom] = arc[index] - 1
                first = target // n_states
                second = target % n_states
                reached = first
                for action in loop:
                    reached = actions[action, reached]
                if reached != first:
                    loop = np.concatenate((loop, loop))
                return 0, first, second, loop
    return longest + 1, -1, -1, np.empty(0, np.int32)


@numba.njit(cache=True, nogil=True)
def _pair_target(actions: NDArray[np.int32], live: NDArray[np.bool_], pair: int, action: int) -> int:
    """Return the unordered pair of live distinct states reached, as p * n_states + q with p < q, or -1."""
    n_states = actions.shape[1]
    p = actions[action, pair // n_states]
    q = actions[action, pair % n_states]
    if p == q or not live[p] or not live[q]:
        return -1
    return min(p, q) * n_states + max(p, q)
