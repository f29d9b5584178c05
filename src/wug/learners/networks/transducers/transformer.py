"""The Transformer, and its variants whose decoder attends to source and target jointly."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from wug.learners.networks.classifiers.initialisation import constant
from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.transducers.dropout import Dropout
from wug.learners.networks.transducers.initialisation import normal, side_by_side, uniform, without, xavier_uniform
from wug.learners.networks.transducers.layers import attend, drop, linear, look_up, normalise, sinusoids
from wug.learners.networks.transducers.network import Sources

_FIRST_POSITION = 2
"""Where fairseq begins to count: behind the position of the padding."""


class Memory(NamedTuple):
    """What the encoder leaves."""

    features: Tensor
    """(replicas, pairs, source time, width)"""
    inside: Tensor | None
    """(replicas, pairs, source time) whether there is no padding; None where there is none."""


class Seen(NamedTuple):
    """What one attention of the decoder looks at, by head."""

    keys: Tensor
    """(replicas, pairs, heads, time, width / heads)"""
    values: Tensor


class Past(NamedTuple):
    """What the decoder keeps of earlier symbols."""

    symbols: int
    own: tuple[Seen, ...]
    """Of each layer's attention to the target (and, in the joint variants, to the source before it)."""
    cross: tuple[Seen, ...]
    """Of each layer's attention to the source alone."""


