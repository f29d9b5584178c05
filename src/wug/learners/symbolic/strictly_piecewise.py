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

from wug.languages.automata.boolean import complement
from wug.languages.automata.dfa import DFA
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic.strings import Strings, alphabet_of
from wug.learners.symbolic.subsequences import Subsequences, subsequences_of
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class SubsequenceModel:
    """A string is in the language if all its subsequences of at most k letters are among those seen."""

    vocabulary: Vocabulary
    subsequences: Subsequences
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
        return SubsequenceModel(data.vocabulary, subsequences_of(sample, self.k), self.complement)
