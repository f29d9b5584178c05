"""N, D, K and GD: a bounded beginning or end decides; and the same on the tier.

A language is definite (D) if the last k letters of a string decide, reverse definite (K) if the first k do, generalised
definite (GD) if both together do, and finite or cofinite (N) if all strings of length at least k are treated alike.
In the syntactic semigroup S, for every idempotent e and every s: se = e for D, es = e for K, both for N, ese = e
for GD, the locally trivial semigroups (Perles, Rabin and Shamir 1963, "The theory of definite automata"; Ginzburg
1966; Eilenberg 1976, Automata, languages, and machines B).

In all four the idempotents are the smallest ideal of S, and k is the smallest length such that the words of this
length are in it: if x is a word of length k and xsx acts as x, then x is in every ideal that s is in.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def definite(specimen: Specimen) -> Verdict:
    """Decide D; k is the number of last letters that decide."""
    return _absorbing(specimen, on_left=True, tier=False)


@decision
def reverse_definite(specimen: Specimen) -> Verdict:
    """Decide K; k is the number of first letters that decide."""
    return _absorbing(specimen, on_left=False, tier=False)


@decision
def finite_or_cofinite(specimen: Specimen) -> Verdict:
    """Decide N; all strings of k or more letters are treated alike."""
    return reverse_definite(specimen) and definite(specimen)


@decision
def generalised_definite(specimen: Specimen) -> Verdict:
    """Decide GD; k is the number of first and of last letters that decide."""
    return _locally_trivial(specimen, tier=False)


@decision
def tier_definite(specimen: Specimen) -> Verdict:
    """Decide TD: D on the tier of salient letters."""
    return _absorbing(specimen, on_left=True, tier=True)


@decision
def tier_reverse_definite(specimen: Specimen) -> Verdict:
    """Decide TK: K on the tier of salient letters."""
    return _absorbing(specimen, on_left=False, tier=True)


@decision
def tier_finite_or_cofinite(specimen: Specimen) -> Verdict:
    """Decide TN: N on the tier of salient letters."""
    return tier_reverse_definite(specimen) and tier_definite(specimen)


@decision
def tier_generalised_definite(specimen: Specimen) -> Verdict:
    """Decide TGD: GD on the tier of salient letters."""
    return _locally_trivial(specimen, tier=True)


def _absorbing(specimen: Specimen, on_left: bool, tier: bool) -> Verdict:
    """Decide whether se = e (``on_left``) or es = e; it is enough to look at letters s."""
    monoid = specimen.monoid
    cayley = monoid.left if on_left else monoid.right
    idempotents = np.flatnonzero(monoid.is_idempotent)[specimen.start(tier) :]
    moves = cayley[idempotents] != idempotents[:, None]
    if not moves.any():
        return yes(_ideal_depth(specimen, tier))
    row, action = np.argwhere(moves)[0].tolist()
    elements = {"e": int(idempotents[row]), "s": int(monoid.right[0, action])}
    equation = "se = e" if on_left else "es = e"
    return no(lambda: failed_equation(specimen, "for every word s and idempotent e", equation, elements, tier=tier))


def _locally_trivial(specimen: Specimen, tier: bool) -> Verdict:
    start = specimen.start(tier)
    offsets, members = specimen.local_monoids
    sizes = np.diff(offsets)[start:]
    if (sizes == 1).all():
        return yes(_ideal_depth(specimen, tier))
    index = start + int((sizes > 1).argmax())
    return no(
        lambda: _failure(specimen, int(specimen.objects[index]), members[offsets[index] : offsets[index + 1]], tier)
    )


def _failure(specimen: Specimen, e: int, local: NDArray[np.int32], tier: bool) -> Witness:
    elements = {"e": e, "s": shortest_inner(specimen, e, int(local[local != e][0]), tier=tier)}
    return failed_equation(specimen, "for every word s and idempotent e", "ese = e", elements, tier=tier)


def _ideal_depth(specimen: Specimen, tier: bool) -> int:
    """Return the smallest length whose words are all in the smallest ideal, which holds all idempotents of S."""
    outside = ~specimen.monoid.is_idempotent
    outside[0] = specimen.start(tier) == 1
    return int(_longest_outside(specimen.monoid.right, outside))


@numba.njit(cache=True, nogil=True)
def _longest_outside(right: NDArray[np.int32], outside: NDArray[np.bool_]) -> int:
    """Return the number of letters that surely leave the elements ``outside``, which no cycle joins."""
    m, n_actions = right.shape
    reached = np.zeros(m, np.bool_)
    reached[0] = outside[0]
    length = 0
    while reached.any():
        following = np.zeros(m, np.bool_)
        for element in range(m):
            if reached[element]:
                for action in range(n_actions):
                    following[right[element, action]] |= outside[right[element, action]]
        reached = following
        length += 1
    return length
