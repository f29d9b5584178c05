"""What every formal language answers exactly, and the record that carries next-symbol answers."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True)
class NextSymbols:
    """The exact next-symbol distribution at every position of every string of a corpus.

    Languages distinguish few *situations* (after an a; inside the b's; at depth zero ...), so a position stores
    the number of its situation and each situation its distribution once.

    A string of length n has n + 1 positions: position t comes after the start symbol and t symbols; the last one
    predicts the end symbol. String i owns entries ``corpus.offsets[i] + i`` up to ``corpus.offsets[i + 1] + i + 1``
    (exclusive) of ``situations``.
    """

    situations: NDArray[np.unsignedinteger]
    """(n_symbols + n_strings,) situation of each position, the corpus's strings one after the other."""
    probabilities: NDArray[np.float64]
    """(n_situations, n_classes) distribution over the vocabulary's classes; a zero means 'impossible'."""

    @property
    def valid(self) -> NDArray[np.bool_]:
        """(n_situations, n_classes) whether the class can come next."""
        return self.probabilities > 0

    @property
    def determined(self) -> NDArray[np.bool_]:
        """(n_situations,) whether exactly one class can come next."""
        return np.asarray((self.probabilities > 0).sum(axis=1) == 1)

    @property
    def entropy_bits(self) -> NDArray[np.float64]:
        """(n_situations,) entropy of each distribution in bits."""
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(self.probabilities > 0, self.probabilities * np.log2(self.probabilities), 0.0)
        return -terms.sum(axis=1)


@runtime_checkable
class Language(Protocol):
    """A probabilistic formal language with exact answers.

    Strings are bare (without start and end symbol); classes of a distribution are those of ``vocabulary``, in which
    the end symbol is class ``vocabulary.end``.
    """

    @property
    def name(self) -> str:
        """How the language is written, for example ``a^n b^n``."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols and the start and end symbol."""

    @property
    def entropy_bits(self) -> float:
        """Expected bits of one string under the true distribution, end symbol included."""

    @property
    def expected_symbols(self) -> float:
        """Expected number of predicted symbols of one string, end symbol included; may be infinite."""

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) membership of each string."""

    def next_symbols(self, corpus: Corpus) -> NextSymbols:
        """Return the exact distributions along every string; raises InputError for a string that is no prefix."""

    def sample(self, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws, repetitions kept."""

    def first_strings(self, size: int, *, after: "Corpus | None" = None) -> Corpus:
        """Return the next ``size`` strings in the language's order: by length, then by the language's own key.

        With ``after`` (one string) the list starts strictly behind it. A finite language that runs out
        raises InputError with the number it has.
        """

    def count(self, length: int) -> int:
        """Return the exact number of strings of this length (symbols, without start and end)."""
