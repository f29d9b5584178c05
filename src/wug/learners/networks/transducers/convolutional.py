"""The convolutional sequence-to-sequence network."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from wug.learners.networks.classifiers.initialisation import constant
from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.transducers.dropout import Dropout
from wug.learners.networks.transducers.initialisation import normal, weight_normalised, without
from wug.learners.networks.transducers.layers import attend, drop, look_up, weight_normalised_linear
from wug.learners.networks.transducers.network import Sources

_POSITIONS = 1024
"""Rows of the table of positions."""
_FIRST_POSITION = 2
"""Row of the first position: fairseq keeps row 1 for padding."""
_PADDING_ROW = 1
_EMBEDDING_DEVIATION = 0.1
_OUTPUT_WIDTH = 256
"""Units of the layer before the output."""
_HALF = math.sqrt(0.5)
"""A sum of two is scaled with it, which keeps the variance."""


class Memory(NamedTuple):
    """What the encoder leaves, (replicas, pairs, source time, embedding) each."""

    keys: Tensor
    values: Tensor
    """Already times the root of the source's length."""
    inside: Tensor | None
    """(replicas, pairs, source time) whether there is no padding; None where there is none."""


class Past(NamedTuple):
    """What the decoder keeps of earlier symbols."""

    symbols: int
    windows: tuple[Tensor, ...]
    """(replicas, pairs, kernel - 1, width) the last inputs of each layer's convolution."""


