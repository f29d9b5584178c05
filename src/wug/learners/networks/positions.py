"""Where a symbol stands, told to a Transformer in ways that have a value for every position."""

import torch
from torch import Tensor

_LONGEST_WAVE = 10_000.0


def _angles(time: int, n_waves: int) -> Tensor:
    """Return (time, n_waves) angles in float64: position times a frequency that falls geometrically from 1."""
    frequencies = _LONGEST_WAVE ** (-torch.arange(n_waves, dtype=torch.float64) / n_waves)
    return torch.outer(torch.arange(time, dtype=torch.float64), frequencies)


def sinusoids(time: int, width: int) -> Tensor:
    """Return (time, width) sines and then cosines of the positions 0, 1, ... (Vaswani et al. 2017, section 3.5)."""
    angles = _angles(time, width // 2)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def rotate(vectors: Tensor) -> Tensor:
    """Return (..., time, width) vectors, each pair of dimensions turned by the position's angle.

    Dimension i is paired with i + width / 2, so that products of queries and keys depend on the distance alone
    (Su et al. 2021, RoFormer, section 3.2).
    """
    time, width = vectors.shape[-2:]
    angles = _angles(time, width // 2)
    cosine, sine = angles.cos().to(vectors), angles.sin().to(vectors)
    first, second = vectors.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)
