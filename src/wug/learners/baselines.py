"""Learners that need no training and pin both ends of every measure."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.errors import InputError, unknown_name
from wug.languages.protocol import Language
from wug.learners.exact_transducers import baseline_transducer
from wug.learners.protocols import (
    Classification,
    Classifier,
    Coverage,
    LanguageModel,
    LanguageModelling,
    Observer,
    OnEpoch,
)
from wug.sequences import Corpus, Vocabulary

_CHUNK = 1 << 16


@njit(cache=True, nogil=True)
def _runs(values: Any, offsets: Any, first: int, last: int, strings: Any, starts: Any, stops: Any, shown: Any) -> int:
    """Cut positions of strings first..last-1 into runs of one value; string s owns values[offsets[s] + s :]."""
    count = 0
    for string in range(first, last):
        base = offsets[string] + string
        n_positions = offsets[string + 1] - offsets[string] + 1
        begin = 0
        for position in range(1, n_positions + 1):
            if position == n_positions or values[base + position] != values[base + begin]:
                strings[count], starts[count], stops[count] = string, begin, position
                shown[count] = values[base + begin]
                count += 1
                begin = position
    return count


@dataclass(frozen=True)
class TableModel:
    """A model whose prediction at each position is a row of a table, chosen by the string up to there."""

    vocabulary: Vocabulary
    choose: Callable[[Corpus], tuple[NDArray[Any], NDArray[np.float64]]]
    """corpus -> (row of each position, strings one after the other; table of probabilities (rows, n_classes))."""

    def predict(self, corpus: Corpus, observer: Observer, *, operations: float = np.inf) -> Coverage:
        """Show the observer each run of equal predictions."""
        values, probabilities = self.choose(corpus)
        with np.errstate(divide="ignore"):
            log_probabilities = np.log(probabilities)
        done = 0
        for first, last in _string_chunks(corpus, _CHUNK):
            room = int(corpus.offsets[last] - corpus.offsets[first]) + last - first
            strings, starts, stops, shown = (np.empty(room, dtype=np.int64) for _ in range(4))
            count = _runs(values, corpus.offsets, first, last, strings, starts, stops, shown)
            if not observer.observe(strings[:count], starts[:count], stops[:count], log_probabilities[shown[:count]]):
                break
            done = last
        return Coverage(strings=done, operations=0.0)


def _string_chunks(corpus: Corpus, symbols: int) -> list[tuple[int, int]]:
    """Return ranges of strings with about ``symbols`` symbols each, at least one string."""
    chunks: list[tuple[int, int]] = []
    first = 0
    while first < len(corpus):
        last = int(np.searchsorted(corpus.offsets, corpus.offsets[first] + symbols, side="right")) - 1
        last = min(max(last, first + 1), len(corpus))
        chunks.append((first, last))
        first = last
    return chunks


def exact_model(language: Language) -> TableModel:
    """Return the model that knows the language's exact next-symbol distribution."""

    def choose(corpus: Corpus) -> tuple[NDArray[Any], NDArray[np.float64]]:
        answer = language.next_symbols(corpus)
        return answer.situations, answer.probabilities

    return TableModel(language.vocabulary, choose)


def _constant_rows(probabilities: NDArray[np.float64]) -> Callable[[Corpus], tuple[NDArray[Any], NDArray[np.float64]]]:
    def choose(corpus: Corpus) -> tuple[NDArray[Any], NDArray[np.float64]]:
        return np.zeros(corpus.n_symbols + len(corpus), dtype=np.uint8), probabilities[None, :]

    return choose


def _input_symbols(corpus: Corpus) -> NDArray[Any]:
    """Return the symbol that was read last at each position: the start symbol, then the string's own."""
    dtype = np.result_type(corpus.tokens.dtype, np.min_scalar_type(corpus.vocabulary.size))
    symbols = np.empty(corpus.n_symbols + len(corpus), dtype=dtype)
    starts = corpus.offsets[:-1] + np.arange(len(corpus))
    inside = np.ones(len(symbols), dtype=bool)
    inside[starts] = False
    symbols[starts] = corpus.vocabulary.start
    symbols[inside] = corpus.tokens
    return symbols


@dataclass(frozen=True)
class ConstantClassifier:
    """A model that gives every string the same probability of being in the language."""

    vocabulary: Vocabulary
    probability: float

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return the one probability for each string."""
        return np.full(len(corpus), self.probability)


def _exact_answers(rule: str, data: Any) -> Any:
    if rule in data.oracles:
        return data.oracles[rule]()
    rules = [known for known in data.oracles if known]
    if not data.oracles:
        raise InputError("this task has no exact answer, so the learner 'oracle' cannot be used")
    if not rules:
        raise InputError(f"this task has one exact answer; write 'oracle', not 'oracle:{rule}'")
    if not rule:
        raise InputError("this task has several rules; name one: " + ", ".join(f"oracle:{r}" for r in rules))
    raise unknown_name("rule of the oracle", rule, rules)


def _language_model(name: str, data: LanguageModelling) -> LanguageModel:
    size = data.vocabulary.size
    if name == "uniform":
        return TableModel(data.vocabulary, _constant_rows(np.full(size, 1.0 / size)))
    if name == "constant":
        counts = np.zeros(size, dtype=np.int64)
        np.add.at(counts, data.training.tokens, np.repeat(data.multiplicities, data.training.lengths))
        counts[data.vocabulary.end] += data.multiplicities.sum()
        return TableModel(data.vocabulary, _constant_rows(np.eye(size)[int(counts.argmax())]))
    if name == "repeat-last":
        return TableModel(data.vocabulary, lambda corpus: (_input_symbols(corpus), np.eye(size)))
    return TableModel(data.vocabulary, _constant_rows(np.full(size, np.nan)))


def _classifier(name: str, data: Classification) -> Classifier:
    majority = float(2 * int(data.labels.sum()) >= len(data.labels))
    probability = {"uniform": 0.5, "constant": majority, "nan": np.nan}[name]
    return ConstantClassifier(data.vocabulary, probability)


@dataclass(frozen=True)
class Baseline:
    """A learner that learns nothing, or knows everything.

    ``oracle`` gives the exact answers, ``uniform`` equal probabilities, ``constant`` the majority symbol of the
    training data, their majority label (in the language, where both are equally frequent) or their most frequent
    target, ``repeat-last`` the last symbol again, ``nan`` not a number everywhere (fails on purpose). In transduction,
    ``ignore-source`` gives each training target the share of the pairs that have it, whatever the source, and
    ``never-end`` writes the most frequent symbol without end.
    """

    name: str
    rule: str = ""
    """Which of a task's rival rules the oracle follows; '' where there is one."""
    settings: frozenset[str] = frozenset({"language_modelling"})

    def fit(self, data: Any, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None) -> Any:
        """Return the model; nothing is trained and no random number drawn."""
        if self.name == "oracle":
            return _exact_answers(self.rule, data)
        makers: dict[str, Callable[[str, Any], Any]] = {
            "language_modelling": _language_model,
            "classification": _classifier,
            "transduction": baseline_transducer,
        }
        return makers[data.setting](self.name, data)
