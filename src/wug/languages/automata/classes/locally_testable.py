"""LT and TLT: which factors occur decides.

A language is locally testable if the set of factors of width k of a string (its ends marked) decides whether it
belongs. The syntactic semigroup S then has eSe idempotent and commutative, a semilattice, for each of its idempotents
e, and conversely (Brzozowski and Simon 1973, "Characterizations of locally testable events"; McNaughton 1974). TLT is
the same for the part of S that the salient letters generate (Lambert 2023, "Relativized adjacency").
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes
from wug.languages.automata.classes.width import local_testability_width


@decision
def locally_testable(specimen: Specimen) -> Verdict:
    """Decide LT; k is the smallest width of factors."""
    return _decide(specimen, tier=False)


@decision
def tier_locally_testable(specimen: Specimen) -> Verdict:
    """Decide TLT; k is the smallest width of factors on the tier of salient letters."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_testable(specimen)
    return _decide(specimen, tier=True)


def _decide(specimen: Specimen, tier: bool) -> Verdict:
    index, x, y = _not_semilattice(
        specimen.monoid.table, specimen.monoid.is_idempotent, specimen.start(tier), *specimen.local_monoids
    )
    if index < 0:
        return yes(local_testability_width(specimen, tier))
    return no(lambda: _failure(specimen, int(specimen.objects[index]), x, y, tier))


def _failure(specimen: Specimen, e: int, x: int, y: int, tier: bool) -> Witness:
    elements = {"e": e, "x": shortest_inner(specimen, e, x, tier=tier)}
    if y < 0:
        return failed_equation(specimen, "for every word x and idempotent e", "exexe = exe", elements, tier=tier)
    elements["y"] = shortest_inner(specimen, e, y, tier=tier)
    return failed_equation(specimen, "for all words x, y and idempotents e", "exeye = eyexe", elements, tier=tier)


@numba.njit(cache=True, nogil=True)
def _not_semilattice(
    table: NDArray[np.uint16],
    is_idempotent: NDArray[np.bool_],
    start: int,
    offsets: NDArray[np.int32],
    members: NDArray[np.int32],
) -> tuple[int, int, int]:
    """Return (local monoid, x, -1) with xx other than x, or (local monoid, x, y) with xy other than yx, or -1s."""
    for index in range(start, offsets.size - 1):
        local = members[offsets[index] : offsets[index + 1]]
        for x in local:
            if not is_idempotent[x]:
                return index, x, -1
        for i in range(local.size):
            x = local[i]
            for j in range(i):
                if table[x, local[j]] != table[local[j], x]:
                    return index, local[j], x
    return -1, -1, -1
