"""An encoder that says whether a string is in the language: the module, its loss, and the model."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wug.learners.networks.language_model import batches_of_whole_strings, whole_features
from wug.learners.networks.next_symbol import padded
from wug.learners.networks.trained import TrainedNetwork
from wug.sequences import Corpus

OUT, IN = 0, 1
"""The two classes."""


class ClassificationNetwork(torch.nn.Module):
    """An encoder with a linear layer to the logits of 'out' and 'in' at the last symbol.

    A string is read behind the start symbol, where the empty string is judged.
    """

    def __init__(self, encoder: torch.nn.Module, width: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.output = torch.nn.Linear(width, 2)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return (batch, 2) logits for (batch, time) inputs; a string's last symbol is input ``lengths``."""
        return self.judge(self.encoder(ids), lengths)

    def judge(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Return (batch, 2) logits for (batch, time, width) features."""
        last = features[torch.arange(len(lengths), device=features.device), lengths]
        return cast(Tensor, self.output(last))


@dataclass(frozen=True)
class _Batch:
    inputs: Tensor
    """(rows, time) start symbol and symbols; what is behind them is not judged."""
    lengths: Tensor
    """(rows,)"""
    classes: Tensor
    """(rows,)"""
    weights: Tensor
    """(rows,) share of each string in the mean."""


class ClassificationLoss:
    """Mean cross-entropy per string, the strings padded once and for all."""

    def __init__(self, corpus: Corpus, labels: NDArray[np.bool_], like: Tensor) -> None:
        self.multiplicities = np.ones(len(corpus), dtype=np.int64)
        self._like = like
        self._lengths = corpus.lengths
        self._inputs = torch.from_numpy(padded(corpus)[0]).to(like.device)
        self._classes = torch.from_numpy(np.where(labels, IN, OUT)).to(like.device)

    def whole(self) -> _Batch:
        """Return all strings."""
        return self.batch(np.arange(len(self.multiplicities)), self.multiplicities)

    def batch(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> _Batch:
        """Return some strings, cut to the longest of them."""
        lengths = self._lengths[items]
        rows = torch.from_numpy(items).to(self._inputs.device)
        return _Batch(
            self._inputs[rows, : int(lengths.max()) + 1],
            torch.from_numpy(lengths).to(self._inputs.device),
            self._classes[rows],
            torch.from_numpy(counts / counts.sum()).to(self._like),
        )

    def weight(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
        """Return the number of strings, each as often as it counts."""
        return float(counts.sum())

    def loss(self, network: torch.nn.Module, batch: _Batch) -> Tensor:
        """Return the mean loss in nats per string."""
        logits = network(batch.inputs, batch.lengths)
        return functional.cross_entropy(logits, batch.classes, reduction="none") @ batch.weights


class NetworkClassifier(TrainedNetwork):
    """The answers of a network, computed for strings of similar lengths together.

    As encoders are causal, what stands behind a string's last symbol changes nothing.
    """

    network: ClassificationNetwork

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return (n_strings,) the probability that each string is in the language."""
        self.network.eval()
        answers = np.empty(len(corpus))
        by_length = np.argsort(corpus.lengths, kind="stable")
        device = self.network.output.weight.device
        with torch.inference_mode():
            for first, last in batches_of_whole_strings(corpus.lengths[by_length] + 1):
                strings = by_length[first:last]
                features = whole_features(self.network.encoder, padded(corpus.select(strings))[0], device)
                logits = self.network.judge(features, torch.from_numpy(corpus.lengths[strings]).to(device)).double()
                answers[strings] = (logits[:, IN] - logits[:, OUT]).sigmoid().cpu().numpy()
        return answers
