"""An encoder that answers a source with a target, in the joint set-up: it reads one behind the other.

Source and target are one string ``source SEP target END`` over one vocabulary; after SEP and after each symbol of the
target the next one is predicted, never a symbol of the source.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wug.learners.networks.greedy import Step, decode_greedily
from wug.learners.networks.language_model import State, Stepping, batches_of_whole_strings, features_of
from wug.learners.networks.next_symbol import NextSymbolNetwork
from wug.learners.networks.trained import TrainedNetwork
from wug.learners.protocols import Outputs
from wug.sequences import Corpus, Vocabulary

SEPARATOR = "<sep>"
_STRINGS_AT_ONCE = 1024
"""Sources of one length that are answered together, at most."""


def joint_vocabulary(source: Vocabulary, target: Vocabulary) -> Vocabulary:
    """Return the symbols of sources, SEP, and those of targets; equal symbols of the two sides are different ones.

    >>> joint_vocabulary(Vocabulary(("#", "a")), Vocabulary(("#", "a"))).symbols
    ('source:#', 'source:a', '<sep>', 'target:#', 'target:a')
    """
    read = (f"source:{symbol}" for symbol in source.symbols)
    written = (f"target:{symbol}" for symbol in target.symbols)
    return Vocabulary((*read, SEPARATOR, *written), start=source.size, end=source.size + 1 + target.end)


@dataclass(frozen=True)
class _Batch:
    inputs: Tensor
    """(rows, time) source, SEP and target; what is behind them is not judged."""
    rows: Tensor
    """(n_predictions,) where each prediction is made: the row, ..."""
    positions: Tensor
    """... and the position of the symbol before it."""
    targets: Tensor
    """(n_predictions,) classes of the target vocabulary."""


class TransductionLoss:
    """Mean cross-entropy per predicted symbol, that is of each target with its end symbol."""

    def __init__(self, sources: Corpus, targets: Corpus, like: Tensor) -> None:
        self.multiplicities = np.ones(len(sources), dtype=np.int64)
        self._sources = sources
        self._targets = targets
        self._device = like.device

    def whole(self) -> _Batch:
        """Return all pairs."""
        return self.batch(np.arange(len(self._sources)), self.multiplicities)

    def batch(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> _Batch:
        """Return some pairs, each of which counts once."""
        return _batch(self._sources.select(items), self._targets.select(items), self._device)

    def weight(self, items: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
        """Return the number of predicted symbols."""
        return float((self._targets.lengths[items] + 1).sum())

    def loss(self, network: torch.nn.Module, batch: _Batch) -> Tensor:
        """Return the mean loss in nats per predicted symbol."""
        joint = cast(NextSymbolNetwork, network)
        features = joint.encoder(batch.inputs)[batch.rows, batch.positions]
        return functional.cross_entropy(joint.output(features), batch.targets)


@dataclass(frozen=True)
class EncoderTransducer(TrainedNetwork):
    """The answers of a network that reads source and target as one string.

    As encoders are causal, what stands behind a string changes nothing. Sources of one length are answered together.
    """

    network: NextSymbolNetwork
    source_vocabulary: Vocabulary = field(kw_only=True)
    target_vocabulary: Vocabulary = field(kw_only=True)

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) the log probability, in nats, of each target with its end symbol, given its source."""
        self.network.eval()
        answers = np.empty(len(sources))
        n_positions = sources.lengths + targets.lengths + 1
        by_length = np.argsort(n_positions, kind="stable")
        with torch.inference_mode():
            for first, last in batches_of_whole_strings(n_positions[by_length]):
                pairs = by_length[first:last]
                batch = _batch(sources.select(pairs), targets.select(pairs), self._device)
                features = features_of(self.network.encoder, batch.inputs)
                logits = self.network.output(features[batch.rows, batch.positions]).double()
                chosen = logits.log_softmax(dim=1).gather(1, batch.targets[:, None])[:, 0]
                answers[pairs] = chosen.new_zeros(len(pairs)).index_add_(0, batch.rows, chosen).cpu().numpy()
        return answers

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the greedy answer to each source: at each step the most probable symbol.

        The end symbol is not taken before ``min_length`` symbols, padding never; an answer ends unterminated after
        ``max_length``.
        """
        self.network.eval()
        with torch.inference_mode():
            return decode_greedily(
                ((rows, self._stepping(sources.select(rows))) for rows in _of_one_length(sources.lengths)),
                len(sources),
                self.target_vocabulary,
                self._device,
                max_length=max_length,
                min_length=min_length,
            )

    @property
    def _device(self) -> torch.device:
        return self.network.output.weight.device

    def _stepping(self, sources: Corpus) -> Step:
        """Return what scores the next symbols of the answers to sources of one length."""
        own = torch.from_numpy(sources.tokens.reshape(len(sources), -1).astype(np.int64))
        read = functional.pad(own, (0, 1), value=self.vocabulary.start).to(self._device)
        encoder = self.network.encoder
        has_step = hasattr(encoder, "step")
        state: State | None = None
        has_begun = False

        def step(symbols: Tensor) -> Tensor:
            """Read the symbols, or at first the sources."""
            nonlocal read, state, has_begun
            if has_begun:
                new = (symbols + self.source_vocabulary.size + 1)[:, None]
                read = new if has_step else torch.cat([read, new], dim=1)
            has_begun = True
            if not has_step:
                return cast(Tensor, self.network.output(features_of(encoder, read)[:, -1]))
            for column in read.unbind(1):
                features, state = cast(Stepping, encoder).step(column, state)
            return cast(Tensor, self.network.output(features))

        return step


def _batch(sources: Corpus, targets: Corpus, device: torch.device) -> _Batch:
    """Return pairs as one string each, and what is to be predicted in them."""
    separators = sources.vocabulary.size
    times = sources.lengths + targets.lengths + 1
    inputs = np.full((len(sources), int(times.max())), separators, dtype=np.int64)
    positions = np.arange(inputs.shape[1])
    of_source = positions < sources.lengths[:, None]
    inputs[of_source] = sources.tokens
    inside = positions < times[:, None]
    predicts = inside & ~of_source
    inputs[inside & (positions > sources.lengths[:, None])] = targets.tokens.astype(np.int64) + separators + 1
    wanted = np.full(int(predicts.sum()), targets.vocabulary.end, dtype=np.int64)
    ends = np.cumsum(targets.lengths + 1) - 1
    wanted[np.delete(np.arange(len(wanted)), ends)] = targets.tokens
    rows, before = np.nonzero(predicts)
    return _Batch(*(torch.from_numpy(part).to(device) for part in (inputs, rows, before, wanted)))


def _of_one_length(lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers of sources of one length."""
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        yield from np.array_split(rows, -(-len(rows) // _STRINGS_AT_ONCE))
