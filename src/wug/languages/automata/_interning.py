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
def grown(rows: NDArray[np.uint64], count: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return the same first ``count`` rows, same numbers, in a table of twice the capacity."""
    larger, slots = new_table(2 * rows.shape[0], rows.shape[1])
    larger[:count] = rows[:count]
    for index in range(count):
        slots[_slot(larger, slots, larger[index])] = index
    return larger, slots


@numba.njit(cache=True, nogil=True)
def intern(rows: NDArray[np.uint64], count: int, slots: NDArray[np.int32], row: NDArray[np.uint64]) -> int:
    """Return the number of ``row``; a row not seen before is stored under the number ``count``.

    The caller counts on and grows the table before ``count`` reaches its capacity.
    """
    slot = _slot(rows, slots, row)
    if slots[slot] == EMPTY_SLOT:
        rows[count] = row
        slots[slot] = count
    return slots[slot]


@numba.njit(cache=True, nogil=True)
def _slot(rows: NDArray[np.uint64], slots: NDArray[np.int32], row: NDArray[np.uint64]) -> int:
    mask = slots.shape[0] - 1
    mixed = np.uint64(0x243F6A8885A308D3)
    for word in row:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed >> np.uint64(7)) & mask
    while slots[slot] != EMPTY_SLOT:
        known = rows[slots[slot]]
        same = True
        for index in range(row.shape[0]):
            if known[index] != row[index]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & mask
    return slot
