"""Measures of a classifier on one test set (paper, section 5.3), and on border pairs as pairs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answers:
    """Probabilities of membership beside the truth.

    A string is judged TRUE above one half and FALSE below it; at one half exactly the answer is wrong, whatever the
    truth is.

    >>> answers = Answers(np.array([0.9, 0.2, 0.5]), np.array([True, False, True]))
    >>> answers.accuracy, answers.counts
    (0.6666666666666666, {'tp': 1, 'fp': 0, 'tn': 1, 'fn': 1})
    """

    probabilities: FloatArray
    """(n_strings,) of being in the language, finite."""
    labels: BoolArray
    """(n_strings,) whether it is."""

    @cached_property
    def right(self) -> BoolArray:
        """(n_strings,) whether the answer is right."""
        return np.where(self.labels, self.probabilities > 0.5, self.probabilities < 0.5)

    @property
    def counts(self) -> dict[str, int]:
        """True and false positives and negatives."""
        right, labels = self.right, self.labels
        sums = {"tp": right & labels, "fp": ~right & ~labels, "tn": right & ~labels, "fn": ~right & labels}
        return {name: int(which.sum()) for name, which in sums.items()}

    @property
    def accuracy(self) -> float:
        """Share of strings judged right."""
        return float(self.right.mean())

    @property
    def precision(self) -> float | None:
        """TP / (TP + FP); None where nothing was judged TRUE."""
        counts = self.counts
        return counts["tp"] / (counts["tp"] + counts["fp"]) if counts["tp"] + counts["fp"] else None

    @property
    def f_score(self) -> float | None:
        """TP / (TP + (FP + FN) / 2); None where there are neither strings of the language nor answers TRUE."""
        counts = self.counts
        total = counts["tp"] + (counts["fp"] + counts["fn"]) / 2
        return counts["tp"] / total if total else None

    @property
    def auc(self) -> float | None:
        """Area under the ROC curve: how often a string of the language is above one outside it, ties counted half.

        None where one of the labels has no string.
        """
        positives = int(self.labels.sum())
        negatives = len(self.labels) - positives
        if not positives or not negatives:
            return None
        ranks = float(rankdata(self.probabilities)[self.labels].sum())
        return (ranks - positives * (positives + 1) / 2) / (positives * negatives)

    @property
    def auc_of_100_thresholds(self) -> float | None:
        """The paper's approximation of the area: trapezoids between 100 equidistant thresholds from 0 to 1."""
        positives = int(self.labels.sum())
        negatives = len(self.labels) - positives
        if not positives or not negatives:
            return None
        thresholds = np.linspace(0.0, 1.0, 100)
        thresholds[0], thresholds[-1] = -1e-7, 1 + 1e-7
        above = [
            len(part) - np.searchsorted(np.sort(part), thresholds, side="right")
            for part in (self.probabilities[self.labels], self.probabilities[~self.labels])
        ]
        tpr, fpr = above[0] / positives, above[1] / negatives
        return float(np.sum((fpr[:-1] - fpr[1:]) * (tpr[:-1] + tpr[1:]) / 2))

    @property
    def brier(self) -> float:
        """Mean squared distance of the probability from the truth; 0 is best."""
        return float(((self.probabilities - self.labels) ** 2).mean())

    def select(self, chosen: BoolArray) -> "Answers":
        """Return the answers for some of the strings."""
        return Answers(self.probabilities[chosen], self.labels[chosen])


def pairs_right(answers: Answers, pairs: NDArray[np.int64]) -> float:
    """Return the share of border pairs of which both strings are judged right.

    ``pairs`` (n_strings,) holds each pair's number twice: once for its string in the language, once for the other.
    """
    inside, outside = _partners(answers.labels, pairs)
    return float((answers.right[inside] & answers.right[outside]).mean())


def pairs_ordered(answers: Answers, pairs: NDArray[np.int64]) -> float:
    """Return the share of border pairs whose string in the language is the more probable one; a tie does not count."""
    inside, outside = _partners(answers.labels, pairs)
    return float((answers.probabilities[inside] > answers.probabilities[outside]).mean())


def _partners(labels: BoolArray, pairs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the strings in the language and of their partners, pair by pair."""
    order = np.lexsort((~labels, pairs))
    return order[::2], order[1::2]
