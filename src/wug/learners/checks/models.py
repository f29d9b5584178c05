"""The contract of a learner and of the language model it returns, on a small made-up task."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.learners.checks.outcome import Broken, Check, run_checks
from wug.learners.protocols import Coverage, LanguageModel, LanguageModelling, Learner
from wug.sequences import Corpus, Vocabulary

_VOCABULARY = Vocabulary(("#", "a", "b"))
_TRAINING = Corpus.from_strings(["", "ab", "aabb", "aaabbb", "ba"], _VOCABULARY)
_MULTIPLICITIES = np.array([5, 4, 3, 2, 1])
_TEST = Corpus.from_strings(["aabb", "", "b", "aab", "aaaabbbb", "aabb"], _VOCABULARY)
_SUM_TOLERANCE = 1e-5
_PREFIX_TOLERANCE = 1e-4


def check_fitting(learner: Learner) -> list[Check]:
    """Return the outcome of every contract test of a learner and its model."""
    subject = _Fitting(learner)
    return run_checks(
        [
            ("it can be fitted to a language", subject.fits),
            ("it predicts every position of every string once and in order", subject.predicts_everything),
            ("its predictions are log probabilities that sum to one", subject.predicts_distributions),
            ("equal prefixes are continued equally, whatever stands behind or beside them", subject.shares_prefixes),
            ("equal data and seeds give equal models", subject.is_deterministic),
        ],
        essential=2,
    )


class _Fitting:
    """A learner under test, and the model that it returned first."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._model: LanguageModel

    def fits(self) -> None:
        settings = getattr(self._learner, "settings", None)
        if not isinstance(settings, frozenset) or not settings:
            raise Broken(f"'settings' must be a frozenset of one or more names, not {settings!r}")
        if "language_modelling" not in settings:
            raise Broken(f"only learners of language modelling can be checked; this one offers {', '.join(settings)}")
        self._model = self._fit()
        if not hasattr(self._model, "predict"):
            raise Broken(f"fit must return a model with a method predict, not {type(self._model).__name__}")
        if getattr(self._model, "vocabulary", None) != _VOCABULARY:
            raise Broken("the model's vocabulary must be that of the data")

    def predicts_everything(self) -> None:
        reader = _Reader(_TEST)
        coverage = self._model.predict(_TEST, reader)
        if not isinstance(coverage, Coverage):
            raise Broken(f"predict must return a Coverage, not {type(coverage).__name__}")
        for string in range(len(_TEST)):
            if reader.read[string] <= _TEST.lengths[string]:
                raise Broken(
                    f"there is no prediction for position {reader.read[string]} of the string '{_TEST.text(string)}'"
                )
        if coverage.strings != len(_TEST):
            raise Broken(f"predict says that it did {coverage.strings} strings of {len(_TEST)}")

    def predicts_distributions(self) -> None:
        for string, rows in enumerate(_predictions(self._model, _TEST)):
            for position, row in enumerate(rows):
                total = float(np.exp(row).sum())
                if not abs(total - 1.0) <= _SUM_TOLERANCE:
                    raise Broken(
                        f"the probabilities at position {position} of '{_TEST.text(string)}' sum to {total:.6g}"
                    )

    def shares_prefixes(self) -> None:
        together = _predictions(self._model, _TEST)
        for string, rows in enumerate(together):
            for length in range(len(rows)):
                prefix = Corpus.from_arrays([_TEST[string][:length]], _VOCABULARY)
                alone = _predictions(self._model, prefix)[0]
                difference = float(np.abs(np.exp(rows[: length + 1]) - np.exp(alone)).max())
                if not difference <= _PREFIX_TOLERANCE:
                    raise Broken(
                        f"probabilities along '{prefix.text(0)}' differ by up to {difference:.3g} between "
                        f"the string alone and as a part of '{_TEST.text(string)}' among others"
                    )

    def is_deterministic(self) -> None:
        first, second = _predictions(self._model, _TEST), _predictions(self._fit(), _TEST)
        for string, (one, other) in enumerate(zip(first, second, strict=True)):
            if not np.array_equal(one, other, equal_nan=True):
                raise Broken(f"two models fitted with the same seed differ on the string '{_TEST.text(string)}'")

    def _fit(self) -> LanguageModel:
        model: LanguageModel = self._learner.fit(LanguageModelling(_VOCABULARY, _TRAINING, _MULTIPLICITIES), 1)
        return model


class _Reader:
    """An observer that keeps all predictions and insists on their order."""

    def __init__(self, corpus: Corpus) -> None:
        self.rows = [np.full((length + 1, corpus.vocabulary.size), np.nan) for length in corpus.lengths]
        self.read = np.zeros(len(corpus), dtype=np.int64)

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        for parent, child in zip(parents, children, strict=True):
            read = min(int(self.read[parent]), len(self.rows[child]))
            self.rows[child][:read] = self.rows[parent][:read]
            self.read[child] = read

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        for string, start, stop, row in zip(strings, starts, stops, log_probabilities, strict=True):
            if start != self.read[string]:
                raise Broken(f"string {string} came at position {start} where position {self.read[string]} was due")
            if stop > len(self.rows[string]):
                raise Broken(f"string {string} came at position {stop - 1}, behind its end")
            self.rows[string][start:stop] = row
            self.read[string] = stop
        return True


def _predictions(model: LanguageModel, corpus: Corpus) -> list[NDArray[np.float64]]:
    """Return (length + 1, n_classes) log probabilities for each string."""
    reader = _Reader(corpus)
    model.predict(corpus, reader)
    return reader.rows
