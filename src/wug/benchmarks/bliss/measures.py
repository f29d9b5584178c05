"""M_det, M_cat and M_prob: what is counted of a model's predictions, string by string.

Source: Lan, Chemla, Katzir 2023, section 3.5 (M_det, M_cat); M_prob is the normalised probabilistic measure that the
paper leaves for future work.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.errors import TrialError
from wug.languages.protocol import NextSymbols
from wug.sequences import Corpus

SUM_TOLERANCE = 1e-4
"""How far a model's probabilities may be from summing to one (float32 rounding is about 1e-6)."""

CHECKED_ALWAYS = 4096
CHECKED_EACH = 16
"""Sums are checked for this many predictions, and for each 16th after them: they cost more than all else."""

NORMAL, NOT_A_NUMBER, NOT_NORMALISED = 0, 1, 2


class Tie(StrEnum):
    """What counts as predicted when several classes share the highest probability."""

    FAIL = "fail"
    """Nothing: the step is wrong."""
    LOWEST = "lowest"
    """The lowest class, as NumPy's argmax has it (all published code)."""


@dataclass(frozen=True)
class Rules:
    """How a step is judged."""

    epsilon: Fraction
    """Error margin: M_cat's threshold on probabilities; M_det uses it for verdicts only."""
    tie: Tie = Tie.FAIL


@dataclass(frozen=True)
class StopRule:
    """When the verdict is out: more errors than these decide that a list has failed."""

    metric: str
    """``M_det`` or ``M_cat``: which errors count."""
    total: int | None = None
    """Limit for all strings together."""
    per_string: NDArray[np.int64] | None = None
    """(n_strings,) limit for each string."""


@njit(cache=True, nogil=True)
def _observe(
    strings: Any,
    starts: Any,
    stops: Any,
    log_probabilities: Any,
    tokens: Any,
    offsets: Any,
    end: int,
    situations: Any,
    truth: Any,
    determined: Any,
    negative_entropy: Any,
    log_epsilon: float,
    lowest_wins: bool,
    n_before: int,
    deterministic_errors: Any,
    categorical_errors: Any,
    strict_errors: Any,
    target_nats: Any,
    divergence_nats: Any,
    seen: Any,
    fault: Any,
) -> tuple[int, int]:
    """Add predictions to the sums of their strings; return how many (deterministic, categorical) errors were new."""
    period, n_classes = log_probabilities.shape[1], log_probabilities.shape[2]
    predicted = np.empty(period, dtype=np.int64)
    bad = np.empty(period, dtype=np.bool_)
    new_deterministic = 0
    new_categorical = 0
    for row in range(len(strings)):
        string = strings[row]
        for phase in range(min(period, stops[row] - starts[row])):
            checked = n_before + row < CHECKED_ALWAYS or (n_before + row) % CHECKED_EACH == 0
            total = 0.0 if checked else 1.0
            best = -np.inf
            ties = 0
            predicted[phase] = -1
            bad[phase] = False
            for c in range(n_classes):
                value = float(log_probabilities[row, phase, c])
                if np.isnan(value):
                    bad[phase] = True
                if checked:
                    total += np.exp(value)
                if value > best:
                    best, predicted[phase], ties = value, c, 1
                elif value == best:
                    ties += 1
            if (bad[phase] or abs(total - 1.0) > SUM_TOLERANCE) and fault[0] == NORMAL:
                fault[0] = NOT_A_NUMBER if bad[phase] else NOT_NORMALISED
                fault[1], fault[2] = string, starts[row] + phase
            if bad[phase] or (ties > 1 and not lowest_wins):
                predicted[phase] = -1
        base = offsets[string] + string
        length = offsets[string + 1] - offsets[string]
        last_situation = -1
        divergence = 0.0
        wrong = False
        wrong_at_zero = False
        phase = -1
        for position in range(starts[row], stops[row]):
            phase = phase + 1 if phase + 1 < period else 0
            situation = situations[base + position]
            target = tokens[offsets[string] + position] if position < length else end
            if situation != last_situation or period > 1:
                last_situation = situation
                divergence = negative_entropy[situation]
                wrong = bad[phase]
                wrong_at_zero = bad[phase]
                for c in range(n_classes):
                    p = truth[situation, c]
                    value = float(log_probabilities[row, phase, c])
                    if p > 0.0:
                        divergence -= p * value
                        if not value > log_epsilon:
                            wrong = True
                        if not value > -np.inf:
                            wrong_at_zero = True
                    else:
                        if not value <= log_epsilon:
                            wrong = True
                        if not value <= -np.inf:
                            wrong_at_zero = True
            if determined[situation] and position > 0 and predicted[phase] != target:
                deterministic_errors[string] += 1
                new_deterministic += 1
            if wrong:
                categorical_errors[string] += 1
                new_categorical += 1
            if wrong_at_zero:
                strict_errors[string] += 1
            target_nats[string] -= float(log_probabilities[row, phase, target])
            divergence_nats[string] += divergence
        seen[string] += stops[row] - starts[row]
    return new_deterministic, new_categorical


@njit(cache=True, nogil=True)
def _per_string(values: Any, situations: Any, offsets: Any, skip_first: bool, sums: Any) -> None:
    """Sum a per-situation value over each string's positions."""
    for string in range(len(offsets) - 1):
        base = offsets[string] + string
        for position in range(1 if skip_first else 0, offsets[string + 1] - offsets[string] + 1):
            sums[string] += values[situations[base + position]]


