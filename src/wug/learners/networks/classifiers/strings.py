"""Strings as the networks read them: ids of letters, padded on the right."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.learners.protocols import Classification
from wug.sequences import Corpus, Vocabulary

PAD = 0
"""Id of what is read after the last letter."""
PADDED_LENGTH = 64
"""To which the paper pads."""


def letter_ids(data: Classification) -> NDArray[np.int64]:
    """Return (vocabulary size,) the id of each class: letters from 1, by first appearance in training and validation.

    Letters that occur in neither get the ids that are left, in the vocabulary's order: their embeddings stay as they
    were drawn. (In the published code they have none, and reading one is an error.) The start and end symbol stand for
    no letter and have the id of the padding.
    """
    read = [data.training.tokens] if data.validation is None else [data.training.tokens, data.validation.tokens]
    seen, first = np.unique(np.concatenate(read), return_index=True)
    vocabulary = data.vocabulary
    in_order = dict.fromkeys([*seen[np.argsort(first)].tolist(), *range(vocabulary.size)])
    ids = np.zeros(vocabulary.size, dtype=np.int64)
    letters = [letter for letter in in_order if letter not in (vocabulary.start, vocabulary.end)]
    ids[letters] = np.arange(1, len(letters) + 1)
    return ids


def n_letters(vocabulary: Vocabulary) -> int:
    """Return the number of symbols that are neither start nor end symbol."""
    return vocabulary.size - len({vocabulary.start, vocabulary.end})


@dataclass(frozen=True, eq=False)
class PaddedStrings:
    """Strings of one replica, or of one batch."""

    ids: NDArray[np.unsignedinteger[Any]]
    """(n_strings, time) ids of letters, PAD after the last one, in the smallest type."""
    lengths: NDArray[np.int64]
    """(n_strings,)"""

    @classmethod
    def of(cls, corpus: Corpus, ids: NDArray[np.int64], time: int) -> "PaddedStrings":
        """Return the strings of a corpus, padded to ``time``, which is at least the longest of them."""
        padded = np.full((len(corpus), time), PAD, dtype=np.min_scalar_type(int(ids.max(initial=0))))
        padded[np.arange(time) < corpus.lengths[:, None]] = ids[corpus.tokens]
        return cls(padded, corpus.lengths)
