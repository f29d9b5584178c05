"""Compiled spelling of walks through a border graph as pairs of words."""

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata._border_graph import Step

FILLER = -1
COPY, SUBSTITUTE, DELETE = int(Step.COPY), int(Step.SUBSTITUTE), int(Step.DELETE)
COPY_BEHIND_DELETION, INSERT_DIFFERENT = int(Step.COPY_BEHIND_DELETION), int(Step.INSERT_DIFFERENT)


@numba.njit(cache=True, nogil=True)
def spell_pairs(
    edges: NDArray[np.int32],
    ways: NDArray[np.uint32],
    ends: NDArray[np.int32],
    steps: NDArray[np.uint8],
    classes: NDArray[np.int32],
    n_states: int,
    actions: NDArray[np.int32],
    accepting: NDArray[np.bool_],
    first: NDArray[np.int64],
    letters: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Return (n, length) words inside, (n, length + 1) words outside filled with FILLER, and (n,) their lengths."""
    n_pairs, length = edges.shape
    inside = np.empty((n_pairs, length), np.int32)
    outside = np.full((n_pairs, length + 1), FILLER, np.int32)
    outside_lengths = np.empty(n_pairs, np.int64)
    for pair in range(n_pairs):
        written = 0
        deleted = np.int64(0)
        for position in range(length):
            edge = edges[pair, position]
            step = steps[edge]
            way = np.int64(ways[pair, position])
            x_class, y_class = classes[edge, 0], classes[edge, 1]
            if step == COPY:
                x = letters[first[x_class] + way]
            elif step == DELETE:
                deleted = way
                inside[pair, position] = letters[first[x_class] + way]
                continue
            elif step == COPY_BEHIND_DELETION:
                x = letters[first[x_class] + way + (x_class == y_class and way >= deleted)]
            else:
                apart = x_class == y_class and step == INSERT_DIFFERENT
                others = first[y_class + 1] - first[y_class] - apart
                x_way, y_way = way // others, way % others
                x = letters[first[x_class] + x_way]
                y = letters[first[y_class] + y_way + (apart and y_way >= x_way)]
                outside[pair, written] = y
                written += 1
                if step == SUBSTITUTE:
                    inside[pair, position] = x
                    continue
            inside[pair, position] = x
            outside[pair, written] = x
            written += 1
        if ends[pair] < n_states:
            way = np.int64(ways[pair, length])
            for letter_class in range(len(first) - 1):
                if accepting[actions[letter_class, ends[pair]]]:
                    continue
                size = first[letter_class + 1] - first[letter_class]
                if way < size:
                    outside[pair, written] = letters[first[letter_class] + way]
                    written += 1
                    break
                way -= size
        outside_lengths[pair] = written
    return inside, outside, outside_lengths
