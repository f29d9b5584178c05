"""Runs a recurrent cell over strings: by compiled kernels on the CPU, in plain torch elsewhere."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from wug.learners.networks.classifiers.cells import Cell
from wug.learners.networks.classifiers.compiled import Inputs, Workspace


@dataclass(frozen=True, eq=False)
class Reading:
    """What a cell reads: rows of a table, by ids, with some values dropped."""

    ids: Tensor
    """(replicas, time, strings) rows of the table."""
    table: Tensor
    """(replicas, n_ids, columns)"""
    kept: Tensor | None
    """(replicas, time or 1, columns, strings) 1 for the values that are kept, else 0; None where all are."""
    scale: float
    """By what kept values are multiplied where some are dropped."""
    ends: Tensor
    """(replicas, strings) after how many steps the state is read; 0 reads zeros."""

    def inputs(self, step: int) -> Tensor:
        """Return (replicas, columns, strings) what is read in a step."""
        rows = self.ids[:, step, :, None].expand(-1, -1, self.table.shape[2])
        values = self.table.gather(1, rows).transpose(1, 2)
        return values if self.kept is None else values * self.kept[:, step % self.kept.shape[1]] * self.scale


class Memory:
    """Workspaces of the shapes in use: fresh memory costs more time than what is computed in it."""

    _AT_MOST = 2  # a pass has batches of one size, and a last one of another

    def __init__(self) -> None:
        self._workspaces: dict[tuple[Any, ...], Workspace] = {}
        self.uses = 0
        """How many batches it has served."""

    def workspace(self, kind: type[Workspace], reading: Reading, width: int, keeps_all: bool) -> Workspace:
        """Return the workspace for a batch, with whatever values an earlier batch of its shape has left there."""
        self.uses += 1
        replicas, time, strings = reading.ids.shape
        shape = replicas, time, strings
        key = (kind, shape, reading.table.shape[2], width, keeps_all, reading.table.dtype)
        workspace = self._workspaces.pop(key, None)
        if workspace is None:
            while len(self._workspaces) >= self._AT_MOST:
                del self._workspaces[next(iter(self._workspaces))]
            n_kept = time + 1 if keeps_all else 2
            with torch.inference_mode(False):
                like = torch.empty(0, dtype=reading.table.dtype)
                workspace = kind(like, shape, reading.table.shape[2], width, n_kept)
        self._workspaces[key] = workspace
        return workspace


def last_states(cell: Cell, matrix: Tensor, reading: Reading, width: int, memory: Memory) -> Tensor:
    """Return (replicas, width, strings) the state of each string at its end.

    The way back must be gone before the memory serves the next batch.
    """
    if matrix.device.type == "cpu":
        run = _Run(cell, reading, width, memory)
        states: Tensor = _Compiled.apply(run, reading.table, matrix)  # type: ignore[no-untyped-call]
        return states
    return step_by_step(cell, matrix, reading, width)


def step_by_step(cell: Cell, matrix: Tensor, reading: Reading, width: int) -> Tensor:
    """Return what ``last_states`` returns, for any device; automatic differentiation goes back through the steps."""
    replicas, time, strings = reading.ids.shape
    read = matrix.new_zeros(replicas, width, strings)
    state = (read,) * cell.n_states
    ends = reading.ends[:, None]
    for step in range(time):
        state = cell.step(matrix, reading.inputs(step), state)
        read = torch.where(ends == step + 1, state[0], read)
    return read


class _Run:
    """One batch in a workspace."""

    def __init__(self, cell: Cell, reading: Reading, width: int, memory: Memory) -> None:
        self._cell, self._reading, self._width, self._memory = cell, reading, width, memory
        replicas, _, strings = reading.ids.shape
        table = reading.table.detach()
        kept = reading.kept
        if kept is None:
            kept = torch.empty(replicas, 0, table.shape[2], strings, dtype=torch.uint8)
        columns = table.transpose(1, 2).contiguous().numpy()
        self._inputs = Inputs(columns, reading.ids.numpy(), kept.numpy(), columns.dtype.type(reading.scale))

    def forward(self, matrix: Tensor, keeps_all: bool) -> Tensor:
        """Return the states at the ends; all steps are kept where there will be a way back."""
        self._workspace = self._memory.workspace(self._cell.workspace, self._reading, self._width, keeps_all)
        self._ticket = self._memory.uses
        self._matrix = matrix.detach()
        return self._workspace.run(self._matrix, self._inputs, self._reading.ends)

    def backward(self, read_slope: Tensor, wants_table: bool) -> tuple[Tensor | None, Tensor]:
        """Return the loss's slopes in the table and in the matrix."""
        if self._memory.uses != self._ticket:
            raise RuntimeError("the memory of this run has served another batch since")
        table_slope = torch.zeros_like(self._reading.table, memory_format=torch.contiguous_format)
        into_table = table_slope.numpy() if wants_table else None
        ends = self._reading.ends
        matrix_slope = self._workspace.run_back(self._matrix, self._inputs, ends, read_slope, into_table)
        return table_slope if wants_table else None, matrix_slope


class _Compiled(torch.autograd.Function):
    """A run as a step of automatic differentiation."""

    @staticmethod
    def forward(ctx: Any, run: _Run, table: Tensor, matrix: Tensor) -> Tensor:
        ctx.run = run
        return run.forward(matrix, keeps_all=any(ctx.needs_input_grad))

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        return None, *ctx.run.backward(slopes[0], ctx.needs_input_grad[1])
