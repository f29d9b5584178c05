"""R- and L-trivial monoids, locally so (LRtriv, LLtriv), and locally J-trivial (PLT_LJ, TPLT_LJ).

A monoid is R-trivial if no two elements are multiples of each other on the right, (xy)^ω x = (xy)^ω; L-trivial on the
left, y(xy)^ω = (xy)^ω; J-trivial if both. R-trivial: the languages of partially ordered DFAs (Brzozowski and Fich
1980, "Languages of R-trivial monoids"). Two elements of a local monoid eSe are R-, L- or J-equivalent there exactly if
they are so in S, as x = yu with x, y in eSe gives x = y(eue).

Languages whose every eSe is J-trivial are sometimes taken for the dot-depth-one languages, which they contain
properly: see ``dot_depth_one``.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def r_trivial(specimen: Specimen) -> Verdict:
    """Decide whether the syntactic monoid is R-trivial."""
    return _trivial(specimen, on_left=False)


@decision
def l_trivial(specimen: Specimen) -> Verdict:
    """Decide whether the syntactic monoid is L-trivial."""
    return _trivial(specimen, on_left=True)


@decision
def locally_r_trivial(specimen: Specimen) -> Verdict:
    """Decide LRtriv: every eSe is R-trivial."""
    return _locally_trivial(specimen, on_left=False, tier=False)


@decision
def locally_l_trivial(specimen: Specimen) -> Verdict:
    """Decide LLtriv: every eSe is L-trivial."""
    return _locally_trivial(specimen, on_left=True, tier=False)


@decision
def locally_j_trivial(specimen: Specimen) -> Verdict:
    """Decide PLT_LJ: every eSe is J-trivial."""
    return locally_r_trivial(specimen) and locally_l_trivial(specimen)


@decision
def tier_locally_j_trivial(specimen: Specimen) -> Verdict:
    """Decide TPLT_LJ: the same for the part of S that the salient letters generate."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_j_trivial(specimen)
    return _locally_trivial(specimen, on_left=False, tier=True) and _locally_trivial(specimen, on_left=True, tier=True)


def _trivial(specimen: Specimen, on_left: bool) -> Verdict:
    labels = specimen.monoid.green.l if on_left else specimen.monoid.green.r
    if labels[-1] == labels.size - 1:
        return yes()
    everything = np.array([0, labels.size], np.int32)
    _, first, second = _equivalent_pair(labels, 0, everything, np.arange(labels.size, dtype=np.int32))
    return no(lambda: _failure(specimen, first, second, on_left))


def _locally_trivial(specimen: Specimen, on_left: bool, tier: bool) -> Verdict:
    labels = specimen.monoid.green.l if on_left else specimen.monoid.green.r
    index, first, second = _equivalent_pair(labels, specimen.start(tier), *specimen.local_monoids)
    if index < 0:
        return yes()
    return no(lambda: _local_failure(specimen, int(specimen.objects[index]), first, second, on_left, tier))


def _failure(specimen: Specimen, first: int, second: int, on_left: bool) -> Witness:
    x, y = _connecting(specimen, 0, first, second, on_left)
    equation = "y(xy)^ω = (xy)^ω" if on_left else "(xy)^ω x = (xy)^ω"
    return failed_equation(specimen, "for all words x, y", equation, {"x": x, "y": y})


def _local_failure(specimen: Specimen, e: int, first: int, second: int, on_left: bool, tier: bool) -> Witness:
    x, y = (shortest_inner(specimen, e, z, tier=tier) for z in _connecting(specimen, e, first, second, on_left))
    equation = "eye(exeye)^ω = (exeye)^ω" if on_left else "(exeye)^ω exe = (exeye)^ω"
    criterion = "for all words x, y and idempotents e"
    return failed_equation(specimen, criterion, equation, {"e": e, "x": x, "y": y}, tier=tier)


def _connecting(specimen: Specimen, e: int, first: int, second: int, on_left: bool) -> tuple[int, int]:
    """Return x and y of eSe such that multiplying by xy keeps ``first`` and by its inner part alone does not.

    On the right ``first`` x is ``second`` and ``second`` y is ``first``; on the left it is y that comes first.
    """
    there = int(_first_factor(specimen.monoid.table, e, first, second, on_left))
    back = int(_first_factor(specimen.monoid.table, e, second, first, on_left))
    return (back, there) if on_left else (there, back)


@numba.njit(cache=True, nogil=True)
def _equivalent_pair(
    labels: NDArray[np.int32], start: int, offsets: NDArray[np.int32], members: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Return (local monoid, x, y) with x and y different and of equal label, or -1s."""
    owner = np.full(labels.size, -1, np.int32)
    holder = np.empty(labels.size, np.int32)
    for index in range(start, offsets.size - 1):
        for element in members[offsets[index] : offsets[index + 1]]:
            label = labels[element]
            if owner[label] == index:
                return index, holder[label], element
            owner[label] = index
            holder[label] = element
    return -1, -1, -1


@numba.njit(cache=True, nogil=True)
def _first_factor(table: NDArray[np.uint16], e: int, source: int, target: int, on_left: bool) -> int:
    """Return a z of eMe with source z = target, or z source = target; there is one."""
    for s in range(table.shape[0]):
        z = table[table[e, s], e]
        if (table[z, source] if on_left else table[source, z]) == target:
            return z
    return -1
