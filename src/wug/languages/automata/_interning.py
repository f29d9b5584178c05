"""A growing hash table of equally long rows of 64-bit words, for compiled searches over sets of states."""

import numba
import numpy as np
from numpy.typing import NDArray

EMPTY_SLOT = -1
_SLOTS_PER_ROW = 4


@numba.njit(cache=True, nogil=True)
def new_table(capacity: int, width: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return empty rows (capacity, width) and the slots that index them; ``capacity`` is a power of two."""
    return (
        np.zeros((capacity, width), dtype=np.uint64),
        np.full(capacity * _SLOTS_PER_ROW, EMPTY_SLOT, dtype=np.int32),
    )


@numba.njit(cache=True, nogil=True)
def intern(rows: NDArray[np.uint64], count: int, slots: NDArray[np.int32], row: NDArray[np.uint64]) -> int:
    """Return the number of ``row``; a row not seen before is stored under the number ``count``.

    The caller counts on and grows the table before ``count`` reaches its capacity. It runs once per arc, where counting
    references to arrays would cost several times the work: hence no helpers and no views here, and callers that loop
    over it in a function which assigns none of the arrays.
    """
    width = row.size
    mask = slots.size - 1
    mixed = np.uint64(0x243F6A8885A308D3)
    for index in range(width):
        mixed = (mixed ^ row[index]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed >> np.uint64(7)) & mask
    while slots[slot] != EMPTY_SLOT:
        known = slots[slot]
        index = 0
        while index < width and rows[known, index] == row[index]:
            index += 1
        if index == width:
            return known
        slot = (slot + 1) & mask
    for index in range(width):
        rows[count, index] = row[index]
    slots[slot] = count
    return count


@numba.njit(cache=True, nogil=True)
def grown(rows: NDArray[np.uint64], count: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return the same first ``count`` rows, same numbers, in a table of twice the capacity."""
    larger, slots = new_table(2 * rows.shape[0], rows.shape[1])
    for index in range(count):
        intern(larger, index, slots, rows[index])
    return larger, slots
