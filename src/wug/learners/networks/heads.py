"""Heads: what puts an encoder into a setting. One class a setting: a module, a loss and a model."""

from typing import Any, Protocol, cast

import numpy as np
import torch
from torch import Tensor

from wug.learners.networks.classification import ClassificationLoss, ClassificationNetwork, NetworkClassifier
from wug.learners.networks.language_model import NetworkLanguageModel
from wug.learners.networks.next_symbol import NextSymbolLoss, NextSymbolNetwork
from wug.learners.protocols import Classification, LanguageModelling
from wug.learners.training.loop import Objective, TrainingRecord


class Head(Protocol):
    """What a setting needs beside an encoder."""

    def network(self, encoder: torch.nn.Module, width: int, data: Any) -> torch.nn.Module:
        """Return the module to be trained: the encoder with an output layer for its features (..., width)."""

    def objectives(self, data: Any, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the losses on training and validation data, on the device and in the dtype of ``like``."""

    def model(self, network: torch.nn.Module, data: Any, record: TrainingRecord | None) -> Any:
        """Return what answers in the setting's protocol."""


class LanguageModellingHead:
    """A softmax over the next symbol at every position."""

    def network(self, encoder: torch.nn.Module, width: int, data: LanguageModelling) -> torch.nn.Module:
        """Return the encoder with a linear layer to the vocabulary."""
        return NextSymbolNetwork(encoder, width, data.vocabulary.size)

    def objectives(self, data: LanguageModelling, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the mean cross-entropy per symbol, end symbol included, on training and validation strings."""
        training = NextSymbolLoss(data.training, data.multiplicities, like)
        if data.validation is None:
            return training, None
        return training, NextSymbolLoss(data.validation, np.ones(len(data.validation), dtype=np.int64), like)

    def model(
        self, network: torch.nn.Module, data: LanguageModelling, record: TrainingRecord | None
    ) -> NetworkLanguageModel:
        """Return the language model."""
        return NetworkLanguageModel(cast(NextSymbolNetwork, network), data.vocabulary, record)


class ClassificationHead:
    """A softmax over 'in the language' and 'out', read at the last symbol."""

    def network(self, encoder: torch.nn.Module, width: int, data: Classification) -> torch.nn.Module:
        """Return the encoder with a linear layer to the two classes."""
        return ClassificationNetwork(encoder, width)

    def objectives(self, data: Classification, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the mean cross-entropy per string on training and validation strings."""
        training = ClassificationLoss(data.training, data.labels, like)
        if data.validation is None or data.validation_labels is None:
            return training, None
        return training, ClassificationLoss(data.validation, data.validation_labels, like)

    def model(self, network: torch.nn.Module, data: Classification, record: TrainingRecord | None) -> NetworkClassifier:
        """Return the classifier."""
        return NetworkClassifier(cast(ClassificationNetwork, network), data.vocabulary, record)


HEADS: dict[str, Head] = {"language_modelling": LanguageModellingHead(), "classification": ClassificationHead()}
"""By setting."""
