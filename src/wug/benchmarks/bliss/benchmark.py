"""bliss as studies and commands see it: tasks, training, judging, report, files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from wug.benchmarks.bliss import CARD, judge
from wug.benchmarks.bliss.settings import BlissSettings
from wug.benchmarks.bliss.tasks import BlissLanguage, TestSet, bliss_language, training_sample
from wug.benchmarks.protocol import Results, Score, Section, Task
from wug.benchmarks.validation import validate_settings
from wug.errors import InputError
from wug.learners.baselines import exact_model
from wug.learners.protocols import LanguageModel, LanguageModelling, Learner
from wug.randomness import generator
from wug.sequences import Corpus

TRAINING_SETTINGS = ("train", "data_seed", "validation")


@dataclass(frozen=True)
class BlissJudging:
    """What is needed to judge a model of one language."""

    language: BlissLanguage
    training: Corpus
    """The training strings, repetitions kept."""
    test: TestSet


class Bliss:
    """The generalization index B on formal languages."""

    card = CARD
    version = 1
    settings = BlissSettings

    def select_tasks(self, factors: Mapping[str, Any]) -> Sequence[str]:
        """Refuse: the languages have no factors."""
        raise InputError(f"tasks of bliss are chosen by name, not by {', '.join(factors)}")

    def resolve(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check the task's name and the settings given; return all settings with defaults filled in."""
        bliss_language(task)
        return validate_settings(BlissSettings, settings, "bliss").model_dump(mode="json")

    def training_settings(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return those settings that decide the training."""
        return {name: settings[name] for name in TRAINING_SETTINGS}

    def training_shape(self, task: str, settings: Mapping[str, Any]) -> str:
        """Return '': samples of different languages and seeds have different shapes."""
        return ""

    def build(self, task: str, settings: Mapping[str, Any], seed: int) -> Task:
        """Return the task; ``seed`` is the learner's alone, the data come from ``data_seed``."""
        options = BlissSettings(**settings)
        language = bliss_language(task)
        training = _training_sample(task, options.train, options.data_seed)
        unique, multiplicities = training.unique()
        validation = None
        if options.validation:
            rng = generator(options.data_seed, "bliss", task, "validation")
            validation = language.language.sample(options.validation, rng=rng)
        data = LanguageModelling(
            vocabulary=language.language.vocabulary,
            training=unique,
            multiplicities=multiplicities,
            validation=validation,
            oracles={"": lambda: exact_model(language.language)},
        )
        test = TestSet(
            language, training, options.test_strings, options.addition_list, options.dyck_list, options.data_seed
        )
        return Task(task, data, BlissJudging(language, training, test))

    def fit(self, task: Task, learner: Learner, seed: int) -> Any:
        """Return the model of the task's training data."""
        return learner.fit(task.data, seed)

    def judge(self, task: Task, model: LanguageModel, settings: Mapping[str, Any]) -> list[Score]:
        """Return the scores of a model on the task's test list, its training sample and the smallest strings."""
        options = BlissSettings(**settings)
        judging: BlissJudging = task.judging
        language, data = judging.language, task.data
        tally, scores = judge.judge_list(language, model, judging.test.corpus, options)
        problem = tally.not_a_number
        scores += judge.baseline_scores(language, judging.test.corpus, options)
        scores.append(Score("largest_trained", int(language.sizes(data.training).max())))
        scores += _sample_scores(language, model, data)
        if not options.verdict_only:
            scores += judge.reach(language, model, options)
            scores += judge.trace_scores(model, judging.test.corpus.select([0]))
        if problem:
            raise judge.not_a_number(problem, scores)
        return scores

    def sections(self, results: Results) -> Sequence[Section]:
        """Return the report's sections."""
        from wug.benchmarks.bliss.report import sections

        return sections(results)

    def data_tasks(self, task: str, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the one task of this name."""
        self.resolve(task, options)
        return [task]

    def write_data(self, task: str, options: Mapping[str, Any], seed: int, folder: Path) -> Iterable[Path]:
        """Write the training strings and the test strings to answer; the options are the settings."""
        from wug.benchmarks.bliss.files import write_data

        settings = self.resolve(task, options)
        return write_data(task, BlissSettings(**settings), self.build(task, settings, seed), folder)

    def score_file(self, task: str, settings: Mapping[str, Any], seed: int, file: Path) -> list[Score]:
        """Judge next-symbol probabilities that somebody else's system wrote for the test strings."""
        from wug.benchmarks.bliss.files import score_file

        return score_file(BlissSettings(**settings), self.build(task, settings, seed).judging, file)


def _sample_scores(language: BlissLanguage, model: LanguageModel, data: LanguageModelling) -> list[Score]:
    """Return bits per symbol on the training sample (and validation sample), and what the true distribution gets."""
    ones = np.ones(len(data.validation), dtype=np.int64) if data.validation is not None else None
    samples = [("training", data.training, data.multiplicities), ("validation", data.validation, ones)]
    scores = []
    for name, corpus, multiplicities in samples:
        if corpus is None or multiplicities is None:
            continue
        value, note = judge.sample_bits(language, model, corpus, multiplicities)
        optimal, _ = judge.sample_bits(language, exact_model(language.language), corpus, multiplicities)
        scores += [Score(f"{name}_bits", value, note=note), Score(f"{name}_optimal_bits", optimal)]
    return scores


@lru_cache(maxsize=32)
def _training_sample(task: str, size: int, data_seed: int) -> Corpus:
    return training_sample(bliss_language(task), size, data_seed)


BENCHMARK = Bliss()
