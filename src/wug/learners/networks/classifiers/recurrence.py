"""Runs a recurrent cell over strings."""

from dataclasses import dataclass

import torch
from torch import Tensor

from wug.learners.networks.classifiers.cells import Cell


@dataclass(frozen=True, eq=False)
class Reading:
    """What a cell reads: rows of a table, by ids, with some values dropped."""

    ids: Tensor
    """(replicas, strings, time) rows of the table."""
    table: Tensor
    """(replicas, n_ids, columns)"""
    kept: Tensor | None
    """Dropout mask (replicas, strings, time or 1, columns); None where nothing is dropped."""
    ends: Tensor
    """(replicas, strings) after how many steps the state is read; 0 reads zeros."""

    def inputs(self, time: int) -> Tensor:
        """Return (replicas, columns, strings) what is read in a step."""
        columns = self.table.shape[2]
        rows = self.ids[:, :, time, None].expand(-1, -1, columns)
        values = self.table.gather(1, rows)
        if self.kept is not None:
            values = values * self.kept[:, :, time % self.kept.shape[2]]
        return values.transpose(1, 2)


def last_states(cell: Cell, matrices: tuple[Tensor, ...], reading: Reading, width: int) -> Tensor:
    """Return (replicas, width, strings) the state of each string at its end."""
    return _in_torch(cell, matrices, reading, width)


def _in_torch(cell: Cell, matrices: tuple[Tensor, ...], reading: Reading, width: int) -> Tensor:
    """Return the states step by step, for any device; automatic differentiation goes back through the steps."""
    replicas, strings, time = reading.ids.shape
    zeros = matrices[0].new_zeros(replicas, width, strings)
    read, state = zeros, (zeros,) * cell.n_states
    ends = reading.ends[:, None]
    for step in range(time):
        state = cell.step(matrices, reading.inputs(step), state)
        read = torch.where(ends == step + 1, state[0], read)
    return read
