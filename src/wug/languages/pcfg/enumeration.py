"""Strings in order of length and class, and their number."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wug.languages.pcfg._chart import new_chart
from wug.languages.pcfg._enumeration import Search, Tokens, add_corners, enumerate_strings
from wug.languages.pcfg._lengths import Bits, Flags, fill_derivable, fill_following
from wug.languages.pcfg.normal_form import BinaryGrammar, Integers, Tables
from wug.languages.pcfg.systems import strong_components

_FIRST_LIMIT = 64


@dataclass(frozen=True)
class Found:
    """Strings of a search."""

    tokens: Tokens
    offsets: Integers
    n_strings: int
    """Number of strings, also of those only counted."""


class Enumeration:
    """The strings of a grammar in order.

    The search goes depth first through prefixes of strings of one length. A table of the lengths that each symbol
    derives, and of those that can follow it to the end of the string, tells which classes lead to a string, so that
    each step is part of one. Memory grows with the square of the length: about ``n * n * n_symbols / 8`` bytes.
    """

    def __init__(self, binary: BinaryGrammar, tables: Tables) -> None:
        """Store the grammar."""
        self._binary = binary
        self._tables = tables

    @cached_property
    def longest(self) -> int | None:
        """Length of the longest string, None if there is none.

        Every symbol derives some string that is not empty, so a rule that brings a symbol back beside another one makes
        strings of any length.
        """
        n = self._binary.n_symbols
        edges = {(left, symbol): True for left, symbol, _ in self._binary.units}
        edges |= {(left, symbol): True for left, first, second, _ in self._binary.pairs for symbol in (first, second)}
        component = {}
        for number, nodes in enumerate(strong_components(edges, n)):
            component.update(dict.fromkeys(nodes, number))
        for left, first, second, _ in self._binary.pairs:
            if left in component and component[left] in (component.get(first), component.get(second)):
                return None
        longest = [0] * n
        for left, _, _ in self._binary.scans:
            longest[left] = 1
        before: list[int] = []
        while before != longest:
            before = list(longest)
            for left, symbol, _ in self._binary.units:
                longest[left] = max(longest[left], longest[symbol])
            for left, first, second, _ in self._binary.pairs:
                longest[left] = max(longest[left], longest[first] + longest[second])
        return longest[0]

    def strings(self, size: int, after: Tokens | None, dtype: np.dtype[Any]) -> tuple[Tokens, Integers]:
        """Return tokens and offsets of the first ``size`` strings, or of all; with ``after`` of those behind it."""
        parts = [Found(np.empty(0, dtype), np.zeros(1, np.int64), 0)]
        n_found, first = 0, 0 if after is None else len(after)
        limit = first + _FIRST_LIMIT
        while n_found < size and (self.longest is None or first <= self.longest):
            if self.longest is not None:
                limit = min(limit, self.longest)
            parts.append(self._search(range(first, limit + 1), after, size - n_found, np.empty(1024, dtype)))
            n_found, first, limit = n_found + parts[-1].n_strings, limit + 1, 2 * limit
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return np.concatenate([part.tokens for part in parts]), np.cumsum(np.concatenate(([0], lengths)))

    def count(self, length: int) -> int:
        """Return the number of strings of a length by visiting each one."""
        return self._search(range(length, length + 1), None, np.iinfo(np.int64).max, None).n_strings

    def _search(self, lengths: range, after: Tokens | None, size: int, tokens: Tokens | None) -> Found:
        """Return what is found; strings are kept if there are first ``tokens`` to write to."""
        limit, n_symbols = lengths[-1], self._binary.n_symbols
        n_words = limit // 64 + 1
        derivable = np.zeros((n_symbols, limit + 1), np.bool_)
        fill_derivable(self._tables, derivable)
        following = np.zeros((len(self._tables.corners), n_words), np.uint64)
        fill_following(self._tables, _packed(derivable), self._edges, following)
        search = Search(
            following,
            np.empty((limit + 1, n_symbols, n_words), np.uint64),
            np.full(limit + 1, -1, np.int64),
            np.zeros(limit + 1, np.int64),
            np.zeros(n_words, np.uint64),
        )
        search.outer[0], search.awaited[0] = 0, 1
        corner_start, corners = self._tables.corner_start, self._tables.corners
        add_corners(corner_start, corners, following, search.outer[0], 0, search.awaited, n_words)
        is_length = derivable[0].copy()
        is_length[: lengths[0]] = False
        kept = np.empty(0, np.uint8) if tokens is None else tokens
        behind = np.zeros(limit + 1, kept.dtype) if after is None else after  # no string is longer than the limit
        found, offsets, n_strings = enumerate_strings(
            self._tables,
            *new_chart(self._tables, limit),
            search,
            is_length,
            behind,
            size,
            tokens is not None,
            kept,
            np.zeros(64, np.int64),
        )
        offsets = offsets[: n_strings + 1] if tokens is not None else offsets[:1]
        return Found(found[: offsets[-1]], offsets, n_strings)

    @cached_property
    def _edges(self) -> Integers:
        """(n_edges, 3) upper symbol, symbol that can begin it, symbol that follows there (-1: none)."""
        empty = self._binary.empty
        edges = [(left, symbol, -1) for left, symbol, _ in self._binary.units]
        for left, first, second, _ in self._binary.pairs:
            edges.append((left, first, second))
            if empty[first] > 0:
                edges.append((left, second, -1))
        return np.array(edges, np.int64).reshape(-1, 3)


def _packed(flags: Flags) -> Bits:
    """Return (n + 1, n_words) sets of lengths for (n, limit + 1) flags, and last the set of 0."""
    n_words = (flags.shape[1] - 1) // 64 + 1
    padded = np.zeros((len(flags) + 1, 64 * n_words), np.bool_)
    padded[:-1, : flags.shape[1]] = flags
    padded[-1, 0] = True
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
