"""Recurrent encoders: LSTM, GRU and the simple recurrent network.

Symbols enter one-hot, straight into the first recurrent layer (there is no embedding). ``forward`` is torch's own
layer; ``step`` does the same arithmetic for one symbol of many strings at once.

A state is a flat tuple of tensors (batch, width), layer after layer, so that strings can be dropped from it, copied and
reordered by indexing the first dimension. ``step`` never writes into the state that it is given. The tensors of a state
are views of (width, batch) memory, in which the strings of a batch lie side by side.
"""

from collections.abc import Sequence
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
        after: list[Tensor] = []
        inputs = self.one_hot(ids).t()
        states = state or _zero_state(self.recurrent, len(ids), 2)
        for layer, (hidden, cell) in enumerate(zip(states[::2], states[1::2], strict=True)):
            take, keep, new, give = _gates(_layer_weights(self.recurrent, layer), inputs, hidden.t(), 4)
            cell = keep.sigmoid_().mul_(cell.t()).addcmul_(take.sigmoid_(), new.tanh_())
            inputs = cell.tanh().mul_(give.sigmoid_())
            after += [inputs.t(), cell.t()]
        return inputs.t(), tuple(after)


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
        inputs = self.one_hot(ids).t()
        for layer, hidden in enumerate(state or _zero_state(self.recurrent, len(ids), 1)):
            weights = _layer_weights(self.recurrent, layer)
            weight_in, weight, bias_in, bias = (part[2 * width :] for part in weights)
            reset, keep = _gates([part[: 2 * width] for part in weights], inputs, hidden.t(), 2)
            from_hidden = torch.addmm(bias[:, None], weight, hidden.t())
            new = torch.addmm(bias_in[:, None], weight_in, inputs).addcmul_(reset.sigmoid_(), from_hidden).tanh_()
            inputs = new.lerp_(hidden.t(), keep.sigmoid_())
            after.append(inputs.t())
        return inputs.t(), tuple(after)


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
        inputs = self.one_hot(ids).t()
        for layer, hidden in enumerate(state or _zero_state(self.recurrent, len(ids), 1)):
            (new,) = _gates(_layer_weights(self.recurrent, layer), inputs, hidden.t(), 1)
            inputs = new.tanh_()
            after.append(inputs.t())
        return inputs.t(), tuple(after)


def _gates(weights: Sequence[Tensor], inputs: Tensor, hidden: Tensor, gates: int) -> tuple[Tensor, ...]:
    """Return (width, batch) each of the gates before its non-linearity, for (features, batch) inputs and states.

    The batch is the inner dimension, so that one matrix product leaves each gate in a block of memory of its own.
    """
    weight_in, weight, bias_in, bias = weights
    both = torch.cat([inputs, hidden])
    return torch.addmm((bias_in + bias)[:, None], torch.cat([weight_in, weight], dim=1), both).chunk(gates)


def _layer_weights(recurrent: torch.nn.RNNBase, layer: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return (gates, inputs) and (gates, width) weights and their (gates,) biases."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return cast(tuple[Tensor, Tensor, Tensor, Tensor], tuple(getattr(recurrent, f"{name}_l{layer}") for name in names))


def _zero_state(recurrent: torch.nn.RNNBase, batch: int, per_layer: int) -> State:
    zeros = _layer_weights(recurrent, 0)[1].new_zeros(batch, recurrent.hidden_size)
    return (zeros,) * (per_layer * recurrent.num_layers)
