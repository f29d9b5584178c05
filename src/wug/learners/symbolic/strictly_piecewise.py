"""Learners of strictly piecewise languages and of their complements.

The grammar is the set of subsequences of at most k letters of positive strings (Heinz 2010, "String extension
learning"; Rogers et al. 2010, "On languages piecewise testable in the strict sense"); a string is in the language if
all of its own are in the grammar. What is learnt is the smallest SP(k) language that holds the sample, so every SP(k)
language is identified in the limit, from every sample that shows all its subsequences of at most k letters.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.boolean import complement
from wug.languages.automata.building import empty_language
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic import _subsequence_bits as kernels
from wug.learners.symbolic.strings import Strings, alphabet_of
from wug.sequences import Corpus, Vocabulary

LARGEST_SET = 1 << 31
"""Bits of a set of subsequences, 256 MiB, after which a learner refuses."""
LARGEST_GRAMMAR = 1_000
"""Minimal forbidden subsequences after which no automaton is built."""
LARGEST_AUTOMATON = 100_000
"""States after which no automaton is built."""
_DEAD = -1


@dataclass(frozen=True, eq=False)
class SubsequenceSet:
    """The subsequences of at most k letters that a sample shows."""

    held: NDArray[np.uint64]
    """The set as bits (see ``_subsequence_bits``)."""
    k: int
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, strings: Strings, k: int) -> "SubsequenceSet":
        """Return the subsequences of some strings; InputError for a k that is too large for the alphabet."""
        if k < 1:
            raise InputError(f"option 'k' must be 1 or more, not {k}")
        empty = cls(np.empty(0, dtype=np.uint64), k, strings.alphabet)
        if empty.bits * k > LARGEST_SET.bit_length() - 1:
            largest = (LARGEST_SET.bit_length() - 1) // empty.bits
            raise InputError(f"option 'k' can be at most {largest} over {len(strings.alphabet)} letters, not {k}")
        return cls(kernels.collect(strings.columns, strings.offsets, empty.starts, empty.bits, k), k, strings.alphabet)

    @property
    def bits(self) -> int:
        """Bits for one letter."""
        return max(1, (len(self.alphabet) - 1).bit_length())

    @property
    def starts(self) -> NDArray[np.int64]:
        """(k + 2,) where the subsequences of each length begin."""
        return kernels.level_starts(self.bits, self.k + 1)

    def hold_all_of(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether every subsequence of at most k letters of each string is in the set."""
        return kernels.all_held(self.held, strings.columns, strings.offsets, self.starts, self.bits, self.k)

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


@dataclass(frozen=True, eq=False)
class SubsequenceModel:
    """A string is in the language if all its subsequences of at most k letters are among those seen."""

    vocabulary: Vocabulary
    subsequences: SubsequenceSet
    is_complement: bool
    """Whether the subsequences describe the strings outside the language."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for each string in the language and 0 for any other."""
        strings = Strings.of(corpus, alphabet_of(self.vocabulary))
        return (self.subsequences.hold_all_of(strings) != self.is_complement).astype(np.float64)

    def to_dfa(self) -> DFA:
        """Return the minimal DFA; InputError where there are too many forbidden subsequences, or states."""
        dfa = self.subsequences.to_dfa()
        return complement(dfa) if self.is_complement else dfa


class StrictlyPiecewise:
    """SP(k), or coSP(k) with ``complement``: subsequences of at most k letters of the strings."""

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, complement: bool = False) -> None:
        self.k = k
        self.complement = complement

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> SubsequenceModel:
        """Return the smallest SP(k) language with all strings of one label; no random number is drawn."""
        sample = Strings.examples(data, in_language=not self.complement)
        return SubsequenceModel(data.vocabulary, SubsequenceSet.of(sample, self.k), self.complement)