@dataclass(frozen=True)
class TransformerNetwork:
    """Vaswani et al. (2017), normalised after each sublayer's sum, as fairseq 0.9.0 has it.

    Sinusoidal positions are added to embeddings times the root of their width; dropout behind that sum and on each
    sublayer's output; ReLU; the output layer has no bias and weights of its own.
    """

    source_size: int
    target_size: int
    source_padding: int | None
    """Class whose embedding starts at zero."""
    target_padding: int | None
    width: int
    """Of the embeddings and of what is passed from layer to layer."""
    inner: int
    """Units of the feed-forward layers."""
    heads: int
    encoder_layers: int
    decoder_layers: int
    rate: float
    """Of the dropout."""
    joint: bool = False
    """Whether the decoder's own attention sees the encoder's output before the target (He et al. 2018)."""
    cross: bool = True
    """Whether each layer of the decoder has an attention to the encoder's output alone."""
    longest: int | None = None

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Embeddings, layers of encoder and decoder, output."""
        output = (self.width, self.target_size)
        return [
            self._embedding("source", self.source_size, self.source_padding),
            self._embedding("target", self.target_size, self.target_padding),
            *(p for layer in range(self.encoder_layers) for p in self._encoder_layer(f"encoder_{layer}")),
            *(p for layer in range(self.decoder_layers) for p in self._decoder_layer(f"decoder_{layer}")),
            Parameter("output", output, normal(output, self.width**-0.5)),
        ]

    def encode(self, parameters: Parameters, sources: Sources, dropout: Dropout | None) -> Memory:
        """Return the features of each source."""
        features = self._read(parameters["source"], sources.ids, 0, dropout)
        inside = sources.inside
        visible = None if inside is None else inside[:, :, None, None]
        for layer in range(self.encoder_layers):
            name = f"encoder_{layer}"
            queries, seen = self._own(parameters, name, features)
            features = self._attention(parameters, f"{name}_own", features, queries, seen, visible, dropout)
            features = self._feed_forward(parameters, name, features, dropout)
        return Memory(features, inside)

    def decode(
        self, parameters: Parameters, memory: Memory, ids: Tensor, past: Past | None, dropout: Dropout | None
    ) -> tuple[Tensor, Past]:
        """Return logits and past."""
        if past is None:
            past = self._before(parameters, memory)
        features = self._read(parameters["target"], ids, past.symbols, dropout)
        over_source = None if memory.inside is None else memory.inside[:, :, None, None]
        over_target = self._visible(memory, ids.shape[2], past.symbols)
        own = []
        for layer in range(self.decoder_layers):
            name = f"decoder_{layer}"
            queries, here = self._own(parameters, name, features)
            seen = Seen(*(torch.cat(both, dim=3) for both in zip(past.own[layer], here, strict=True)))
            own.append(seen)
            features = self._attention(parameters, f"{name}_own", features, queries, seen, over_target, dropout)
            if self.cross:
                queries = linear(features, parameters[f"{name}_queries"], parameters[f"{name}_queries_bias"])
                (queries,) = self._split(queries, 1)
                there = past.cross[layer]
                features = self._attention(parameters, f"{name}_cross", features, queries, there, over_source, dropout)
            features = self._feed_forward(parameters, name, features, dropout)
        return linear(features, parameters["output"]), Past(past.symbols + ids.shape[2], tuple(own), past.cross)

    def _read(self, table: Tensor, ids: Tensor, first: int, dropout: Dropout | None) -> Tensor:
        """Return embeddings with positions, of symbols that come after ``first`` others."""
        embedded = look_up(table, ids) * math.sqrt(self.width)
        features = embedded + sinusoids(_FIRST_POSITION + first, ids.shape[2], self.width, embedded)
        return drop(features, self.rate, dropout)

    def _before(self, parameters: Parameters, memory: Memory) -> Past:
        """Return what the decoder sees before the first symbol."""
        names = [f"decoder_{layer}" for layer in range(self.decoder_layers)]
        before = memory.features if self.joint else memory.features[:, :, :0]
        return Past(
            symbols=0,
            own=tuple(self._own(parameters, name, before)[1] for name in names),
            cross=tuple(self._cross(parameters, name, memory.features) for name in names if self.cross),
        )

    def _visible(self, memory: Memory, time: int, symbols: int) -> Tensor | None:
        """Return which positions the attention of ``time`` symbols after ``symbols`` others sees; None for all.

        It is broadcast to (replicas, pairs, heads, time, positions).
        """
        if time == 1 and not (self.joint and memory.inside is not None):
            return None
        causal = torch.ones(time, symbols + time, dtype=torch.bool, device=memory.features.device).tril(symbols)
        if not self.joint:
            return causal
        replicas, pairs, source = memory.features.shape[:3]
        inside = causal.new_ones(replicas, pairs, source) if memory.inside is None else memory.inside
        before = inside[:, :, None, None].expand(-1, -1, 1, time, -1)
        return torch.cat([before, causal.expand(replicas, pairs, 1, -1, -1)], dim=4)

    def _own(self, parameters: Parameters, name: str, features: Tensor) -> tuple[Tensor, Seen]:
        """Return the queries of a layer's own attention, and what it looks at."""
        projected = linear(features, parameters[f"{name}_projections"], parameters[f"{name}_projections_bias"])
        queries, keys, values = self._split(projected, 3)
        return queries, Seen(keys, values)

    def _cross(self, parameters: Parameters, name: str, features: Tensor) -> Seen:
        """Return what the attention to the source looks at."""
        projected = linear(features, parameters[f"{name}_keys_values"], parameters[f"{name}_keys_values_bias"])
        return Seen(*self._split(projected, 2))

    def _attention(
        self,
        parameters: Parameters,
        name: str,
        features: Tensor,
        queries: Tensor,
        seen: Seen,
        visible: Tensor | None,
        dropout: Dropout | None,
    ) -> Tensor:
        """Return features after a sublayer of attention."""
        mixed = attend(queries / math.sqrt(self.width // self.heads), seen.keys, seen.values, visible)
        attended = linear(
            mixed.transpose(2, 3).flatten(3), parameters[f"{name}_mixed"], parameters[f"{name}_mixed_bias"]
        )
        return self._added(parameters, name, features, attended, dropout)

    def _feed_forward(self, parameters: Parameters, name: str, features: Tensor, dropout: Dropout | None) -> Tensor:
        """Return features after a feed-forward sublayer."""
        inner = linear(features, parameters[f"{name}_inner"], parameters[f"{name}_inner_bias"]).relu()
        outer = linear(inner, parameters[f"{name}_outer"], parameters[f"{name}_outer_bias"])
        return self._added(parameters, f"{name}_outer", features, outer, dropout)

    def _added(
        self, parameters: Parameters, name: str, features: Tensor, output: Tensor, dropout: Dropout | None
    ) -> Tensor:
        """Return the normalised sum of features and a sublayer's output."""
        total = features + drop(output, self.rate, dropout)
        return normalise(total, parameters[f"{name}_scale"], parameters[f"{name}_shift"])

    def _split(self, projected: Tensor, parts: int) -> tuple[Tensor, ...]:
        """Return (replicas, pairs, heads, time, width / heads) each of several projections."""
        by_head = projected.view(*projected.shape[:3], parts, self.heads, self.width // self.heads)
        return by_head.permute(3, 0, 1, 4, 2, 5).unbind()

    def _encoder_layer(self, name: str) -> list[Parameter]:
        return [*self._own_attention(name), *self._feed_forward_layer(name)]

    def _decoder_layer(self, name: str) -> list[Parameter]:
        cross = self._cross_attention(name) if self.cross else []
        return [*self._own_attention(name), *cross, *self._feed_forward_layer(name)]

    def _own_attention(self, name: str) -> list[Parameter]:
        return [*self._projection(f"{name}_projections", 3), *self._mixed(f"{name}_own")]

    def _cross_attention(self, name: str) -> list[Parameter]:
        queries, keys_values = self._projection(f"{name}_queries", 1), self._projection(f"{name}_keys_values", 2)
        return [*queries, *keys_values, *self._mixed(f"{name}_cross")]

    def _projection(self, name: str, parts: int) -> list[Parameter]:
        """Return weights and biases to queries, keys or values, side by side; the biases are not zero at first."""
        draw = xavier_uniform(self.width, self.width, gain=1.0 / math.sqrt(2.0))
        biases = (parts * self.width,)
        return [
            Parameter(name, (self.width, parts * self.width), side_by_side(*[draw] * parts)),
            Parameter(f"{name}_bias", biases, uniform(biases, 1.0 / math.sqrt(self.width))),
        ]

    def _mixed(self, name: str) -> list[Parameter]:
        """Return the layer behind the heads, and the sublayer's normalisation."""
        return [*self._layer(f"{name}_mixed", self.width, self.width), *self._normalisation(name)]

    def _feed_forward_layer(self, name: str) -> list[Parameter]:
        return [
            *self._layer(f"{name}_inner", self.width, self.inner),
            *self._layer(f"{name}_outer", self.inner, self.width),
            *self._normalisation(f"{name}_outer"),
        ]

    def _layer(self, name: str, fan_in: int, fan_out: int) -> list[Parameter]:
        return [
            Parameter(name, (fan_in, fan_out), xavier_uniform(fan_in, fan_out)),
            Parameter(f"{name}_bias", (fan_out,), constant((fan_out,), 0.0)),
        ]

    def _normalisation(self, name: str) -> list[Parameter]:
        shape = (self.width,)
        return [
            Parameter(f"{name}_scale", shape, constant(shape, 1.0)),
            Parameter(f"{name}_shift", shape, constant(shape, 0.0)),
        ]

    def _embedding(self, name: str, size: int, padding: int | None) -> Parameter:
        shape = (size, self.width)
        return Parameter(name, shape, without(padding, normal(shape, self.width**-0.5)))
