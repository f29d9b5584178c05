"""Compiled loops behind the prefix tree."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def _common_prefix(tokens: Array, offsets: Integers, one: int, other: int, known: int) -> int:
    """Return the length of the longest common prefix of two strings that share at least ``known`` symbols."""
    a, b = offsets[one], offsets[other]
    shorter = min(offsets[one + 1] - a, offsets[other + 1] - b)
    while known < shorter and tokens[a + known] == tokens[b + known]:
        known += 1
    return known


@njit(cache=True, nogil=True)
def _precedes(tokens: Array, offsets: Integers, one: int, other: int, common: int) -> bool:
    """Return whether the first string is not behind the second one, which shares exactly ``common`` symbols."""
    a, b = offsets[one] + common, offsets[other] + common
    if a == offsets[one + 1]:
        return True
    return b < offsets[other + 1] and tokens[a] < tokens[b]


@njit(cache=True, nogil=True)
def sort_strings(tokens: Array, offsets: Integers) -> tuple[Integers, Integers]:
    """Return (n,) string numbers in lexicographic order and (n,) each one's common prefix with the one before.

    Merge sort that carries common prefixes along, so that no symbol is compared twice with the same run (Ng and
    Kakehi 2008, "Merging string sequences by longest common prefixes"): linear in the symbols that tell the strings
    apart, plus n log n. Stable.
    """
    n = len(offsets) - 1
    order, common = np.arange(n), np.zeros(n, dtype=np.int64)
    merged, merged_common = np.empty_like(order), np.empty_like(common)
    width = 1
    while width < n:
        for first in range(0, n, 2 * width):
            middle, last = min(first + width, n), min(first + 2 * width, n)
            left, right = first, middle
            left_common, right_common = 0, 0  # of each run's head with the string merged last
            for place in range(first, last):
                shared = min(left_common, right_common)
                if left == middle or right == last:
                    takes_left = right == last
                elif left_common != right_common:
                    takes_left = left_common > right_common
                else:
                    shared = _common_prefix(tokens, offsets, order[left], order[right], shared)
                    takes_left = _precedes(tokens, offsets, order[left], order[right], shared)
                if takes_left:
                    merged[place], merged_common[place] = order[left], left_common
                    left += 1
                    left_common, right_common = common[left] if left < middle else 0, shared
                else:
                    merged[place], merged_common[place] = order[right], right_common
                    right += 1
                    left_common, right_common = shared, common[right] if right < last else 0
        order, merged = merged, order
        common, merged_common = merged_common, common
        width *= 2
    return order, common


@njit(cache=True, nogil=True)
def _part(parent: Integers, split: Integers, lengths: Integers, one: int, other: int, depth: int) -> int:
    """Let the shorter of two strings (else the second) leave the other one at ``depth``; return the one that stays."""
    stays, leaves = (one, other) if lengths[one] >= lengths[other] else (other, one)
    parent[leaves], split[leaves] = stays, depth
    return stays


@njit(cache=True, nogil=True)
def branches(order: Integers, common: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Return (n,) parent and (n,) split of every string, as described in ``PrefixTree``.

    Walks the strings in lexicographic order with a stack of the prefixes at which strings part, each with the string
    that stays so far.
    """
    n = len(order)
    parent, split = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    depths, staying = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    height = 0
    for place in range(1, n + 1):
        depth = common[place] if place < n else -1
        branch = order[place - 1]
        while height > 0 and depths[height - 1] > depth:
            height -= 1
            branch = _part(parent, split, lengths, staying[height], branch, depths[height])
        if height > 0 and depths[height - 1] == depth:
            staying[height - 1] = _part(parent, split, lengths, staying[height - 1], branch, depth)
        elif depth >= 0:
            depths[height], staying[height] = depth, branch
            height += 1
    # Where several strings part at one prefix, one that stayed for a while may have left there too: look past it.
    for i in range(n):
        if split[i] == 0:
            parent[i] = -1
        while parent[i] >= 0 and split[parent[i]] == split[i]:
            parent[i] = parent[parent[i]]
    return parent, split


@njit(cache=True, nogil=True)
def grow(
    tokens: Array, offsets: Integers, order: Integers, common: Integers, n_nodes: int, start: int
) -> tuple[Integers, Array, Integers, Integers]:
    """Return (n_nodes,) parent, symbol and depth of the nodes, and (n,) the node where each string ends."""
    parent, depth = np.full(n_nodes, -1, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    symbol = np.full(n_nodes, start, dtype=tokens.dtype)
    last = np.zeros(len(order), dtype=np.int64)
    longest = 0
    for i in range(len(order)):
        longest = max(longest, offsets[i + 1] - offsets[i])
    path = np.zeros(longest + 1, dtype=np.int64)
    node = 0
    for place in range(len(order)):
        string = order[place]
        length = offsets[string + 1] - offsets[string]
        for t in range(common[place], length):
            node += 1
            parent[node], symbol[node], depth[node] = path[t], tokens[offsets[string] + t], t + 1
            path[t + 1] = node
        last[string] = path[length]
    return parent, symbol, depth, last


@njit(cache=True, nogil=True)
def passing(parent: Integers, ending: Array) -> Array:
    """Return (n_nodes,) the sum of ``ending`` over each node and all nodes below it."""
    total = ending.copy()
    for node in range(len(parent) - 1, 0, -1):
        total[parent[node]] += total[node]
    return total
