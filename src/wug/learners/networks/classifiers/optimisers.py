"""Optimisers in the form of Keras 2.8 (``OptimizerV2``), on one matrix of parameters.

They differ from torch's in constants and in one place of epsilon: Keras's Adam adds it to the root of the uncorrected
second moment (the 'epsilon hat' before section 2.1 of Kingma and Ba 2015), torch's to that of the corrected one. Its
RMSprop adds it outside the root as torch's does, with rho 0.9 and epsilon 1e-7 (torch: 0.99 and 1e-8).
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, Protocol

import torch
from torch import Tensor

OptimizerName = Literal["adam", "rmsprop", "sgd"]

_EPSILON = 1e-7
_FIRST_DECAY, _SECOND_DECAY = 0.9, 0.999
_RHO = 0.9


class Optimiser(Protocol):
    """Changes parameters in place, row by row independently."""

    moments: list[Tensor]
    """(replicas, n_values) each: what it remembers of earlier gradients."""
    updates: int
    """Updates done."""

    def step(self, values: Tensor, gradient: Tensor) -> None:
        """Update (replicas, n_values) parameters; the gradient's memory may be used up."""


class Adam:
    """Kingma and Ba (2015, ICLR)."""

    def __init__(self, learning_rate: float, values: Tensor) -> None:
        self._learning_rate = learning_rate
        self.moments = [torch.zeros_like(values), torch.zeros_like(values)]
        self.updates = 0

    def step(self, values: Tensor, gradient: Tensor) -> None:
        """Update the parameters."""
        first, second = self.moments
        self.updates += 1
        first.lerp_(gradient, 1.0 - _FIRST_DECAY)
        second.mul_(_SECOND_DECAY).addcmul_(gradient, gradient, value=1.0 - _SECOND_DECAY)
        corrected = math.sqrt(1.0 - _SECOND_DECAY**self.updates) / (1.0 - _FIRST_DECAY**self.updates)
        root = torch.sqrt(second, out=gradient).add_(_EPSILON)
        values.addcdiv_(first, root, value=-self._learning_rate * corrected)


class RMSprop:
    """Tieleman and Hinton (2012), without momentum."""

    def __init__(self, learning_rate: float, values: Tensor) -> None:
        self._learning_rate = learning_rate
        self.moments = [torch.zeros_like(values)]
        self.updates = 0

    def step(self, values: Tensor, gradient: Tensor) -> None:
        """Update the parameters."""
        (second,) = self.moments
        self.updates += 1
        second.mul_(_RHO).addcmul_(gradient, gradient, value=1.0 - _RHO)
        values.addcdiv_(gradient, second.sqrt().add_(_EPSILON), value=-self._learning_rate)


class SGD:
    """Gradient descent without momentum."""

    def __init__(self, learning_rate: float, values: Tensor) -> None:
        self._learning_rate = learning_rate
        self.moments: list[Tensor] = []
        self.updates = 0

    def step(self, values: Tensor, gradient: Tensor) -> None:
        """Update the parameters."""
        self.updates += 1
        values.add_(gradient, alpha=-self._learning_rate)


def make_optimiser(name: OptimizerName, learning_rate: float, values: Tensor) -> Optimiser:
    """Return the optimiser for parameters like ``values``, before its first update."""
    kinds: dict[str, type[Adam] | type[RMSprop] | type[SGD]] = {"adam": Adam, "rmsprop": RMSprop, "sgd": SGD}
    return kinds[name](learning_rate, values)


def optimiser_state(optimiser: Optimiser, replica: int) -> dict[str, Any]:
    """Return what a replica's training continues from."""
    return {"updates": optimiser.updates, "moments": [moment[replica].clone() for moment in optimiser.moments]}


def resume_replica(optimiser: Optimiser, replica: int, state: dict[str, Any]) -> None:
    """Continue a replica's training from its state; those of a group have done equally many updates."""
    for moment, kept in zip(optimiser.moments, state["moments"], strict=True):
        moment[replica] = kept.to(moment)
    optimiser.updates = state["updates"]


def select_replicas(optimiser: Optimiser, replicas: Sequence[int]) -> None:
    """Go on with some of the replicas."""
    optimiser.moments = [moment[list(replicas)] for moment in optimiser.moments]
