"""Compiled counting and drawing of walks; numbers too large for a machine word are rows of 32-bit digits.

A row (n_digits,) uint32 holds a natural number in base 2^32, lowest digit first. Rows are wide enough for every number
that a table can hold, so no carry is ever lost.
"""

import numba
import numpy as np
from numpy.typing import NDArray

Digits = NDArray[np.uint32]

DIGIT = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ZERO = np.uint64(0)
ONE = np.uint64(1)
NOWHERE = -1
"""Edge of a step that could not be decided by its first 32 random bits."""


@numba.njit(cache=True, nogil=True)
def _add_product(total: Digits, number: Digits, factor: np.uint32) -> None:
    carry = ZERO
    for digit in range(len(total)):
        value = np.uint64(number[digit]) * np.uint64(factor) + np.uint64(total[digit]) + carry
        total[digit] = value & LOW
        carry = value >> DIGIT


@numba.njit(cache=True, nogil=True)
def _product_exceeds(number: Digits, factor: np.uint64, bound: Digits) -> bool:
    """Return whether number · factor > bound · 2^32, for a factor below 2^32."""
    carry = ZERO
    exceeds = False
    for digit in range(len(number) + 1):
        value = carry
        if digit < len(number):
            value += np.uint64(number[digit]) * factor
        other = ZERO if digit == 0 else np.uint64(bound[digit - 1])
        low = value & LOW
        if low != other:
            exceeds = bool(low > other)
        carry = value >> DIGIT
    return exceeds


@numba.njit(cache=True, nogil=True)
def _leading(number: Digits, top: int) -> float:
    value = 0.0
    for digit in range(top, max(top - 3, -1), -1):
        value = value * 4294967296.0 + number[digit]
    return value


@numba.njit(cache=True, nogil=True)
def _scaled_quotient(part: Digits, total: Digits) -> np.uint32:
    """Return floor(part · 2^32 / total), at most 2^32 - 1, for part <= total and total > 0.

    Floating point only guesses; exact comparisons decide.
    """
    top = len(total) - 1
    while total[top] == 0:
        top -= 1
    guess = _leading(part, top) / _leading(total, top) * 4294967296.0
    quotient = LOW if guess >= 4294967295.0 else np.uint64(guess)
    while _product_exceeds(total, quotient, part):
        quotient -= ONE
    while quotient < LOW and not _product_exceeds(total, quotient + ONE, part):
        quotient += ONE
    return np.uint32(quotient)


@numba.njit(cache=True, nogil=True)
def tabulate(
    first_edge: NDArray[np.int64],
    targets: NDArray[np.int32],
    ways: Digits,
    counts: NDArray[np.uint32],
    thresholds: NDArray[np.uint32],
) -> None:
    """Fill counts (n_steps + 1, n_nodes, n_digits) beyond row 0, and thresholds (n_steps + 1, n_edges).

    Threshold [r, e] is the 32-bit fraction of the walks of r steps that leave by edge e or an edge before it.
    """
    n_nodes = len(first_edge) - 1
    partial = np.zeros(counts.shape[2], np.uint32)
    for steps in range(1, counts.shape[0]):
        for node in range(n_nodes):
            total = counts[steps, node]
            for edge in range(first_edge[node], first_edge[node + 1]):
                _add_product(total, counts[steps - 1, targets[edge]], ways[edge])
            if not total.any():
                continue
            partial[:] = 0
            for edge in range(first_edge[node], first_edge[node + 1]):
                _add_product(partial, counts[steps - 1, targets[edge]], ways[edge])
                thresholds[steps, edge] = _scaled_quotient(partial, total)


@numba.njit(cache=True, nogil=True)
def _one_of(way_count: np.uint32, bits: np.uint64) -> tuple[bool, np.uint64]:
    """Return (decided, way) for 32 random bits: the way whose equal share of [0, 1) they fall into."""
    product = bits * np.uint64(way_count)
    return bool((product & LOW) + np.uint64(way_count) <= LOW + ONE), product >> DIGIT


@numba.njit(cache=True, nogil=True)
def walk(
    first_edge: NDArray[np.int64],
    targets: NDArray[np.int32],
    ways: Digits,
    final_ways: Digits,
    thresholds: NDArray[np.uint32],
    random_bits: NDArray[np.uint64],
    nodes: NDArray[np.int32],
    done: NDArray[np.int64],
    edges: NDArray[np.int32],
    chosen: NDArray[np.uint32],
) -> None:
    """Continue every walk from its node and its number of steps done, until its end or an undecided step.

    The upper halves of ``random_bits`` (n_walks, n_steps + 1) choose edges, the lower halves ways. The last columns of
    these and of ``chosen`` (n_walks, n_steps + 1) belong to the ending. ``done`` of a finished walk is n_steps + 1. At
    an undecided step ``edges`` holds the edge if it is known and only the way is not, else NOWHERE.
    """
    n_walks, n_steps = edges.shape
    for i in range(n_walks):
        node = nodes[i]
        step = done[i]
        while step < n_steps:
            bits = random_bits[i, step] >> DIGIT
            row = thresholds[n_steps - step]
            low, high = first_edge[node], first_edge[node + 1] - 1
            while low < high:
                middle = (low + high) >> 1
                if np.uint64(row[middle]) >= bits:
                    high = middle
                else:
                    low = middle + 1
            edges[i, step] = NOWHERE
            if np.uint64(row[low]) == bits:
                break
            edges[i, step] = low
            decided, way = _one_of(ways[low], random_bits[i, step] & LOW)
            if not decided:
                break
            chosen[i, step] = way
            node = targets[low]
            step += 1
        if step == n_steps:
            decided, way = _one_of(final_ways[node], random_bits[i, step] & LOW)
            if decided:
                chosen[i, step] = way
                step += 1
        nodes[i] = node
        done[i] = step
