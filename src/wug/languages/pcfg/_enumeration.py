"""The compiled enumeration of strings by length and class, depth first, without a dead end."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg._arrays import longer
from wug.languages.pcfg._chart import Chart, advance
from wug.languages.pcfg._lengths import Bits, Flags, add_sums, has
from wug.languages.pcfg.normal_form import Integers, Records, Tables

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
def add_corners(
    corner_start: Integers, corners: Records, following: Bits, outer: Bits, symbol: int, behind: Bits, n_words: int
) -> None:
    """Add to a row of ``outer`` what can come behind each left corner of a symbol, given what can come behind that."""
    for entry in range(corner_start[symbol], corner_start[symbol + 1]):
        add_sums(outer[corners[entry].symbol], behind, following[entry], n_words)


@njit(cache=True, nogil=True)
def _fill_outer(tables: Tables, chart: Chart, pending: Any, search: Search, depth: int) -> None:
    """Fill a row of ``outer`` from the pending constituents that await something there."""
    outer, awaited, following, first_pending = search.outer, search.awaited, search.following, chart.first_pending
    corner_start, corners = tables.corner_start, tables.corners
    n_words = ((len(search.path) - 1 - depth) >> 6) + 1  # longer lengths would go beyond the limit
    for symbol in range(outer.shape[1]):
        for word in range(n_words):
            outer[depth, symbol, word] = 0
    for symbol in range(outer.shape[1]):
        number = first_pending[depth, symbol]
        if number < 0:
            continue
        for word in range(n_words):
            awaited[word] = 0
        while number >= 0:
            first = pending[number]
            for word in range(n_words):
                awaited[word] |= outer[first.origin, first.left, word]
            number = first.next
        add_corners(corner_start, corners, following, outer[depth], symbol, awaited, n_words)


@njit(cache=True, nogil=True, inline="always")
def _next_class(scan_start: Integers, scans: Records, outer: Bits, token: int, rest: int) -> int:
    """Return the first class from ``token`` on with which a string ends after ``rest`` more symbols, or n_classes."""
    n_classes = len(scan_start) - 1
    while token < n_classes:
        for scan in range(scan_start[token], scan_start[token + 1]):
            if has(outer[scans[scan].symbol], rest):
                return token
        token += 1
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
    scan_start, scans, outer = tables.scan_start, tables.scans, search.outer
    path, next_class = search.path, search.next_class
    n_classes, n_found = len(scan_start) - 1, 0
    n_known = 0  # symbols of the path that the chart is about
    for length in range(len(is_length)):
        if not is_length[length]:
            continue
        is_resuming = length == len(after)
        depth = -1 if is_resuming and length == 0 else 0
        next_class[0] = after[0] if is_resuming and length > 0 else 0
        while depth >= 0 and n_found < size:
            if depth == length:
                depth -= 1
                n_found += 1
                if is_kept:
                    tokens, offsets = _keep(path, length, n_found, tokens, offsets)
                continue
            token = _next_class(scan_start, scans, outer[depth], next_class[depth], length - depth - 1)
            is_resuming = is_resuming and token == after[depth]
            next_class[depth] = token + 1
            if token == n_classes:
                depth -= 1
                continue
            if is_resuming and depth == length - 1:  # the string to be behind
                is_resuming = False
                continue
            if n_known <= depth or path[depth] != token:
                path[depth] = token
                n_known = depth
                if depth + 1 < length:
                    pending = advance(tables, chart, pending, depth, token)
                    _fill_outer(tables, chart, pending, search, depth + 1)
                    n_known = depth + 1
            depth += 1
            if depth < length:
                next_class[depth] = after[depth] if is_resuming else 0
    return tokens, offsets, n_found


@njit(cache=True, nogil=True)
def _keep(path: Integers, length: int, n_found: int, tokens: Tokens, offsets: Integers) -> tuple[Tokens, Integers]:
    """Write the path, a string, behind those found before."""
    if n_found == len(offsets):
        offsets = longer(offsets)
    first = offsets[n_found - 1]
    offsets[n_found] = first + length
    while offsets[n_found] > len(tokens):
        tokens = longer(tokens)
    for t in range(length):
        tokens[first + t] = path[t]
    return tokens, offsets
