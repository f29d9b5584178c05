"""Shortcut baselines: how far one comes with the length of a string alone, or with its letters in a bag."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from wug.errors import InputError
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic.strings import Strings, alphabet_of
from wug.sequences import Corpus, Vocabulary

_STEPS = 100
_SMALLEST_GRADIENT = 1e-9


@dataclass(frozen=True, eq=False)
class LengthModel:
    """An answer for each length."""

    vocabulary: Vocabulary
    answers: NDArray[np.bool_]
    """(longest + 2,) the answer for strings of each length; the last one is for all longer strings."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for each string in the language and 0 for any other."""
        return self.answers[np.minimum(corpus.lengths, len(self.answers) - 1)].astype(np.float64)


class LengthOnly:
    """The label that most training strings of the same length have.

    Where equally many have either, and for lengths that were not seen: the label that most training strings have (in
    the language, where equally many have either).
    """

    settings = frozenset({"classification"})

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> LengthModel:
        """Return the majority label of each length; no random number is drawn."""
        lengths = data.training.lengths
        surplus = np.bincount(lengths[data.labels], minlength=lengths.max(initial=0) + 2)
        surplus = surplus - np.bincount(lengths[~data.labels], minlength=len(surplus))
        overall = surplus.sum() >= 0
        return LengthModel(data.vocabulary, np.where(surplus == 0, overall, surplus > 0))


@dataclass(frozen=True, eq=False)
class LetterBagModel:
    """Logistic regression on how often each letter occurs."""

    vocabulary: Vocabulary
    weights: NDArray[np.float64]
    """(n_letters + 1,) log-odds that each occurrence of a letter adds, and the intercept."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return the probability that each string is in the language."""
        return expit((_letter_counts(corpus, self.vocabulary) * self.weights).sum(axis=1))


class LetterBag:
    """Logistic regression on how often each letter occurs, wherever it stands.

    The weights, and the intercept, are those that minimise the training strings' log loss in nats plus ``penalty`` / 2
    times the sum of their squares; found by Newton's method.
    """

    settings = frozenset({"classification"})

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> LetterBagModel:
        """Return the best weights; no random number is drawn."""
        if self.penalty <= 0:
            raise InputError(f"option 'penalty' must be above 0, not {self.penalty}")
        counts = _letter_counts(data.training, data.vocabulary)
        return LetterBagModel(data.vocabulary, _logistic_regression(counts, data.labels, self.penalty))


def _letter_counts(corpus: Corpus, vocabulary: Vocabulary) -> NDArray[np.float64]:
    """Return (n_strings, n_letters + 1) how often each letter occurs in each string, and a last column of ones."""
    strings = Strings.of(corpus, alphabet_of(vocabulary))
    width = len(strings.alphabet) + 1
    rows = np.repeat(np.arange(len(strings)), np.diff(strings.offsets))
    counts = np.bincount(rows * width + strings.columns, minlength=len(strings) * width).reshape(-1, width)
    counts[:, -1] = 1
    return counts.astype(np.float64)


def _logistic_regression(
    features: NDArray[np.float64], labels: NDArray[np.bool_], penalty: float
) -> NDArray[np.float64]:
    """Return (n_features,) the weights with the least penalised loss, which is strictly convex."""
    weights = np.zeros(features.shape[1])

    def loss(candidate: NDArray[np.float64]) -> float:
        scores = features @ candidate
        return float(np.logaddexp(0, np.where(labels, -scores, scores)).sum() + penalty * (candidate @ candidate) / 2)

    for _ in range(_STEPS):
        probabilities = expit(features @ weights)
        gradient = features.T @ (probabilities - labels) + penalty * weights
        if np.abs(gradient).max() < _SMALLEST_GRADIENT * max(1, len(labels)):
            break
        curvature = (features.T * (probabilities * (1 - probabilities))) @ features + penalty * np.eye(len(weights))
        step = np.linalg.solve(curvature, gradient)
        length = 1.0
        while length > _SMALLEST_GRADIENT and loss(weights - length * step) > loss(weights):
            length /= 2
        weights = weights - length * step
    return weights
