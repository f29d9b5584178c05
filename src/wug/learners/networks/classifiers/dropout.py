"""Random numbers of replicas, each from a generator of its own."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

_RANGE = 1 << 16


class Dropout:
    """Says what is dropped; for a replica that does not depend on who trains beside it.

    A value is dropped with a probability that is the rate to the nearest 1/65,536, and the others are scaled so that
    the expectation is exact. The draws are made on the CPU, the same for every device.
    """

    def __init__(self, generators: Sequence[np.random.Generator], like: Tensor) -> None:
        self._generators = list(generators)
        self._like = like

    def kept(self, rate: float, shape: tuple[int, ...]) -> Tensor:
        """Return (replicas, *shape) uint8: 1 for what is kept, 0 for what is dropped."""
        size = math.prod(shape)
        kept = np.empty((len(self._generators), size), dtype=np.bool_)
        for rng, own in zip(self._generators, kept, strict=True):
            # four draws of 16 bits at once, in the order of a little-endian machine
            drawn = rng.integers(0, 1 << 64, size=-(-size // 4), dtype=np.uint64).astype("<u8", copy=False)
            np.greater_equal(drawn.view("<u2")[:size], _threshold(rate), out=own)
        return torch.from_numpy(kept.view(np.uint8)).view(-1, *shape).to(self._like.device)

    def factors(self, rate: float, shape: tuple[int, ...]) -> Tensor:
        """Return (replicas, *shape) factors: the scale for what is kept, 0 for what is dropped."""
        return self.kept(rate, shape).to(self._like.dtype).mul_(self.scale(rate))

    @staticmethod
    def scale(rate: float) -> float:
        """Return by what kept values are multiplied."""
        return _RANGE / (_RANGE - _threshold(rate))

    def select(self, replicas: Sequence[int]) -> None:
        """Go on with some of the replicas."""
        self._generators = [self._generators[replica] for replica in replicas]


def _threshold(rate: float) -> int:
    return min(round(rate * _RANGE), _RANGE - 1)
