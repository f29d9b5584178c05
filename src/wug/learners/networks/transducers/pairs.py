"""Pairs of sources and targets as padded tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.learners.networks.transducers.network import Sources
from wug.sequences import Corpus

Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """What one replica learns from."""

    sources: Corpus
    targets: Corpus
    """As many as sources."""

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.sources)

    @property
    def n_predictions(self) -> int:
        """Symbols to predict, end symbols included."""
        return self.targets.n_symbols + len(self.targets)

    def select(self, rows: NDArray[np.int64]) -> "Pairs":
        """Return the pairs with these numbers."""
        return Pairs(self.sources.select(rows), self.targets.select(rows))


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs of each replica; a replica with fewer pairs than another is filled up with pairs that do not count."""

    sources: Sources
    inputs: Tensor
    """(replicas, pairs, time) what the decoder reads: the start symbol, then the target."""
    targets: Tensor
    """(replicas, pairs, time) what it is to predict: the target, then the end symbol."""
    shares: Tensor
    """(replicas, pairs, time) one by the replica's number of pairs; 0 behind the end symbol."""

    @classmethod
    def of(cls, pairs: Sequence[Pairs], like: Tensor) -> "Batch":
        """Return the pairs of replicas, padded to the longest, on the device and in the dtype of ``like``."""
        rows = max(map(len, pairs))
        vocabulary = pairs[0].targets.vocabulary
        targets, lengths = padded([each.targets for each in pairs], rows)
        inputs = np.concatenate([np.full((*targets.shape[:2], 1), vocabulary.start), targets[..., :-1]], axis=2)
        counted = np.arange(rows) < np.array([[len(each)] for each in pairs])
        inside = (np.arange(targets.shape[2]) < lengths[..., None]) & counted[..., None]
        shares = inside / np.array([len(each) for each in pairs])[:, None, None]
        return cls(
            sources_of([each.sources for each in pairs], rows, like.device),
            torch.from_numpy(inputs).to(like.device),
            torch.from_numpy(targets).to(like.device),
            torch.from_numpy(shares).to(like),
        )


def sources_of(corpora: Sequence[Corpus], rows: int, device: torch.device) -> Sources:
    """Return the sources of replicas, each with ``rows`` of them: empty ones behind its own."""
    ids, lengths = padded(corpora, rows)
    inside = np.arange(ids.shape[2]) < lengths[..., None]
    return Sources(
        torch.from_numpy(ids).to(device),
        torch.from_numpy(lengths).to(device),
        None if inside.all() else torch.from_numpy(inside).to(device),
    )


def padded(corpora: Sequence[Corpus], rows: int) -> tuple[Ids, NDArray[Any]]:
    """Return (corpora, rows, time) strings, each with its end symbol and more of these behind it, and their lengths.

    The (corpora, rows) lengths include one end symbol.
    """
    lengths = np.ones((len(corpora), rows), dtype=np.int64)
    for corpus, of_corpus in zip(corpora, lengths, strict=True):
        of_corpus[: len(corpus)] += corpus.lengths
    end = corpora[0].vocabulary.end
    ids = np.full((*lengths.shape, lengths.max()), end, dtype=np.int64)
    ids[np.arange(ids.shape[2]) < lengths[..., None] - 1] = np.concatenate([corpus.tokens for corpus in corpora])
    return ids, lengths
