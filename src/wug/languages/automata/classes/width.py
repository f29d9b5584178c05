"""The smallest width k with which a locally testable language is k-testable.

With windows x of width k - 1 a language is k-testable exactly if loops at each window act idempotently and commute:
[xuu] = [xu] and [xuv] = [xvu] for all u, v such that xu and xv end in x (delay theorem with Simon's theorem that
semilattices are local: Brzozowski and Simon 1973; Straubing 1985, "Finite semigroup varieties of the form V*D"). A
loop at least as long as x is u = sx for an arbitrary s, so it matters only through the element of x; a shorter one
makes x periodic, and there are few such x.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.specimen import Specimen

LARGEST_ENUMERATION = 2_000_000
"""Periodic windows to look at for one width, after which the width stays unknown."""


def local_testability_width(specimen: Specimen, tier: bool) -> int | None:
    """Return the smallest k of a locally testable language (on its tier, if so); None if finding it is too long.

    It is too long when a width has more than two million periodic windows; deciding the width is NP-hard in general.
    """
    if specimen.neutral and not tier:
        return 1  # the neutral letter makes the monoid itself a semilattice: the letters that occur decide
    monoid = specimen.monoid
    n_actions = monoid.right.shape[1]
    windows = np.zeros(1, np.int32)
    length = 0
    while n_actions ** max(0, length - 1) <= LARGEST_ENUMERATION:
        if _long_loops_commute(monoid.table, windows) and _short_loops_commute(monoid.table, monoid.right, length):
            return length + 1
        windows = np.unique(monoid.right[windows])
        length += 1
    return None


@numba.njit(cache=True, nogil=True)
def _long_loops_commute(table: NDArray[np.uint16], windows: NDArray[np.int32]) -> bool:
    """Return whether msmsm = msm and msmtm = mtmsm for each window's element m and all elements s, t."""
    m = table.shape[0]
    seen = np.full(m, -1, np.int32)
    loops = np.empty(m, np.int32)
    inner = np.empty(m, np.int32)
    for index in range(windows.size):
        window = windows[index]
        n_loops = 0
        for s in range(m):
            loop = table[table[window, s], window]
            if seen[loop] == index:
                continue
            seen[loop] = index
            loops[n_loops] = loop
            inner[n_loops] = table[s, window]
            if table[loop, inner[n_loops]] != loop:
                return False
            for other in range(n_loops):
                if table[loop, inner[other]] != table[loops[other], inner[n_loops]]:
                    return False
            n_loops += 1
    return True


@numba.njit(cache=True, nogil=True)
def _short_loops_commute(table: NDArray[np.uint16], right: NDArray[np.int32], length: int) -> bool:
    """Return whether loops shorter than the window are idempotent and commute with all loops, for periodic windows."""
    m, n_actions = right.shape
    window = np.empty(length, np.int32)
    periods = np.empty(length, np.int32)
    loops = np.empty(length, np.int32)
    for smallest in range(1, length):
        window[:smallest] = 0
        while True:
            for position in range(smallest, length):
                window[position] = window[position - smallest]
            n_periods = 0
            for period in range(1, length):
                fits = True
                for position in range(period, length):
                    if window[position] != window[position - period]:
                        fits = False
                        break
                if fits:
                    periods[n_periods] = period
                    n_periods += 1
            if periods[0] == smallest:
                element = _walk(right, 0, window)
                for i in range(n_periods):
                    loops[i] = _walk(right, element, window[length - periods[i] :])
                for i in range(n_periods):
                    if _walk(right, loops[i], window[length - periods[i] :]) != loops[i]:
                        return False
                    for j in range(i):
                        one = _walk(right, loops[i], window[length - periods[j] :])
                        if one != _walk(right, loops[j], window[length - periods[i] :]):
                            return False
                    for s in range(m):
                        if table[loops[i], table[s, element]] != table[element, table[s, loops[i]]]:
                            return False
            # the next word of this period
            position = smallest - 1
            while position >= 0 and window[position] == n_actions - 1:
                window[position] = 0
                position -= 1
            if position < 0:
                break
            window[position] += 1
    return True


@numba.njit(cache=True, nogil=True)
def _walk(right: NDArray[np.int32], element: int, word: NDArray[np.int32]) -> int:
    for action in word:
        element = right[element, action]
    return element
