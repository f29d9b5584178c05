"""Recurrent encoders: LSTM, GRU and the simple recurrent network.

Symbols enter one-hot, straight into the first recurrent layer (there is no embedding). ``forward`` is torch's own
layer; ``step`` does the same arithmetic for one symbol of many strings at once.

A state is a flat tuple of tensors (batch, width), layer after layer, so that strings can be dropped from it, copied and
reordered by indexing the first dimension. ``step`` never writes into the state that it is given.
"""

from typing import cast

import torch
from torch import Tensor
from torch.nn import functional

State = tuple[Tensor, ...]
"""Tensors (batch, width): h of each layer; for the LSTM h and c of each layer."""


class OneHot(torch.nn.Module):
    """Symbols as unit vectors in the network's dtype."""

    table: Tensor

    def __init__(self, vocabulary_size: int) -> None:
        super().__init__()
        self.register_buffer("table", torch.eye(vocabulary_size), persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (..., vocabulary_size) for (...) symbols."""
        return functional.embedding(ids, self.table)


class LSTM(torch.nn.Module):
    """Long short-term memory in torch's form: gates i, f, g, o, two bias vectors, states that start at zero.

    With V symbols, one layer of width H has 4H(V + H + 2) parameters (Hochreiter and Schmidhuber 1997, Neural
    Computation 9:1735; forget gates: Gers, Schmidhuber and Cummins 2000).
    """

    def __init__(self, vocabulary_size: int, width: int = 32, layers: int = 1) -> None:
        super().__init__()
        self.one_hot = OneHot(vocabulary_size)
        self.recurrent = torch.nn.LSTM(vocabulary_size, width, layers, batch_first=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (batch, time, width) features of (batch, time) symbols."""
        return cast(Tensor, self.recurrent(self.one_hot(ids))[0])

    def step(self, ids: Tensor, state: State | None) -> tuple[Tensor, State]:
        """Return (batch, width) features and the state after (batch,) further symbols."""
        width = self.recurrent.hidden_size
        before = state or _zero_state(self.recurrent, len(ids), 2)
        after: list[Tensor] = []
        inputs = self.one_hot(ids)
        for layer, (hidden, cell) in enumerate(zip(before[::2], before[1::2], strict=True)):
            gates = _gates(self.recurrent, layer, inputs, hidden)
            candidate = gates[:, 2 * width : 3 * width].clone(memory_format=torch.contiguous_format).tanh_()
            input_gate, forget_gate, _, output_gate = gates.sigmoid_().chunk(4, dim=1)
            cell = (forget_gate * cell).addcmul_(input_gate, candidate)
            inputs = cell.tanh().mul_(output_gate)
            after += [inputs, cell]
        return inputs, tuple(after)


class GRU(torch.nn.Module):
    """Gated recurrent unit in torch's form: gates r, z, n, with the reset gate after the matrix product.

    With V symbols, one layer of width H has 3H(V + H + 2) parameters (Cho et al. 2014, EMNLP).
    """

    def __init__(self, vocabulary_size: int, width: int = 32, layers: int = 1) -> None:
        super().__init__()
        self.one_hot = OneHot(vocabulary_size)
        self.recurrent = torch.nn.GRU(vocabulary_size, width, layers, batch_first=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (batch, time, width) features of (batch, time) symbols."""
        return cast(Tensor, self.recurrent(self.one_hot(ids))[0])

    def step(self, ids: Tensor, state: State | None) -> tuple[Tensor, State]:
        """Return (batch, width) features and the state after (batch,) further symbols."""
        width = self.recurrent.hidden_size
        after: list[Tensor] = []
        inputs = self.one_hot(ids)
        for layer, hidden in enumerate(state or _zero_state(self.recurrent, len(ids), 1)):
            weight_in, weight, bias_in, bias = _layer_weights(self.recurrent, layer)
            from_input = functional.linear(inputs, weight_in, bias_in)
            from_hidden = functional.linear(hidden, weight, bias)
            both = from_input[:, : 2 * width] + from_hidden[:, : 2 * width]
            reset, update = both.sigmoid_().chunk(2, dim=1)
            candidate = torch.addcmul(from_input[:, 2 * width :], reset, from_hidden[:, 2 * width :]).tanh_()
            inputs = candidate.lerp(hidden, update)
            after.append(inputs)
        return inputs, tuple(after)


class SimpleRNN(torch.nn.Module):
    """Simple recurrent network with tanh (Elman 1990, Cognitive Science 14:179), two bias vectors.

    With V symbols, one layer of width H has H(V + H + 2) parameters.
    """

    def __init__(self, vocabulary_size: int, width: int = 32, layers: int = 1) -> None:
        super().__init__()
        self.one_hot = OneHot(vocabulary_size)
        self.recurrent = torch.nn.RNN(vocabulary_size, width, layers, batch_first=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (batch, time, width) features of (batch, time) symbols."""
        return cast(Tensor, self.recurrent(self.one_hot(ids))[0])

    def step(self, ids: Tensor, state: State | None) -> tuple[Tensor, State]:
        """Return (batch, width) features and the state after (batch,) further symbols."""
        after: list[Tensor] = []
        inputs = self.one_hot(ids)
        for layer, hidden in enumerate(state or _zero_state(self.recurrent, len(ids), 1)):
            inputs = _gates(self.recurrent, layer, inputs, hidden).tanh_()
            after.append(inputs)
        return inputs, tuple(after)


def _gates(recurrent: torch.nn.RNNBase, layer: int, inputs: Tensor, hidden: Tensor) -> Tensor:
    """Return (batch, gates) all gates before their non-linearities, in one matrix product."""
    weight_in, weight, bias_in, bias = _layer_weights(recurrent, layer)
    weights = torch.cat([weight_in, weight], dim=1)
    return functional.linear(torch.cat([inputs, hidden], dim=1), weights, bias_in + bias)


def _layer_weights(recurrent: torch.nn.RNNBase, layer: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return (gates, inputs) and (gates, width) weights and their (gates,) biases."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return cast(tuple[Tensor, Tensor, Tensor, Tensor], tuple(getattr(recurrent, f"{name}_l{layer}") for name in names))


def _zero_state(recurrent: torch.nn.RNNBase, batch: int, per_layer: int) -> State:
    zeros = _layer_weights(recurrent, 0)[1].new_zeros(batch, recurrent.hidden_size)
    return (zeros,) * (per_layer * recurrent.num_layers)
