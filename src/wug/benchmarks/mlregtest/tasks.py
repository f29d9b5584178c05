"""From a task's name and settings to training data and test sets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.mlregtest.settings import DataSource, LanguageSettings, Size
from wug.benchmarks.protocol import Task
from wug.languages.subregular import DataSets, LabelledStrings, Plan, RegularLanguage, Set
from wug.languages.subregular.pattern_files import language_in
from wug.learners.protocols import Classification
from wug.sequences import Corpus, Vocabulary

TEST_SETS = (Set.SR, Set.SA, Set.LR, Set.LA)
"""Short random, short adversarial, long random, long adversarial."""


@dataclass(frozen=True)
class LanguageJudging:
    """What is needed to judge a model of one language."""

    language: RegularLanguage
    sets: DataSets
    train_size: str
    test_size: str

    def test(self, of: Set) -> LabelledStrings:
        """Return one of the four test sets."""
        return self.sets.strings(of, self.test_size)


@dataclass(frozen=True)
class ExactClassifier:
    """The language itself."""

    language: RegularLanguage

    @property
    def vocabulary(self) -> Vocabulary:
        """The language's letters."""
        return self.language.vocabulary

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for a string in the language, 0 for any other."""
        return self.language.contains(corpus).astype(np.float64)


def find_language(task: str, settings: DataSource) -> RegularLanguage:
    """Return a language of the file in ``settings.languages`` or, where there is no file, one of the 1,800."""
    if settings.languages is not None:
        return language_in(settings.languages.path(), task)
    return RegularLanguage.named(task)


def build(task: str, settings: LanguageSettings) -> Task:
    """Return the task: Train and Dev in the training size, and the four test sets in theirs."""
    language = find_language(task, settings)
    largest = max(settings.train_size, settings.test_size, key=list(Size).index)
    sets = _data_sets(language.sha256, language, settings.data_seed, settings.weighting, largest)
    train, dev = sets.strings(Set.TRAIN, settings.train_size), sets.strings(Set.DEV, settings.train_size)
    data = Classification(
        vocabulary=language.vocabulary,
        training=train.corpus,
        labels=train.labels,
        validation=dev.corpus,
        validation_labels=dev.labels,
        oracles={"": lambda: ExactClassifier(language)},
    )
    return Task(task, data, LanguageJudging(language, sets, settings.train_size, settings.test_size))


_kept: dict[str, DataSets] = {}


def _data_sets(key: str, language: RegularLanguage, seed: int, weighting: str, largest: str) -> DataSets:
    """Return the sets, those of the language asked for last kept for the learners that come next."""
    name = f"{key} {language.name} {seed} {weighting} {largest}"
    if name not in _kept:
        _kept.clear()
        _kept[name] = DataSets(language, seed, Plan(weighting=weighting), largest=largest)
    return _kept[name]
