"""A trained network as a classifier."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from wug.errors import InputError, TrialError
from wug.learners.networks.classifiers.network import Batch, Network
from wug.learners.networks.classifiers.parameters import split_parameters
from wug.learners.networks.classifiers.strings import PADDED_LENGTH, PaddedStrings
from wug.learners.networks.classifiers.training import Trained, Training
from wug.sequences import Corpus, Vocabulary

PARAMETERS_FILE = "model.safetensors"
LETTERS = "letter_ids"
"""Name of the letters' ids among the parameters in the file."""


@dataclass(frozen=True, eq=False)
class StringClassifier:
    """The answers of a network that reads padded strings."""

    vocabulary: Vocabulary
    network: Network
    letter_ids: NDArray[np.int64]
    """(vocabulary size,) id of each class."""
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
        """Mean loss of the last pass, with dropout; NaN without training."""
        return self.training.loss_nats if self.training else math.nan

    @property
    def state(self) -> Any:
        """What ``Learner.fit`` continues from."""
        return self.training.state if self.training else None

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return (n_strings,) the probability that each string is in the language.

        A string is padded to 64 or, where it is longer, not at all, whatever stands beside it. TrialError for one that
        is longer than the network can read.
        """
        self._require_readable(corpus)
        parameters = split_parameters(self.network.parameters, self.values[None])
        answers = np.empty(len(corpus))
        with torch.inference_mode():
            for strings, time in self._batches(corpus.lengths):
                padded = PaddedStrings.of(corpus.select(strings), self.letter_ids, time)
                batch = Batch(
                    torch.from_numpy(padded.ids).to(self.values.device).long()[None],
                    torch.from_numpy(padded.lengths).to(self.values.device)[None],
                )
                logits = self.network.logits(parameters, batch, None)[0].double()
                answers[strings] = (logits[:, 0] - logits[:, 1]).sigmoid().cpu().numpy()
        return answers

    def save(self, folder: Path) -> None:
        """Write parameters and letters to ``model.safetensors`` in a folder; a crash leaves the old file or the new."""
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{PARAMETERS_FILE}.part"
        parts = split_parameters(self.network.parameters, self.values[None])
        tensors = {name: part[0].cpu().contiguous() for name, part in parts.items()}
        save_file({**tensors, LETTERS: torch.from_numpy(self.letter_ids)}, unfinished)
        unfinished.replace(folder / PARAMETERS_FILE)

    def _require_readable(self, corpus: Corpus) -> None:
        longest = self.network.longest
        if longest is not None and len(corpus) and int(corpus.lengths.max()) > longest:
            first = int(np.flatnonzero(corpus.lengths > longest)[0])
            raise TrialError(
                f"the network reads strings of up to {longest} letters; string {first + 1} has {corpus.lengths[first]}"
            )

    def _batches(self, lengths: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], int]]:
        """Yield strings, the shortest first, and the length to which they are padded."""
        by_length = np.argsort(lengths, kind="stable")
        times = lengths[by_length] if self.network.masked else np.maximum(lengths[by_length], PADDED_LENGTH)
        first = 0
        while first < len(lengths):
            last = min(first + self.network.strings_at_once, len(lengths))
            if not self.network.masked:
                last = min(last, int(np.searchsorted(times, times[first], side="right")))
            yield by_length[first:last], int(times[last - 1])
            first = last


def read_model(folder: Path, network: Network, vocabulary: Vocabulary, training: Training) -> StringClassifier:
    """Return the model that was saved to a folder; InputError where there is none or it does not fit."""
    path = folder / PARAMETERS_FILE
    try:
        tensors = load_file(path)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except SafetensorError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    shapes = {parameter.name: parameter.shape for parameter in network.parameters} | {LETTERS: (vocabulary.size,)}
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if found != shapes:
        wrong = min(name for name in {*shapes, *found} if shapes.get(name) != found.get(name))
        raise InputError(f"{path} does not fit: '{wrong}' is {found.get(wrong)} there, {shapes.get(wrong)} here")
    values = torch.cat([tensors[parameter.name].flatten() for parameter in network.parameters])
    values = values.to(training.device, training.dtype)
    return StringClassifier(vocabulary, network, tensors[LETTERS].numpy(), values)
