"""Embedding, a recurrent layer, its state after the last step, dense layers."""

from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from wug.learners.networks.classifiers.cells import Cell
from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.initialisation import uniform_embedding
from wug.learners.networks.classifiers.layers import head, head_parameters
from wug.learners.networks.classifiers.network import Batch
from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.classifiers.recurrence import Memory, Reading, last_states

_VALUES_AT_ONCE = 1 << 15
"""Values of the states of the strings that are judged at a time."""


@dataclass(frozen=True)
class RecurrentNetwork:
    """A classifier with one recurrent layer as wide as its embedding, for strings of any length."""

    cell: Cell
    n_letters: int
    width: int
    layers: int
    """Dense layers."""
    rate: float
    """Of the dropout on what the recurrent layer reads, and of that behind the dense layers."""
    masked: bool
    """Whether the state is read after a string's last letter, before its padding."""
    longest: int | None = None
    memory: Memory = field(default_factory=Memory, repr=False, compare=False)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Embedding (the padding's first), recurrent layer, dense layers."""
        shape = (self.n_letters + 1, self.width)
        return [
            Parameter("embedding", shape, uniform_embedding(shape)),
            *self.cell.parameters(self.width),
            *head_parameters(self.width, self.layers),
        ]

    @property
    def strings_at_once(self) -> int:
        """As many as fill the processor's second cache."""
        return max(_VALUES_AT_ONCE // self.width, 1)

    def logits(self, parameters: Parameters, batch: Batch, dropout: Dropout | None) -> Tensor:
        """Return (replicas, strings, 2) logits."""
        matrix, reading = self._read(parameters, batch, dropout if self.rate else None)
        features = last_states(self.cell, matrix, reading, self.width, self.memory)
        return head(parameters, features.transpose(1, 2), self.layers, self.rate, dropout)

    def _read(self, parameters: Parameters, batch: Batch, dropout: Dropout | None) -> tuple[Tensor, Reading]:
        """Return the cell's matrix and what it reads: embeddings or, if that is less work, ids as unit vectors."""
        embedding = parameters["embedding"]
        replicas, strings, time = batch.ids.shape
        ids = batch.ids.transpose(1, 2).contiguous()
        ends = batch.lengths if self.masked else torch.full_like(batch.lengths, time)
        if dropout is not None:
            steps = 1 if self.cell.shares_dropout else time
            kept = dropout.kept(self.rate, (steps, self.width, strings))
            return self.cell.matrix(parameters, None), Reading(ids, embedding, kept, dropout.scale(self.rate), ends)
        if self.n_letters >= self.width:
            return self.cell.matrix(parameters, None), Reading(ids, embedding, None, 1.0, ends)
        unit_vectors = torch.eye(self.n_letters + 1, dtype=embedding.dtype, device=embedding.device)
        vectors = unit_vectors.expand(replicas, -1, -1)
        return self.cell.matrix(parameters, embedding), Reading(ids, vectors, None, 1.0, ends)
