"""An optimiser for replicas whose parameters are the rows of one matrix."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from wug.learners.training.optimisers import make_optimiser, set_learning_rate
from wug.learners.training.settings import TrainingSettings

_CLIPPING_MARGIN = 1e-6
"""Added to a gradient's norm before it is clipped, as torch does."""


class ReplicaOptimiser:
    """Does for each row what the optimiser of these settings does for a network's parameters, clipping included.

    All optimisers of ``TrainingSettings`` treat every value by itself, so one call serves all rows.
    """

    def __init__(self, settings: TrainingSettings, values: Tensor) -> None:
        """Take the (replicas, n_values) parameters, which ``step`` changes in place."""
        self._settings = settings
        self._values = values
        self._optimiser = make_optimiser(settings, [values])

    def step(self, gradient: Tensor, update: int, updates: int) -> None:
        """Follow (replicas, n_values) gradients, in an update (from 0) of ``updates``; their memory may be changed."""
        if self._settings.clip_norm is not None:
            _clip(gradient, self._settings.clip_norm)
        self._values.grad = gradient
        set_learning_rate(self._optimiser, self._settings, update, updates)
        self._optimiser.step()
        self._values.grad = None

    def state(self, replica: int) -> dict[str, Any]:
        """Return what it remembers of one replica: rows of what it keeps for each value, and what all share."""
        kept = self._optimiser.state[self._values]
        return {
            name: (value[replica] if value.shape == self._values.shape else value).clone()
            for name, value in kept.items()
        }

    def resume(self, states: Sequence[dict[str, Any]]) -> None:
        """Go on from the states of as many replicas; what they share is equal."""
        if not states[0]:
            return
        rows = self._values.shape[1:]
        for name, value in states[0].items():
            by_value = value.shape == rows
            kept = torch.stack([state[name] for state in states]).to(self._values) if by_value else value.clone()
            self._optimiser.state[self._values][name] = kept


def _clip(gradient: Tensor, longest: float) -> None:
    """Scale rows that are longer than ``longest`` down to it."""
    factors = longest / (torch.linalg.vector_norm(gradient, dim=1, keepdim=True) + _CLIPPING_MARGIN)
    if gradient.device.type != "cpu" or bool((factors < 1.0).any()):
        gradient.mul_(factors.clamp(max=1.0))