class Tally:
    """Observes a model's predictions on a test list and sums up, per string, what every measure needs.

    All arrays have one entry a string. Compare and count in integers; probabilities are compared as logarithms, so
    that no underflow can fake the exact zero that M_cat asks for at eps = 0.
    """

    def __init__(self, corpus: Corpus, truth: NextSymbols, rules: Rules, *, stop: StopRule | None = None):
        """Prepare to judge ``corpus``; with ``stop`` the walk ends once the list is known to have failed."""
        self.corpus = corpus
        self.truth = truth
        self.rules = rules
        self.stop = stop
        n_strings = len(corpus)
        self.deterministic_errors = np.zeros(n_strings, dtype=np.int64)
        self.categorical_errors = np.zeros(n_strings, dtype=np.int64)
        self.strict_errors = np.zeros(n_strings, dtype=np.int64)
        self.target_nats = np.zeros(n_strings)
        self.divergence_nats = np.zeros(n_strings)
        self.seen = np.zeros(n_strings, dtype=np.int64)
        self._fault = np.zeros(3, dtype=np.int64)
        self._totals = {"M_det": 0, "M_cat": 0}
        self._n_predictions = 0
        self._determined = truth.determined
        self._negative_entropy = -truth.entropy_bits * np.log(2)
        epsilon = float(rules.epsilon)
        self._log_epsilon = float(np.log(epsilon)) if epsilon > 0 else -np.inf

    @property
    def steps(self) -> NDArray[np.int64]:
        """Number of predicted symbols, end symbol included."""
        return np.asarray(self.corpus.lengths) + 1

    @property
    def deterministic_steps(self) -> NDArray[np.int64]:
        """Number of steps whose next symbol is determined; the first step of a string is never counted."""
        sums = np.zeros(len(self.corpus), dtype=np.int64)
        _per_string(self._determined.astype(np.int64), self.truth.situations, self.corpus.offsets, True, sums)
        return sums

    @property
    def entropy_nats(self) -> NDArray[np.float64]:
        """Entropy of the true distribution summed over the string's positions."""
        sums = np.zeros(len(self.corpus))
        _per_string(-self._negative_entropy, self.truth.situations, self.corpus.offsets, False, sums)
        return sums

    @property
    def uniform_divergence_nats(self) -> NDArray[np.float64]:
        """KL(true || uniform) summed over the string's positions."""
        return np.asarray(self.steps * np.log(self.corpus.vocabulary.size) - self.entropy_nats)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Whether every position of the string was seen."""
        return np.asarray(self.seen == self.steps)

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        """Give each child string the sums of its parent: their prefixes are equal."""
        for sums in (
            self.deterministic_errors,
            self.categorical_errors,
            self.strict_errors,
            self.target_nats,
            self.divergence_nats,
            self.seen,
        ):
            sums[children] = sums[parents]
        for metric in self._totals:
            self._totals[metric] += int(self.errors(metric)[children].sum())

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        """Count predictions; see wug.learners.protocols.Observer."""
        cycles = log_probabilities if log_probabilities.ndim == 3 else log_probabilities[:, None]
        if cycles.shape[2] != self.corpus.vocabulary.size:
            raise TrialError(
                f"the model predicts {cycles.shape[2]} classes, "
                f"the task has {self.corpus.vocabulary.size} ({' '.join(self.corpus.vocabulary.symbols)})"
            )
        new = _observe(
            strings,
            starts,
            stops,
            cycles,
            self.corpus.tokens,
            self.corpus.offsets,
            self.corpus.vocabulary.end,
            self.truth.situations,
            self.truth.probabilities,
            self._determined,
            self._negative_entropy,
            self._log_epsilon,
            self.rules.tie is Tie.LOWEST,
            self._n_predictions,
            self.deterministic_errors,
            self.categorical_errors,
            self.strict_errors,
            self.target_nats,
            self.divergence_nats,
            self.seen,
            self._fault,
        )
        if self._fault[0] == NOT_NORMALISED:
            raise TrialError(
                f"the model's probabilities do not sum to one {self._where()}; "
                "a model must give a distribution over the vocabulary at every step"
            )
        self._n_predictions += len(strings)
        self._totals["M_det"] += new[0]
        self._totals["M_cat"] += new[1]
        return not (self.stop and self._decided(self.stop, strings))

    def errors(self, metric: str) -> NDArray[np.int64]:
        """Return (n_strings,) wrong steps under ``M_det`` or ``M_cat``."""
        return self.deterministic_errors if metric == "M_det" else self.categorical_errors

    def _decided(self, stop: StopRule, strings: NDArray[np.int64]) -> bool:
        if stop.total is not None and self._totals[stop.metric] > stop.total:
            return True
        return stop.per_string is not None and bool(
            (self.errors(stop.metric)[strings] > stop.per_string[strings]).any()
        )

    @property
    def not_a_number(self) -> str:
        """Where the model first predicted 'not a number', in words; '' if nowhere."""
        return f"not a number {self._where()}" if self._fault[0] == NOT_A_NUMBER else ""

    def _where(self) -> str:
        return f"at position {self._fault[2]} of {describe(self.corpus, int(self._fault[1]))}"


def describe(corpus: Corpus, string: int) -> str:
    """Return how to print one string of a list: whole if short, else its runs (``#a^25 b^25#``)."""
    tokens = np.asarray(corpus[string])
    vocabulary = corpus.vocabulary
    start, end = vocabulary.symbols[vocabulary.start], vocabulary.symbols[vocabulary.end]
    if len(tokens) <= 40:
        return f"{start}{vocabulary.decode(tokens)}{end}"
    changes = np.concatenate(([0], np.flatnonzero(np.diff(tokens)) + 1, [len(tokens)]))
    if len(changes) > 12:
        return f"{start}{vocabulary.decode(tokens[:16])}...{end} ({len(tokens)} symbols)"
    runs = [f"{vocabulary.symbols[int(tokens[i])]}^{j - i}" for i, j in pairwise(changes)]
    return f"{start}{' '.join(runs)}{end}"
