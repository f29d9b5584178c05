"""The LSTM sequence-to-sequence network, with attention or without."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.transducers.dropout import Dropout
from wug.learners.networks.transducers.initialisation import uniform, without
from wug.learners.networks.transducers.layers import drop, linear, look_up
from wug.learners.networks.transducers.network import Sources
from wug.learners.networks.transducers.recurrence import RepeatedProduct, lstm_step

_LIMIT = 0.1
"""All parameters start between minus and plus this."""
_OUTPUT_WIDTH = 512
"""fairseq puts a layer of so many units before the output where the decoder has another width."""

State = tuple[Tensor, Tensor]
"""(replicas, width, pairs) hidden state and cell."""


class Memory(NamedTuple):
    """What the encoder leaves."""

    states: tuple[State, ...]
    """Of each layer, after each source's last symbol."""
    features: Tensor | None
    """(replicas, pairs, source time, width) of the last layer; None where there is no attention to see them."""
    inside: Tensor | None
    """(replicas, pairs, source time) whether there is no padding; None where there is none."""


class Past(NamedTuple):
    """What the decoder keeps of earlier symbols."""

    states: tuple[State, ...]
    """Of each layer."""
    fed: Tensor
    """(replicas, width, pairs) the last output, which is read together with the next symbol."""


@dataclass(frozen=True)
class LSTMNetwork:
    """Luong, Pham and Manning (2015, EMNLP) with input feeding, as fairseq 0.9.0 has it, with attention or without.

    The encoder's last states are the decoder's first ones. The attention compares the last layer's state with the
    encoder's features by a bilinear form; a linear layer and tanh join their mean with the state.
    """

    source_size: int
    target_size: int
    source_padding: int | None
    """Class whose embedding starts at zero."""
    target_padding: int | None
    embedding: int
    width: int
    layers: int
    """Of the encoder, and of the decoder."""
    attention: bool
    rate: float
    """Of the dropout."""
    longest: int | None = None

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Embeddings, layers of encoder and decoder, attention, output."""
        width = self.width
        attention = [("attention", (width, width)), ("of_mean", (width, width)), ("of_state", (width, width))]
        extra = [("extra", (width, _OUTPUT_WIDTH)), ("extra_bias", (_OUTPUT_WIDTH,))]
        before_output = _OUTPUT_WIDTH if self._has_extra_layer else width
        shapes = [
            *(shape for layer in range(self.layers) for shape in self._encoder_shapes(layer)),
            *(shape for layer in range(self.layers) for shape in self._decoder_shapes(layer)),
            *(attention if self.attention else []),
            *(extra if self._has_extra_layer else []),
            ("output", (before_output, self.target_size)),
            ("output_bias", (self.target_size,)),
        ]
        return [
            self._embedding("source", self.source_size, self.source_padding),
            self._embedding("target", self.target_size, self.target_padding),
            *(Parameter(name, shape, uniform(shape, _LIMIT)) for name, shape in shapes),
        ]

    def encode(self, parameters: Parameters, sources: Sources, dropout: Dropout | None) -> Memory:
        """Return features and last states of each source."""
        features = drop(look_up(parameters["source"], sources.ids), self.rate, dropout)
        inside = None if sources.inside is None else sources.inside[:, None].unbind(3)
        zeros = features.new_zeros(len(features), self.width, features.shape[1])
        states = []
        for layer in range(self.layers):
            if layer:
                features = drop(features, self.rate, dropout)
            name = f"encoder_{layer}"
            product = RepeatedProduct(parameters[f"{name}_recurrent"])
            state = (zeros, zeros)
            shown = []
            for time, read in enumerate(self._projected(parameters, name, features)):
                after = lstm_step(read + product(state[0]), state[1])
                state = after if inside is None else _where(inside[time], after, state)
                shown.append(state[0])
            features = torch.stack(shown).permute(1, 3, 0, 2)
            states.append(state)
        seen = drop(features, self.rate, dropout) if self.attention else None
        return Memory(tuple(states), seen, sources.inside)

    def decode(
        self, parameters: Parameters, memory: Memory, ids: Tensor, past: Past | None, dropout: Dropout | None
    ) -> tuple[Tensor, Past]:
        """Return logits and past."""
        if past is None:
            past = Past(memory.states, torch.zeros_like(memory.states[0][0]))
        fed, states = past.fed, list(past.states)
        embedded = drop(look_up(parameters["target"], ids), self.rate, dropout)
        kept_between = [self._kept(ids, dropout) for _ in range(1, self.layers)]
        kept = self._kept(ids, dropout)
        products = [RepeatedProduct(parameters[f"decoder_{layer}_recurrent"]) for layer in range(self.layers)]
        attend = _Attention(parameters, memory) if self.attention else None
        outputs = []
        for time, read in enumerate(self._projected(parameters, "decoder_0", embedded)):
            below = fed
            for layer, product in enumerate(products):
                if layer:
                    below = _times(states[layer - 1][0], kept_between[layer - 1], time)
                    read = self._bias(parameters, f"decoder_{layer}")
                gates = read + product(torch.cat([below, states[layer][0]], dim=1))
                states[layer] = lstm_step(gates, states[layer][1])
            hidden = states[-1][0]
            fed = _times(hidden if attend is None else attend(hidden), kept, time)
            outputs.append(fed)
        features = torch.stack(outputs).permute(1, 3, 0, 2)
        if self._has_extra_layer:
            features = drop(linear(features, parameters["extra"], parameters["extra_bias"]), self.rate, dropout)
        logits = linear(features, parameters["output"], parameters["output_bias"])
        return logits, Past(tuple(states), fed)

    def _projected(self, parameters: Parameters, name: str, features: Tensor) -> tuple[Tensor, ...]:
        """Return for each step what a layer reads of (replicas, pairs, time, features): (replicas, gates, pairs)."""
        replicas, pairs, time, width = features.shape
        columns = features.permute(0, 3, 2, 1).reshape(replicas, width, time * pairs)
        read = torch.baddbmm(self._bias(parameters, name), parameters[f"{name}_input"], columns)
        return read.view(replicas, -1, time, pairs).unbind(2)

    def _bias(self, parameters: Parameters, name: str) -> Tensor:
        """Return (replicas, 4 * width, 1) the sum of the two biases of a layer."""
        return (parameters[f"{name}_bias"] + parameters[f"{name}_recurrent_bias"])[..., None]

    def _kept(self, ids: Tensor, dropout: Dropout | None) -> tuple[Tensor, ...] | None:
        """Return for each step the (replicas, width, pairs) mask of a dropout."""
        if dropout is None or not self.rate:
            return None
        _, pairs, time = ids.shape
        return dropout.mask(self.rate, (pairs, time, self.width)).permute(2, 0, 3, 1).contiguous().unbind()

    def _embedding(self, name: str, size: int, padding: int | None) -> Parameter:
        shape = (size, self.embedding)
        return Parameter(name, shape, without(padding, uniform(shape, _LIMIT)))

    def _encoder_shapes(self, layer: int) -> list[tuple[str, tuple[int, ...]]]:
        name, gates = f"encoder_{layer}", 4 * self.width
        read = self.width if layer else self.embedding
        return [(f"{name}_input", (gates, read)), (f"{name}_recurrent", (gates, self.width)), *_biases(name, gates)]

    def _decoder_shapes(self, layer: int) -> list[tuple[str, tuple[int, ...]]]:
        """Return shapes; the recurrent matrix reads what was fed or the layer below, and the layer's own state."""
        name, gates = f"decoder_{layer}", 4 * self.width
        symbols = [] if layer else [(f"{name}_input", (gates, self.embedding))]
        return [*symbols, (f"{name}_recurrent", (gates, 2 * self.width)), *_biases(name, gates)]

    @property
    def _has_extra_layer(self) -> bool:
        return self.width != _OUTPUT_WIDTH


