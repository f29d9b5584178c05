"""Random numbers of replicas, each from a generator of its own."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

_RANGE = 1 << 16


class Dropout:
    """Draws dropout masks; a replica's masks do not depend on who trains beside it.

    A value is dropped with a probability that is the rate to the nearest 1/65,536, and the others are scaled so that
    the expectation is exact. The masks are drawn on the CPU, the same for every device.
    """

    def __init__(self, generators: Sequence[np.random.Generator], like: Tensor) -> None:
        self._generators = list(generators)
        self._like = like

    def mask(self, rate: float, shape: tuple[int, ...], axis: int = 0) -> Tensor:
        """Return a mask with the replicas' own masks of ``shape`` stacked along a new axis; 0 where dropped."""
        threshold = round(rate * _RANGE)
        drawn = [rng.integers(0, _RANGE, size=shape, dtype=np.uint16) for rng in self._generators]
        kept = torch.from_numpy(np.stack([each >= threshold for each in drawn], axis=axis))
        return kept.to(self._like) * (_RANGE / (_RANGE - threshold))

    def select(self, replicas: Sequence[int]) -> None:
        """Go on with some of the replicas."""
        self._generators = [self._generators[replica] for replica in replicas]
