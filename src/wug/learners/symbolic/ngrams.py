"""The n-gram classifier: which of two Markov chains of letters a string is more probable under."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from wug.errors import InputError
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic._key_sets import window_keys
from wug.learners.symbolic.strings import Strings, alphabet_of
from wug.learners.symbolic.windows import require_width
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class _Counts:
    """How often windows (or contexts) occur in training strings outside and in the language."""

    keys: NDArray[np.int64]
    """(n,) the windows that occur, rising."""
    times: NDArray[np.float64]
    """(n + 1, 2) how often each occurs with each label; the last row, 0, is for all others."""

    @classmethod
    def of(cls, keys: NDArray[np.int64], labels: NDArray[np.bool_]) -> "_Counts":
        """Return the counts of (n_windows,) keys with the labels of their strings."""
        known, inverse = np.unique(keys, return_inverse=True)
        times = np.bincount(2 * inverse + labels, minlength=2 * len(known) + 2).reshape(-1, 2)
        return cls(known, times.astype(np.float64))

    def look_up(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return (n, 2) how often each key occurs with each label."""
        if not len(self.keys):
            return np.zeros((len(keys), 2))
        place = np.searchsorted(self.keys, keys)
        is_known = self.keys[np.minimum(place, len(self.keys) - 1)] == keys
        return self.times[np.where(is_known, place, len(self.keys))]


@dataclass(frozen=True, eq=False)
class NGramModel:
    """Bayes' rule on the probabilities of a string under two Markov chains, one of each label."""

    vocabulary: Vocabulary
    n: int
    smoothing: float
    windows: _Counts
    contexts: _Counts
    prior_log_odds: float
    """Natural logarithm of the odds that a training string is in the language."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return the probability that each string is in the language."""
        strings = Strings.of(corpus, alphabet_of(self.vocabulary))
        base = len(strings.alphabet) + 1
        keys = window_keys(strings.columns, strings.offsets, self.n, base)
        known, inverse = np.unique(keys, return_inverse=True)
        seen = self.windows.look_up(known) + self.smoothing
        all_seen = self.contexts.look_up(known // base) + self.smoothing * base
        log_probabilities = np.log(seen / all_seen)
        log_odds = (log_probabilities[:, 1] - log_probabilities[:, 0])[inverse]
        firsts = strings.offsets[:-1] + np.arange(len(strings))
        return expit(self.prior_log_odds + np.add.reduceat(log_odds, firsts))


class NGram:
    """Naive Bayes on windows of n letters: a Markov chain of order n - 1 for each label.

    A chain gives each symbol after n - 1 others, and the end, the probability (times seen + smoothing) / (times seen of
    its context + smoothing * number of symbols and the end). The prior is the share of each label, smoothed in the same
    way. n = 1 looks at the letters and the length alone.
    """

    settings = frozenset({"classification"})

    def __init__(self, n: int = 3, smoothing: float = 0.5) -> None:
        self.n = n
        self.smoothing = smoothing

    def fit(self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None) -> NGramModel:
        """Return the chains of the training strings, repetitions counted; no random number is drawn."""
        if self.smoothing <= 0:
            raise InputError(f"option 'smoothing' must be above 0, not {self.smoothing}")
        strings = Strings.of(data.training, alphabet_of(data.vocabulary))
        require_width(self.n, len(strings.alphabet), option="n")
        base = len(strings.alphabet) + 1
        keys = window_keys(strings.columns, strings.offsets, self.n, base)
        labels = np.repeat(data.labels, np.diff(strings.offsets) + 1)
        n_inside = int(data.labels.sum())
        odds = (n_inside + self.smoothing) / (len(data.labels) - n_inside + self.smoothing)
        windows, contexts = _Counts.of(keys, labels), _Counts.of(keys // base, labels)
        return NGramModel(data.vocabulary, self.n, self.smoothing, windows, contexts, float(np.log(odds)))
