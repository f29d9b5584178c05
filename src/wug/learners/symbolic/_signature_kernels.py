"""Compiled fingerprints of what a string shows: sets of 128 bits that can be added to and taken from.

The fingerprint of a set is the sum of its elements' fingerprints, in two lanes of 64 bits that mix differently. Two
different sets have the same one with probability 2^-128; among the pairs of a billion strings, below 2^-68.
"""

import numba
import numpy as np
from numpy.typing import NDArray

Fingerprints = NDArray[np.uint64]


@numba.njit(cache=True, nogil=True)
def _mixed(value: np.uint64, salt: np.uint64) -> np.uint64:
    """Return a bijection of 64 bits that looks random (the finaliser of splitmix64), different for each salt."""
    value = (value ^ salt) * np.uint64(0xBF58476D1CE4E5B9) + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@numba.njit(cache=True, nogil=True)
def _lane(key: int, first: np.uint64, second: np.uint64, salt: np.uint64) -> np.uint64:
    """Return one lane of the fingerprint of a key together with a fingerprint."""
    return _mixed(_mixed(_mixed(np.uint64(key), salt) + first, ~salt) + second, salt)


@numba.njit(cache=True, nogil=True)
def counted_windows(
    keys: NDArray[np.int64], offsets: NDArray[np.int64], threshold: int, salts: Fingerprints
) -> Fingerprints:
    """Return (n_strings, 2) which window occurs how often, up to a threshold; keys come as from ``window_keys``."""
    prints = np.zeros((len(offsets) - 1, 2), np.uint64)
    for string in range(len(prints)):
        own = np.sort(keys[offsets[string] + string : offsets[string + 1] + string + 1])
        times = 0
        for place in range(len(own)):
            times = times + 1 if place > 0 and own[place] == own[place - 1] else 1
            if times <= threshold:
                for lane in range(2):
                    prints[string, lane] += _lane(own[place], np.uint64(times), np.uint64(0), salts[lane])
    return prints


@numba.njit(cache=True, nogil=True)
def block_sequences(
    columns: NDArray[np.int32],
    offsets: NDArray[np.int64],
    width: int,
    blocks: int,
    with_ends: bool,
    base: int,
    salts: Fingerprints,
) -> Fingerprints:
    """Return (n_strings, 2) which sequences of blocks of at most ``width`` letters occur, in order without overlap.

    What can follow position p in m further blocks is the set of pairs (block u, what can follow the first end of u
    behind p in m - 1 further blocks): the earliest occurrence of u leaves most room. Going from right to left one
    position changes the earliest end of at most ``width`` blocks, so a set's fingerprint is kept up to date by
    exchanging their pairs. ``with_ends`` reads a boundary symbol in front of the string and one behind it.
    """
    prints = np.zeros((len(offsets) - 1, 2), np.uint64)
    longest = np.int64(0)
    for string in range(len(prints)):
        longest = max(longest, offsets[string + 1] - offsets[string] + 2)
    text = np.empty(longest, np.int64)
    # follow[m, p]: the fingerprint of what can follow position p in m more blocks
    follow = np.zeros((blocks + 1, longest + 1, 2), np.uint64)
    keys = np.empty(longest * width, np.int64)
    ends = np.empty(longest * width, np.int64)
    for string in range(len(prints)):
        length = offsets[string + 1] - offsets[string]
        for place in range(length):
            text[place + with_ends] = columns[offsets[string] + place] + 1
        if with_ends:
            text[0] = 0
            text[length + 1] = 0
            length += 2
        n_keys = 0
        for start in range(length):
            key = np.int64(1)  # a digit in front tells blocks of different widths apart
            for place in range(start, min(start + width, length)):
                key = key * base + text[place]
                keys[n_keys] = key
                n_keys += 1
        known = np.unique(keys[:n_keys])
        ends[: len(known)] = -1
        follow[:, length] = 0
        for start in range(length - 1, -1, -1):
            for more in range(1, blocks + 1):
                for lane in range(2):
                    follow[more, start, lane] = follow[more, start + 1, lane]
            key = np.int64(1)
            for place in range(start, min(start + width, length)):
                key = key * base + text[place]
                number = np.searchsorted(known, key)
                before, after = ends[number], place + 1
                ends[number] = after
                for more in range(1, blocks + 1):
                    for lane in range(2):
                        one, other = follow[more - 1, after, 0], follow[more - 1, after, 1]
                        follow[more, start, lane] += _lane(known[number], one, other, salts[lane])
                        if before >= 0:
                            one, other = follow[more - 1, before, 0], follow[more - 1, before, 1]
                            follow[more, start, lane] -= _lane(known[number], one, other, salts[lane])
        prints[string] = follow[blocks, 0]
    return prints
