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


@njit(cache=True, nogil=True)
def can_follow(tables: Tables, chart: Chart, depth: int, token: int) -> bool:
    """Return whether a class can come next after the path's first ``depth`` symbols."""
    for scan in range(tables.scan_start[token], tables.scan_start[token + 1]):
        if chart.expected[depth, tables.scans[scan].symbol].mantissa > 0:
            return True
    return False


@njit(cache=True, nogil=True)
def add_next(tables: Tables, chart: Chart, depth: int, token: int, total: Any) -> None:
    """Add the probability of the prefix that the path's first ``depth`` symbols and a class make."""
    for scan in range(tables.scan_start[token], tables.scan_start[token + 1]):
        rule = tables.scans[scan]
        expected = chart.expected[depth, rule.symbol]
        if expected.mantissa > 0:
            add_to(total, expected.mantissa * rule.weight, expected.exponent)


@njit(cache=True, nogil=True)
def advance(tables: Tables, chart: Chart, pending: Any, depth: int, token: int) -> Any:
    """Append a class to the path's first ``depth`` symbols; return the pending constituents, moved if they outgrew.

    Constituents that end here are taken by falling origin: what they complete begins earlier, so that every origin is
    complete when its turn comes.
    """
    row, n_symbols = depth + 1, len(tables.empty)
    for scan in range(tables.scan_start[token], tables.scan_start[token + 1]):
        rule = tables.scans[scan]
        if chart.expected[depth, rule.symbol].mantissa > 0:
            _add_complete(chart, depth, rule.symbol, rule.weight, 0)
    for symbol in range(n_symbols):
        chart.first_pending[row, symbol] = -1
    chart.whole[row].mantissa = 0.0
    chart.n_pending[row] = chart.n_pending[depth]
    for block in range(depth // BLOCK, -1, -1):
        if not chart.is_block_begun[block]:
            continue
        for origin in range(min(depth, BLOCK * block + BLOCK - 1), BLOCK * block - 1, -1):
            if not chart.is_begun[origin]:
                continue
            _cover(tables, chart, origin)
            if origin == 0:
                chart.whole[row] = chart.covered[0]
            while chart.n_pending[row] + len(tables.pairs) > len(pending):
                pending = longer(pending)
            for symbol in range(n_symbols):
                if chart.covered[symbol].mantissa > 0:
                    _begin_pairs(tables, chart, pending, row, origin, symbol)
                    _complete_pairs(chart, pending, origin, symbol)
                    chart.covered[symbol].mantissa = 0.0
            chart.is_begun[origin] = False
        chart.is_block_begun[block] = False
    _expect(tables, chart, pending, row)
    return pending


@njit(cache=True, nogil=True)
def _add_complete(chart: Chart, origin: int, symbol: int, mantissa: float, exponent: int) -> None:
    """Add to the constituents from ``origin`` to the end of the path."""
    add_to(chart.complete[origin, symbol], mantissa, exponent)
    chart.is_begun[origin] = True
    chart.is_block_begun[origin // BLOCK] = True


@njit(cache=True, nogil=True)
def _cover(tables: Tables, chart: Chart, origin: int) -> None:
    """Move the complete constituents of one origin to ``covered``, with all that cover the same text."""
    for symbol in range(len(tables.empty)):
        complete = chart.complete[origin, symbol]
        if complete.mantissa == 0.0:
            continue
        for entry in range(tables.span_start[symbol], tables.span_start[symbol + 1]):
            span = tables.spans[entry]
            if chart.expected[origin, span.symbol].mantissa > 0:
                add_to(chart.covered[span.symbol], complete.mantissa * span.weight, complete.exponent)
        complete.mantissa = 0.0


@njit(cache=True, nogil=True)
def _begin_pairs(tables: Tables, chart: Chart, pending: Any, row: int, origin: int, symbol: int) -> None:
    """Let a complete constituent be the first symbol of rules."""
    first = chart.covered[symbol]
    for pair in range(tables.pair_start[symbol], tables.pair_start[symbol + 1]):
        rule = tables.pairs[pair]
        if chart.expected[origin, rule.left].mantissa > 0:
            number = chart.n_pending[row]
            pending[number].origin = origin
            pending[number].left = rule.left
            pending[number].next = chart.first_pending[row, rule.second]
            mantissa, exponent = scaled(first.mantissa * rule.weight, first.exponent)
            pending[number].mantissa = mantissa
            pending[number].exponent = exponent
            chart.first_pending[row, rule.second] = number
            chart.n_pending[row] = number + 1


@njit(cache=True, nogil=True)
def _complete_pairs(chart: Chart, pending: Any, origin: int, symbol: int) -> None:
    """Let a complete constituent be the second symbol of the pending ones that await it."""
    second, number = chart.covered[symbol], chart.first_pending[origin, symbol]
    while number >= 0:
        pair = pending[number]
        mantissa, exponent = second.mantissa * pair.mantissa, second.exponent + pair.exponent
        _add_complete(chart, pair.origin, pair.left, mantissa, exponent)
        number = pair.next


@njit(cache=True, nogil=True)
def _expect(tables: Tables, chart: Chart, pending: Any, row: int) -> None:
    """Fill a row of ``expected`` from the pending constituents that await something there."""
    awaited = chart.covered[0]  # a work space, free at this moment
    for symbol in range(len(tables.empty)):
        chart.expected[row, symbol].mantissa = 0.0
    for symbol in range(len(tables.empty)):
        number = chart.first_pending[row, symbol]
        if number < 0:
            continue
        while number >= 0:
            pair = pending[number]
            expected = chart.expected[pair.origin, pair.left]
            add_to(awaited, expected.mantissa * pair.mantissa, expected.exponent + pair.exponent)
            number = pair.next
        for entry in range(tables.corner_start[symbol], tables.corner_start[symbol + 1]):
            corner = tables.corners[entry]
            add_to(chart.expected[row, corner.symbol], awaited.mantissa * corner.weight, awaited.exponent)
        awaited.mantissa = 0.0
