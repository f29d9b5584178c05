"""Compiled sets of subsequences as bits.

The subsequences of length m over letters of b bits are the numbers below 2^(b m), the last letter in the highest bits.
So what ends in the letter a is one block of level m, as large as level m - 1, and appending a to every word of a set is
a copy of the set into that block. Level m occupies the words ``starts[m]`` to ``starts[m + 1]`` of one array; blocks
of fewer than 64 bits never cross a word's end, since all sizes are powers of two.
"""

import numba
import numpy as np
from numpy.typing import NDArray

_ONE = np.uint64(1)


def level_starts(bits: int, levels: int) -> NDArray[np.int64]:
    """Return (levels + 1,) where each of the levels 0 .. levels - 1 begins, in words of 64 bits, and their end."""
    sizes = [max(1, (1 << (bits * level)) // 64) for level in range(levels)]
    return np.cumsum([0, *sizes], dtype=np.int64)


@numba.njit(cache=True, nogil=True)
def _block(bits: int, level: int, letter: int) -> tuple[np.int64, np.int64, np.int64]:
    """Return (first word in the level, shift within it, size in bits) of the block of words that end in a letter."""
    size = np.int64(1) << np.int64(bits * (level - 1))
    place = size * letter
    return place >> 6, place & 63, size


@numba.njit(cache=True, nogil=True)
def _append(
    seen: NDArray[np.uint64], held: NDArray[np.uint64], starts: NDArray[np.int64], bits: int, level: int, letter: int
) -> None:
    """Add to a level of ``held`` every word of the level below in ``seen``, with the letter appended."""
    word, shift, size = _block(bits, level, letter)
    source, target = starts[level - 1], starts[level] + word
    if size < 64:
        held[target] |= seen[source] << np.uint64(shift)
        return
    below, block = seen[source : source + (size >> 6)], held[target : target + (size >> 6)]
    for index in range(len(block)):
        block[index] |= below[index]


@numba.njit(cache=True, nogil=True)
def _lacks(
    seen: NDArray[np.uint64], held: NDArray[np.uint64], starts: NDArray[np.int64], bits: int, level: int, letter: int
) -> bool:
    """Return whether some word of the level below in ``seen`` is not in ``held`` once the letter is appended."""
    word, shift, size = _block(bits, level, letter)
    source, target = starts[level - 1], starts[level] + word
    if size < 64:
        return (seen[source] & ~(held[target] >> np.uint64(shift))) != 0
    below, block = seen[source : source + (size >> 6)], held[target : target + (size >> 6)]
    lacking = np.uint64(0)
    for index in range(len(block)):
        lacking |= below[index] & ~block[index]
    return lacking != 0


@numba.njit(cache=True, nogil=True)
def collect(
    columns: NDArray[np.int32], offsets: NDArray[np.int64], starts: NDArray[np.int64], bits: int, longest: int
) -> NDArray[np.uint64]:
    """Return the subsequences of at most ``longest`` letters of all strings."""
    held = np.zeros(starts[longest + 1], np.uint64)
    seen = np.empty(starts[longest], np.uint64)
    for string in range(len(offsets) - 1):
        seen[:] = 0
        seen[0] = _ONE
        for place in range(offsets[string], offsets[string + 1]):
            _append(seen, held, starts, bits, longest, columns[place])
            for level in range(longest - 1, 0, -1):
                _append(seen, seen, starts, bits, level, columns[place])
        for index in range(len(seen)):
            held[index] |= seen[index]
    return held


@numba.njit(cache=True, nogil=True)
def all_held(
    held: NDArray[np.uint64],
    columns: NDArray[np.int32],
    offsets: NDArray[np.int64],
    starts: NDArray[np.int64],
    bits: int,
    longest: int,
) -> NDArray[np.bool_]:
    """Return (n_strings,) whether every subsequence of at most ``longest`` letters of each string is held."""
    answers = np.empty(len(offsets) - 1, np.bool_)
    seen = np.empty(starts[longest], np.uint64)
    for string in range(len(answers)):
        seen[:] = 0
        seen[0] = _ONE
        answers[string] = held[0] != 0
        for place in range(offsets[string], offsets[string + 1]):
            letter = columns[place]
            for level in range(1, longest + 1):
                if _lacks(seen, held, starts, bits, level, letter):
                    answers[string] = False
                    break
            if not answers[string]:
                break
            for level in range(longest - 1, 0, -1):
                _append(seen, seen, starts, bits, level, letter)
    return answers
