"""SF and the two-variable classes inside it: DA, LDA and TLDA.

A language is star-free, or definable in first-order logic with order, exactly if its syntactic monoid is aperiodic:
x^ω x = x^ω (Schützenberger 1965; McNaughton and Papert 1971). A finite monoid is aperiodic exactly if its H-classes
are singletons.

Two variables suffice exactly if the monoid is in DA: its regular elements are idempotent (Thérien and Wilke 1998,
"Over words, two variables are as powerful as one quantifier alternation"). With the successor relation as well
exactly if every eSe is in DA (LDA; same paper), or, with the successor on the tier, for the part of S that the
salient letters generate (TLDA; Lambert 2023).
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def star_free(specimen: Specimen) -> Verdict:
    """Decide SF."""
    monoid = specimen.monoid
    if specimen.shortcuts and monoid.green.h[-1] == len(monoid) - 1:
        return yes()
    x = _first_periodic(monoid.table, monoid.omega)
    if x < 0:
        return yes()
    return no(lambda: failed_equation(specimen, "for every word x", "x^ω x = x^ω", {"x": x}))


@decision
def two_variable(specimen: Specimen) -> Verdict:
    """Decide DA, definability in FO2[<]."""
    monoid = specimen.monoid
    offending = monoid.is_regular & ~monoid.is_idempotent
    if not offending.any():
        return yes()
    return no(lambda: _not_idempotent(specimen, int(offending.argmax())))


@decision
def locally_two_variable(specimen: Specimen) -> Verdict:
    """Decide LDA, definability in FO2[<, +1]."""
    return _local(specimen, tier=False)


@decision
def tier_locally_two_variable(specimen: Specimen) -> Verdict:
    """Decide TLDA, definability in FO2 with order and tier successor."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_two_variable(specimen)
    return _local(specimen, tier=True)


def _local(specimen: Specimen, tier: bool) -> Verdict:
    monoid = specimen.monoid
    offsets, members = specimen.local_monoids
    start = offsets[specimen.start(tier)]
    offending = (monoid.is_regular & ~monoid.is_idempotent)[members[start:]]
    if not offending.any():
        return yes()
    position = int(start + offending.argmax())
    index = np.searchsorted(offsets, position, side="right") - 1
    return no(lambda: _not_locally_idempotent(specimen, int(specimen.objects[index]), int(members[position]), tier))


def _not_idempotent(specimen: Specimen, x: int) -> Witness:
    elements = {"x": x, "y": int(_first_inverse(specimen.monoid.table, 0, x))}
    return failed_equation(specimen, "if xyx = x, for all words x, y", "xx = x", elements)


def _not_locally_idempotent(specimen: Specimen, e: int, x: int, tier: bool) -> Witness:
    elements = {
        "e": e,
        "x": shortest_inner(specimen, e, x, tier=tier),
        "y": shortest_inner(specimen, e, int(_first_inverse(specimen.monoid.table, e, x)), tier=tier),
    }
    criterion = "if exeyexe = exe, for all words x, y and idempotents e"
    return failed_equation(specimen, criterion, "exexe = exe", elements, tier=tier)


@numba.njit(cache=True, nogil=True)
def _first_periodic(table: NDArray[np.uint16], omega: NDArray[np.int32]) -> int:
    for x in range(omega.size):
        if table[omega[x], x] != omega[x]:
            return x
    return -1


@numba.njit(cache=True, nogil=True)
def _first_inverse(table: NDArray[np.uint16], e: int, x: int) -> int:
    """Return the first y in eMe with xyx = x; x is a regular element of eMe."""
    for s in range(table.shape[0]):
        y = table[table[e, s], e]
        if table[table[x, y], x] == x:
            return y
    return -1
