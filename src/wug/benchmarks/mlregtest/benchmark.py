"""mlregtest as studies and commands see it: tasks, training, judging, report, files."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wug.benchmarks.mlregtest import CARD, RANDOM_AUTOMATA, random_automata
from wug.benchmarks.mlregtest.settings import LanguageSettings, MLRegTestSettings, RandomAutomataSettings
from wug.benchmarks.protocol import Results, Score, Section, Task
from wug.benchmarks.validation import validate_settings
from wug.errors import InputError, unknown_name
from wug.languages.subregular import LanguageName, language_names
from wug.learners.protocols import Learner

TRAINING_SETTINGS = ("train_size", "data_seed", "weighting", "languages")
DISTRIBUTION_SETTINGS = ("states", "letters", "arcs", "accepting")

FACTORS = {
    "class": "class_",
    "alphabet": "alphabet_size",
    "tier": "tier_size",
    "k": "k",
    "j": "j",
    "i": "i",
}
"""Factors of the languages, by the attribute of LanguageName."""


class MLRegTest:
    """Regular languages of 16 subregular classes."""

    card = CARD
    version = 1
    settings = MLRegTestSettings

    def select_tasks(self, factors: Mapping[str, Any]) -> Sequence[str]:
        """Return the languages whose class, alphabet, tier, k, j and i are among the given values."""
        for name in factors:
            if name not in FACTORS:
                raise unknown_name("factor of mlregtest's languages", name, FACTORS)
        wanted = {FACTORS[name]: value if isinstance(value, list) else [value] for name, value in factors.items()}
        parsed = map(LanguageName.parse, language_names())
        names = [str(name) for name in parsed if all(getattr(name, key) in values for key, values in wanted.items())]
        if not names:
            raise InputError("no language has " + ", ".join(f"{name} {value}" for name, value in factors.items()))
        return names

    def resolve(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check the task's name and the settings given; return all settings that the task has."""
        if task == RANDOM_AUTOMATA:
            from wug.languages.automata.classes import CLASSES

            automata = validate_settings(RandomAutomataSettings, settings, f"mlregtest {task}")
            if automata.membership not in CLASSES:
                raise unknown_name("class", automata.membership, CLASSES)
            return automata.model_dump(mode="json")
        from wug.benchmarks.mlregtest.tasks import find_language

        options = validate_settings(LanguageSettings, settings, "an mlregtest language")
        find_language(task, options)
        asked = options.model_dump(mode="json", exclude=None if options.extract else {"extract"})
        return asked | {"languages": options.languages}

    def training_settings(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return those settings that decide the training or, of random automata, which ones the oracle knows."""
        deciding = DISTRIBUTION_SETTINGS if task == RANDOM_AUTOMATA else TRAINING_SETTINGS
        return {name: settings[name] for name in deciding}

    def training_shape(self, task: str, settings: Mapping[str, Any]) -> str:
        """Return alphabet and training size, in which networks that train together must be equal."""
        if task == RANDOM_AUTOMATA or settings["languages"] is not None:
            return ""
        return f"{LanguageName.parse(task).alphabet_size} letters, {settings['train_size']}"

    def build(self, task: str, settings: Mapping[str, Any], seed: int) -> Task:
        """Return the task; for a language ``seed`` is the learner's alone, its data come from ``data_seed``."""
        if task == RANDOM_AUTOMATA:
            return random_automata.build(RandomAutomataSettings(**settings), seed)
        from wug.benchmarks.mlregtest.tasks import build

        return build(task, LanguageSettings(**settings))

    def fit(self, task: Task, learner: Learner, seed: int) -> Any:
        """Return the model of the task's training data."""
        return learner.fit(task.data, seed)

    def judge(self, task: Task, model: Any, settings: Mapping[str, Any]) -> list[Score]:
        """Return the scores of a model on the four test sets and, if asked for, of the automaton extracted from it."""
        if task.name == RANDOM_AUTOMATA:
            return random_automata.judge(task.judging, model)
        from wug.benchmarks.mlregtest.extraction import extraction_scores
        from wug.benchmarks.mlregtest.judge import judge

        scores = judge(task.judging, model)
        if settings.get("extract"):
            scores += extraction_scores(task, model, LanguageSettings(**settings))
        return scores

    def sections(self, results: Results) -> Sequence[Section]:
        """Return the report's sections."""
        from wug.benchmarks.mlregtest.report import sections

        return sections(results)

    def reprint(self, file: Path) -> Sequence[Section]:
        """Return the paper's tables and figures made from the original's ``all_evals.csv``."""
        from wug.benchmarks.mlregtest.report import reprint

        return reprint(file)

    def data_tasks(self, task: str, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the language of this name, or all languages (of a class)."""
        from wug.benchmarks.mlregtest.files import data_options, languages_meant

        self._refuse_random_automata(task)
        return languages_meant(task, data_options(options))

    def write_data(self, task: str, options: Mapping[str, Any], seed: int, folder: Path) -> Iterable[Path]:
        """Write the six data sets of a language."""
        from wug.benchmarks.mlregtest.files import data_options, write_data

        return write_data(task, data_options(options), seed, folder)

    def score_file(self, task: str, settings: Mapping[str, Any], seed: int, file: Path) -> list[Score]:
        """Judge labels or probabilities that somebody else's system gave for the test strings."""
        from wug.benchmarks.mlregtest.files import score_file

        self._refuse_random_automata(task)
        return score_file(self.build(task, settings, seed).judging, file)

    def _refuse_random_automata(self, task: str) -> None:
        if task == RANDOM_AUTOMATA:
            raise InputError(f"{RANDOM_AUTOMATA} has no data to learn from; name a language")


BENCHMARK = MLRegTest()
