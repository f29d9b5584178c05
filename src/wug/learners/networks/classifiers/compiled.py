"""Recurrent cells on the CPU: matrix products in place by torch, all else by compiled kernels, no step recorded.

Automatic differentiation of a loop over time costs several times its arithmetic in calls and copies. Here every number
that the way back needs is written once, into memory that serves one batch after the other.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.learners.networks.classifiers import kernels


@dataclass(frozen=True, eq=False)
class Inputs:
    """What is read, as the kernels take it: see ``kernels.look_up``."""

    table: NDArray[Any]
    ids: NDArray[np.int64]
    kept: NDArray[np.uint8]
    scale: np.floating[Any]


class Workspace:
    """The memory of runs over time of one shape, and the runs themselves.

    Steps are kept in turn: all of them where there will be a way back, else two.
    """

    n_acts: ClassVar[int]
    """Arrays (replicas, width, strings) that the way back needs of a step, besides what was read and the state."""
    n_sums: ClassVar[int]
    """Rows of the matrix, by the width."""

    def __init__(self, like: Tensor, shape: tuple[int, int, int], n_read: int, width: int, n_kept: int) -> None:
        replicas, _, strings = shape
        self._n_kept = n_kept
        self._width = width
        columns = like.new_zeros(n_kept, replicas, n_read + 1 + width, strings)
        columns[:, :, n_read] = 1.0
        acts = like.new_zeros(n_kept, replicas, self.n_acts * width, strings)
        self._columns = list(columns.unbind())
        self._states = [kept[:, n_read + 1 :] for kept in self._columns]
        self._sums = like.new_empty(replicas, self.n_sums * width, strings)
        self._slopes = torch.empty_like(self._columns[0])
        self._carried = like.new_empty(replicas, width, strings)
        self.columns, self.acts = list(columns.numpy()), list(acts.numpy())
        self.sums, self.slopes, self.carried = self._sums.numpy(), self._slopes.numpy(), self._carried.numpy()
        self.half, self.one = self.sums.dtype.type(0.5), self.sums.dtype.type(1)

    def run(self, matrix: Tensor, inputs: Inputs, ends: Tensor) -> Tensor:
        """Return (replicas, width, strings) the states at the ends."""
        stops = set(ends.flatten().tolist())
        read = torch.zeros_like(self._states[0])
        self._states[0].zero_()
        self.acts[-1][:] = 0
        for step in range(max(stops, default=0)):
            before, after = step % self._n_kept, (step + 1) % self._n_kept
            kernels.look_up(inputs.table, inputs.ids, inputs.kept, inputs.scale, step, self.columns[before])
            torch.bmm(matrix, self._columns[before], out=self._sums)
            self._activate(before, after)
            if step + 1 in stops:
                read = torch.where((ends == step + 1)[:, None], self._states[after], read)
        return read

    def run_back(
        self, matrix: Tensor, inputs: Inputs, ends: Tensor, read_slope: Tensor, table_slope: NDArray[Any] | None
    ) -> Tensor:
        """Return the loss's slopes in the matrix, after ``run`` with all steps kept; add to those in the table."""
        stops = set(ends.flatten().tolist())
        transposed = matrix.transpose(1, 2).contiguous()
        matrix_slope = torch.zeros_like(matrix)
        self._slopes.zero_()
        self._carried.zero_()
        state_slope = self._slopes[:, -self._width :]
        for step in reversed(range(max(stops, default=0))):
            if step + 1 in stops:
                state_slope += read_slope * (ends == step + 1)[:, None]
            self._activate_back(step)
            torch.bmm(transposed, self._sums, out=self._slopes)
            matrix_slope.baddbmm_(self._sums, self._columns[step].transpose(1, 2))
            if table_slope is not None:
                kernels.add_to_table(table_slope, inputs.ids, inputs.kept, inputs.scale, step, self.slopes)
        return matrix_slope

    def _activate(self, before: int, after: int) -> None:
        raise NotImplementedError

    def _activate_back(self, step: int) -> None:
        raise NotImplementedError


class SimpleRNNWorkspace(Workspace):
    """For ``cells.SimpleRNN``."""

    n_acts, n_sums = 0, 1

    def _activate(self, before: int, after: int) -> None:
        kernels.srn_step(self.sums, self.columns[after])

    def _activate_back(self, step: int) -> None:
        kernels.srn_step_back(self.columns[step + 1], self.slopes, self.sums, self.one)


class LSTMWorkspace(Workspace):
    """For ``cells.LSTM``."""

    n_acts, n_sums = 6, 4

    def _activate(self, before: int, after: int) -> None:
        kernels.lstm_step(self.sums, self.acts[before - 1], self.acts[before], self.columns[after], self.half)

    def _activate_back(self, step: int) -> None:
        before, acts = self.acts[step - 1], self.acts[step]
        kernels.lstm_step_back(before, acts, self.slopes, self.carried, self.sums, self.one)


class GRUWorkspace(Workspace):
    """For ``cells.GRU``."""

    n_acts, n_sums = 4, 4

    def _activate(self, before: int, after: int) -> None:
        kernels.gru_step(self.sums, self.acts[before], self.columns[before], self.columns[after], self.half)

    def _activate_back(self, step: int) -> None:
        kernels.gru_step_back(self.acts[step], self.columns[step], self.slopes, self.carried, self.sums, self.one)
