"""Learners of the testable classes LT, LTT, PT and PLT, and with a given tier of TLT, TLTT and TPLT.

String extension with sets of sets (Heinz 2010; Heinz, Kasprzik and Kötzing 2012, "Learning in the limit with
lattice-structured hypothesis spaces"; Lambert, Rawski and Heinz 2021, "Typology emerges from simplicity in
representations and learning"): strings that show the same (``wug.learners.symbolic.signatures``) are in the language
together or not at all, and the language learnt is the smallest such with all positive strings: the strings that show
the same as one of them. Every language of the class is identified in the limit, from every sample with a string of
each class of strings that the language consists of.

No learner of these classes from positive strings can do with less: without a string of one class it could not tell the
language from the one that lacks this class (Angluin 1980, "Inductive inference of formal languages from positive data":
every identifiable language has a tell-tale). There are very many classes of strings for larger k, so from a sample of
ordinary size hardly any unseen string is accepted.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.alphabets import lift
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic.signatures import Signature, SignatureSet, block_sequences, counted_windows
from wug.learners.symbolic.strings import Strings, alphabet_of, tier_letters
from wug.learners.symbolic.windows import require_width
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class SignatureModel:
    """A string is in the language if, other letters than the tier's deleted, it shows the same as one seen."""

    vocabulary: Vocabulary
    signatures: SignatureSet
    """Signatures over the tier."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for each string in the language and 0 for any other."""
        strings = Strings.of(corpus, alphabet_of(self.vocabulary)).erase_others(self.signatures.alphabet)
        return self.signatures.hold(strings).astype(np.float64)

    def to_dfa(self) -> DFA:
        """Return the minimal DFA over all letters; InputError where there are too many classes of strings."""
        return minimise(lift(self.signatures.to_dfa(), alphabet_of(self.vocabulary)))


def _fit(data: Classification, signature: Signature, tier: str | None) -> SignatureModel:
    letters = alphabet_of(data.vocabulary) if tier is None else tier_letters(tier, data.vocabulary)
    sample = Strings.examples(data, in_language=True).erase_others(letters)
    return SignatureModel(data.vocabulary, SignatureSet.of(sample, signature))


def _require_one_or_more(option: str, value: int) -> None:
    if value < 1:
        raise InputError(f"option '{option}' must be 1 or more, not {value}")


class LocallyTestable:
    """LT(k), or TLT(k) with a ``tier``: the set of factors of width k, the ends of a string counting as symbols."""

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, tier: str | None = None) -> None:
        self.k = k
        self.tier = tier

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> SignatureModel:
        """Return the smallest LT(k) language with all positive strings; no random number is drawn."""
        require_width(self.k, len(alphabet_of(data.vocabulary)))
        return _fit(data, counted_windows(self.k, 1), self.tier)


class ThresholdTestable:
    """LTT(k, t), or TLTT(k, t) with a ``tier``: how often each factor of width k occurs, counted up to t."""

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, t: int = 2, tier: str | None = None) -> None:
        self.k = k
        self.t = t
        self.tier = tier

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> SignatureModel:
        """Return the smallest LTT(k, t) language with all positive strings; no random number is drawn."""
        require_width(self.k, len(alphabet_of(data.vocabulary)))
        _require_one_or_more("t", self.t)
        return _fit(data, counted_windows(self.k, self.t), self.tier)


class PiecewiseTestable:
    """PT(k): the set of subsequences of at most k letters, on a ``tier`` if one is given."""

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, tier: str | None = None) -> None:
        self.k = k
        self.tier = tier

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> SignatureModel:
        """Return the smallest PT(k) language with all positive strings; no random number is drawn."""
        _require_one_or_more("k", self.k)
        return _fit(data, block_sequences(1, self.k, with_ends=False), self.tier)


class PiecewiseLocallyTestable:
    """PLT(k, j), or TPLT(k, j) with a ``tier``: which sequences of at most j blocks of at most k symbols occur.

    The blocks come in order without overlap, and the ends of a string count as symbols (dot-depth one: Knast 1983).
    """

    settings = frozenset({"classification"})

    def __init__(self, k: int = 2, blocks: int = 2, tier: str | None = None) -> None:
        self.k = k
        self.blocks = blocks
        self.tier = tier

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> SignatureModel:
        """Return the smallest PLT(k, j) language with all positive strings; no random number is drawn."""
        require_width(self.k, len(alphabet_of(data.vocabulary)))
        _require_one_or_more("blocks", self.blocks)
        return _fit(data, block_sequences(self.k, self.blocks, with_ends=True), self.tier)
