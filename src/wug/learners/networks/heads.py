"""Heads: what puts an encoder into a setting. One class a setting: a module, a loss and a model."""

from typing import Any, Protocol, cast

import numpy as np
import torch
from torch import Tensor

from wug.errors import TrialError
from wug.learners.networks.classification import ClassificationLoss, ClassificationNetwork, NetworkClassifier
from wug.learners.networks.language_model import NetworkLanguageModel
from wug.learners.networks.next_symbol import NextSymbolLoss, NextSymbolNetwork
from wug.learners.networks.transduction import EncoderTransducer, TransductionLoss, joint_vocabulary
from wug.learners.protocols import Classification, LanguageModelling, Transduction
from wug.learners.training.loop import Objective, TrainingRecord
from wug.sequences import Vocabulary


class Head(Protocol):
    """What a setting needs beside an encoder."""

    def vocabulary(self, data: Any) -> Vocabulary:
        """Return the symbols that the encoder reads."""

    def network(self, encoder: torch.nn.Module, width: int, data: Any) -> torch.nn.Module:
        """Return the module to be trained: the encoder with an output layer for its features (..., width)."""

    def objectives(self, data: Any, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the losses on training and validation data, on the device and in the dtype of ``like``."""

    def model(self, network: torch.nn.Module, data: Any, record: TrainingRecord | None) -> Any:
        """Return what answers in the setting's protocol."""


class LanguageModellingHead:
    """A softmax over the next symbol at every position."""

    def vocabulary(self, data: LanguageModelling) -> Vocabulary:
        """Return the language's symbols."""
        return data.vocabulary

    def network(self, encoder: torch.nn.Module, width: int, data: LanguageModelling) -> torch.nn.Module:
        """Return the encoder with a linear layer to the vocabulary."""
        return NextSymbolNetwork(encoder, width, data.vocabulary.size)

    def objectives(self, data: LanguageModelling, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the mean cross-entropy per symbol, end symbol included, on training and validation strings.

        Raises TrialError where there is nothing to train on.
        """
        if not len(data.training):
            raise TrialError("the task has no strings to train a network on")
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

    def vocabulary(self, data: Classification) -> Vocabulary:
        """Return the language's symbols."""
        return data.vocabulary

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


class TransductionHead:
    """A softmax over the next symbol of the target, which is read behind the source."""

    def vocabulary(self, data: Transduction) -> Vocabulary:
        """Return the symbols of sources and targets, and one that stands between them."""
        return joint_vocabulary(data.source_vocabulary, data.target_vocabulary)

    def network(self, encoder: torch.nn.Module, width: int, data: Transduction) -> torch.nn.Module:
        """Return the encoder with a linear layer to the targets' symbols."""
        return NextSymbolNetwork(encoder, width, data.target_vocabulary.size)

    def objectives(self, data: Transduction, like: Tensor) -> tuple[Objective, Objective | None]:
        """Return the mean cross-entropy per predicted symbol on training and validation pairs."""
        training = TransductionLoss(data.sources, data.targets, like)
        if data.validation_sources is None or data.validation_targets is None:
            return training, None
        return training, TransductionLoss(data.validation_sources, data.validation_targets, like)

    def model(self, network: torch.nn.Module, data: Transduction, record: TrainingRecord | None) -> EncoderTransducer:
        """Return the transducer."""
        return EncoderTransducer(
            cast(NextSymbolNetwork, network),
            self.vocabulary(data),
            record,
            source_vocabulary=data.source_vocabulary,
            target_vocabulary=data.target_vocabulary,
        )


HEADS: dict[str, Head] = {
    "language_modelling": LanguageModellingHead(),
    "classification": ClassificationHead(),
    "transduction": TransductionHead(),
}
"""By setting."""
