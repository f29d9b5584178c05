"""An encoder that predicts the next symbol: the module and its loss."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wug.sequences import Corpus


class NextSymbolNetwork(torch.nn.Module):
    """An encoder with a linear layer to the logits of the next symbol."""

    def __init__(self, encoder: torch.nn.Module, width: int, n_classes: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.output = torch.nn.Linear(width, n_classes)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (batch, time, n_classes) logits after each of (batch, time) symbols."""
        return cast(Tensor, self.output(self.encoder(ids)))


@dataclass(frozen=True)
class _Batch:
    inputs: Tensor
    """(rows, time) start symbol and symbols; the end symbol behind them."""
    targets: Tensor
    """(rows * time,) the symbol after each."""
    weights: Tensor
    """(rows * time,) share of each prediction in the mean; 0 behind the end."""


class NextSymbolLoss:
    """Mean cross-entropy per predicted symbol of strings that count several times, padded once and for all."""

    def __init__(self, corpus: Corpus, multiplicities: NDArray[np.int64], like: Tensor) -> None:
        self.multiplicities = multiplicities
        self._n_predictions = corpus.lengths + 1
        inputs, targets = padded(corpus)
        self._inputs = torch.from_numpy(inputs).to(like.device)
        self._targets = torch.from_numpy(targets).to(like.device)
        self._inside = torch.from_numpy(np.arange(inputs.shape[1]) < self._n_predictions[:, None]).to(like)

    def whole(self) -> _Batch:
        """Return all strings."""
        return self.batch(np.arange(len(self.multiplicities)), self.multiplicities)

    def batch(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> _Batch:
        """Return some strings, cut to the longest of them."""
        time = int(self._n_predictions[items].max())
        rows = torch.from_numpy(items).to(self._inputs.device)
        shares = torch.from_numpy(counts / self.weight(items, counts)).to(self._inside)
        return _Batch(
            self._inputs[rows, :time],
            self._targets[rows, :time].flatten(),
            (self._inside[rows, :time] * shares[:, None]).flatten(),
        )

    def weight(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
        """Return the number of predicted symbols, each string's as often as it counts."""
        return float((self._n_predictions[items] * counts).sum())

    def loss(self, network: torch.nn.Module, batch: _Batch) -> Tensor:
        """Return the mean loss in nats per predicted symbol."""
        logits = network(batch.inputs)
        losses = functional.cross_entropy(logits.flatten(0, 1), batch.targets, reduction="none")
        return losses @ batch.weights


def padded(corpus: Corpus) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (n_strings, longest + 1) inputs and targets.

    Inputs are the start symbol and the string, targets the string and the end symbol; what follows is the end symbol.
    """
    vocabulary = corpus.vocabulary
    longest = int(corpus.lengths.max(initial=0))
    targets = np.full((len(corpus), longest + 1), vocabulary.end, dtype=np.int64)
    targets[np.arange(longest + 1) < corpus.lengths[:, None]] = corpus.tokens
    inputs = np.concatenate([np.full((len(corpus), 1), vocabulary.start), targets[:, :-1]], axis=1)
    return inputs, targets
