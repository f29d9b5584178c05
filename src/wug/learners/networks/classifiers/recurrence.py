"""Runs a recurrent cell over strings: by compiled kernels on the CPU, in plain torch elsewhere."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.learners.networks.classifiers import kernels
from wug.learners.networks.classifiers.cells import Cell


@dataclass(frozen=True, eq=False)
class Reading:
    """What a cell reads: rows of a table, by ids, with some values dropped."""

    ids: Tensor
    """(replicas, time, strings) rows of the table."""
    table: Tensor
    """(replicas, n_ids, columns)"""
    kept: Tensor | None
    """Dropout mask (replicas, time or 1, columns, strings); None where nothing is dropped."""
    ends: Tensor
    """(replicas, strings) after how many steps the state is read; 0 reads zeros."""

    def inputs(self, step: int) -> Tensor:
        """Return (replicas, columns, strings) what is read in a step."""
        rows = self.ids[:, step, :, None].expand(-1, -1, self.table.shape[2])
        values = self.table.gather(1, rows).transpose(1, 2)
        return values if self.kept is None else values * self.kept[:, step % self.kept.shape[1]]


class Memory:
    """Arrays that serve one batch after the other: fresh memory costs more time than what is computed in it."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}
        self.uses = 0
        """How many batches it has served."""

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return an array with whatever values it has; it is the same memory for a name each time."""
        size = math.prod(shape)
        flat = self._arrays.get(name)
        if flat is None or flat.size < size or flat.dtype != dtype:
            flat = self._arrays[name] = np.empty(size, dtype=dtype)
        return flat[:size].reshape(shape)


def last_states(cell: Cell, matrices: tuple[Tensor, ...], reading: Reading, width: int, memory: Memory) -> Tensor:
    """Return (replicas, width, strings) the state of each string at its end.

    The way back must be gone before the memory serves the next batch.
    """
    if matrices[0].device.type == "cpu":
        run = _Run(cell, reading, width, memory)
        states: Tensor = _Compiled.apply(run, reading.table, *matrices)  # type: ignore[no-untyped-call]
        return states
    return step_by_step(cell, matrices, reading, width)


def step_by_step(cell: Cell, matrices: tuple[Tensor, ...], reading: Reading, width: int) -> Tensor:
    """Return what ``last_states`` returns, for any device; automatic differentiation goes back through the steps."""
    replicas, time, strings = reading.ids.shape
    read = matrices[0].new_zeros(replicas, width, strings)
    state = (read,) * cell.n_states
    ends = reading.ends[:, None]
    for step in range(time):
        state = cell.step(matrices, reading.inputs(step), state)
        read = torch.where(ends == step + 1, state[0], read)
    return read


class _Run:
    """One batch in the kernels."""

    def __init__(self, cell: Cell, reading: Reading, width: int, memory: Memory) -> None:
        self._kind = cell.kind
        self._width = width
        self._memory = memory
        self._ids = reading.ids.numpy()
        self._ends = reading.ends.numpy()
        table = reading.table.detach().numpy()
        self._table = np.ascontiguousarray(table.transpose(0, 2, 1))
        replicas, n_read, _ = self._table.shape
        empty = np.empty((replicas, 0, n_read, self._ids.shape[2]), dtype=table.dtype)
        self._kept = empty if reading.kept is None else reading.kept.numpy()
        self._matrices: tuple[NDArray[Any], ...] = ()

    def forward(self, matrices: tuple[Tensor, ...], keeps_all: bool) -> Tensor:
        """Return the states at the ends; all steps are kept where there will be a way back."""
        dtype = self._table.dtype
        replicas, time, strings = self._ids.shape
        n_kept = time + 1 if keeps_all else 2
        n_rows = self._table.shape[1] + 1 + self._width
        n_acts = kernels.N_ACTS[self._kind] * self._width
        self._memory.uses += 1
        self._ticket = self._memory.uses
        self._columns = self._memory.array("columns", (replicas, n_kept, n_rows, strings), dtype)
        self._acts = self._memory.array("acts", (replicas, n_kept, n_acts, strings), dtype)
        self._matrices = tuple(matrix.detach().contiguous().numpy() for matrix in matrices)
        read = np.empty((replicas, self._width, strings), dtype=dtype)
        kernels.run(
            self._kind,
            _three(self._matrices),
            self._table,
            self._ids,
            self._kept,
            self._ends,
            self._columns,
            self._acts,
            read,
            dtype.type(0.5),
        )
        return torch.from_numpy(read)

    def backward(self, read_slope: Tensor, wants_table: bool) -> tuple[Tensor | None, ...]:
        """Return the loss's slopes in the table and in the matrices."""
        if self._memory.uses != self._ticket:
            raise RuntimeError("the memory of this run has served another batch since")
        replicas, n_read, n_ids = self._table.shape
        slopes = tuple(np.zeros_like(matrix) for matrix in self._matrices)
        table_slope = np.zeros((replicas, n_ids if wants_table else 0, n_read), dtype=self._table.dtype)
        kernels.run_back(
            self._kind,
            _three(self._matrices),
            self._ids,
            self._kept,
            self._ends,
            self._columns,
            self._acts,
            read_slope.contiguous().numpy(),
            _three(slopes),
            table_slope,
            self._table.dtype.type(1),
        )
        return torch.from_numpy(table_slope) if wants_table else None, *map(torch.from_numpy, slopes)


class _Compiled(torch.autograd.Function):
    """The kernels as a step of automatic differentiation."""

    @staticmethod
    def forward(ctx: Any, run: _Run, table: Tensor, *matrices: Tensor) -> Tensor:
        ctx.run = run
        return run.forward(matrices, keeps_all=any(ctx.needs_input_grad))

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        return None, *ctx.run.backward(slopes[0], ctx.needs_input_grad[1])


def _three(arrays: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
    """Return three arrays, empty ones where a cell has fewer: the kernels are compiled for three."""
    return arrays + (np.empty((0, 0, 0), dtype=arrays[0].dtype),) * (3 - len(arrays))
