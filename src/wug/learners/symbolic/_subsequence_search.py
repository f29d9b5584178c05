"""Compiled search for the subsequences of strings in the strings of a sample.

A *row* is a place in the sample: string i, of length m, has the m + 1 rows from ``offsets[i] + i``, one before each
letter and one at the end.
"""

import numba
import numpy as np
from numpy.typing import NDArray

_NOWHERE = -1
_FIRST_LOOKS = 1000
"""Subsequences looked for before it is asked whether the whole string is a subsequence of one of the sample's."""


@numba.njit(cache=True, nogil=True)
def rows_after(columns: NDArray[np.int32], offsets: NDArray[np.int64], n_letters: int) -> NDArray[np.int32]:
    """Return (n_rows, n_letters) the row behind the next occurrence of each letter, -1 where there is none."""
    rows = np.full((len(columns) + len(offsets) - 1, n_letters), _NOWHERE, np.int32)
    for string in range(len(offsets) - 1):
        for place in range(offsets[string + 1] - 1, offsets[string] - 1, -1):
            row = place + string
            rows[row] = rows[row + 1]
            rows[row, columns[place]] = row + 1
    return rows


@numba.njit(cache=True, nogil=True)
def all_found(
    sample: NDArray[np.int32],
    firsts: NDArray[np.int64],
    columns: NDArray[np.int32],
    offsets: NDArray[np.int64],
    longest: int,
) -> NDArray[np.bool_]:
    """Return (n_strings,) whether each subsequence of at most ``longest`` letters of a string is one of the sample's.

    ``sample`` is as ``rows_after`` returns it, ``firsts`` holds the first row of each of its strings. Subsequences grow
    letter by letter, each by its leftmost occurrence; with them goes the list of rows behind their leftmost occurrences
    in the sample. The search ends with the first one that is nowhere, and where the whole string is found.
    """
    answers = np.empty(len(offsets) - 1, np.bool_)
    found = np.empty((longest + 1, len(firsts)), np.int32)
    counts = np.zeros(longest + 1, np.int64)
    found[0] = firsts
    counts[0] = len(firsts)
    row, letter = np.zeros(longest + 1, np.int64), np.zeros(longest + 1, np.int64)
    n_letters = sample.shape[1]
    for string in range(len(answers)):
        own_offsets = np.array([0, offsets[string + 1] - offsets[string]])
        own = rows_after(columns[offsets[string] : offsets[string + 1]], own_offsets, n_letters)
        answers[string] = len(firsts) > 0
        depth, looks = 0, 0
        row[0] = 0
        letter[0] = 0
        while depth >= 0 and answers[string]:
            if depth == longest or letter[depth] == n_letters:
                depth -= 1
                continue
            looks += 1
            if looks == _FIRST_LOOKS and _is_found(sample, firsts, columns[offsets[string] : offsets[string + 1]]):
                break
            column = letter[depth]
            letter[depth] += 1
            if own[row[depth], column] == _NOWHERE:
                continue
            count = 0
            for index in range(counts[depth]):
                reached = sample[found[depth, index], column]
                if reached != _NOWHERE:
                    found[depth + 1, count] = reached
                    count += 1
                    if depth + 1 == longest:
                        break
            if count == 0:
                answers[string] = False
            depth += 1
            counts[depth] = count
            row[depth] = own[row[depth - 1], column]
            letter[depth] = 0
    return answers


@numba.njit(cache=True, nogil=True)
def _is_found(sample: NDArray[np.int32], firsts: NDArray[np.int64], word: NDArray[np.int32]) -> bool:
    """Return whether a word is a subsequence of some string of the sample."""
    for first in firsts:
        row = np.int32(first)
        for column in word:
            row = sample[row, column]
            if row == _NOWHERE:
                break
        if row != _NOWHERE:
            return True
    return False
