"""The chart of a prefix: what has been derived, and what can be expected next.

Stolcke (1995), "An efficient probabilistic context-free parsing algorithm that computes prefix probabilities", on
binary rules. His forward probability of a state is the product of two numbers that are kept apart here: the expected
number of times that its left-hand side is predicted where it begins, and the inside probability of what it has
derived. Only constituents that are not empty are kept; empty ones are in the closures of the tables.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg._arrays import longer
from wug.languages.pcfg._extended import NUMBER, add_to, scaled
from wug.languages.pcfg.normal_form import Integers, Records, Tables

PENDING = np.dtype(
    [
        ("origin", np.int64),  # the row where it begins
        ("left", np.int64),  # the symbol it will be
        ("next", np.int64),  # the one before that awaits the same symbol in the same row, or -1
        ("mantissa", np.float64),  # inside probability of what it has derived
        ("exponent", np.int64),
    ]
)
"""A constituent whose first symbol is complete and whose second one is awaited."""


BLOCK = 64


class Chart(NamedTuple):
    """The chart of one path; row d belongs to its first d symbols. NUMBER arrays are as in ``_extended``."""

    expected: Records
    """(depth + 1, n_symbols) NUMBER: expected number of each symbol here, times the probability of the prefix."""
    whole: Records
    """(depth + 1,) NUMBER: probability of the path as a complete string."""
    n_pending: Integers
    """(depth + 1,) number of pending constituents of this row and those above."""
    first_pending: Integers
    """(depth + 1, n_symbols) the last pending constituent that awaits the symbol here, or -1."""
    complete: Records
    """(depth + 1, n_symbols) NUMBER, all 0 between steps: constituents from here to the end of the path."""
    is_begun: NDArray[np.bool_]
    """(depth + 1,) false between steps: whether ``complete`` has entries."""
    is_block_begun: NDArray[np.bool_]
    """(depth // BLOCK + 1,) the same for blocks of rows, so that long idle stretches are passed quickly."""
    covered: Records
    """(n_symbols,) NUMBER, all 0 between steps: the same with units and empty neighbours put in."""


def new_chart(tables: Tables, depth: int) -> tuple[Chart, Records]:
    """Return the chart of the empty prefix, with room for ``depth`` symbols, and room for pending constituents."""
    n_symbols = len(tables.empty)
    chart = Chart(
        np.zeros((depth + 1, n_symbols), NUMBER),
        np.zeros(depth + 1, NUMBER),
        np.zeros(depth + 1, np.int64),
        np.full((depth + 1, n_symbols), -1, np.int64),
        np.zeros((depth + 1, n_symbols), NUMBER),
        np.zeros(depth + 1, np.bool_),
        np.zeros(depth // BLOCK + 1, np.bool_),
        np.zeros(n_symbols, NUMBER),
    )
    for corner in tables.corners[: tables.corner_start[1]]:
        chart.expected[0, corner["symbol"]] = scaled(corner["weight"], 0)
    if tables.empty[0] > 0:
        chart.whole[0] = scaled(tables.empty[0], 0)
    return chart, np.empty(64, PENDING)


# The functions below take single arrays where they are called often: every look into a named tuple counts a reference,
# which took two thirds of the time.


@njit(cache=True, nogil=True, inline="always")
def can_follow(scan_start: Integers, scans: Records, expected: Records, token: int) -> bool:
    """Return whether a class can come next where these symbols (a row of the chart) are expected."""
    scan, last = scan_start[token], scan_start[token + 1]
    while scan < last and expected[scans[scan].symbol].mantissa == 0.0:
        scan += 1
    return bool(scan < last)


@njit(cache=True, nogil=True, inline="always")
def add_next(scan_start: Integers, scans: Records, expected: Records, token: int, total: Any) -> None:
    """Add the probability of the prefix that a class makes where these symbols (a row of the chart) are expected."""
    for scan in range(scan_start[token], scan_start[token + 1]):
        rule = scans[scan]
        left = expected[rule.symbol]
        if left.mantissa > 0:
            add_to(total, left.mantissa * rule.weight, left.exponent)


@njit(cache=True, nogil=True)
def advance(tables: Tables, chart: Chart, pending: Any, depth: int, token: int) -> Any:
    """Append a class to the path's first ``depth`` symbols; return the pending constituents, moved if they outgrew.

    Constituents that end here are taken by falling origin: what they complete begins earlier, so that every origin is
    complete when its turn comes.
    """
    pair_start, pairs, span_start, spans = tables.pair_start, tables.pairs, tables.span_start, tables.spans
    scan_start, scans = tables.scan_start, tables.scans
    expected, first_pending, n_pending = chart.expected, chart.first_pending, chart.n_pending
    complete, is_begun, is_block_begun, covered = chart.complete, chart.is_begun, chart.is_block_begun, chart.covered
    row, n_symbols = depth + 1, len(covered)
    for symbol in range(n_symbols):
        first_pending[row, symbol] = -1
    chart.whole[row].mantissa = 0.0
    n_pending[row] = n_pending[depth]
    for scan in range(scan_start[token], scan_start[token + 1]):
        rule = scans[scan]
        if expected[depth, rule.symbol].mantissa > 0:
            add_to(complete[depth, rule.symbol], rule.weight, 0)
            _mark(is_begun, is_block_begun, depth)
    for block in range(depth // BLOCK, -1, -1):
        if not is_block_begun[block]:
            continue
        for origin in range(min(depth, BLOCK * block + BLOCK - 1), BLOCK * block - 1, -1):
            if not is_begun[origin]:
                continue
            _cover(span_start, spans, expected[origin], complete[origin], covered)
            if origin == 0:
                chart.whole[row] = covered[0]
            while n_pending[row] + len(pairs) > len(pending):
                pending = longer(pending)
            for symbol in range(n_symbols):
                part = covered[symbol]
                if part.mantissa == 0.0:
                    continue
                for pair in range(pair_start[symbol], pair_start[symbol + 1]):
                    if expected[origin, pairs[pair].left].mantissa > 0:
                        _begin_pair(pairs[pair], part, origin, pending, n_pending, first_pending, row)
                number = first_pending[origin, symbol]
                while number >= 0:
                    first = pending[number]
                    mantissa, exponent = first.mantissa * part.mantissa, first.exponent + part.exponent
                    add_to(complete[first.origin, first.left], mantissa, exponent)
                    _mark(is_begun, is_block_begun, first.origin)
                    number = first.next
                part.mantissa = 0.0
            is_begun[origin] = False
        is_block_begun[block] = False
    _expect(tables.corner_start, tables.corners, expected, pending, first_pending, row, covered[0])
    return pending


@njit(cache=True, nogil=True, inline="always")
def _mark(is_begun: NDArray[np.bool_], is_block_begun: NDArray[np.bool_], origin: int) -> None:
    is_begun[origin] = True
    is_block_begun[origin // BLOCK] = True


@njit(cache=True, nogil=True, inline="always")
def _cover(span_start: Integers, spans: Records, expected: Records, complete: Records, covered: Records) -> None:
    """Move the complete constituents of one origin to ``covered``, with all that cover the same text."""
    for symbol in range(len(covered)):
        part = complete[symbol]
        if part.mantissa == 0.0:
            continue
        for entry in range(span_start[symbol], span_start[symbol + 1]):
            span = spans[entry]
            if expected[span.symbol].mantissa > 0:
                add_to(covered[span.symbol], part.mantissa * span.weight, part.exponent)
        part.mantissa = 0.0


@njit(cache=True, nogil=True, inline="always")
def _begin_pair(
    rule: Any, part: Any, origin: int, pending: Records, n_pending: Integers, first_pending: Integers, row: int
) -> None:
    """Let a complete constituent be the first symbol of a rule."""
    number = n_pending[row]
    pending[number].origin = origin
    pending[number].left = rule.left
    pending[number].next = first_pending[row, rule.second]
    mantissa, exponent = scaled(part.mantissa * rule.weight, part.exponent)
    pending[number].mantissa = mantissa
    pending[number].exponent = exponent
    first_pending[row, rule.second] = number
    n_pending[row] = number + 1


@njit(cache=True, nogil=True, inline="always")
def _expect(
    corner_start: Integers,
    corners: Records,
    expected: Records,
    pending: Records,
    first_pending: Integers,
    row: int,
    awaited: Any,
) -> None:
    """Fill a row of ``expected`` from the pending constituents; ``awaited`` is a number to work with, 0 outside."""
    n_symbols = expected.shape[1]
    for symbol in range(n_symbols):
        expected[row, symbol].mantissa = 0.0
    for symbol in range(n_symbols):
        number = first_pending[row, symbol]
        if number < 0:
            continue
        while number >= 0:
            first = pending[number]
            left = expected[first.origin, first.left]
            add_to(awaited, left.mantissa * first.mantissa, left.exponent + first.exponent)
            number = first.next
        for entry in range(corner_start[symbol], corner_start[symbol + 1]):
            corner = corners[entry]
            add_to(expected[row, corner.symbol], awaited.mantissa * corner.weight, awaited.exponent)
        awaited.mantissa = 0.0
