"""A trained network as a language model: predictions in bounded memory, and its file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.errors import TrialError
from wug.learners.networks.next_symbol import NextSymbolNetwork, padded
from wug.learners.networks.operations import OperationCount, count_step, count_strings
from wug.learners.networks.trained import TrainedNetwork
from wug.learners.prefix_walk import walk
from wug.learners.protocols import Coverage, Observer
from wug.sequences import Corpus

State = tuple[Tensor, ...]
"""An encoder's state: tensors whose first dimension is the string."""

_ATTENTION_ENTRIES = 1 << 22
"""Rows times squared length of a batch of whole strings, at most, unless it is a single string."""
_FEW_CLASSES = 16
"""Up to so many classes a softmax is faster with the strings in the inner dimension."""


class Stepping(Protocol):
    """An encoder with a state of bounded size."""

    def step(self, ids: Tensor, state: State | None) -> tuple[Tensor, State]:
        """Return (batch, width) features and the state after (batch,) symbols; None is the state before all symbols."""


@dataclass(frozen=True)
class NetworkLanguageModel(TrainedNetwork):
    """The next-symbol distributions of a network.

    An encoder with ``step`` walks the prefix tree of a corpus with its state. One without is shown whole strings, the
    shortest first, in batches padded on the right; as encoders are causal, the padding changes nothing.
    """

    network: NextSymbolNetwork

    def predict(self, corpus: Corpus, observer: Observer, *, operations: float = np.inf) -> Coverage:
        """Show the observer the predictions for every position of every string.

        The budget of operations, those of matrix products and attention, is for encoders without ``step``, whose work
        grows with the square of a string's length; the shortest strings are taken first. An encoder with ``step`` reads
        every symbol once, so it is never cut off.
        """
        self.network.eval()
        by_length = np.argsort(corpus.lengths, kind="stable")
        if self._has_step:
            record = _Record(observer, corpus.lengths, by_length)
            with torch.inference_mode():
                steps = self._walk(corpus, record)
            return Coverage(record.strings, steps * self._step_operations)
        costs = np.cumsum(self._count_strings(corpus).of(corpus.lengths[by_length] + 1))
        affordable = int(np.searchsorted(costs, operations, side="right"))
        record = _Record(observer, corpus.lengths, by_length[:affordable])
        with torch.inference_mode():
            self._show_strings(corpus, record)
        spent = float(costs[record.strings - 1]) if record.strings else 0.0
        return Coverage(record.strings, spent, over_budget=affordable < len(corpus) and record.is_wanted)

    @property
    def _has_step(self) -> bool:
        return hasattr(self.network.encoder, "step")

    @cached_property
    def _device(self) -> torch.device:
        return self.network.output.weight.device

    @cached_property
    def _step_operations(self) -> float:
        return count_step(lambda: self._step(np.array([self.vocabulary.start]), None), self.network)

    def _count_strings(self, corpus: Corpus) -> OperationCount:
        longest = int(corpus.lengths.max(initial=0)) + 1

        def call(n_inputs: int) -> Tensor:
            return self._features(np.full((1, n_inputs), self.vocabulary.start))

        return count_strings(call, self.network, longest)

    def _features(self, inputs: NDArray[np.int64]) -> Tensor:
        """Return (rows, time, width) features of whole strings."""
        return whole_features(self.network.encoder, inputs, self._device)

    def _step(self, symbols: NDArray[np.int64], state: State | None) -> tuple[NDArray[np.floating[Any]], State]:
        """Return (rows, n_classes) log probabilities and the state after (rows,) symbols more."""
        encoder = cast(Stepping, self.network.encoder)
        features, after = encoder.step(torch.from_numpy(symbols).to(self._device), state)
        return self._log_probabilities(features).cpu().numpy(), after

    def _log_probabilities(self, features: Tensor) -> Tensor:
        """Return (rows, n_classes) for (rows, width) features."""
        output = self.network.output
        if output.out_features > _FEW_CLASSES:
            return output(features).log_softmax(dim=1)
        logits = torch.addmm(output.bias[:, None], output.weight, features.t())
        return logits.log_softmax(dim=0).t().contiguous()

    def _walk(self, corpus: Corpus, observer: "_Record") -> int:
        """Walk the prefix tree of the strings on record; return the number of steps, of one string each."""
        steps = 1

        def first() -> tuple[NDArray[np.floating[Any]], State]:
            return self._step(np.array([self.vocabulary.start]), None)

        def step(symbols: NDArray[np.int64], state: State) -> tuple[NDArray[np.floating[Any]], State]:
            nonlocal steps
            steps += len(symbols)
            return self._step(symbols, state)

        walk(corpus.select(observer.numbers), first, step, observer)
        return steps

    def _show_strings(self, corpus: Corpus, observer: "_Record") -> None:
        """Show the predictions for the strings on record, whose lengths rise."""
        n_positions = corpus.lengths[observer.numbers] + 1
        for first, last in batches_of_whole_strings(n_positions):
            inputs, _ = padded(corpus.select(observer.numbers[first:last]))
            features = self._features(inputs)
            inside = np.arange(inputs.shape[1]) < n_positions[first:last, None]
            rows, starts = np.nonzero(inside)
            shown = self._log_probabilities(features[torch.from_numpy(inside).to(self._device)]).cpu().numpy()
            if not observer.observe(rows + first, starts, starts + 1, shown):
                return


class _Record:
    """Passes predictions on, under the strings' numbers in the whole corpus, and counts whole strings."""

    def __init__(self, observer: Observer, lengths: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        self.numbers = numbers
        self.strings = 0
        self.is_wanted = True
        self._observer = observer
        self._lengths = lengths[numbers]

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        self._observer.fork(self.numbers[parents], self.numbers[children])

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        self.strings += int(np.count_nonzero(stops > self._lengths[strings]))
        self.is_wanted = self._observer.observe(self.numbers[strings], starts, stops, log_probabilities)
        return self.is_wanted


def whole_features(encoder: torch.nn.Module, inputs: NDArray[np.int64], device: torch.device) -> Tensor:
    """Return (rows, time, width) features of whole strings; TrialError where the encoder fails."""
    return features_of(encoder, torch.from_numpy(inputs).to(device))


def features_of(encoder: torch.nn.Module, ids: Tensor) -> Tensor:
    """Return (rows, time, width) features of (rows, time) symbols; TrialError where the encoder fails."""
    try:
        return cast(Tensor, encoder(ids))
    except (RuntimeError, IndexError, ValueError, MemoryError) as error:
        raise TrialError(f"the encoder failed on a string of {ids.shape[1] - 1} symbols: {error}") from error


def batches_of_whole_strings(n_positions: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield ranges of strings, whose lengths rise, so that their attention fits the memory."""
    first = 0
    while first < len(n_positions):
        at_most = max(_ATTENTION_ENTRIES // int(n_positions[first]) ** 2, 1)
        lengths = n_positions[first : first + at_most]
        entries = np.arange(1, len(lengths) + 1) * lengths**2
        last = first + max(int(np.searchsorted(entries, _ATTENTION_ENTRIES, side="right")), 1)
        yield first, last
        first = last
