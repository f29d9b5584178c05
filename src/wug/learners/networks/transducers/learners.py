"""The sequence-to-sequence learners, with the recipe of Kharitonov and Chaabouni (2021). Importable without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from wug.errors import InputError, TrialError
from wug.learners.protocols import EpochReport, OnEpoch, Transduction
from wug.learners.training.settings import OptimizerName, ScheduleName, TrainingSettings

if TYPE_CHECKING:
    import torch

    from wug.learners.networks.transducers.model import NetworkTransducer
    from wug.learners.networks.transducers.network import Network
    from wug.learners.networks.transducers.training import OnPass, Sample, Trained

_WASTE = 1.5
"""Pairs of replicas that train together are filled up to at most so many times their own number."""


@dataclass(frozen=True)
class _Transducer:
    """An encoder with a decoder. An update follows the loss summed over a pair's symbols and averaged over pairs."""

    embedding: PositiveInt = 16
    """Width of the embeddings."""
    width: PositiveInt = 512
    """Units of a layer; of the Transformer's feed-forward layers."""
    encoder_layers: PositiveInt = 1
    decoder_layers: PositiveInt = 1
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.5
    optimizer: OptimizerName = "adam"
    learning_rate: PositiveFloat = 0.001
    """Highest learning rate of the schedule."""
    schedule: ScheduleName = "fairseq"
    warmup: NonNegativeInt = 1000
    """Updates over which the learning rate rises."""
    clip_norm: PositiveFloat | None = 25.0
    """Longest gradient; longer ones are scaled down to it."""
    epochs: NonNegativeInt = 3000
    """Passes over the training pairs."""
    batch_size: Literal["all"] | PositiveInt = "all"
    """Pairs in an update; 'all' makes one update a pass."""
    keep: Literal["last", "best"] = "last"
    """Which parameters are kept: those after the last pass, or those with the lowest validation loss (training loss
    where there are no validation pairs)."""
    dtype: Literal["float32", "float64"] = "float32"
    """Type of parameters and arithmetic in training; answers are computed in float64."""
    device: Annotated[str, Field(pattern=r"^(auto|cpu|cuda(:\d+)?)$")] = "auto"
    replicas: PositiveInt = 1
    """How many are trained together, where several are asked for."""

    @property
    def settings(self) -> frozenset[str]:
        """Transduction alone."""
        return frozenset({"transduction"})

    def fit(
        self, data: Transduction, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> "NetworkTransducer":
        """Return the trained model; raises TrialError when the loss is not finite."""

        def report(epoch: int, loss_nats: float, values: "torch.Tensor") -> None:
            if on_epoch is not None:
                on_epoch(EpochReport(epoch, self.epochs, loss_nats, self._model(data, values)))

        sample = _sample(data, seed, state)
        (outcome,) = self._train(data, [sample], report if on_epoch is not None else None)
        if isinstance(outcome, TrialError):
            raise outcome
        return self._model(data, outcome.values, outcome)

    def fit_together(
        self, data: Sequence[Transduction], seeds: Sequence[int], *, states: Sequence[Any] | None = None
    ) -> "list[NetworkTransducer | TrialError]":
        """Return what ``fit`` returns or raises for each; those of similar size are trained as replicas."""
        samples = [_sample(*each) for each in zip(data, seeds, states or [None] * len(data), strict=True)]
        models: dict[int, NetworkTransducer | TrialError] = {}
        for places in self._groups(data, samples):
            outcomes = self._train(data[places[0]], [samples[place] for place in places], None)
            for place, outcome in zip(places, outcomes, strict=True):
                if isinstance(outcome, TrialError):
                    models[place] = outcome
                else:
                    models[place] = self._model(data[place], outcome.values, outcome)
        return [models[place] for place in range(len(data))]

    def load(self, folder: Path, data: Transduction) -> "NetworkTransducer":
        """Return the model that was saved to a folder; ``data`` tells the vocabularies."""
        import torch

        from wug.learners.networks.transducers.model import read_values

        like = torch.empty(0, dtype=getattr(torch, self.dtype), device=self._device)
        return self._model(data, read_values(folder, self._network(data), like))

    def _network(self, data: Transduction) -> "Network":
        raise NotImplementedError

    def _train(
        self, data: Transduction, samples: "Sequence[Sample]", on_pass: "OnPass | None"
    ) -> "list[Trained | TrialError]":
        from wug.learners.networks.transducers.training import train_together

        return train_together(self._network(data), samples, self._training, self._device, on_pass=on_pass)

    def _model(
        self, data: Transduction, values: "torch.Tensor", trained: "Trained | None" = None
    ) -> "NetworkTransducer":
        from wug.learners.networks.transducers.model import NetworkTransducer

        return NetworkTransducer(data.source_vocabulary, data.target_vocabulary, self._network(data), values, trained)

    @property
    def _training(self) -> TrainingSettings:
        return TrainingSettings(
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            warmup=self.warmup,
            clip_norm=self.clip_norm,
            epochs=self.epochs,
            batch_size=self.batch_size,
            keep=self.keep,
            dtype=self.dtype,
        )

    @property
    def _device(self) -> "torch.device":
        import torch

        return torch.device(self.device if self.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu")

    def _groups(self, data: Sequence[Transduction], samples: "Sequence[Sample]") -> list[list[int]]:
        """Return which samples are trained together."""
        kinds: dict[tuple[int, ...], list[int]] = {}
        for place, (each, sample) in enumerate(zip(data, samples, strict=True)):
            kind = (each.source_vocabulary.size, each.target_vocabulary.size, sample.updates_before)
            kinds.setdefault(kind, []).append(place)
        groups: list[list[int]] = []
        for places in kinds.values():
            group: list[int] = []
            for place in sorted(places, key=lambda place: len(samples[place].training)):
                smallest = len(samples[group[0]].training) if group else 0
                most = smallest if self.batch_size != "all" else _WASTE * smallest
                if not group or len(group) == self.replicas or len(samples[place].training) > most:
                    group = []
                    groups.append(group)
                group.append(place)
        return groups


@dataclass(frozen=True)
class _TransformerTransducer(_Transducer):
    heads: PositiveInt = 8
    replicas: PositiveInt = 16

    def _transformer(self, data: Transduction, *, joint: bool, cross: bool) -> "Network":
        from wug.learners.networks.transducers.transformer import TransformerNetwork

        if self.embedding % self.heads:
            raise InputError(
                f"the embedding of a Transformer must be a multiple of its heads ({self.heads}), not {self.embedding}"
            )
        return TransformerNetwork(
            source_size=data.source_vocabulary.size,
            target_size=data.target_vocabulary.size,
            source_padding=data.source_vocabulary.padding,
            target_padding=data.target_vocabulary.padding,
            width=self.embedding,
            inner=self.width,
            heads=self.heads,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            rate=self.dropout,
            joint=joint,
            cross=cross,
        )


@dataclass(frozen=True)
class TransformerTransducer(_TransformerTransducer):
    """The Transformer; by default one layer each for encoder and decoder."""

    def _network(self, data: Transduction) -> "Network":
        return self._transformer(data, joint=False, cross=True)


@dataclass(frozen=True)
class JointTransducer(_TransformerTransducer):
    """A Transformer whose decoder attends to the encoder's output and the target jointly, and then to the former again.

    So the published code has it: fairseq's ``cross-self-attention`` without ``no-cross-attention``.
    """

    def _network(self, data: Transduction) -> "Network":
        return self._transformer(data, joint=True, cross=True)


@dataclass(frozen=True)
class JointTransducerWithoutCross(_TransformerTransducer):
    """A Transformer whose decoder attends to source and target jointly, and has no attention to the source alone."""

    def _network(self, data: Transduction) -> "Network":
        return self._transformer(data, joint=True, cross=False)


@dataclass(frozen=True)
class _LSTMTransducer(_Transducer):
    def _lstm(self, data: Transduction, *, attention: bool) -> "Network":
        from wug.learners.networks.transducers.lstm import LSTMNetwork

        if self.encoder_layers != self.decoder_layers:
            raise InputError(
                f"the LSTM's decoder starts from the states of its encoder, so it must have as many layers; "
                f"not {self.encoder_layers} and {self.decoder_layers}"
            )
        return LSTMNetwork(
            source_size=data.source_vocabulary.size,
            target_size=data.target_vocabulary.size,
            source_padding=data.source_vocabulary.padding,
            target_padding=data.target_vocabulary.padding,
            embedding=self.embedding,
            width=self.width,
            layers=self.encoder_layers,
            attention=attention,
            rate=self.dropout,
        )


@dataclass(frozen=True)
class LSTMTransducer(_LSTMTransducer):
    """The LSTM without attention: its decoder starts from the encoder's last state."""

    def _network(self, data: Transduction) -> "Network":
        return self._lstm(data, attention=False)


@dataclass(frozen=True)
class LSTMTransducerWithAttention(_LSTMTransducer):
    """The LSTM with attention."""

    def _network(self, data: Transduction) -> "Network":
        return self._lstm(data, attention=True)


@dataclass(frozen=True)
class ConvolutionalTransducer(_Transducer):
    """The convolutional network with attention; source and target of up to 1,021 symbols."""

    kernel: PositiveInt = 3
    """Positions that a convolution sees, an odd number."""

    def _network(self, data: Transduction) -> "Network":
        from wug.learners.networks.transducers.convolutional import ConvolutionalNetwork

        if self.kernel % 2 == 0:
            raise InputError(f"the kernel of a convolution must be odd, not {self.kernel}")
        return ConvolutionalNetwork(
            source_size=data.source_vocabulary.size,
            target_size=data.target_vocabulary.size,
            source_padding=data.source_vocabulary.padding,
            target_padding=data.target_vocabulary.padding,
            embedding=self.embedding,
            width=self.width,
            kernel=self.kernel,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            rate=self.dropout,
        )


def _sample(data: Transduction, seed: int, state: Any) -> "Sample":
    from wug.learners.networks.transducers.pairs import Pairs
    from wug.learners.networks.transducers.training import Sample

    training = Pairs(data.sources, data.targets)
    if not len(training):
        raise InputError("there are no training pairs to learn from")
    if data.validation_sources is None or data.validation_targets is None or not len(data.validation_sources):
        return Sample(seed, training, None, state)
    return Sample(seed, training, Pairs(data.validation_sources, data.validation_targets), state)
