"""Learners of strictly local languages, with and without a tier, and of their complements.

String extension learning (Heinz 2010, "String extension learning", ACL): the grammar is the set of factors that occur
in positive strings, and a string is in the language if all of its factors are in the grammar. What is learnt is the
smallest SL(k) language that holds the sample, so every SL(k) language is identified in the limit, from every sample
that shows all its factors.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.alphabets import lift
from wug.languages.automata.boolean import complement
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic.strings import Strings, alphabet_of, tier_letters
from wug.learners.symbolic.tiers import learn_tier
from wug.learners.symbolic.windows import WindowSet, require_width
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class WindowModel:
    """A string is in the language if all its windows, other letters than the tier's deleted, are among those seen."""

    vocabulary: Vocabulary
    windows: WindowSet
    """Windows over the tier."""
    is_complement: bool
    """Whether the windows describe the strings outside the language."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for each string in the language and 0 for any other."""
        strings = Strings.of(corpus, alphabet_of(self.vocabulary)).erase_others(self.windows.alphabet)
        return (self.windows.hold_all_of(strings) != self.is_complement).astype(np.float64)

    def to_dfa(self) -> DFA:
        """Return the minimal DFA over all letters; InputError where there are too many windows."""
        dfa = minimise(lift(self.windows.to_dfa(), alphabet_of(self.vocabulary)))
        return complement(dfa) if self.is_complement else dfa


class StrictlyLocal:
    """SL(k), or coSL(k) with ``complement``: factors of width k of the strings, their ends counting as symbols."""

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, complement: bool = False) -> None:
        self.k = k
        self.complement = complement

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> WindowModel:
        """Return the smallest SL(k) language with all strings of one label; no random number is drawn."""
        require_width(self.k, len(alphabet_of(data.vocabulary)))
        sample = Strings.examples(data, in_language=not self.complement)
        return WindowModel(data.vocabulary, WindowSet.of(sample, self.k), self.complement)


class TierStrictlyLocal:
    """TSL(k), or TcoSL(k) with ``complement``: SL(k) after deleting the letters off the tier.

    The tier is learnt (``wug.learners.symbolic.tiers``) unless it is given as a string of its letters.
    """

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, tier: str | None = None, complement: bool = False) -> None:
        self.k = k
        self.tier = tier
        self.complement = complement

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> WindowModel:
        """Return the smallest SL(k) language on the tier with all strings of one label; no random number is drawn."""
        require_width(self.k, len(alphabet_of(data.vocabulary)))
        sample = Strings.examples(data, in_language=not self.complement)
        tier = learn_tier(sample, self.k) if self.tier is None else tier_letters(self.tier, data.vocabulary)
        return WindowModel(data.vocabulary, WindowSet.of(sample.erase_others(tier), self.k), self.complement)
