"""Compiled sets of string lengths.

A set is bits of 64-bit words: length l is in the set if bit ``l % 64`` of word ``l // 64`` is 1.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg.normal_form import Integers, Tables

Bits = NDArray[np.uint64]
Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def has(bits: Bits, length: int) -> bool:
    """Return whether a length is in a set."""
    return (bits[length >> 6] >> np.uint64(length & 63)) & np.uint64(1) != 0


@njit(cache=True, nogil=True)
def add_sums(sums: Bits, one: Bits, other: Bits, n_words: int) -> bool:
    """Add all sums of a length in one set and a length in another that fit into so many words; return if any is new."""
    has_grown, n_other = False, n_words
    while n_other > 0 and other[n_other - 1] == 0:
        n_other -= 1
    for word in range(n_words):
        if one[word] == 0:
            continue
        for bit in range(64):
            shift = np.uint64(bit)
            if (one[word] >> shift) & np.uint64(1) == 0:
                continue
            carried = np.uint64(0)
            for target in range(word, min(n_words, word + n_other + 1)):
                source = other[target - word]
                more = (source << shift) | carried
                carried = source >> (np.uint64(64) - shift) if bit > 0 else np.uint64(0)
                has_grown |= more & ~sums[target] != 0
                sums[target] |= more
    return has_grown


@njit(cache=True, nogil=True)
def fill_derivable(tables: Tables, lengths: Flags) -> None:
    """Fill in (n_symbols, limit + 1) whether a symbol derives a string of this length; all false before."""
    n_symbols = len(tables.empty)
    begun = np.zeros(n_symbols, np.bool_)
    for symbol in range(n_symbols):
        lengths[symbol, 0] = tables.empty[symbol] > 0
    for length in range(1, lengths.shape[1]):
        if length == 1:
            for scan in range(len(tables.scans)):
                begun[tables.scans[scan].symbol] = True
        for first in range(n_symbols):
            for pair in range(tables.pair_start[first], tables.pair_start[first + 1]):
                left, second = tables.pairs[pair].left, tables.pairs[pair].second
                part = 1
                while part < length and not begun[left]:
                    begun[left] = lengths[first, part] and lengths[second, length - part]
                    part += 1
        for symbol in range(n_symbols):
            if begun[symbol]:
                begun[symbol] = False
                for entry in range(tables.span_start[symbol], tables.span_start[symbol + 1]):
                    lengths[tables.spans[entry].symbol, length] = True


@njit(cache=True, nogil=True)
def fill_following(tables: Tables, derived: Bits, edges: Integers, sets: Bits) -> None:
    """Fill in (n_corners, n_words) lengths of what follows a left corner inside the symbol whose corner it is.

    ``derived`` (n_symbols + 1, n_words) are the lengths that each symbol derives, and last the set of 0. ``edges`` are
    (upper, lower, sibling): the lower symbol can begin the upper one, and there the sibling follows. ``sets`` are empty
    before.
    """
    n_symbols, n_words = len(tables.empty), sets.shape[1]
    entry_of = np.full(n_symbols, -1, np.int64)
    for symbol in range(n_symbols):
        for entry in range(tables.corner_start[symbol], tables.corner_start[symbol + 1]):
            entry_of[tables.corners[entry].symbol] = entry
        sets[entry_of[symbol], 0] = 1
        has_grown = True
        while has_grown:
            has_grown = False
            for edge in range(len(edges)):
                upper, lower = entry_of[edges[edge, 0]], entry_of[edges[edge, 1]]
                if upper >= 0:
                    has_grown |= add_sums(sets[lower], sets[upper], derived[edges[edge, 2]], n_words)
        for entry in range(tables.corner_start[symbol], tables.corner_start[symbol + 1]):
            entry_of[tables.corners[entry].symbol] = -1
