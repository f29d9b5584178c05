"""Compiled loops over ragged sequences; imported where they are used, since loading Numba takes time."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]

GOOD, UNKNOWN_SYMBOL, BOUNDARY_INSIDE = 0, 1, 2
"""What ``encode_spans`` found."""


@njit(cache=True, nogil=True)
def gather(tokens: Array, starts: Integers, offsets: Integers) -> Array:
    """Return the strings that begin at ``starts`` one after the other; string i has the length its offsets say."""
    gathered = np.empty(offsets[-1], dtype=tokens.dtype)
    for i in range(len(starts)):
        first = offsets[i]
        for t in range(offsets[i + 1] - first):
            gathered[first + t] = tokens[starts[i] + t]
    return gathered


@njit(cache=True, nogil=True)
def encode_spans(
    codes: Array, starts: Integers, stops: Integers, class_of_code: Array, start: int, end: int, tokens: Array
) -> tuple[int, int, int]:
    """Fill ``tokens`` with the classes of the characters in the spans; return (GOOD, 0, 0) or (problem, span, where).

    The boundary symbols ``start`` and ``end`` may not occur.
    """
    above = len(class_of_code) - 1
    filled = 0
    for i in range(len(starts)):
        for j in range(starts[i], stops[i]):
            token = class_of_code[min(codes[j], above)]
            if token < 0:
                return UNKNOWN_SYMBOL, i, j
            if token in (start, end):
                return BOUNDARY_INSIDE, i, j
            tokens[filled] = token
            filled += 1
    return GOOD, 0, 0


@njit(cache=True, nogil=True)
def format_lines(tokens: Array, offsets: Integers, codes: Array, before: int, after: int, newline: int) -> Array:
    """Return the characters of all strings, a line each; ``before`` and ``after`` (if not negative) wrap each one."""
    n_strings = len(offsets) - 1
    extra = 1 + (before >= 0) + (after >= 0)
    written = np.empty(len(tokens) + n_strings * extra, dtype=codes.dtype)
    filled = 0
    for i in range(n_strings):
        if before >= 0:
            written[filled] = before
            filled += 1
        for j in range(offsets[i], offsets[i + 1]):
            written[filled] = codes[tokens[j]]
            filled += 1
        if after >= 0:
            written[filled] = after
            filled += 1
        written[filled] = newline
        filled += 1
    return written


@njit(cache=True, nogil=True)
def _hash(tokens: Array, first: int, last: int) -> np.uint64:
    state = np.uint64(0xCBF29CE484222325)
    for j in range(first, last):
        state = (state ^ np.uint64(tokens[j])) * np.uint64(0x100000001B3)
    state ^= state >> np.uint64(32)
    state *= np.uint64(0x9E3779B97F4A7C15)
    return state ^ (state >> np.uint64(29))


@njit(cache=True, nogil=True)
def unique_strings(tokens: Array, offsets: Integers) -> tuple[Integers, Integers]:
    """Return (n_unique,) number of the first string of each kind, in order, and (n_unique,) how often it occurs."""
    n_strings = len(offsets) - 1
    n_slots = 16
    while n_slots < 2 * n_strings:
        n_slots *= 2
    slots = np.full(n_slots, -1, dtype=np.int64)
    firsts = np.empty(n_strings, dtype=np.int64)
    multiplicities = np.zeros(n_strings, dtype=np.int64)
    n_unique = 0
    for i in range(n_strings):
        length = offsets[i + 1] - offsets[i]
        slot = np.int64(_hash(tokens, offsets[i], offsets[i + 1]) & np.uint64(n_slots - 1))
        while True:
            kind = slots[slot]
            if kind < 0:
                slots[slot] = n_unique
                firsts[n_unique] = i
                multiplicities[n_unique] = 1
                n_unique += 1
                break
            other = offsets[firsts[kind]]
            equal = offsets[firsts[kind] + 1] - other == length
            t = 0
            while equal and t < length:
                equal = tokens[other + t] == tokens[offsets[i] + t]
                t += 1
            if equal:
                multiplicities[kind] += 1
                break
            slot = (slot + 1) & (n_slots - 1)
    return firsts[:n_unique], multiplicities[:n_unique]
