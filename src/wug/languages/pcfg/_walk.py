"""The compiled walk over strings in lexicographic order, in which shared prefixes are parsed once."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg._chart import Chart, add_next, advance, can_follow
from wug.languages.pcfg._extended import add_to, log2, ratio
from wug.languages.pcfg.normal_form import Floats, Integers, Records, Tables

Tokens = NDArray[np.integer[Any]]


@njit(cache=True, nogil=True)
def _slot_of(row: Floats, rows: Floats, slots: Integers) -> np.int64:
    """Return the slot of the hash table that holds the number of a row, or the free one where it belongs."""
    words, state = row.view(np.uint64), np.uint64(0xCBF29CE484222325)
    for i in range(len(words)):
        state = (state ^ words[i]) * np.uint64(0x100000001B3)
        state ^= state >> np.uint64(29)
    slot = np.int64(state & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        is_equal, i = True, 0
        while is_equal and i < len(row):
            is_equal = rows[slots[slot], i] == row[i]
            i += 1
        if is_equal:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@njit(cache=True, nogil=True)
def _grown(rows: Floats, slots: Integers, n_rows: int) -> tuple[Floats, Integers]:
    """Return rows and hash table with room for twice as many rows."""
    more = np.empty((2 * len(rows), rows.shape[1]))
    more_slots = np.full(2 * len(slots), -1, np.int64)
    for number in range(n_rows):
        for i in range(rows.shape[1]):
            more[number, i] = rows[number, i]
        more_slots[_slot_of(more[number], more, more_slots)] = number
    return more, more_slots


@njit(cache=True, nogil=True, inline="always")
def _fill_distribution(
    scan_start: Integers, scans: Records, expected: Records, whole: Any, end: int, weights: Records, row: Floats
) -> None:
    """Fill a row with the distribution of what follows a path; ``expected`` and ``whole`` are its row of the chart.

    ``weights`` (n_classes + 1,) is work space for the numbers of the classes and their sum.
    """
    total = weights[len(row)]
    total.mantissa, total.exponent = whole.mantissa, whole.exponent
    for token in range(len(row)):
        weights[token].mantissa = 0.0
        add_next(scan_start, scans, expected, token, weights[token])
        if weights[token].mantissa > 0:
            add_to(total, weights[token].mantissa, weights[token].exponent)
    for token in range(len(row)):
        row[token] = ratio(weights[token], total)
    row[end] = ratio(whole, total)


@njit(cache=True, nogil=True)
def next_symbol_situations(
    tables: Tables,
    chart: Chart,
    pending: Any,
    tokens: Tokens,
    offsets: Integers,
    in_order: Integers,
    common: Integers,
    end: int,
    weights: Records,
    situations: Integers,
    impossible: Integers,
) -> Floats:
    """Fill in the situation of each position and where each string stops being a prefix; return the situations.

    ``in_order`` are the strings in lexicographic order, ``common`` the number of symbols that each shares with the one
    before. ``impossible`` stays as it is for prefixes. Situations are equal only bit for bit, so that no answer depends
    on the other strings. ``weights`` (n_classes + 1,) is work space.
    """
    scan_start, scans, expected, whole = tables.scan_start, tables.scans, chart.expected, chart.whole
    rows, slots, n_rows = np.empty((16, len(weights) - 1)), np.full(64, -1, np.int64), 0
    row = np.empty(len(weights) - 1)
    path = np.empty(len(chart.n_pending), np.int64)
    n_known = -1  # positions of the path whose situations are known, less 1
    for place in range(len(in_order)):
        string = in_order[place]
        first, length = offsets[string], offsets[string + 1] - offsets[string]
        n_known = min(n_known, common[place])
        for t in range(length + 1):
            if t > n_known:
                if t > 0:
                    token = tokens[first + t - 1]
                    if not can_follow(scan_start, scans, expected[t - 1], token):
                        impossible[string] = t - 1
                        break
                    pending = advance(tables, chart, pending, t - 1, token)
                _fill_distribution(scan_start, scans, expected[t], whole[t], end, weights, row)
                if n_rows == len(rows):
                    rows, slots = _grown(rows, slots, n_rows)
                slot = _slot_of(row, rows, slots)
                if slots[slot] < 0:
                    for i in range(len(row)):
                        rows[n_rows, i] = row[i]
                    slots[slot] = n_rows
                    n_rows += 1
                path[t] = slots[slot]
                n_known = t
            situations[first + string + t] = path[t]
    return rows[:n_rows]


@njit(cache=True, nogil=True)
def log2_probabilities(
    tables: Tables,
    chart: Chart,
    pending: Any,
    tokens: Tokens,
    offsets: Integers,
    in_order: Integers,
    common: Integers,
    total: Records,
    prefix: Floats,
    whole: Floats,
) -> None:
    """Fill in the binary logarithm of each string's probability, as a prefix and as a whole string.

    Both stay as they are for strings that are no prefix. ``total`` (1,) is work space for a number.
    """
    scan_start, scans, expected = tables.scan_start, tables.scans, chart.expected
    n_known = 0  # symbols of the path that the chart is about
    for place in range(len(in_order)):
        string = in_order[place]
        first, length = offsets[string], offsets[string + 1] - offsets[string]
        n_known = min(n_known, common[place])
        while n_known < length and can_follow(scan_start, scans, expected[n_known], tokens[first + n_known]):
            pending = advance(tables, chart, pending, n_known, tokens[first + n_known])
            n_known += 1
        if n_known == length:
            whole[string] = log2(chart.whole[length])
            total[0].mantissa, total[0].exponent = chart.whole[length].mantissa, chart.whole[length].exponent
            for token in range(len(scan_start) - 1):
                add_next(scan_start, scans, expected[length], token, total[0])
            prefix[string] = log2(total[0])
