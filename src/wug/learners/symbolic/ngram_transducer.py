"""The n-gram transducer: a Markov chain along source and target, written one behind the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.learners.protocols import OnEpoch, Outputs, Transduction
from wug.sequences import Corpus, Vocabulary

Context = tuple[int, ...]
"""The last n - 1 symbols of ``source SEP target``: negative for those of the source, -1 for SEP and what is before."""


@dataclass(frozen=True, eq=False)
class NGramTransducer:
    """Gives each target symbol the probability (times seen + smoothing) / (times its context + smoothing * classes)."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    n: int
    smoothing: float
    counts: dict[Context, NDArray[np.float64]]
    """(n_classes,) how often each class of the targets followed each context."""

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) the log probability, in nats, of each target with its end symbol."""
        end = self.target_vocabulary.end
        values = [
            sum(float(self._after(context)[symbol]) for context, symbol in contexts(source, target, end, self.n))
            for source, target in zip(sources, targets, strict=True)
        ]
        return np.array(values, dtype=np.float64)

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the greedy answers; of equally probable symbols the lowest class, the end symbol last."""
        answers = [self._answer(source, max_length, min_length) for source in sources]
        targets = Corpus.from_arrays([answer for answer, _ in answers], self.target_vocabulary)
        return Outputs(targets, np.array([ended for _, ended in answers], dtype=np.bool_))

    def _after(self, context: Context) -> NDArray[np.float64]:
        """Return (n_classes,) log probabilities."""
        counts = self.counts.get(context, np.zeros(self.target_vocabulary.size)) + self.smoothing
        return np.log(counts / counts.sum())

    def _answer(self, source: NDArray[Any], max_length: int, min_length: int) -> tuple[NDArray[np.int64], bool]:
        end, padding = self.target_vocabulary.end, self.target_vocabulary.padding
        answer: list[int] = []
        window = _before_target(source, self.n)
        while True:
            values = self._after(tuple(window))
            ending = values[end]
            values[[end, padding] if padding is not None else [end]] = -np.inf
            best = int(values.argmax())
            ends = len(answer) >= min_length and ending > values[best]
            if ends or len(answer) == max_length:
                return np.array(answer, dtype=np.int64), ends
            answer.append(best)
            window = [*window, best][1:] if self.n > 1 else []


class NGramTransducerLearner:
    """A Markov chain of order n - 1 along ``source SEP target END``, which is asked for the target alone.

    It sees the end of the source as long as the target has fewer than n - 2 symbols, and nothing of it later on.
    """

    settings = frozenset({"transduction"})

    def __init__(self, n: int = 3, smoothing: float = 0.5) -> None:
        self.n = n
        self.smoothing = smoothing

    def fit(
        self, data: Transduction, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> NGramTransducer:
        """Return the chain of the training pairs, repetitions counted; no random number is drawn."""
        if self.n < 1:
            raise InputError(f"option 'n' must be at least 1, not {self.n}")
        if self.smoothing <= 0:
            raise InputError(f"option 'smoothing' must be above 0, not {self.smoothing}")
        counts: dict[Context, NDArray[np.float64]] = {}
        for source, target in zip(data.sources, data.targets, strict=True):
            for context, symbol in contexts(source, target, data.target_vocabulary.end, self.n):
                counts.setdefault(context, np.zeros(data.target_vocabulary.size))[symbol] += 1
        return NGramTransducer(data.source_vocabulary, data.target_vocabulary, self.n, self.smoothing, counts)


def contexts(source: NDArray[Any], target: NDArray[Any], end: int, n: int) -> Iterator[tuple[Context, int]]:
    """Yield each symbol of a target, the end symbol last, with the n - 1 symbols before it.

    >>> list(contexts(np.array([4, 5]), np.array([7]), end=2, n=3))
    [((-7, -1), 7), ((-1, 7), 2)]
    """
    window = _before_target(source, n)
    for symbol in [*target.tolist(), end]:
        yield tuple(window), symbol
        window = [*window, symbol][1:] if n > 1 else []


def _before_target(source: NDArray[Any], n: int) -> list[int]:
    """Return the n - 1 symbols before a target's first; class c of the source is -2 - c."""
    written = [-1] * n + [-2 - token for token in source.tolist()] + [-1]
    return written[len(written) - (n - 1) :]
