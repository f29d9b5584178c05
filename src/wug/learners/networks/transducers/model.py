"""A trained sequence-to-sequence network as a transducer."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from wug.errors import InputError, TrialError
from wug.learners.networks.classifiers.parameters import Parameters, split_parameters
from wug.learners.networks.greedy import Step, decode_greedily
from wug.learners.networks.transducers.network import Network
from wug.learners.networks.transducers.pairs import Batch, Pairs, sources_of
from wug.learners.networks.transducers.training import Trained
from wug.learners.protocols import Outputs
from wug.sequences import Corpus, Vocabulary

PARAMETERS_FILE = "model.safetensors"

_POSITIONS_AT_ONCE = 1 << 13
"""Positions of the sources and targets of a batch, at most, unless it is a single pair."""


@dataclass(frozen=True, eq=False)
class NetworkTransducer:
    """The answers of an encoder with a decoder.

    They are computed in float64, whatever the network was trained in, so that rounding, which depends on what shares a
    batch, stays far below what is reported and decides no answer.
    """

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    network: Network
    values: Tensor
    """(n_values,) the network's parameters."""
    training: Trained | None = None
    """None for a model that was read from a file."""

    @property
    def epochs(self) -> int:
        """Passes of training done."""
        return self.training.epochs if self.training else 0

    @property
    def training_loss_nats(self) -> float:
        """Mean loss per predicted symbol in the last pass, with dropout; NaN without training."""
        return self.training.loss_nats if self.training else math.nan

    @property
    def state(self) -> Any:
        """What ``Learner.fit`` continues from."""
        return self.training.state if self.training else None

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) the log probability, in nats, of each target with its end symbol, given its source.

        TrialError for a pair that is longer than the network can read.
        """
        self._require_readable(sources.lengths, "a source has")
        self._require_readable(targets.lengths, "a target has")
        answers = np.empty(len(sources))
        with torch.inference_mode():
            for rows in _batches(sources.lengths, targets.lengths):
                batch = Batch.of([Pairs(sources.select(rows), targets.select(rows))], self._double_values)
                memory = self.network.encode(self._parameters, batch.sources, None)
                logits, _ = self.network.decode(self._parameters, memory, batch.inputs, None, None)
                chosen = logits.log_softmax(dim=3).gather(3, batch.targets[..., None])[..., 0]
                answers[rows] = (chosen * (batch.shares > 0)).sum(dim=2)[0].cpu().numpy()
        return answers

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the greedy answer to each source: at each step the most probable symbol.

        The end symbol is not taken before ``min_length`` symbols, padding never; an answer ends unterminated after
        ``max_length``. TrialError where source or answer may be longer than the network can read.
        """
        self._require_readable(sources.lengths, "a source has")
        self._require_readable(np.array([max_length]), "an answer may have")
        with torch.inference_mode():
            return decode_greedily(
                ((rows, self._stepping(sources.select(rows))) for rows in _batches(sources.lengths, max_length)),
                len(sources),
                self.target_vocabulary,
                self.values.device,
                max_length=max_length,
                min_length=min_length,
            )

    def save(self, folder: Path) -> None:
        """Write the parameters to ``model.safetensors`` in a folder; a crash leaves the old file or the new one."""
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{PARAMETERS_FILE}.part"
        parts = split_parameters(self.network.parameters, self.values[None])
        save_file({name: part[0].cpu().contiguous() for name, part in parts.items()}, unfinished)
        unfinished.replace(folder / PARAMETERS_FILE)

    @cached_property
    def _double_values(self) -> Tensor:
        return self.values[None].double()

    @cached_property
    def _parameters(self) -> Parameters:
        return split_parameters(self.network.parameters, self._double_values)

    def _stepping(self, sources: Corpus) -> Step:
        """Return what scores the next symbols of these sources' answers."""
        memory = self.network.encode(self._parameters, sources_of([sources], len(sources), self.values.device), None)
        past = None

        def step(symbols: Tensor) -> Tensor:
            nonlocal past
            logits, past = self.network.decode(self._parameters, memory, symbols[None, :, None], past, None)
            return logits[0, :, -1]

        return step

    def _require_readable(self, lengths: NDArray[np.int64], what: str) -> None:
        longest = self.network.longest
        if longest is not None and int(lengths.max(initial=0)) >= longest:
            raise TrialError(
                f"{what} {int(lengths.max())} symbols, but the network has positions for {longest - 1} and an end"
            )


def read_values(folder: Path, network: Network, like: Tensor) -> Tensor:
    """Return the (n_values,) parameters saved in a folder; InputError where they are not those of the network."""
    file = folder / PARAMETERS_FILE
    try:
        saved = load_file(file)
    except FileNotFoundError:
        raise InputError(f"there is no file {file}") from None
    except SafetensorError as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    shapes = {parameter.name: parameter.shape for parameter in network.parameters}
    for name in sorted({*shapes, *saved}):
        found = tuple(saved[name].shape) if name in saved else "nothing"
        wanted = shapes.get(name, "nothing")
        if found != wanted:
            raise InputError(f"{file} does not fit the network: it has {found} for '{name}', not {wanted}")
    return torch.cat([saved[name].flatten() for name in shapes]).to(like)


def _batches(sources: NDArray[np.int64], targets: NDArray[np.int64] | int) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers of pairs of similar lengths, as many as may be padded together."""
    targets = np.broadcast_to(targets, sources.shape)
    order = np.lexsort((targets, sources))
    first = 0
    while first < len(order):
        rest = order[first:]
        longest = np.maximum.accumulate(sources[rest]) + np.maximum.accumulate(targets[rest]) + 2
        positions = longest * np.arange(1, len(longest) + 1)
        last = first + max(int(np.searchsorted(positions, _POSITIONS_AT_ONCE, side="right")), 1)
        yield order[first:last]
        first = last
