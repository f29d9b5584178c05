"""Transducers that need no training: known answers, finite distributions over answers, and those that know nothing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import TrialError
from wug.learners.protocols import Outputs, Transducer, Transduction
from wug.sequences import Corpus, Vocabulary

Classes = tuple[int, ...]
"""A bare string's classes."""


@dataclass(frozen=True, eq=False)
class FiniteTransducer:
    """Answers each source with one of finitely many targets, whose probabilities sum to one."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    distribution: Callable[[Classes], Mapping[Classes, float]]
    """The probability of each possible target, given a source."""

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) the log probability of each target; minus infinity for one that is not possible."""
        pairs = zip(sources, targets, strict=True)
        values = [self.distribution(_classes(source)).get(_classes(target), 0.0) for source, target in pairs]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.array(values, dtype=np.float64)))

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the greedy answers; see ``greedy`` for ties."""
        end = self.target_vocabulary.end
        answers = [
            greedy(self.distribution(_classes(source)), end, max_length=max_length, min_length=min_length)
            for source in sources
        ]
        return _outputs(answers, self.target_vocabulary)


def greedy(
    distribution: Mapping[Classes, float], end: int, *, max_length: int, min_length: int
) -> tuple[list[int], bool]:
    """Return the target that taking the most probable symbol at each step makes, and whether it ended in time.

    The end symbol is taken only where it is more probable than every other; of other symbols that are equally probable
    the lowest class is. Where no target is left, because the end was not allowed yet, the lowest class follows.

    >>> greedy({(3, 4): 0.4, (5,): 0.35, (3, 5): 0.25}, 0, max_length=9, min_length=0)
    ([3, 4], True)
    """
    left = {target: p for target, p in distribution.items() if p > 0}
    answer: list[int] = []
    while True:
        step = len(answer)
        masses: dict[int, float] = {}
        for target, p in left.items():
            symbol = target[step] if step < len(target) else end
            masses[symbol] = masses.get(symbol, 0.0) + p
        ending = masses.pop(end, 0.0)
        best = min(masses, key=lambda symbol: (-masses[symbol], symbol), default=None)
        if step >= min_length and (best is None or ending > masses[best]):
            return answer, True
        if step == max_length:
            return answer, False
        answer.append(best if best is not None else int(end == 0))
        left = {target: p for target, p in left.items() if len(target) > step and target[step] == answer[-1]}


def known_answers(
    source_vocabulary: Vocabulary, target_vocabulary: Vocabulary, answer: Callable[[tuple[str, ...]], Sequence[str]]
) -> FiniteTransducer:
    """Return the transducer that gives one answer to each source, a function of the source's symbols."""
    classes = target_vocabulary.classes

    def distribution(source: Classes) -> dict[Classes, float]:
        symbols = tuple(source_vocabulary.symbols[token] for token in source)
        return {tuple(classes[symbol] for symbol in answer(symbols)): 1.0}

    return FiniteTransducer(source_vocabulary, target_vocabulary, distribution)


@dataclass(frozen=True)
class UniformTransducer:
    """Gives all symbols, the end symbol among them, the same probability at every step; so its answers never end."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) minus (length + 1) times the logarithm of the number of classes."""
        values: NDArray[np.float64] = -(targets.lengths + 1) * np.log(self.target_vocabulary.size)
        return values

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the lowest class, again and again."""
        return _endless(int(self.target_vocabulary.end == 0), len(sources), max_length, self.target_vocabulary)


@dataclass(frozen=True)
class EndlessTransducer:
    """Writes one symbol and never ends: no target is possible."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    symbol: int

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) minus infinity."""
        return np.full(len(targets), -np.inf)

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the symbol, again and again."""
        return _endless(self.symbol, len(sources), max_length, self.target_vocabulary)


@dataclass(frozen=True)
class NotANumberTransducer:
    """Has no numbers for probabilities: fails on purpose."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) not a number."""
        return np.full(len(targets), np.nan)

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Raise TrialError: no symbol is the most probable one."""
        raise TrialError("the model's probabilities are not numbers, so no symbol is the most probable one")


def baseline_transducer(name: str, data: Transduction) -> Transducer:
    """Return the model of a baseline (``Baseline.name``, but 'oracle') for these pairs."""
    vocabularies = data.source_vocabulary, data.target_vocabulary
    if name == "uniform":
        return UniformTransducer(*vocabularies)
    if name == "nan":
        return NotANumberTransducer(*vocabularies)
    if name == "never-end":
        counts = np.bincount(data.targets.tokens, minlength=data.target_vocabulary.size)
        return EndlessTransducer(*vocabularies, symbol=int(counts.argmax()))
    targets = Counter(_classes(target) for target in data.targets)
    if name == "constant":
        targets = Counter(dict(targets.most_common(1)))
    shares = {target: times / targets.total() for target, times in targets.items()}
    return FiniteTransducer(*vocabularies, lambda _: shares)


def _classes(string: NDArray[Any]) -> Classes:
    return tuple(string.tolist())


def _endless(symbol: int, n_sources: int, length: int, vocabulary: Vocabulary) -> Outputs:
    return _outputs([([symbol] * length, False)] * n_sources, vocabulary)


def _outputs(answers: Sequence[tuple[list[int], bool]], vocabulary: Vocabulary) -> Outputs:
    targets = Corpus.from_arrays([np.array(answer, dtype=np.int64) for answer, _ in answers], vocabulary)
    return Outputs(targets, np.array([ended for _, ended in answers], dtype=np.bool_))
