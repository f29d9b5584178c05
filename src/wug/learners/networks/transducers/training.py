"""Trains replicas of one network together; a training alone is a group of one."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from wug.errors import TrialError
from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.transducers.dropout import Dropout, dropout_keys
from wug.learners.networks.transducers.network import Network
from wug.learners.networks.transducers.pairs import Batch, Pairs
from wug.learners.training.replicas import ReplicaOptimiser
from wug.learners.training.settings import TrainingSettings
from wug.randomness import derive_seed, generator

_PASSES_BETWEEN_LOOKS = 100
"""After so many passes the losses are looked at, which on a GPU means to wait for it."""


@dataclass(frozen=True, eq=False)
class Sample:
    """What a replica is trained with."""

    seed: int
    training: Pairs
    validation: Pairs | None = None
    state: dict[str, Any] | None = None
    """Of an earlier training: its 'network' and 'optimiser', or one of them."""

    @property
    def optimiser_state(self) -> dict[str, Any]:
        """What the optimiser remembers; empty where nothing."""
        return self.state.get("optimiser", {}) if self.state is not None else {}

    @property
    def updates_before(self) -> int:
        """Updates that the optimiser remembers."""
        return int(self.optimiser_state.get("step", 0))


@dataclass(frozen=True, eq=False)
class Trained:
    """What became of a replica."""

    values: Tensor
    """(n_values,) the parameters kept."""
    epochs: int
    """Passes done."""
    loss_nats: float
    """Mean training loss per predicted symbol in the last pass, with dropout; NaN without one."""
    state: dict[str, Any]
    """What a further training continues from: 'network' the parameters kept, 'optimiser' what it remembers."""


OnPass = Callable[[int, float, Tensor], None]
"""Gets passes done, the mean loss per predicted symbol in the last one, and the parameters (n_values,)."""


def train_together(
    network: Network,
    samples: Sequence[Sample],
    settings: TrainingSettings,
    device: torch.device,
    *,
    on_pass: OnPass | None = None,
) -> list[Trained | TrialError]:
    """Train a replica on each sample and return what became of each; one that fails does not touch the others.

    An update follows the gradient of the cross-entropy summed over a pair's symbols, averaged over pairs. A replica's
    initial parameters, dropout and, with batches, order of pairs come from its own seed alone. The samples have equally
    many pairs, unless each update reads all of them, and their optimisers remember equally many updates. Replicas whose
    loss is not finite leave the group. ``on_pass`` is for a group of one.
    """
    group = _Group(network, samples, settings, device)
    outcomes: list[Trained | TrialError | None] = [None] * len(samples)
    losses: list[Tensor] = []
    for epoch in range(1, settings.epochs + 1):
        losses.append(group.train_one_pass())
        if len(losses) < _PASSES_BETWEEN_LOOKS and epoch < settings.epochs and on_pass is None:
            continue
        history = torch.stack(losses, dim=1).cpu()
        losses.clear()
        finite = history.isfinite().all(dim=1)
        for place in (~finite).nonzero()[:, 0].tolist():
            first = int((~history[place].isfinite()).nonzero()[0])
            outcomes[group.members[place]] = TrialError(
                f"the training loss became {float(history[place, first])} in epoch "
                f"{epoch - history.shape[1] + first + 1} of {settings.epochs}"
            )
        if not bool(finite.all()):
            group.select(finite.nonzero()[:, 0].tolist())
        if not group.members:
            break
        group.last_losses = history[finite, -1].tolist()
        if on_pass is not None:
            on_pass(epoch, group.last_losses[0], group.values[0].detach())
    for place, member in enumerate(group.members):
        outcomes[member] = group.outcome(place)
    return [outcome for outcome in outcomes if outcome is not None]


def pair_losses(network: Network, values: Tensor, batch: Batch, dropout: Dropout | None) -> Tensor:
    """Return (replicas,) cross-entropies in nats, summed over the symbols of a pair and averaged over pairs."""
    parameters = split_parameters(network.parameters, values)
    memory = network.encode(parameters, batch.sources, dropout)
    logits, _ = network.decode(parameters, memory, batch.inputs, None, dropout)
    losses = functional.cross_entropy(logits.flatten(0, 2), batch.targets.flatten(), reduction="none")
    return (losses.view_as(batch.shares) * batch.shares).sum(dim=(1, 2))


@dataclass
class _Best:
    """The parameters with the lowest losses so far."""

    values: Tensor
    """(replicas, n_values)"""
    losses: Tensor
    """(replicas,)"""

    def update(self, values: Tensor, losses: Tensor) -> None:
        better = losses < self.losses
        self.values = torch.where(better[:, None], values, self.values)
        self.losses = torch.where(better, losses, self.losses)


class _Group:
    """Replicas in training."""

    def __init__(
        self, network: Network, samples: Sequence[Sample], settings: TrainingSettings, device: torch.device
    ) -> None:
        self.members = list(range(len(samples)))
        """Which samples are still in training."""
        self._network = network
        self._samples = list(samples)
        self._settings = settings
        self.values = torch.stack([_initial_values(network, sample) for sample in samples]).to(
            device, getattr(torch, settings.dtype)
        )
        """(replicas, n_values)"""
        self.last_losses = [math.nan] * len(samples)
        """Of each replica, per predicted symbol."""
        self._optimiser = ReplicaOptimiser(settings, self.values)
        self._optimiser.resume([sample.optimiser_state for sample in samples])
        self._orders = [generator(sample.seed, "batches") for sample in samples]
        self._keys = dropout_keys([derive_seed(sample.seed, "dropout") for sample in samples], device)
        self._update = 0
        self._whole = self._batch(sample.training for sample in samples) if settings.batch_size == "all" else None
        self._best = _Best(self.values.clone(), self._measured_losses()) if settings.keep == "best" else None

    def train_one_pass(self) -> Tensor:
        """Read all pairs once; return (replicas,) mean losses per predicted symbol, each from before its update."""
        total = torch.zeros(len(self.members), dtype=torch.float64, device=self.values.device)
        for batch, share in [(self._whole, 1.0)] if self._whole is not None else self._draw():
            total += share * self._follow_gradient(batch)
        if self._best is not None:
            self._best.update(self.values.detach(), self._measured_losses())
        pairs = [self._samples[member].training for member in self.members]
        return total * total.new_tensor([len(each) / each.n_predictions for each in pairs])

    def select(self, places: Sequence[int]) -> None:
        """Go on with some of the replicas."""
        kept = list(places)
        self.members = [self.members[place] for place in kept]
        if not kept:
            return
        states = [self._optimiser.state(place) for place in kept]
        self.values = self.values.detach()[kept]
        self._optimiser = ReplicaOptimiser(self._settings, self.values)
        self._optimiser.resume(states)
        self._orders = [self._orders[place] for place in kept]
        self._keys = self._keys[kept]
        if self._whole is not None:
            self._whole = self._batch(self._samples[member].training for member in self.members)
        if self._best is not None:
            self._best = _Best(self._best.values[kept], self._best.losses[kept])

    def outcome(self, place: int) -> Trained | TrialError:
        """Return a replica as it stands."""
        epochs = self._settings.epochs
        kept = self.values.detach() if self._best is None else self._best.values
        values = kept[place].clone()
        if not bool(values.isfinite().all()):
            return TrialError(f"the parameters are not finite after epoch {epochs} of {epochs}")
        state = {"network": values, "optimiser": self._optimiser.state(place)}
        return Trained(values, epochs, self.last_losses[place], state)

    def _follow_gradient(self, batch: Batch) -> Tensor:
        """Do one update; return (replicas,) mean losses per pair before it."""
        dropout = Dropout(self._keys, self._update, self.values)
        losses = pair_losses(self._network, self.values.requires_grad_(), batch, dropout)
        (gradient,) = torch.autograd.grad(losses.sum(), [self.values])
        self._optimiser.step(gradient, self._update, self._settings.epochs * self._updates_per_pass)
        self._update += 1
        return losses.detach()

    def _draw(self) -> Iterator[tuple[Batch, float]]:
        """Yield the batches of one pass, in an order of each replica's own, with their shares of the pairs."""
        pairs = [self._samples[member].training for member in self.members]
        orders = [rng.permutation(len(each)) for rng, each in zip(self._orders, pairs, strict=True)]
        size = int(self._settings.batch_size)
        for first in range(0, len(orders[0]), size):
            rows = [order[first : first + size] for order in orders]
            batch = self._batch(each.select(chosen) for each, chosen in zip(pairs, rows, strict=True))
            yield batch, len(rows[0]) / len(orders[0])

    @property
    def _updates_per_pass(self) -> int:
        if self._settings.batch_size == "all":
            return 1
        return -(-len(self._samples[0].training) // self._settings.batch_size)

    def _measured_losses(self) -> Tensor:
        """Return (replicas,) losses per pair without dropout: of the validation pairs or, without, the training's."""
        samples = [self._samples[member] for member in self.members]
        with torch.no_grad():
            batch = self._batch(sample.validation or sample.training for sample in samples)
            return pair_losses(self._network, self.values, batch, None)

    def _batch(self, pairs: Iterable[Pairs]) -> Batch:
        return Batch.of(list(pairs), self.values)


def _initial_values(network: Network, sample: Sample) -> Tensor:
    """Return (n_values,) the parameters before the first update."""
    if sample.state is not None and "network" in sample.state:
        return sample.state["network"].double()
    return draw_parameters(network.parameters, rng=generator(sample.seed, "network"))
