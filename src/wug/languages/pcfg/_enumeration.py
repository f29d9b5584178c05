"""The compiled enumeration of strings by length and class, depth first, without a dead end."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg._arrays import longer
from wug.languages.pcfg._chart import Chart, advance
from wug.languages.pcfg._lengths import Bits, Flags, add_sums, has
from wug.languages.pcfg.normal_form import Integers, Tables

Tokens = NDArray[np.integer[Any]]


class Search(NamedTuple):
    """Where a depth-first search for strings up to a limit of length stands."""

    following: Bits
    """(n_corners, n_words) lengths of what follows each left corner inside the symbol whose corner it is."""
    outer: Bits
    """(limit + 1, n_symbols, n_words) lengths of what can come behind a symbol that begins at a depth, to the end."""
    path: Integers
    """(limit + 1,) the classes of the current prefix."""
    next_class: Integers
    """(limit + 1,) the first class not yet tried behind the first d symbols of the path."""
    awaited: Bits
    """(n_words,) work space."""


@njit(cache=True, nogil=True)
def add_corners(tables: Tables, search: Search, depth: int, symbol: int, n_words: int) -> None:
    """Add what can come behind each left corner of a symbol behind which the lengths ``awaited`` can come."""
    for entry in range(tables.corner_start[symbol], tables.corner_start[symbol + 1]):
        corner = tables.corners[entry].symbol
        add_sums(search.outer[depth, corner], search.awaited, search.following[entry], n_words)


@njit(cache=True, nogil=True)
def _fill_outer(tables: Tables, chart: Chart, pending: Any, search: Search, depth: int) -> None:
    """Fill a row of ``outer`` from the pending constituents that await something there."""
    limit = len(search.path) - 1
    n_words = ((limit - depth) >> 6) + 1  # longer lengths would go beyond the limit
    for symbol in range(len(tables.empty)):
        for word in range(n_words):
            search.outer[depth, symbol, word] = 0
    for symbol in range(len(tables.empty)):
        number = chart.first_pending[depth, symbol]
        if number < 0:
            continue
        for word in range(n_words):
            search.awaited[word] = 0
        while number >= 0:
            pair = pending[number]
            for word in range(n_words):
                search.awaited[word] |= search.outer[pair.origin, pair.left, word]
            number = pair.next
        add_corners(tables, search, depth, symbol, n_words)


@njit(cache=True, nogil=True)
def _next_class(tables: Tables, search: Search, depth: int, rest: int) -> int:
    """Return the next class that leads to a string with ``rest`` symbols behind it; the number of classes if none."""
    n_classes = len(tables.scan_start) - 1
    for token in range(search.next_class[depth], n_classes):
        for scan in range(tables.scan_start[token], tables.scan_start[token + 1]):
            if has(search.outer[depth, tables.scans[scan].symbol], rest):
                return token
    return n_classes


@njit(cache=True, nogil=True)
def enumerate_strings(
    tables: Tables,
    chart: Chart,
    pending: Any,
    search: Search,
    is_length: Flags,
    after: Tokens,
    size: int,
    is_kept: bool,
    tokens: Tokens,
    offsets: Integers,
) -> tuple[Tokens, Integers, int]:
    """Return tokens, offsets and number of the strings of these lengths, at most ``size``.

    ``is_length`` (limit + 1,) are the lengths to look at. Of those as long as ``after`` only strings behind it are
    wanted. ``tokens`` and ``offsets``, which begins with 0, are first arrays to write to, filled to where the offsets
    say; without ``is_kept`` strings are only counted.
    """
    n_classes, n_found = len(tables.scan_start) - 1, 0
    n_known = 0  # symbols of the path that the chart is about
    for length in range(len(is_length)):
        if not is_length[length]:
            continue
        is_resuming = length == len(after)
        depth = -1 if is_resuming and length == 0 else 0
        search.next_class[0] = after[0] if is_resuming and length > 0 else 0
        while depth >= 0 and n_found < size:
            if depth == length:
                depth -= 1
                n_found += 1
                if is_kept:
                    tokens, offsets = _keep(search, length, n_found, tokens, offsets)
                continue
            token = _next_class(tables, search, depth, length - depth - 1)
            is_resuming = is_resuming and token == after[depth]
            search.next_class[depth] = token + 1
            if token == n_classes:
                depth -= 1
                continue
            if is_resuming and depth == length - 1:  # the string to be behind
                is_resuming = False
                continue
            if n_known <= depth or search.path[depth] != token:
                search.path[depth] = token
                n_known = depth
                if depth + 1 < length:
                    pending = advance(tables, chart, pending, depth, token)
                    _fill_outer(tables, chart, pending, search, depth + 1)
                    n_known = depth + 1
            depth += 1
            if depth < length:
                search.next_class[depth] = after[depth] if is_resuming else 0
    return tokens, offsets, n_found


@njit(cache=True, nogil=True)
def _keep(search: Search, length: int, n_found: int, tokens: Tokens, offsets: Integers) -> tuple[Tokens, Integers]:
    """Write the path, a string, behind those found before."""
    if n_found == len(offsets):
        offsets = longer(offsets)
    first = offsets[n_found - 1]
    offsets[n_found] = first + length
    while offsets[n_found] > len(tokens):
        tokens = longer(tokens)
    for t in range(length):
        tokens[first + t] = search.path[t]
    return tokens, offsets
