"""Compiled writing of labelled strings as UTF-8 lines."""

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def write_lines(
    tokens: NDArray[np.integer],
    offsets: NDArray[np.int64],
    labels: NDArray[np.bool_],
    symbol_bytes: NDArray[np.uint8],
    symbol_ends: NDArray[np.int64],
    separator: NDArray[np.uint8],
    endings: NDArray[np.uint8],
    ending_ends: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Return the bytes of one line per string: its symbols, a separator between them, and its label's ending.

    Symbol c is ``symbol_bytes[symbol_ends[c]:symbol_ends[c + 1]]``; endings likewise, 0 for FALSE and 1 for TRUE.
    """
    n_bytes = 0
    for string in range(len(labels)):
        for place in range(offsets[string], offsets[string + 1]):
            n_bytes += symbol_ends[tokens[place] + 1] - symbol_ends[tokens[place]]
        n_bytes += len(separator) * max(offsets[string + 1] - offsets[string] - 1, 0)
        n_bytes += ending_ends[int(labels[string]) + 1] - ending_ends[int(labels[string])]
    written = np.empty(n_bytes, np.uint8)
    at = 0
    for string in range(len(labels)):
        for place in range(offsets[string], offsets[string + 1]):
            if place > offsets[string]:
                for byte in separator:
                    written[at] = byte
                    at += 1
            for index in range(symbol_ends[tokens[place]], symbol_ends[tokens[place] + 1]):
                written[at] = symbol_bytes[index]
                at += 1
        for index in range(ending_ends[int(labels[string])], ending_ends[int(labels[string]) + 1]):
            written[at] = endings[index]
            at += 1
    return written
