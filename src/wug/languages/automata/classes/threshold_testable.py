"""LTT and TLTT, and the larger class LAcom that is sometimes decided in their place.

A language is locally threshold testable if counting each factor of width k up to a threshold t decides membership.
Its syntactic semigroup S is aperiodic and satisfies aub = bua for all idempotents e, f, all a, b in eSf and u in fSe,
and conversely (Beauquier and Pin 1989, "Factors of words"; Thérien and Weiss 1985, "Graph congruences and wreath
products").

With e = f = u this says that every eSe is commutative. Semigroups that satisfy only that, aperiodicity included,
are locally aperiodic-commutative (LAcom): strictly more, for example c+ x d+ z c+ y d+ over {c, d, x, y, z}.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.locally_testable import locally_testable, tier_locally_testable
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.star_free import star_free
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def locally_threshold_testable(specimen: Specimen) -> Verdict:
    """Decide LTT."""
    return _threshold(specimen, tier=False)


@decision
def tier_locally_threshold_testable(specimen: Specimen) -> Verdict:
    """Decide TLTT."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_threshold_testable(specimen)
    return _threshold(specimen, tier=True)


@decision
def locally_aperiodic_commutative(specimen: Specimen) -> Verdict:
    """Decide LAcom: S aperiodic and every eSe commutative."""
    return _locally_commutative(specimen, tier=False)


@decision
def tier_locally_aperiodic_commutative(specimen: Specimen) -> Verdict:
    """Decide TLAcom: LAcom for the part of S that the salient letters generate."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_aperiodic_commutative(specimen)
    return _locally_commutative(specimen, tier=True)


def _locally_commutative(specimen: Specimen, tier: bool) -> Verdict:
    aperiodic = star_free(specimen)
    if not aperiodic:
        return aperiodic
    index, x, y = _not_commutative(specimen.monoid.table, specimen.start(tier), *specimen.local_monoids)
    if index < 0:
        return yes()
    return no(lambda: _order_matters(specimen, int(specimen.objects[index]), x, y, tier))


def _order_matters(specimen: Specimen, e: int, x: int, y: int, tier: bool) -> Witness:
    elements = {"e": e, "x": shortest_inner(specimen, e, x, tier=tier), "y": shortest_inner(specimen, e, y, tier=tier)}
    return failed_equation(specimen, "for all words x, y and idempotents e", "exeye = eyexe", elements, tier=tier)


def _threshold(specimen: Specimen, tier: bool) -> Verdict:
    if specimen.shortcuts:
        if (tier_locally_testable if tier else locally_testable)(specimen):
            return yes()
        commutative = (tier_locally_aperiodic_commutative if tier else locally_aperiodic_commutative)(specimen)
        if not commutative:
            return commutative
    else:
        aperiodic = star_free(specimen)
        if not aperiodic:
            return aperiodic
    start = specimen.start(tier)
    i, j, a, b, u = _not_exchangeable(specimen.monoid.table, specimen.objects[start:])
    if i < 0:
        return yes()
    e, f = (int(specimen.objects[start + index]) for index in (i, j))
    return no(lambda: _not_exchanged(specimen, e, f, a, b, u, tier))


def _not_exchanged(specimen: Specimen, e: int, f: int, a: int, b: int, u: int, tier: bool) -> Witness:
    elements = {
        "e": e,
        "f": f,
        "a": shortest_inner(specimen, e, a, f, tier=tier),
        "b": shortest_inner(specimen, e, b, f, tier=tier),
        "u": shortest_inner(specimen, f, u, e, tier=tier),
    }
    criterion = "for all words a, b, u and idempotents e, f"
    return failed_equation(specimen, criterion, "eafuebf = ebfueaf", elements, tier=tier)


@numba.njit(cache=True, nogil=True)
def _not_commutative(
    table: NDArray[np.uint16], start: int, offsets: NDArray[np.int32], members: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Return (local monoid, x, y) with xy other than yx, or -1s."""
    for index in range(start, offsets.size - 1):
        local = members[offsets[index] : offsets[index + 1]]
        for i in range(local.size):
            for j in range(i):
                if table[local[i], local[j]] != table[local[j], local[i]]:
                    return index, local[j], local[i]
    return -1, -1, -1


@numba.njit(cache=True, nogil=True)
def _not_exchangeable(table: NDArray[np.uint16], objects: NDArray[np.int32]) -> tuple[int, int, int, int, int]:
    """Return (index of e, index of f, a, b, u) with aub other than bua, or -1s."""
    m = table.shape[0]
    seen = np.zeros(m, np.int32)
    there = np.empty(m, np.int32)
    back = np.empty(m, np.int32)
    stamp = 0
    for i in range(objects.size):
        e = objects[i]
        for j in range(objects.size):
            f = objects[j]
            stamp += 1
            n_there = 0
            for s in range(m):
                a = table[table[e, s], f]
                if seen[a] != stamp:
                    seen[a] = stamp
                    there[n_there] = a
                    n_there += 1
            if n_there == 1:
                continue
            stamp += 1
            n_back = 0
            for s in range(m):
                u = table[table[f, s], e]
                if seen[u] != stamp:
                    seen[u] = stamp
                    back[n_back] = u
                    n_back += 1
            for first in range(n_there):
                a = there[first]
                for middle in range(n_back):
                    u = back[middle]
                    au = table[a, u]
                    for second in range(first):
                        b = there[second]
                        if table[au, b] != table[table[b, u], a]:
                            return i, j, a, b, u
    return -1, -1, -1, -1, -1
