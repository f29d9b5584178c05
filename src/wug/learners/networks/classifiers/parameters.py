"""The parameters of replicas as one matrix: a row for each replica, a stretch of columns for each parameter."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wug.learners.networks.classifiers.initialisation import Draw

Parameters = Mapping[str, Tensor]
"""(replicas, ...) by name."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a network: its shape in a single replica, and how it is drawn."""

    name: str
    shape: tuple[int, ...]
    draw: Draw

    @property
    def size(self) -> int:
        """Number of values."""
        return math.prod(self.shape)


def draw_parameters(parameters: Sequence[Parameter], *, rng: np.random.Generator) -> Tensor:
    """Return (n_values,) float64 initial values of all parameters, in order."""
    return torch.from_numpy(np.concatenate([parameter.draw(rng).ravel() for parameter in parameters]))


def split_parameters(parameters: Sequence[Parameter], values: Tensor) -> dict[str, Tensor]:
    """Return the parameters, each (replicas, *shape), as views of (replicas, n_values) values."""
    parts = torch.split(values, [parameter.size for parameter in parameters], dim=1)
    return {parameter.name: part.view(-1, *parameter.shape) for parameter, part in zip(parameters, parts, strict=True)}
