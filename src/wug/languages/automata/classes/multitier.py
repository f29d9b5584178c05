"""MTD, MTK and MTN: Boolean combinations of definite languages, each on a tier of its own.

The last letters of several projections decide (MTD) exactly if the syntactic monoid satisfies xyx^ω = yx^ω for all x
and y; the first letters of several projections (MTK) exactly if x^ω yx = x^ω y; MTN is what is in both (Lambert 2023,
"Multitier phonotactics with logic and algebra", Phonology 40).
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, no, yes


@decision
def multitier_definite(specimen: Specimen) -> Verdict:
    """Decide MTD."""
    return _decide(specimen, on_left=True)


@decision
def multitier_reverse_definite(specimen: Specimen) -> Verdict:
    """Decide MTK."""
    return _decide(specimen, on_left=False)


@decision
def multitier_finite_or_cofinite(specimen: Specimen) -> Verdict:
    """Decide MTN."""
    return multitier_reverse_definite(specimen) and multitier_definite(specimen)


def _decide(specimen: Specimen, on_left: bool) -> Verdict:
    x, y = _moved(specimen.monoid.table, specimen.monoid.omega, on_left)
    if x < 0:
        return yes()
    equation = "xyx^ω = yx^ω" if on_left else "x^ω yx = x^ω y"
    return no(lambda: failed_equation(specimen, "for all words x, y", equation, {"x": x, "y": y}))


@numba.njit(cache=True, nogil=True)
def _moved(table: NDArray[np.uint16], omega: NDArray[np.int32], on_left: bool) -> tuple[int, int]:
    """Return (x, y) for which the equation fails, or -1s."""
    m = table.shape[0]
    for x in range(m):
        for y in range(m):
            if on_left:
                ending = table[y, omega[x]]
                if table[x, ending] != ending:
                    return x, y
            else:
                beginning = table[omega[x], y]
                if table[beginning, x] != beginning:
                    return x, y
    return -1, -1
