"""The recurrent cells of Keras 2.8, for replicas: parameters, and one step in plain torch.

Tensors of a step are (replicas, rows, strings): the strings of a batch lie side by side in memory, so that a matrix
product leaves each gate in a block of its own. Cells see *columns*: what is read, a row of ones, and the state, one
below the other; the ones take the biases into the matrices.
"""

from collections.abc import Mapping
from typing import Protocol

import torch
from torch import Tensor

from wug.learners.networks.classifiers.compiled import GRUWorkspace, LSTMWorkspace, SimpleRNNWorkspace, Workspace
from wug.learners.networks.classifiers.initialisation import Draw, constant, glorot_uniform, orthogonal, stacked
from wug.learners.networks.classifiers.parameters import Parameter, Parameters

State = tuple[Tensor, ...]
"""(replicas, width, strings) each: first the state that is read at the end, then what else the cell remembers."""


class Cell(Protocol):
    """A recurrent layer."""

    workspace: type[Workspace]
    """How it runs on the CPU."""
    n_states: int
    """Tensors in a state."""
    shares_dropout: bool
    """Whether all steps of a string have one dropout mask."""

    def parameters(self, width: int) -> list[Parameter]:
        """Return the parameters of a layer of ``width`` units that reads vectors of the same width."""

    def matrix(self, parameters: Parameters, table: Tensor | None) -> Tensor:
        """Return (replicas, rows, columns) the matrix that ``step`` takes.

        With a ``table`` (replicas, ids, width) of all vectors that can be read, what is read is an id as a unit vector:
        the products of the table and the kernel stand in the kernel's place.
        """

    def step(self, matrix: Tensor, inputs: Tensor, state: State) -> State:
        """Return the state after (replicas, columns, strings) inputs."""


class SimpleRNN:
    """h' = tanh(W x + U h + b), with one dropout mask for all steps (Keras keeps the mask of a batch)."""

    workspace: type[Workspace] = SimpleRNNWorkspace
    n_states = 1
    shares_dropout = True

    def parameters(self, width: int) -> list[Parameter]:
        """Return kernel, bias and recurrent kernel."""
        return _keras_parameters(width, 1, {"bias": constant((width, 1), 0.0)})

    def matrix(self, parameters: Parameters, table: Tensor | None) -> Tensor:
        """Return (replicas, width, columns)."""
        kernel = _kernel(parameters, table)
        return torch.cat([kernel, parameters["bias"], parameters["recurrent"]], dim=2)

    def step(self, matrix: Tensor, inputs: Tensor, state: State) -> State:
        """Return the next state."""
        return (torch.bmm(matrix, _columns(inputs, state[0])).tanh(),)


class LSTM:
    """Gates i, f, o and the new values g: c' = f c + i g, h' = o tanh(c'); the forget gate's bias starts at one."""

    workspace: type[Workspace] = LSTMWorkspace
    n_states = 2
    shares_dropout = False

    def parameters(self, width: int) -> list[Parameter]:
        """Return kernel, bias and recurrent kernel; rows of gates i, f, g, o."""
        bias = stacked(constant((width, 1), 0.0), constant((width, 1), 1.0), constant((2 * width, 1), 0.0))
        return _keras_parameters(width, 4, {"bias": bias})

    def matrix(self, parameters: Parameters, table: Tensor | None) -> Tensor:
        """Return (replicas, 4 * width, columns)."""
        kernel = _kernel(parameters, table)
        return torch.cat([kernel, parameters["bias"], parameters["recurrent"]], dim=2)

    def step(self, matrix: Tensor, inputs: Tensor, state: State) -> State:
        """Return the next state and what the cell keeps."""
        hidden, kept = state
        take, keep, new, give = torch.bmm(matrix, _columns(inputs, hidden)).chunk(4, dim=1)
        kept = keep.sigmoid() * kept + take.sigmoid() * new.tanh()
        return give.sigmoid() * kept.tanh(), kept


class GRU:
    """Keras's variant ``reset_after``: h' = z h + (1 - z) tanh(W x + b + r (U h + b')), two biases for each gate.

    So torch.nn.GRU computes it too; Cho et al. (2014) reset the state before the product.
    """

    workspace: type[Workspace] = GRUWorkspace
    n_states = 1
    shares_dropout = False

    def parameters(self, width: int) -> list[Parameter]:
        """Return kernel, bias, recurrent kernel and recurrent bias; rows of gates z, r and the new values."""
        zeros = constant((3 * width, 1), 0.0)
        return _keras_parameters(width, 3, {"bias": zeros, "recurrent_bias": zeros})

    def matrix(self, parameters: Parameters, table: Tensor | None) -> Tensor:
        """Return four blocks of rows: z, r, W x + b and U h + b' of the new values; what a block leaves out is 0."""
        kernel, recurrent = _kernel(parameters, table), parameters["recurrent"]
        bias, recurrent_bias = parameters["bias"], parameters["recurrent_bias"]
        gates = 2 * recurrent.shape[2]
        return torch.cat(
            [
                torch.cat([kernel, torch.zeros_like(kernel[:, gates:])], dim=1),
                torch.cat(
                    [bias[:, :gates] + recurrent_bias[:, :gates], bias[:, gates:], recurrent_bias[:, gates:]], dim=1
                ),
                torch.cat([recurrent[:, :gates], torch.zeros_like(recurrent[:, gates:]), recurrent[:, gates:]], dim=1),
            ],
            dim=2,
        )

    def step(self, matrix: Tensor, inputs: Tensor, state: State) -> State:
        """Return the next state."""
        (hidden,) = state
        keep, reset, read, recalled = torch.bmm(matrix, _columns(inputs, hidden)).chunk(4, dim=1)
        new = (read + reset.sigmoid() * recalled).tanh()
        return (torch.lerp(new, hidden, keep.sigmoid()),)


def _keras_parameters(width: int, blocks: int, biases: Mapping[str, Draw]) -> list[Parameter]:
    """Return kernel and recurrent kernel with so many blocks of ``width`` rows, and the biases as columns."""
    rows = blocks * width
    return [
        Parameter("kernel", (rows, width), glorot_uniform((rows, width), width, rows)),
        Parameter("recurrent", (rows, width), orthogonal(rows, width)),
        *(Parameter(name, (rows, 1), draw) for name, draw in biases.items()),
    ]


def _kernel(parameters: Parameters, table: Tensor | None) -> Tensor:
    kernel = parameters["kernel"]
    return kernel if table is None else torch.bmm(kernel, table.transpose(1, 2))


def _columns(inputs: Tensor, hidden: Tensor) -> Tensor:
    return torch.cat([inputs, torch.ones_like(inputs[:, :1]), hidden], dim=1)
