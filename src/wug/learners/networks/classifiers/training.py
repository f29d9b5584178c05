"""Trains replicas of one network together; a training alone is a group of one."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wug.errors import TrialError
from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.network import Batch, Network
from wug.learners.networks.classifiers.optimisers import (
    OptimizerName,
    make_optimiser,
    optimiser_state,
    resume_replica,
    select_replicas,
)
from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.classifiers.strings import PaddedStrings
from wug.randomness import generator

LossName = Literal["cross-entropy", "squared-error"]


@dataclass(frozen=True)
class Training:
    """How replicas are trained."""

    optimizer: OptimizerName
    learning_rate: float
    loss: LossName
    epochs: int
    batch_size: int
    dtype: torch.dtype
    device: torch.device


@dataclass(frozen=True, eq=False)
class Sample:
    """The training data of a replica."""

    strings: PaddedStrings
    labels: NDArray[np.bool_]
    """(n_strings,) whether each string is in the language."""


@dataclass(frozen=True, eq=False)
class Trained:
    """What became of a replica."""

    values: Tensor
    """(n_values,) its parameters after the last pass."""
    epochs: int
    """Passes done."""
    loss_nats: float
    """Mean training loss of the last pass, with dropout; NaN without one."""
    state: dict[str, Any]
    """What a further training continues from."""


OnPass = Callable[[int, float, Tensor], None]
"""Gets passes done, the mean loss of the last one, and the parameters (n_values,)."""


def train_together(
    network: Network,
    samples: Sequence[Sample],
    seeds: Sequence[int],
    training: Training,
    *,
    states: Sequence[dict[str, Any] | None] | None = None,
    on_pass: OnPass | None = None,
) -> list[Trained | TrialError]:
    """Train a replica on each sample and return what became of each; one that fails does not touch the others.

    The samples have equally many strings of one padded length. A replica's initial parameters, order of strings and
    dropout come from its own seed; after each pass replicas whose loss is not finite leave the group. ``on_pass`` is
    for a group of one.
    """
    group = _Group(network, samples, seeds, training, states or [None] * len(samples))
    outcomes: dict[int, Trained | TrialError] = {}
    losses = [math.nan] * len(samples)
    with _without_denormals():
        for epoch in range(1, training.epochs + 1):
            losses = group.train_one_pass()
            failures = group.failures(losses)
            if failures:
                for place, what in failures.items():
                    outcomes[group.members[place]] = TrialError(f"{what} in epoch {epoch} of {training.epochs}")
                sound = [place for place in range(len(losses)) if place not in failures]
                losses = [losses[place] for place in sound]
                group.select(sound)
            if not losses:
                break
            if on_pass is not None:
                on_pass(epoch, losses[0], group.values[0])
    for place, member in enumerate(group.members):
        outcomes[member] = group.outcome(place, training.epochs, losses[place])
    return [outcomes[member] for member in range(len(samples))]


@contextmanager
def _without_denormals() -> Iterator[None]:
    """Round numbers next to zero to zero inside: slopes vanish over long paddings, and tiny numbers are slow."""
    was_on = float(torch.tensor(2.0**-1060, dtype=torch.float64) * 1.0) == 0.0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(was_on)


class _Group:
    """Replicas in training."""

    def __init__(
        self,
        network: Network,
        samples: Sequence[Sample],
        seeds: Sequence[int],
        training: Training,
        states: Sequence[dict[str, Any] | None],
    ) -> None:
        self.members = list(range(len(samples)))
        """Which replicas are still in training."""
        self._network = network
        self._training = training
        initial = [draw_parameters(network.parameters, rng=generator(seed, "network")) for seed in seeds]
        self.values = torch.stack(initial).to(training.device, training.dtype)
        """(replicas, n_values)"""
        self._optimiser = make_optimiser(training.optimizer, training.learning_rate, self.values)
        for place, state in enumerate(states):
            if state is not None:
                self._resume(place, state)
        self._orders = [generator(seed, "batches") for seed in seeds]
        self._dropout = Dropout([generator(seed, "dropout") for seed in seeds], self.values)
        self._ids = torch.from_numpy(np.stack([sample.strings.ids for sample in samples])).to(training.device)
        self._lengths = torch.from_numpy(np.stack([sample.strings.lengths for sample in samples])).to(training.device)
        self._labels = torch.from_numpy(np.stack([sample.labels for sample in samples])).to(training.device)

    def train_one_pass(self) -> list[float]:
        """Read all strings once, in an order of each replica's own; return each one's mean loss."""
        n_strings = self._labels.shape[1]
        order = torch.from_numpy(np.stack([rng.permutation(n_strings) for rng in self._orders])).to(self.values.device)
        total = self.values.new_zeros(len(self.members), dtype=torch.float64)
        for rows in torch.split(order, self._training.batch_size, dim=1):
            total += self._update(rows) * rows.shape[1]
        return (total / n_strings).tolist()

    def _update(self, rows: Tensor) -> Tensor:
        """Do one update on (replicas, strings) rows of the samples; return (replicas,) mean losses before it."""
        batch = Batch(_pick(self._ids, rows).long(), _pick(self._lengths, rows))
        values = self.values.requires_grad_()
        parameters = split_parameters(self._network.parameters, values)
        logits = self._network.logits(parameters, batch, self._dropout)
        losses = _losses(logits, _pick(self._labels, rows), self._training.loss)
        (gradient,) = torch.autograd.grad(losses.sum(), [values])
        self.values = values.detach()
        self._optimiser.step(self.values, gradient)
        return losses.detach()

    def select(self, places: Sequence[int]) -> None:
        """Go on with some of the replicas."""
        kept = list(places)
        self.members = [self.members[place] for place in kept]
        self._orders = [self._orders[place] for place in kept]
        self._dropout.select(kept)
        select_replicas(self._optimiser, kept)
        self.values, self._ids = self.values[kept], self._ids[kept]
        self._lengths, self._labels = self._lengths[kept], self._labels[kept]

    def failures(self, losses: Sequence[float]) -> dict[int, str]:
        """Return what went wrong, by place, where a pass ended in losses or parameters that are not finite."""
        sound = self.values.isfinite().all(dim=1).tolist()
        failures = {
            place: "a parameter became infinite or not a number" for place in range(len(sound)) if not sound[place]
        }
        return failures | {
            place: f"the training loss became {loss}" for place, loss in enumerate(losses) if not math.isfinite(loss)
        }

    def outcome(self, place: int, epochs: int, loss_nats: float) -> Trained:
        """Return a replica as it stands."""
        values = self.values[place].clone()
        state = {"network": values, "optimiser": optimiser_state(self._optimiser, place)}
        return Trained(values, epochs, loss_nats, state)

    def _resume(self, place: int, state: dict[str, Any]) -> None:
        if "network" in state:
            self.values[place] = state["network"].to(self.values)
        if "optimiser" in state:
            resume_replica(self._optimiser, place, state["optimiser"])


def _pick(of: Tensor, rows: Tensor) -> Tensor:
    """Return (replicas, strings, ...) chosen rows of each replica's own."""
    replicas = torch.arange(len(of), device=of.device)[:, None]
    return of[replicas, rows]


def _losses(logits: Tensor, labels: Tensor, name: LossName) -> Tensor:
    """Return (replicas,) mean losses of (replicas, strings, 2) logits, the first for 'in the language'.

    Keras's binary cross-entropy over two outputs is the cross-entropy of the softmax, but for its clipping of
    probabilities at 1e-7, which is left out here.
    """
    if name == "cross-entropy":
        classes = (~labels).long().flatten()
        return functional.cross_entropy(logits.flatten(0, 1), classes, reduction="none").view_as(labels).mean(dim=1)
    wanted = torch.stack([labels, ~labels], dim=2).to(logits.dtype)
    return (logits.softmax(dim=2) - wanted).square().mean(dim=(1, 2))
