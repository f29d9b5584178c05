"""Optimisers and learning-rate schedules by name."""

import math
from collections.abc import Iterable
from typing import Any

import torch

from wug.learners.training.settings import ScheduleName, TrainingSettings

_OPTIMISERS: dict[str, type[torch.optim.Optimizer]] = {
    "adadelta": torch.optim.Adadelta,
    "adagrad": torch.optim.Adagrad,
    "adam": torch.optim.Adam,
    "adamax": torch.optim.Adamax,
    "adamw": torch.optim.AdamW,
    "nadam": torch.optim.NAdam,
    "radam": torch.optim.RAdam,
    "rmsprop": torch.optim.RMSprop,
    "sgd": torch.optim.SGD,
}
_FUSED = frozenset({"adagrad", "adam", "adamw", "sgd"})
"""Those whose whole update is one call on the CPU."""


def make_optimiser(settings: TrainingSettings, parameters: Iterable[torch.Tensor]) -> torch.optim.Optimizer:
    """Return the optimiser of these settings, in its variant with the fewest calls."""
    name = settings.optimizer
    variant: dict[str, Any] = {"fused": True} if name in _FUSED else {"foreach": True}
    return _OPTIMISERS[name](parameters, lr=settings.learning_rate, **variant)  # type: ignore[call-arg]


def set_learning_rate(optimiser: torch.optim.Optimizer, settings: TrainingSettings, update: int, updates: int) -> None:
    """Set the learning rate of an update (from 0) of ``updates``."""
    if settings.schedule == "constant" and not settings.warmup:
        return
    factor = learning_rate_factor(settings.schedule, settings.warmup, update, updates)
    for group in optimiser.param_groups:
        group["lr"] = settings.learning_rate * factor


def learning_rate_factor(schedule: ScheduleName, warmup: int, update: int, updates: int) -> float:
    """Return what the learning rate is multiplied with in an update (from 0) of ``updates``.

    The first ``warmup`` updates rise linearly to 1. Then 'cosine' and 'linear' fall to 0 after the last update, and
    'inverse-sqrt' falls as the square root of ``max(warmup, 1) / (update + 1)``. 'fairseq' is the schedule inverse_sqrt
    of fairseq 0.9.0 as Kharitonov and Chaabouni (2021) set it: a rise from a hundredth, and then a fall as the square
    root of ``warmup / update``.
    """
    if schedule == "fairseq":
        if update < warmup:
            return 0.01 + 0.99 * update / warmup
        return math.sqrt(max(warmup, 1) / max(update, 1))
    if update < warmup:
        return (update + 1) / warmup
    passed = (update - warmup) / max(updates - warmup, 1)
    match schedule:
        case "constant":
            return 1.0
        case "cosine":
            return 0.5 * (1.0 + math.cos(math.pi * passed))
        case "linear":
            return 1.0 - passed
        case "inverse-sqrt":
            return math.sqrt(max(warmup, 1) / (update + 1))
