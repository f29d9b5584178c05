"""The one training loop."""

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.errors import TrialError
from wug.learners.training.optimisers import make_optimiser, set_learning_rate
from wug.learners.training.settings import TrainingSettings


class Objective(Protocol):
    """Training data on the device, and the loss of a network on it."""

    multiplicities: NDArray[np.int64]
    """(n_items,) how often each item counts."""

    def whole(self) -> Any:
        """Return the batch of all items; called once."""

    def batch(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> Any:
        """Return the batch of some items, each counted so often."""

    def weight(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
        """Return the number of predictions in a batch, by which its loss enters the mean of the pass."""

    def loss(self, network: torch.nn.Module, batch: Any) -> Tensor:
        """Return the mean loss of a batch in nats, a scalar."""


@dataclass(frozen=True)
class TrainingRecord:
    """What became of a training."""

    epochs: int
    """Passes done, fewer than planned where training stopped early."""
    loss_nats: float
    """Mean training loss of the parameters that were kept, penalties not included."""
    best_loss_nats: float
    """Lowest mean training loss of any pass, penalties not included."""
    state: dict[str, Any]
    """Parameters kept and the optimiser's state after the last pass; continues when given to ``train``."""


def train(
    network: torch.nn.Module,
    objective: Objective,
    settings: TrainingSettings,
    *,
    rng: np.random.Generator,
    validation: Objective | None = None,
    state: dict[str, Any] | None = None,
    on_epoch: Callable[[int, float], None] | None = None,
) -> TrainingRecord:
    """Train a network in place, deterministically, and return the record.

    ``rng`` orders the strings of smaller batches. ``state`` (of an earlier record) sets parameters and optimiser before
    the first pass, or only one of them where the other is left out; the learning-rate schedule begins anew.
    ``on_epoch`` gets the number of passes done and the mean loss of the last one, with the network in evaluation mode.
    Raises TrialError when a loss is not finite.

    Where parameters are chosen or training is stopped by a loss, that loss is measured before the first and after each
    pass in evaluation mode: the validation loss or, without validation data, the training loss.
    """
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = make_optimiser(settings, parameters)
    if state is not None and "network" in state:
        network.load_state_dict(state["network"])
    if state is not None and "optimiser" in state:
        optimiser.load_state_dict(copy.deepcopy(state["optimiser"]))
    whole = objective.whole()
    judge = _Judge(network, validation or objective, settings)
    updates_per_pass = _updates_per_pass(objective, settings)
    update, epoch, best_loss = 0, 0, math.inf
    judge.look()
    while epoch < settings.epochs and not judge.has_lost_patience:
        network.train()
        total = total_weight = 0.0
        for batch, weight in (
            [(whole, 1.0)] if settings.batch_size == "all" else _draw(objective, settings.batch_size, rng)
        ):
            loss = objective.loss(network, batch)
            optimiser.zero_grad(set_to_none=True)
            (loss + _penalty(parameters, settings) if settings.l1 or settings.l2 else loss).backward()  # type: ignore[no-untyped-call]
            if settings.clip_norm is not None:
                torch.nn.utils.clip_grad_norm_(parameters, settings.clip_norm, foreach=True)
            set_learning_rate(optimiser, settings, update, settings.epochs * updates_per_pass)
            optimiser.step()
            total += weight * loss.item()
            total_weight += weight
            update += 1
        epoch += 1
        mean_loss = total / total_weight
        if not math.isfinite(mean_loss):
            raise TrialError(f"the training loss became {mean_loss} in epoch {epoch} of {settings.epochs}")
        best_loss = min(best_loss, mean_loss)
        judge.look()
        if on_epoch is not None:
            network.eval()
            on_epoch(epoch, mean_loss)
    judge.restore_best()
    final_loss = measured_loss(network, objective, whole)
    if not math.isfinite(final_loss):
        raise TrialError(f"the training loss became {final_loss} after epoch {epoch} of {settings.epochs}")
    return TrainingRecord(
        epochs=epoch,
        loss_nats=final_loss,
        best_loss_nats=min(best_loss, final_loss),
        state={"network": network.state_dict(), "optimiser": optimiser.state_dict()},
    )


def measured_loss(network: torch.nn.Module, objective: Objective, batch: Any) -> float:
    """Return the mean loss of a batch in nats, in evaluation mode; leaves the network in it."""
    network.eval()
    with torch.no_grad():
        return float(objective.loss(network, batch))


class _Judge:
    """Remembers the best parameters and how long ago they were found, where the settings ask for it."""

    def __init__(self, network: torch.nn.Module, objective: Objective, settings: TrainingSettings) -> None:
        self._network = network
        self._objective = objective
        self._keeps_best = settings.keep == "best"
        self._patience = settings.patience
        self._batch = objective.whole() if self._keeps_best or self._patience is not None else None
        self._best_loss = math.inf
        self._best: dict[str, Tensor] = {}
        self._looks_since_best = 0

    @property
    def has_lost_patience(self) -> bool:
        return self._patience is not None and self._looks_since_best >= self._patience

    def look(self) -> None:
        """Measure the loss of the parameters as they are."""
        if self._batch is None:
            return
        loss = measured_loss(self._network, self._objective, self._batch)
        self._looks_since_best += 1
        if loss < self._best_loss:
            self._best_loss, self._looks_since_best = loss, 0
            if self._keeps_best:
                self._best = {name: value.clone() for name, value in self._network.state_dict().items()}

    def restore_best(self) -> None:
        """Put the best parameters back."""
        if self._best:
            self._network.load_state_dict(self._best)


def _updates_per_pass(objective: Objective, settings: TrainingSettings) -> int:
    if settings.batch_size == "all":
        return 1
    return -(-int(objective.multiplicities.sum()) // settings.batch_size)


def _draw(objective: Objective, size: int, rng: np.random.Generator) -> Iterator[tuple[Any, float]]:
    """Yield the batches of one pass: every item as often as it counts, in random order, equal ones merged."""
    order = rng.permutation(np.repeat(np.arange(len(objective.multiplicities)), objective.multiplicities))
    for first in range(0, len(order), size):
        items, counts = np.unique(order[first : first + size], return_counts=True)
        yield objective.batch(items, counts), objective.weight(items, counts)


def _penalty(parameters: list[torch.nn.Parameter], settings: TrainingSettings) -> Tensor:
    """Return l1 times the sum of absolute values plus l2 times the sum of squares, biases included.

    So in the networks of Lan, Geyer, Chemla and Katzir (2022, TACL 10:785), whose released code adds it to the mean
    cross-entropy per symbol.
    """
    flat = torch.cat([parameter.flatten() for parameter in parameters])
    penalty = flat.new_zeros(())
    if settings.l1:
        penalty = penalty + settings.l1 * flat.abs().sum()
    if settings.l2:
        penalty = penalty + settings.l2 * flat.square().sum()
    return penalty
