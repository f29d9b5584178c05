"""The causal Transformer encoder."""

import math
from typing import Literal, cast

import torch
from torch import Tensor
from torch.nn import functional

from wug.errors import InputError
from wug.learners.networks.positions import rotate, sinusoids


class Transformer(torch.nn.Module):
    """Causal Transformer with layer normalisation before each sublayer and GELU; runs on strings of any length.

    Positions are added as sinusoids (Vaswani et al. 2017, section 3.5), enter the attention by rotation (Su et al.
    2021, RoFormer), or are left to the causal mask alone (Haviv et al. 2022). The state of a Transformer grows with
    the string, so there is no ``step``.
    """

    def __init__(
        self,
        vocabulary_size: int,
        width: int = 32,
        layers: int = 2,
        heads: int = 4,
        positions: Literal["sinusoidal", "rotary", "none"] = "sinusoidal",
    ) -> None:
        super().__init__()
        if width % (2 * heads) != 0:
            raise InputError(
                f"the width of a Transformer must be a multiple of twice its heads ({2 * heads}), not {width}"
            )
        self.positions = positions
        self.embedding = torch.nn.Embedding(vocabulary_size, width)
        torch.nn.init.normal_(self.embedding.weight, std=1 / math.sqrt(width))
        self.blocks = torch.nn.ModuleList(_Block(width, heads, positions == "rotary") for _ in range(layers))
        self.normalise = torch.nn.LayerNorm(width)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (batch, time, width) features of (batch, time) symbols."""
        features = self.embedding(ids)
        if self.positions == "sinusoidal":
            width = features.shape[-1]
            features = features * math.sqrt(width) + sinusoids(ids.shape[1], width).to(features)
        for block in self.blocks:
            features = block(features)
        return cast(Tensor, self.normalise(features))


class _Block(torch.nn.Module):
    """Attention and a feed-forward network of four times the width, each added to what it reads."""

    def __init__(self, width: int, heads: int, rotary: bool) -> None:
        super().__init__()
        self.heads = heads
        self.rotary = rotary
        self.normalise_attention = torch.nn.LayerNorm(width)
        self.queries_keys_values = torch.nn.Linear(width, 3 * width)
        self.attended = torch.nn.Linear(width, width)
        self.normalise_forward = torch.nn.LayerNorm(width)
        self.inner = torch.nn.Linear(width, 4 * width)
        self.outer = torch.nn.Linear(4 * width, width)

    def forward(self, features: Tensor) -> Tensor:
        """Return (batch, time, width) features."""
        features = features + self._attention(self.normalise_attention(features))
        return features + cast(Tensor, self.outer(functional.gelu(self.inner(self.normalise_forward(features)))))

    def _attention(self, features: Tensor) -> Tensor:
        batch, time, width = features.shape
        split = self.queries_keys_values(features).view(batch, time, 3, self.heads, width // self.heads)
        queries, keys, values = split.permute(2, 0, 3, 1, 4)  # (batch, heads, time, width / heads) each
        if self.rotary:
            queries, keys = rotate(queries), rotate(keys)
        mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        return cast(Tensor, self.attended(mixed.transpose(1, 2).reshape(batch, time, width)))
