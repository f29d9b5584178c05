"""Strings as the letters that symbolic learners read: columns of an automaton, not classes of a vocabulary."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import listed
from wug.learners.protocols import Classification
from wug.sequences import Corpus, Vocabulary


def alphabet_of(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the letters of a vocabulary in order: its symbols without the start and the end symbol."""
    boundary = {vocabulary.start, vocabulary.end}
    return tuple(symbol for token, symbol in enumerate(vocabulary.symbols) if token not in boundary)


def tier_letters(tier: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the letters of a tier written like a string (``abc``), in the alphabet's order, each once.

    InputError for a symbol that is no letter of the vocabulary.
    """
    alphabet = alphabet_of(vocabulary)
    written = {vocabulary.symbols[token] for token in vocabulary.encode(tier)}
    for letter in written:
        if letter not in alphabet:
            raise InputError(f"the tier '{tier}' must consist of letters, but '{letter}' marks the ends of strings")
    return tuple(letter for letter in alphabet if letter in written)


@dataclass(frozen=True, eq=False)
class Strings:
    """Many strings over an alphabet."""

    columns: NDArray[np.int32]
    """(n_symbols,) number of each letter in the alphabet, string after string."""
    offsets: NDArray[np.int64]
    """(n_strings + 1,) string i is ``columns[offsets[i]:offsets[i + 1]]``."""
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus, alphabet: tuple[str, ...]) -> "Strings":
        """Return the strings of a corpus, letters found by name; InputError for a symbol outside the alphabet."""
        number = {letter: index for index, letter in enumerate(alphabet)}
        column_of = np.array([number.get(symbol, -1) for symbol in corpus.vocabulary.symbols], dtype=np.int32)
        columns = column_of[corpus.tokens]
        if len(columns) and columns.min() < 0:
            place = int(np.argmin(columns))
            string = int(np.searchsorted(corpus.offsets, place, side="right")) - 1
            raise InputError(
                f"string {string + 1} has {corpus.vocabulary.symbols[corpus.tokens[place]]!r} at position "
                f"{place - corpus.offsets[string] + 1}, which is not in the alphabet {listed(alphabet)}"
            )
        return cls(columns, corpus.offsets, alphabet)

    @classmethod
    def examples(cls, data: Classification, *, in_language: bool) -> "Strings":
        """Return the different training strings with one label, in order of first occurrence."""
        corpus = data.training.select(data.labels == in_language)
        return cls.of(corpus.unique()[0], alphabet_of(data.vocabulary))

    def __len__(self) -> int:
        """Return the number of strings."""
        return len(self.offsets) - 1

    def erase_others(self, tier: tuple[str, ...]) -> "Strings":
        """Return the strings over the tier, every other letter deleted."""
        if tier == self.alphabet:
            return self
        number = {letter: index for index, letter in enumerate(tier)}
        column_of = np.array([number.get(letter, -1) for letter in self.alphabet], dtype=np.int32)
        columns = column_of[self.columns]
        kept = columns >= 0
        before = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
        return Strings(columns[kept], before[self.offsets], tier)
