"""Compiled sets of 64-bit keys, and the windows of strings as such keys.

A window is k consecutive symbols of a string with k - 1 boundary symbols in front and one behind, read as a number
to the base n + 1: boundary 0, letter number c is c + 1. A string of length m has m + 1 windows, one for each place
where a symbol, or the end, comes next. They hold the same information as the factors of width k of the string between
two single boundary symbols, shorter strings being factors of their own.
"""

import numba
import numpy as np
from numpy.typing import NDArray

_FREE = -1


@numba.njit(cache=True, nogil=True)
def window_keys(columns: NDArray[np.int32], offsets: NDArray[np.int64], width: int, base: int) -> NDArray[np.int64]:
    """Return (n_symbols + n_strings,) the windows; string i owns those from ``offsets[i] + i``."""
    keys = np.empty(len(columns) + len(offsets) - 1, np.int64)
    contexts = base ** np.int64(max(width - 1, 0))
    at = 0
    for string in range(len(offsets) - 1):
        context = np.int64(0)
        for place in range(offsets[string], offsets[string + 1] + 1):
            digit = columns[place] + 1 if place < offsets[string + 1] else 0
            keys[at] = context * base + digit if width > 0 else 0
            context = keys[at] % contexts
            at += 1
    return keys


@numba.njit(cache=True, nogil=True)
def new_slots(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a hash table of distinct keys from 0: slots that hold a key or -1, at least half of them free."""
    n_slots = 16
    while n_slots < 2 * len(keys):
        n_slots *= 2
    slots = np.full(n_slots, _FREE, np.int64)
    for key in keys:
        slot = _first_slot(key, n_slots)
        while slots[slot] != _FREE:
            slot = (slot + 1) & (n_slots - 1)
        slots[slot] = key
    return slots


@numba.njit(cache=True, nogil=True)
def _first_slot(key: int, n_slots: int) -> np.int64:
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(n_slots - 1))


@numba.njit(cache=True, nogil=True)
def holds(slots: NDArray[np.int64], key: int) -> bool:
    """Return whether a key is in the table."""
    slot = _first_slot(key, len(slots))
    while slots[slot] != _FREE:
        if slots[slot] == key:
            return True
        slot = (slot + 1) & (len(slots) - 1)
    return False


@numba.njit(cache=True, nogil=True)
def all_windows_held(
    slots: NDArray[np.int64], columns: NDArray[np.int32], offsets: NDArray[np.int64], width: int, base: int
) -> NDArray[np.bool_]:
    """Return (n_strings,) whether every window of each string is in the table."""
    answers = np.ones(len(offsets) - 1, np.bool_)
    contexts = base ** np.int64(width - 1)
    for string in range(len(offsets) - 1):
        context = np.int64(0)
        for place in range(offsets[string], offsets[string + 1] + 1):
            digit = columns[place] + 1 if place < offsets[string + 1] else 0
            key = context * base + digit
            if not holds(slots, key):
                answers[string] = False
                break
            context = key % contexts
    return answers


@numba.njit(cache=True, nogil=True)
def freely_deleted(
    slots: NDArray[np.int64], wider: NDArray[np.int64], width: int, base: int, free: NDArray[np.bool_]
) -> None:
    """Clear ``free[letter]`` where deleting the letter from a window of width + 1 leaves none of the table's."""
    for key in wider:
        if 0 < key < base:
            continue  # a first letter, without which only the boundary in front is left: no window
        power = np.int64(1)
        for _ in range(width + 1):
            digit = (key // power) % base
            if digit > 0 and free[digit - 1] and not holds(slots, key // (power * base) * power + key % power):
                free[digit - 1] = False
            power *= base


@numba.njit(cache=True, nogil=True)
def freely_inserted(
    slots: NDArray[np.int64], narrower: NDArray[np.int64], width: int, base: int, free: NDArray[np.bool_]
) -> None:
    """Clear ``free[letter]`` where inserting the letter into a window of width - 1 makes none of the table's.

    A letter may stand between two symbols, behind the boundaries in front of the string, and before its end.
    """
    for key in narrower:
        power = np.int64(1)
        for place in range(width):  # symbols behind the inserted letter
            before, after = key // power, key % power
            if place > 0 or key % base > 0 or width == 1:
                for letter in range(len(free)):
                    if free[letter] and not holds(slots, (before * base + letter + 1) * power + after):
                        free[letter] = False
            if before == 0 and place > 0:
                break
            power *= base
