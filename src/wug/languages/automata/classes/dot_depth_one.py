"""PLT and TPLT: dot-depth one.

Propositional formulas over factors that are adjacent in places and ordered at a distance elsewhere define the
languages of dot-depth one: Boolean combinations of Σ* w1 Σ* w2 ... wm Σ* with fixed beginnings and ends. For their
syntactic semigroup S and all idempotents e, f, all a, c in eSf and b, d in fSe

    (ab)^ω a d (cd)^ω = (ab)^ω (cd)^ω

and conversely (Knast 1983, "A semigroup characterization of dot-depth one languages").

With p = (ab)^ω the element pa lies in the R-class of p and in eSf, and every such element arises (take a = pa); dually
for q = (cd)^ω. So the equation says: αβ = pq for all idempotents p, q of eSe, all α in eSf R-equivalent to p and all
β in fSe L-equivalent to q. That is the form decided here.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata._components import class_lists
from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.one_sided import locally_j_trivial, tier_locally_j_trivial
from wug.languages.automata.classes.piecewise_testable import piecewise_testable
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.threshold_testable import (
    locally_threshold_testable,
    tier_locally_threshold_testable,
)
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def dot_depth_one(specimen: Specimen) -> Verdict:
    """Decide PLT, which is dot-depth one."""
    if specimen.shortcuts and piecewise_testable(specimen):
        return yes()
    return _decide(specimen, tier=False)


@decision
def tier_dot_depth_one(specimen: Specimen) -> Verdict:
    """Decide TPLT, which is dot-depth one on the tier of salient letters."""
    if specimen.shortcuts and (not specimen.neutral or piecewise_testable(specimen)):
        return dot_depth_one(specimen)
    return _decide(specimen, tier=True)


def _decide(specimen: Specimen, tier: bool) -> Verdict:
    if specimen.shortcuts:
        if (tier_locally_threshold_testable if tier else locally_threshold_testable)(specimen):
            return yes()
        local = (tier_locally_j_trivial if tier else locally_j_trivial)(specimen)
        if not local:
            return local
    monoid = specimen.monoid
    start = specimen.start(tier)
    offsets, members = specimen.local_monoids
    found = _knast_failure(
        monoid.table,
        monoid.is_idempotent,
        specimen.objects[start:],
        offsets[start:],
        members,
        monoid.green.r,
        monoid.green.l,
    )
    if found[0] < 0:
        return yes()
    return no(lambda: _failure(specimen, found.tolist(), tier))


def _failure(specimen: Specimen, found: list[int], tier: bool) -> Witness:
    """Return the witness for p = (ab)^ω and q = (cd)^ω: b and c are found from a and d."""
    e, f, p, a, q, d = found
    table = specimen.monoid.table
    elements = {
        "e": e,
        "f": f,
        "a": shortest_inner(specimen, e, a, f, tier=tier),
        "b": shortest_inner(specimen, f, int(_right_factor(table, f, e, a, p)), e, tier=tier),
        "c": shortest_inner(specimen, e, int(_left_factor(table, e, f, d, q)), f, tier=tier),
        "d": shortest_inner(specimen, f, d, e, tier=tier),
    }
    equation = "(eafbe)^ω eafde (ecfde)^ω = (eafbe)^ω (ecfde)^ω"
    criterion = "for all words a, b, c, d and idempotents e, f"
    return failed_equation(specimen, criterion, equation, elements, tier=tier)


@numba.njit(cache=True, nogil=True)
def _knast_failure(
    table: NDArray[np.uint16],
    is_idempotent: NDArray[np.bool_],
    objects: NDArray[np.int32],
    offsets: NDArray[np.int32],
    members: NDArray[np.int32],
    r_class: NDArray[np.int32],
    l_class: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Return (e, f, p, α, q, β) with αβ other than pq, or -1s."""
    r_offsets, r_members = class_lists(r_class)
    l_offsets, l_members = class_lists(l_class)
    idempotents = np.empty(is_idempotent.size, np.int32)
    found = np.full(6, -1, np.int32)
    for i in range(objects.size):
        e = objects[i]
        local = members[offsets[i] : offsets[i + 1]]
        n_idempotents = 0
        most_left = 0
        most_right = 0
        for p in local:
            if not is_idempotent[p]:
                continue
            idempotents[n_idempotents] = p
            n_idempotents += 1
            most_left += r_offsets[r_class[p] + 1] - r_offsets[r_class[p]]
            most_right += l_offsets[l_class[p] + 1] - l_offsets[l_class[p]]
        left = np.empty((most_left, 2), np.int32)
        right = np.empty((most_right, 2), np.int32)
        for f in objects:
            n_left = 0
            n_right = 0
            for p in idempotents[:n_idempotents]:
                for alpha in r_members[r_offsets[r_class[p]] : r_offsets[r_class[p] + 1]]:
                    if table[alpha, f] == alpha:
                        left[n_left, 0] = p
                        left[n_left, 1] = alpha
                        n_left += 1
                for beta in l_members[l_offsets[l_class[p]] : l_offsets[l_class[p] + 1]]:
                    if table[f, beta] == beta:
                        right[n_right, 0] = p
                        right[n_right, 1] = beta
                        n_right += 1
            for j in range(n_left):
                p = left[j, 0]
                alpha = left[j, 1]
                for k in range(n_right):
                    q = right[k, 0]
                    beta = right[k, 1]
                    if (alpha != p or beta != q) and table[alpha, beta] != table[p, q]:
                        for position, element in enumerate((e, f, p, alpha, q, beta)):
                            found[position] = element
                        return found
    return found


@numba.njit(cache=True, nogil=True)
def _right_factor(table: NDArray[np.uint16], f: int, e: int, a: int, p: int) -> int:
    """Return a b of fSe with ab = p; there is one."""
    for s in range(table.shape[0]):
        b = table[table[f, s], e]
        if table[a, b] == p:
            return b
    return -1


@numba.njit(cache=True, nogil=True)
def _left_factor(table: NDArray[np.uint16], e: int, f: int, d: int, q: int) -> int:
    """Return a c of eSf with cd = q; there is one."""
    for s in range(table.shape[0]):
        c = table[table[e, s], f]
        if table[c, d] == q:
            return c
    return -1
