"""Scores of a classifier of one language."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.mlregtest.measures import Answers, pairs_ordered, pairs_right
from wug.benchmarks.mlregtest.tasks import TEST_SETS, LanguageJudging
from wug.benchmarks.protocol import Score
from wug.errors import TrialError
from wug.languages.subregular import LabelledStrings, Set
from wug.learners.protocols import Classifier


def judge(judging: LanguageJudging, model: Classifier) -> list[Score]:
    """Return the scores on the four test sets, and accuracies on Train and Dev.

    TrialError names the first string without a finite probability.
    """
    scores: list[Score] = []
    for of in TEST_SETS:
        strings = judging.test(of)
        scores += set_scores(of, strings, _classify(model, strings), scores)
    seen: list[Score] = []
    for of in (Set.TRAIN, Set.DEV):
        strings = judging.sets.strings(of, judging.train_size)
        probabilities = _classify(model, strings)
        _check(of, strings, probabilities, scores)
        answers = Answers(probabilities, strings.labels)
        seen += [Score(f"accuracy_{of}", answers.accuracy), *_by_length(of, strings, answers)]
    return [overall(scores), *scores, *seen]


def _classify(model: Classifier, strings: LabelledStrings) -> NDArray[np.float64]:
    return np.asarray(model.classify(strings.corpus), dtype=np.float64)


def overall(scores: list[Score]) -> Score:
    """Return the mean accuracy on those of the test sets that were judged."""
    names = {f"accuracy_{of}" for of in TEST_SETS}
    values = [score.value for score in scores if score.measure in names and not score.item]
    return Score("accuracy", float(np.mean([value for value in values if value is not None])))


def set_scores(
    of: Set, strings: LabelledStrings, probabilities: NDArray[np.float64], before: list[Score]
) -> list[Score]:
    """Return the scores on one test set; ``before`` are those to keep when it cannot be judged."""
    _check(of, strings, probabilities, before)
    answers = Answers(probabilities, strings.labels)
    values: dict[str, float | None] = {
        "accuracy": answers.accuracy,
        "auc": answers.auc,
        "auc_of_100_thresholds": answers.auc_of_100_thresholds,
        "brier": answers.brier,
        "f_score": answers.f_score,
        "precision": answers.precision,
        **answers.counts,
    }
    if of.is_adversarial:
        values["pairs_right"] = pairs_right(answers, strings.pairs)
        values["pairs_ordered"] = pairs_ordered(answers, strings.pairs)
    scores = [
        Score(f"{name}_{of}", value, note="" if value is not None else _UNDEFINED[name])
        for name, value in values.items()
    ]
    return [*scores, *_by_length(of, strings, answers)]


_UNDEFINED = {
    "auc": "all strings have one label",
    "auc_of_100_thresholds": "all strings have one label",
    "f_score": "no string is in the language, and none was judged so",
    "precision": "no string was judged to be in the language",
}


def _by_length(of: Set, strings: LabelledStrings, answers: Answers) -> Iterator[Score]:
    lengths = strings.corpus.lengths
    for length in np.unique(lengths):
        yield Score(f"accuracy_{of}", answers.select(lengths == length).accuracy, item=f"length {length}")


def _check(of: Set, strings: LabelledStrings, probabilities: NDArray[np.float64], before: list[Score]) -> None:
    if probabilities.shape != (len(strings.labels),):
        raise TrialError(
            f"the model answers {of} ({len(strings.labels):,} strings) with an array of shape {probabilities.shape}",
            scores=tuple(before),
        )
    with np.errstate(invalid="ignore"):
        bad = ~((probabilities >= 0) & (probabilities <= 1))
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise TrialError(
            f"the model gives '{strings.corpus.text(first)}' (string {first + 1} of {of}) the probability "
            f"{probabilities[first]} of being in the language",
            scores=tuple(before),
        )
