"""Short words for elements of the form e x f, so that witnesses read well."""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.specimen import Specimen


def shortest_inner(specimen: Specimen, e: int, element: int, f: int | None = None, *, tier: bool) -> int:
    """Return the first x of the semigroup (or its tier part) with e x f equal to the element; f is e if left out."""
    x = int(_first_inner(specimen.monoid.table, specimen.start(tier), e, element, e if f is None else f))
    assert x >= 0, "every element of eSf is e x f for some x in S"
    return x


@numba.njit(cache=True, nogil=True)
def _first_inner(table: NDArray[np.uint16], start: int, e: int, element: int, f: int) -> int:
    for x in range(start, table.shape[0]):
        if table[table[e, x], f] == element:
            return x
    return -1
