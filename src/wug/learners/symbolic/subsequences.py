"""The subsequences of at most k letters that a sample shows, and the strictly piecewise language they stand for.

Where there is room for one bit for each possible subsequence they are kept as bits; otherwise the sample itself is
kept, and a string's subsequences are looked for in it one by one, until one is missing.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.building import empty_language
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.symbolic import _subsequence_bits, _subsequence_search
from wug.learners.symbolic.strings import Strings

MOST_BITS = 31
"""A set of subsequences may take 2^31 bits, 256 MiB."""
LARGEST_GRAMMAR = 1_000
"""Minimal forbidden subsequences after which no automaton is built."""
LARGEST_AUTOMATON = 100_000
"""States after which no automaton is built."""
_DEAD = -1


class Subsequences(Protocol):
    """What is known of the subsequences of a sample."""

    def hold_all_of(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether every subsequence of at most k letters of each string is known."""

    def to_dfa(self) -> DFA:
        """Return the minimal DFA of the strings with no other subsequences; InputError where it would be too large."""


def subsequences_of(strings: Strings, k: int) -> Subsequences:
    """Return the subsequences of at most k letters of some strings, in the form that the alphabet allows."""
    if k < 1:
        raise InputError(f"option 'k' must be 1 or more, not {k}")
    if _letter_bits(strings.alphabet) * k <= MOST_BITS:
        return SubsequenceSet.of(strings, k)
    return SubsequenceSearch(strings, k)


def _letter_bits(alphabet: tuple[str, ...]) -> int:
    return max(1, (len(alphabet) - 1).bit_length())


@dataclass(frozen=True, eq=False)
class SubsequenceSearch:
    """The strings in which subsequences of at most k letters are looked for."""

    sample: Strings
    k: int

    @cached_property
    def rows_after(self) -> NDArray[np.int32]:
        """(n_symbols + n_strings, n_letters) the place in the sample behind the next of each letter."""
        n_letters = len(self.sample.alphabet)
        return _subsequence_search.rows_after(self.sample.columns, self.sample.offsets, n_letters)

    def hold_all_of(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether every subsequence of at most k letters of each string occurs in the sample."""
        firsts = self.sample.offsets[:-1] + np.arange(len(self.sample))
        return _subsequence_search.all_found(self.rows_after, firsts, strings.columns, strings.offsets, self.k)

    def to_dfa(self) -> DFA:
        """Raise InputError: there are too many possible subsequences to know which are forbidden."""
        raise InputError(
            f"the automaton is too large: of {len(self.sample.alphabet)} letters there are too many subsequences of "
            f"{self.k}"
        )


@dataclass(frozen=True, eq=False)
class SubsequenceSet:
    """The subsequences of at most k letters that a sample shows, as bits."""

    held: NDArray[np.uint64]
    """The set (see ``_subsequence_bits``)."""
    k: int
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, strings: Strings, k: int) -> "SubsequenceSet":
        """Return the subsequences of some strings."""
        bits = _letter_bits(strings.alphabet)
        starts = _subsequence_bits.level_starts(bits, k + 1)
        held = _subsequence_bits.collect(strings.columns, strings.offsets, starts, bits, k)
        return cls(held, k, strings.alphabet)

    @property
    def bits(self) -> int:
        """Bits for one letter."""
        return _letter_bits(self.alphabet)

    @property
    def starts(self) -> NDArray[np.int64]:
        """(k + 2,) where the subsequences of each length begin."""
        return _subsequence_bits.level_starts(self.bits, self.k + 1)

    def hold_all_of(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether every subsequence of at most k letters of each string is in the set."""
        return _subsequence_bits.all_held(self.held, strings.columns, strings.offsets, self.starts, self.bits, self.k)

    def minimal_forbidden(self) -> list[tuple[int, ...]]:
        """Return the words outside the set all of whose proper subsequences are in it, as columns, by length.

        InputError where there are more than ``LARGEST_GRAMMAR``.
        """
        shorter = self._level(0)
        if not shorter:
            return [()]
        found: list[tuple[int, ...]] = []
        for length in range(1, self.k + 1):
            level = self._level(length)
            minimal = ~level
            for axis in range(length):
                minimal &= np.expand_dims(shorter, axis)
            words = np.argwhere(minimal)[:, ::-1]
            if len(found) + len(words) > LARGEST_GRAMMAR:
                raise InputError(
                    f"the automaton is too large: more than {LARGEST_GRAMMAR:,} minimal subsequences are forbidden"
                )
            found += sorted(map(tuple, words.tolist()))
            shorter = level
        return found

    def _level(self, length: int) -> NDArray[np.bool_]:
        """Return (n_letters, ... n_letters) which words of a length are in the set, the last letter first."""
        size = 1 << self.bits
        words = self.held[self.starts[length] : self.starts[length + 1]]
        truths = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little", count=size**length)
        n_letters = len(self.alphabet)
        return truths.view(np.bool_).reshape((size,) * length)[(slice(n_letters),) * length]

    def to_dfa(self) -> DFA:
        """Return the minimal DFA of the strings with no other subsequences of at most k letters.

        InputError where there are too many minimal forbidden subsequences, or states.
        """
        forbidden = self.minimal_forbidden()
        if () in forbidden:
            return empty_language(self.alphabet)
        columns = range(len(self.alphabet))
        numbers = {(0,) * len(forbidden): 0}  # states are how much of each forbidden word has been read
        states = list(numbers)
        arcs: list[int] = []
        for progress in states:
            for column in columns:
                reached = tuple(at + (word[at] == column) for at, word in zip(progress, forbidden, strict=True))
                if any(at == len(word) for at, word in zip(reached, forbidden, strict=True)):
                    arcs.append(_DEAD)
                    continue
                if reached not in numbers:
                    numbers[reached] = len(states)
                    states.append(reached)
                arcs.append(numbers[reached])
            if len(states) > LARGEST_AUTOMATON:
                raise InputError(f"the automaton is too large: it has more than {LARGEST_AUTOMATON:,} states")
        dead = len(states)
        table = np.array(arcs + [_DEAD] * len(columns), dtype=np.int32).reshape(dead + 1, len(columns))
        return minimise(DFA(np.where(table == _DEAD, np.int32(dead), table), np.arange(dead + 1) < dead, self.alphabet))
