"""The paper's classifiers as learners, with its hyperparameters (Table 5). Importable without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from wug.errors import InputError, TrialError
from wug.learners.protocols import Classification, EpochReport, OnEpoch

if TYPE_CHECKING:
    import torch

    from wug.learners.networks.classifiers.model import StringClassifier
    from wug.learners.networks.classifiers.network import Network
    from wug.learners.networks.classifiers.training import OnPass, Sample, Trained, Training

OptimizerName = Literal["adam", "rmsprop", "sgd"]
Rate = Annotated[float, Field(ge=0, lt=1)]


@dataclass(frozen=True)
class _PaperClassifier:
    """Embedding, an encoder of the same width, dense layers of 64 units, dropout, normalisation, softmax over two.

    Trained like the paper's: cross-entropy, all strings in a new order in each pass, the parameters after the last one
    kept. Constants that are no options are those of Keras 2.8.
    """

    architecture: ClassVar[str]
    """Name of the encoder."""

    width: PositiveInt
    """Of the embedding and the encoder."""
    layers: PositiveInt
    """Dense layers."""
    dropout: Rate
    optimizer: OptimizerName
    learning_rate: PositiveFloat
    replicas: PositiveInt
    """How many are trained together by a study."""
    loss: Literal["cross-entropy", "squared-error"] = "cross-entropy"
    epochs: NonNegativeInt = 64
    batch_size: PositiveInt = 64
    padding: Literal["input", "masked"] = "input"
    """What stands behind a string up to 64 symbols: read as the paper did, or left out."""
    dtype: Literal["float32", "float64"] = "float32"
    device: Annotated[str, Field(pattern=r"^(auto|cpu|cuda(:\d+)?)$")] = "auto"

    @property
    def settings(self) -> frozenset[str]:
        """Classification alone."""
        return frozenset({"classification"})

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> "StringClassifier":
        """Return the trained model; raises TrialError when the loss is not finite."""

        def report(epoch: int, loss_nats: float, values: "torch.Tensor") -> None:
            if on_epoch is not None:
                on_epoch(EpochReport(epoch, self.epochs, loss_nats, self._model(data, values)))

        (outcome,) = self._train([data], [seed], [state], report if on_epoch is not None else None)
        if isinstance(outcome, TrialError):
            raise outcome
        return self._model(data, outcome.values, outcome)

    def fit_together(
        self, data: Sequence[Classification], seeds: Sequence[int]
    ) -> "list[StringClassifier | TrialError]":
        """Return what ``fit`` returns or raises for each; those whose data have one shape are trained as replicas."""
        shapes: dict[tuple[int, ...], list[int]] = {}
        for place, each in enumerate(data):
            shape = (each.vocabulary.size, len(each.training), _padded_length(each))
            shapes.setdefault(shape, []).append(place)
        models: dict[int, StringClassifier | TrialError] = {}
        for places in shapes.values():
            outcomes = self._train([data[p] for p in places], [seeds[p] for p in places], [None] * len(places), None)
            for place, outcome in zip(places, outcomes, strict=True):
                if isinstance(outcome, TrialError):
                    models[place] = outcome
                else:
                    models[place] = self._model(data[place], outcome.values, outcome)
        return [models[place] for place in range(len(data))]

    def load(self, folder: Path, data: Classification) -> "StringClassifier":
        """Return the model that was saved to a folder; ``data`` tells the vocabulary."""
        from wug.learners.networks.classifiers.model import read_model

        return read_model(folder, self._network(data), data.vocabulary, self._training)

    def _network(self, data: Classification) -> "Network":
        from wug.learners.networks.classifiers.architectures import build_network
        from wug.learners.networks.classifiers.strings import n_letters

        masked = self.padding == "masked"
        letters = n_letters(data.vocabulary)
        return build_network(self.architecture, letters, self.width, self.layers, self.dropout, masked)

    def _train(
        self,
        data: Sequence[Classification],
        seeds: Sequence[int],
        states: Sequence[Any],
        on_pass: "OnPass | None",
    ) -> "list[Trained | TrialError]":
        from wug.learners.networks.classifiers.training import train_together

        network = self._network(data[0])
        samples = [_sample(each, network) for each in data]
        return train_together(network, samples, seeds, self._training, states=states, on_pass=on_pass)

    @property
    def _training(self) -> "Training":
        import torch

        from wug.learners.networks.classifiers.training import Training

        device = self.device if self.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
        return Training(
            self.optimizer,
            self.learning_rate,
            self.loss,
            self.epochs,
            self.batch_size,
            getattr(torch, self.dtype),
            torch.device(device),
        )

    def _model(
        self, data: Classification, values: "torch.Tensor", trained: "Trained | None" = None
    ) -> "StringClassifier":
        from wug.learners.networks.classifiers.model import StringClassifier
        from wug.learners.networks.classifiers.strings import letter_ids

        return StringClassifier(data.vocabulary, self._network(data), letter_ids(data), values, trained)


@dataclass(frozen=True)
class MLRegTestSRN(_PaperClassifier):
    """Simple recurrent network (Elman 1990)."""

    architecture: ClassVar[str] = "srn"
    width: PositiveInt = 32
    layers: PositiveInt = 4
    dropout: Rate = 0.1
    optimizer: OptimizerName = "adam"
    learning_rate: PositiveFloat = 1e-4
    replicas: PositiveInt = 8


@dataclass(frozen=True)
class MLRegTestGRU(_PaperClassifier):
    """Gated recurrent network in the variant of Keras and cuDNN."""

    architecture: ClassVar[str] = "gru"
    width: PositiveInt = 32
    layers: PositiveInt = 2
    dropout: Rate = 0.1
    optimizer: OptimizerName = "rmsprop"
    learning_rate: PositiveFloat = 1e-2
    replicas: PositiveInt = 8


@dataclass(frozen=True)
class MLRegTestLSTM(_PaperClassifier):
    """Long short-term memory."""

    architecture: ClassVar[str] = "lstm"
    width: PositiveInt = 256
    layers: PositiveInt = 2
    dropout: Rate = 0.0
    optimizer: OptimizerName = "rmsprop"
    learning_rate: PositiveFloat = 1e-4
    replicas: PositiveInt = 1


@dataclass(frozen=True)
class MLRegTestTransformer(_PaperClassifier):
    """Two blocks of attention with two heads, without feed-forward layers; reads at most 64 letters."""

    architecture: ClassVar[str] = "transformer"
    width: PositiveInt = 256
    layers: PositiveInt = 2
    dropout: Rate = 0.1
    optimizer: OptimizerName = "adam"
    learning_rate: PositiveFloat = 1e-4
    replicas: PositiveInt = 1


def _padded_length(data: Classification) -> int:
    from wug.learners.networks.classifiers.strings import PADDED_LENGTH

    return max(PADDED_LENGTH, int(data.training.lengths.max(initial=0)))


def _sample(data: Classification, network: "Network") -> "Sample":
    from wug.learners.networks.classifiers.strings import PaddedStrings, letter_ids
    from wug.learners.networks.classifiers.training import Sample

    time = _padded_length(data)
    if network.longest is not None and time > network.longest:
        raise InputError(f"this network reads strings of up to {network.longest} letters; one to learn from has {time}")
    if not len(data.training):
        raise InputError("there are no strings to learn from")
    return Sample(PaddedStrings.of(data.training, letter_ids(data), time), data.labels)
