"""Batched, cached questions to a classifier: is this word in the language?

Words are strings whose characters stand for letters: the character number c for column c of the alphabet. They serve as
keys, can be cut and joined, and turn into a corpus without a loop over letters.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wug.errors import TrialError
from wug.learners.protocols import Classifier
from wug.learners.symbolic.strings import alphabet_of
from wug.sequences import Corpus, Vocabulary

BATCH = 4096
"""Words that a model is asked about at a time."""
_SURROGATES = 0xD800
"""First of 2,048 code points that are no characters."""


class QueryBudgetSpentError(Exception):
    """The model may not be asked about that many more words."""


class Words:
    """Translates words to strings of a vocabulary and back."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.alphabet = alphabet_of(vocabulary)
        codes = np.arange(len(self.alphabet))
        self._codes = np.where(codes < _SURROGATES, codes, codes + 2048).astype("<u4")
        self._tokens = np.array([vocabulary.classes[letter] for letter in self.alphabet], dtype=vocabulary.dtype)
        self.letters = self._codes.tobytes().decode("utf-32-le")

    def corpus(self, words: Sequence[str]) -> Corpus:
        """Return the words as strings of the vocabulary."""
        codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype="<u4")
        columns = np.where(codes < _SURROGATES, codes, codes - np.uint32(2048))
        offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
        return Corpus(self._tokens[columns], offsets, self.vocabulary)

    def from_corpus(self, corpus: Corpus) -> list[str]:
        """Return the strings of a corpus over the same vocabulary."""
        column_of = np.zeros(self.vocabulary.size, dtype=np.int64)
        column_of[self._tokens] = np.arange(len(self.alphabet))
        return self.from_columns(column_of[corpus.tokens], corpus.offsets)

    def from_columns(self, columns: NDArray[np.integer], offsets: NDArray[np.int64]) -> list[str]:
        """Return the words ``columns[offsets[i]:offsets[i + 1]]``."""
        text = self._codes[columns].tobytes().decode("utf-32-le")
        bounds = offsets.tolist()
        return [text[first:last] for first, last in pairwise(bounds)]


class MembershipQueries:
    """What a model answers, each word asked once: in the language if its probability is above one half."""

    def __init__(self, model: Classifier, *, budget: int) -> None:
        self.words = Words(model.vocabulary)
        self._model = model
        self._budget = budget
        self._answers: dict[str, bool] = {}

    @property
    def asked(self) -> int:
        """Number of different words that the model was asked about."""
        return len(self._answers)

    def ask(self, words: Iterable[str]) -> list[bool]:
        """Return the answer to each word.

        Raises QueryBudgetSpentError, and asks nothing, where there are more new words than the budget allows;
        TrialError where the model has no probability for a word.
        """
        wanted = list(words)
        unknown = list(dict.fromkeys(word for word in wanted if word not in self._answers))
        if len(self._answers) + len(unknown) > self._budget:
            raise QueryBudgetSpentError
        for first in range(0, len(unknown), BATCH):
            batch = unknown[first : first + BATCH]
            corpus = self.words.corpus(batch)
            probabilities = np.asarray(self._model.classify(corpus), dtype=np.float64)
            if not np.isfinite(probabilities).all():
                bad = int(np.argmin(np.isfinite(probabilities)))
                raise TrialError(f"the model gives '{corpus.text(bad)}' the probability {probabilities[bad]}")
            self._answers.update(zip(batch, (probabilities > 0.5).tolist(), strict=True))
        return [self._answers[word] for word in wanted]