@dataclass(frozen=True)
class ConvolutionalNetwork:
    """Gehring et al. (2017, ICML): convolutions with gated linear units, attention in each layer of the decoder.

    All products have normalised weights (Salimans and Kingma 2016). Positions are learnt; those that training never
    reached keep their initial values.
    """

    source_size: int
    target_size: int
    source_padding: int | None
    """Class whose embedding starts at zero."""
    target_padding: int | None
    embedding: int
    width: int
    """Channels of the convolutions."""
    kernel: int
    """Positions that a convolution sees, an odd number."""
    encoder_layers: int
    decoder_layers: int
    rate: float
    """Of the dropout."""
    longest: int | None = _POSITIONS - _FIRST_POSITION

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Embeddings and positions, layers of encoder and decoder, output."""
        embedding, width = self.embedding, self.width
        return [
            *self._embeddings("source", self.source_size, self.source_padding),
            *self._linear("source_in", embedding, width, dropped=True),
            *(p for layer in range(self.encoder_layers) for p in self._convolution(f"encoder_{layer}")),
            *self._linear("source_out", width, embedding),
            *self._embeddings("target", self.target_size, self.target_padding),
            *self._linear("target_in", embedding, width, dropped=True),
            *(p for layer in range(self.decoder_layers) for p in self._decoder_layer(f"decoder_{layer}")),
            *self._linear("target_out", width, _OUTPUT_WIDTH),
            *self._linear("output", _OUTPUT_WIDTH, self.target_size, dropped=True),
        ]

    def encode(self, parameters: Parameters, sources: Sources, dropout: Dropout | None) -> Memory:
        """Return keys and values of each source."""
        inside = None if sources.inside is None else sources.inside[..., None]
        embedded = self._read(parameters, "source", sources.ids, 0, dropout)
        features = _product(parameters, "source_in", embedded)
        either_side = (0, 0, self.kernel // 2, self.kernel // 2)
        for layer in range(self.encoder_layers):
            read = drop(_blank(features, inside), self.rate, dropout)
            gated = self._convolved(parameters, f"encoder_{layer}", functional.pad(read, either_side))
            features = (gated + features) * _HALF
        keys = _blank(_product(parameters, "source_out", features), inside)
        # the decoder's layers all send gradients back; fairseq scales their sum
        keys = torch.lerp(keys.detach(), keys, 1.0 / (2 * self.decoder_layers))
        lengths = sources.lengths[..., None, None].to(keys)
        return Memory(keys, (keys + embedded) * _HALF * lengths.sqrt(), sources.inside)

    def decode(
        self, parameters: Parameters, memory: Memory, ids: Tensor, past: Past | None, dropout: Dropout | None
    ) -> tuple[Tensor, Past]:
        """Return logits and past."""
        symbols = 0 if past is None else past.symbols
        visible = None if memory.inside is None else memory.inside[:, :, None]
        embedded = self._read(parameters, "target", ids, symbols, dropout)
        features = _product(parameters, "target_in", embedded)
        windows = []
        for layer in range(self.decoder_layers):
            name = f"decoder_{layer}"
            read = drop(features, self.rate, dropout)
            if past is None:
                read = functional.pad(read, (0, 0, self.kernel - 1, 0))
            else:
                read = torch.cat([past.windows[layer], read], dim=2)
            windows.append(read[:, :, read.shape[2] - self.kernel + 1 :])
            gated = self._convolved(parameters, name, read)
            queries = (_product(parameters, f"{name}_queries", gated) + embedded) * _HALF
            mixed = attend(queries, memory.keys, memory.values, visible)
            gated = (_product(parameters, f"{name}_mixed", mixed) + gated) * _HALF
            features = (gated + features) * _HALF
        features = drop(_product(parameters, "target_out", features), self.rate, dropout)
        return _product(parameters, "output", features), Past(symbols + ids.shape[2], tuple(windows))

    def _read(self, parameters: Parameters, side: str, ids: Tensor, symbols: int, dropout: Dropout | None) -> Tensor:
        """Return embeddings with positions, of symbols that come after so many others."""
        first = _FIRST_POSITION + symbols
        positions = parameters[f"{side}_positions"][:, None, first : first + ids.shape[2]]
        return drop(look_up(parameters[side], ids) + positions, self.rate, dropout)

    def _convolved(self, parameters: Parameters, name: str, features: Tensor) -> Tensor:
        """Return the gated convolution, (replicas, pairs, time, width), of features padded for it."""
        time = features.shape[2] - self.kernel + 1
        windows = torch.cat([features[:, :, place : place + time] for place in range(self.kernel)], dim=3)
        return functional.glu(_product(parameters, f"{name}_convolution", windows), dim=3)

    def _embeddings(self, side: str, size: int, padding: int | None) -> list[Parameter]:
        symbols, positions = (size, self.embedding), (_POSITIONS, self.embedding)
        return [
            Parameter(side, symbols, without(padding, normal(symbols, _EMBEDDING_DEVIATION))),
            Parameter(f"{side}_positions", positions, without(_PADDING_ROW, normal(positions, _EMBEDDING_DEVIATION))),
        ]

    def _decoder_layer(self, name: str) -> list[Parameter]:
        return [
            *self._convolution(name),
            *self._linear(f"{name}_queries", self.width, self.embedding),
            *self._linear(f"{name}_mixed", self.embedding, self.width),
        ]

    def _convolution(self, name: str) -> list[Parameter]:
        """Return the weights of windows, the earliest position first, to values and gates."""
        fan_in = self.kernel * self.width
        return _weights(f"{name}_convolution", fan_in, 2 * self.width, math.sqrt(4.0 * (1.0 - self.rate) / fan_in))

    def _linear(self, name: str, fan_in: int, fan_out: int, dropped: bool = False) -> list[Parameter]:
        """Return a layer; the weights of one that reads what was ``dropped`` out start smaller."""
        return _weights(name, fan_in, fan_out, math.sqrt((1.0 - self.rate if dropped else 1.0) / fan_in))


def _weights(name: str, fan_in: int, fan_out: int, deviation: float) -> list[Parameter]:
    return [
        Parameter(name, (fan_in + 1, fan_out), weight_normalised((fan_in, fan_out), deviation)),
        Parameter(f"{name}_bias", (fan_out,), constant((fan_out,), 0.0)),
    ]


def _product(parameters: Parameters, name: str, features: Tensor) -> Tensor:
    return weight_normalised_linear(features, parameters[name], parameters[f"{name}_bias"])


def _blank(features: Tensor, inside: Tensor | None) -> Tensor:
    """Return features with zeros where there is padding."""
    return features if inside is None else features.masked_fill(~inside, 0.0)
