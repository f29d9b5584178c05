"""Embedding with learned positions, blocks of attention, the mean over positions, dense layers."""

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

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
    strings_at_once: int = 32

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
        rows = batch.ids.reshape(replicas, strings * time, 1).expand(-1, -1, self.width)
        embedded = parameters["embedding"].gather(1, rows).view(replicas, strings, time, self.width)
        features = embedded + parameters["positions"][:, None, :time]
        inside = self._inside(batch) if self.masked else None
        for block in range(BLOCKS):
            features = self._block(parameters, block, features, inside, dropout)
        return head(parameters, _mean(features, inside), self.layers, self.rate, dropout)

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

    def _block(
        self, parameters: Parameters, block: int, features: Tensor, inside: Tensor | None, dropout: Dropout | None
    ) -> Tensor:
        """Return (replicas, strings, time, width) features after a block."""
        replicas, strings, time, width = features.shape
        rows = features.reshape(replicas, strings * time, width)
        projected = dense(parameters[f"attention_bias_{block}"], rows, parameters[f"attention_{block}"])
        # (3, replicas, strings, heads, time, width)
        queries, keys, values = projected.view(replicas, strings, time, 3, HEADS, width).permute(3, 0, 1, 4, 2, 5)
        scores = (queries / math.sqrt(width)) @ keys.transpose(-1, -2)
        if inside is not None:
            scores = scores.masked_fill(~inside[:, :, None, None], torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if dropout is not None:
            weights = weights * dropout.factors(_BLOCK_RATE, weights.shape[1:])
        mixed = (weights @ values).transpose(2, 3).reshape(replicas, strings * time, HEADS * width)
        attended = dense(parameters[f"attended_bias_{block}"], mixed, parameters[f"attended_{block}"])
        if dropout is not None:
            attended = attended * dropout.factors(_BLOCK_RATE, attended.shape[1:])
        scale, shift = parameters[f"block_scale_{block}"], parameters[f"block_shift_{block}"]
        return normalise(rows + attended, scale, shift).view_as(features)


def _mean(features: Tensor, inside: Tensor | None) -> Tensor:
    """Return (replicas, strings, width) means over all positions, or over those with a letter (0 for no letter)."""
    if inside is None:
        return features.mean(dim=2)
    share = inside.to(features.dtype) / inside.sum(dim=2, keepdim=True).clamp(min=1)
    return (features * share[..., None]).sum(dim=2)
