"""Embedding with learned positions, blocks of attention, the mean over positions, dense layers."""

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.initialisation import constant, glorot_uniform, uniform_embedding
from wug.learners.networks.classifiers.layers import dense, head, head_parameters, normalise
from wug.learners.networks.classifiers.network import Batch
from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.classifiers.strings import PADDED_LENGTH

BLOCKS = 2
HEADS = 2
_BLOCK_RATE = 0.2
"""Dropout on the attention and behind it."""


@dataclass(frozen=True)
class AttentionNetwork:
    """A classifier of two blocks of unmasked attention without feed-forward layers, for strings of up to 64 letters.

    A block is x -> normalise(x + dropout(attention(x))); keys, queries and values of each head are as wide as the
    embedding (Keras's MultiHeadAttention with ``key_dim`` equal to it).
    """

    n_letters: int
    width: int
    layers: int
    """Dense layers."""
    rate: float
    """Of the dropout behind the dense layers."""
    masked: bool
    """Whether the padding is left out of attention and mean."""
    longest: int | None = PADDED_LENGTH
    strings_at_once: int = 128

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Embedding (the padding's first), positions, blocks, dense layers."""
        letters, positions = (self.n_letters + 1, self.width), (PADDED_LENGTH, self.width)
        return [
            Parameter("embedding", letters, uniform_embedding(letters)),
            Parameter("positions", positions, uniform_embedding(positions)),
            *(parameter for block in range(BLOCKS) for parameter in self._block_parameters(block)),
            *head_parameters(self.width, self.layers),
        ]

    def logits(self, parameters: Parameters, batch: Batch, dropout: Dropout | None) -> Tensor:
        """Return (replicas, strings, 2) logits."""
        replicas, strings, time = batch.ids.shape
        inside = self._inside(batch) if self.masked else None
        vectors = (parameters["embedding"][:, :, None] + parameters["positions"][:, None, :time]).flatten(1, 2)
        rows = batch.ids * time + torch.arange(time, device=batch.ids.device)
        features = _take(vectors, rows)
        if self.n_letters < strings:  # fewer different vectors than positions: project each once
            projected = _take(self._project(parameters, 0, vectors), rows)
        else:
            projected = self._project(parameters, 0, features)
        features = self._block(parameters, 0, features, projected, batch.ids.shape, inside, dropout)
        for block in range(1, BLOCKS):
            projected = self._project(parameters, block, features)
            features = self._block(parameters, block, features, projected, batch.ids.shape, inside, dropout)
        pooled = _mean(features.view(replicas, strings, time, self.width), inside)
        return head(parameters, pooled, self.layers, self.rate, dropout)

    def _block_parameters(self, block: int) -> list[Parameter]:
        width, wide = self.width, HEADS * self.width
        # Keras takes all but the last two dimensions of a kernel for a convolution's receptive field
        inwards = glorot_uniform((3 * wide, width), HEADS * width, width * width)
        outwards = glorot_uniform((width, wide), wide, wide)
        return [
            Parameter(f"attention_{block}", (3 * wide, width), inwards),
            Parameter(f"attention_bias_{block}", (3 * wide,), constant((3 * wide,), 0.0)),
            Parameter(f"attended_{block}", (width, wide), outwards),
            Parameter(f"attended_bias_{block}", (width,), constant((width,), 0.0)),
            Parameter(f"block_scale_{block}", (width,), constant((width,), 1.0)),
            Parameter(f"block_shift_{block}", (width,), constant((width,), 0.0)),
        ]

    def _inside(self, batch: Batch) -> Tensor:
        """Return (replicas, strings, time) whether a position has a letter."""
        return torch.arange(batch.ids.shape[2], device=batch.ids.device) < batch.lengths[:, :, None]

    def _project(self, parameters: Parameters, block: int, rows: Tensor) -> Tensor:
        """Return queries, keys and values of all heads, side by side, of (replicas, rows, width) features."""
        return dense(parameters[f"attention_bias_{block}"], rows, parameters[f"attention_{block}"])

    def _block(
        self,
        parameters: Parameters,
        block: int,
        features: Tensor,
        projected: Tensor,
        shape: torch.Size,
        inside: Tensor | None,
        dropout: Dropout | None,
    ) -> Tensor:
        """Return (replicas, strings * time, width) features after a block."""
        mixed = self._attend(projected, shape, inside, dropout)
        attended = dense(parameters[f"attended_bias_{block}"], mixed, parameters[f"attended_{block}"])
        if dropout is not None:
            attended = attended * dropout.factors(_BLOCK_RATE, attended.shape[1:])
        return normalise(features + attended, parameters[f"block_scale_{block}"], parameters[f"block_shift_{block}"])

    def _attend(self, projected: Tensor, shape: torch.Size, inside: Tensor | None, dropout: Dropout | None) -> Tensor:
        """Return (replicas, strings * time, heads * width) values mixed by attention."""
        replicas, strings, time = shape
        parts = projected.view(replicas * strings, time, 3 * HEADS, self.width).unbind(2)
        mixed = []
        for queries, keys, values in zip(parts[:HEADS], parts[HEADS:-HEADS], parts[-HEADS:], strict=True):
            scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(self.width)
            if inside is not None:
                scores = scores.masked_fill(~inside.view(-1, 1, time), torch.finfo(scores.dtype).min)
            weights = scores.softmax(dim=2)
            if dropout is not None:
                weights = weights * dropout.factors(_BLOCK_RATE, (strings, time, time)).flatten(0, 1)
            mixed.append(torch.bmm(weights, values))
        return torch.cat(mixed, dim=2).view(replicas, strings * time, HEADS * self.width)


def _take(table: Tensor, rows: Tensor) -> Tensor:
    """Return (replicas, strings * time, width) rows of each replica's own (replicas, n_rows, width) table."""
    replicas, n_rows, width = table.shape
    first = torch.arange(replicas, device=rows.device)[:, None, None] * n_rows
    return functional.embedding((rows + first).flatten(1), table.reshape(-1, width))


def _mean(features: Tensor, inside: Tensor | None) -> Tensor:
    """Return (replicas, strings, width) means over all positions, or over those with a letter (0 for no letter)."""
    if inside is None:
        return features.mean(dim=2)
    share = inside.to(features.dtype) / inside.sum(dim=2, keepdim=True).clamp(min=1)
    return (features * share[..., None]).sum(dim=2)