class _Attention:
    """Joins a state with the mean of the source's features, weighted by how much they agree with it.

    With features e and state h it is tanh(W [sum a_t e_t; h]), a = softmax(e_t V h). What concerns the features alone,
    V'e_t and the first half of W times e_t, is computed once for all steps.
    """

    def __init__(self, parameters: Parameters, memory: Memory) -> None:
        assert memory.features is not None
        self._keys = linear(memory.features, parameters["attention"])
        self._means = linear(memory.features, parameters["of_mean"]).transpose(2, 3)
        self._of_state = RepeatedProduct(parameters["of_state"])
        self._hidden = None if memory.inside is None else ~memory.inside[..., None]

    def __call__(self, state: Tensor) -> Tensor:
        """Return (replicas, width, pairs) for such states."""
        scores = self._keys @ state.transpose(1, 2)[..., None]
        if self._hidden is not None:
            scores = scores.masked_fill(self._hidden, -math.inf)
        mean = (self._means @ scores.softmax(dim=2))[..., 0].transpose(1, 2)
        return torch.tanh(self._of_state(state) + mean)


def _biases(name: str, gates: int) -> list[tuple[str, tuple[int, ...]]]:
    return [(f"{name}_bias", (gates,)), (f"{name}_recurrent_bias", (gates,))]


def _times(features: Tensor, masks: tuple[Tensor, ...] | None, time: int) -> Tensor:
    return features if masks is None else features * masks[time]


def _where(inside: Tensor, after: State, before: State) -> State:
    """Return the states after a step, or those before it where a source has ended."""
    return torch.where(inside, after[0], before[0]), torch.where(inside, after[1], before[1])
