"""syntaxgym as studies and commands see it: tasks, judging, report, files."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from wug.benchmarks.protocol import Results, Score, Section, Task
from wug.benchmarks.syntaxgym import CARD, PUBLISHED, SUITES
from wug.benchmarks.syntaxgym.judge import SuitesJudging, judge
from wug.benchmarks.syntaxgym.oracle import SuiteOracle
from wug.benchmarks.syntaxgym.own_suites import own_suites
from wug.benchmarks.syntaxgym.published.judge import AuthorsResults, judge_results
from wug.benchmarks.syntaxgym.published.results import ADDRESS
from wug.benchmarks.syntaxgym.settings import OWN_SUITES_SETTINGS, AllSettings, PublishedSettings, SuitesSettings
from wug.benchmarks.syntaxgym.suites import Suite, read_suites
from wug.benchmarks.validation import validate_settings
from wug.contents import Content
from wug.errors import InputError, unknown_name
from wug.learners.protocols import LanguageModelling, Learner
from wug.sequences import Corpus, Vocabulary


class SyntaxGym:
    """What language models know of syntax."""

    card = CARD
    version = 1
    settings = AllSettings

    def select_tasks(self, factors: Mapping[str, Any]) -> Sequence[str]:
        """Refuse: the tasks have no factors."""
        raise InputError(f"tasks of syntaxgym are chosen by name, not by {', '.join(factors)}")

    def resolve(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check the task's name and the settings given; return all settings that the task has."""
        if task == PUBLISHED:
            return {"results": validate_settings(PublishedSettings, settings, "syntaxgym published").results}
        if task != SUITES:
            raise unknown_name("task of syntaxgym", task, CARD.tasks)
        options = validate_settings(SuitesSettings, settings, "syntaxgym suites")
        resolved = options.model_dump(mode="json") | {"suites": options.suites}
        if options.suites is None:
            return resolved
        given = [name for name in OWN_SUITES_SETTINGS if name in settings and settings[name] is not None]
        if given:
            raise InputError(f"setting '{given[0]}' is for wug's own suites; leave it out, or suites={options.suites}")
        return {name: value for name, value in resolved.items() if name not in OWN_SUITES_SETTINGS}

    def training_settings(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings that decide which words there are."""
        judging = ("start", "suite_set", "regions", "word_boundary")
        return {name: value for name, value in settings.items() if name not in judging}

    def training_shape(self, task: str, settings: Mapping[str, Any]) -> str:
        """Return '': nothing is trained together."""
        return ""

    def build(self, task: str, settings: Mapping[str, Any], seed: int) -> Task:
        """Return the task; ``seed`` is that of the bootstrap, or of the regressions' random starts."""
        if task == PUBLISHED:
            results = PublishedSettings(**settings).results
            if results is None:
                raise InputError(f"say where your copy of the published results is: results=DIR; they are at {ADDRESS}")
            return Task(task, AuthorsResults.of(results.path()), seed)
        options = SuitesSettings(**settings)
        suites = _suites(options)
        judging = SuitesJudging(suites, options, seed)
        words = sorted(
            {word for suite in suites for *_, sentence in judging.sentences(suite) for word in sentence.text.split()}
        )
        vocabulary = Vocabulary(("<s>", *words))
        oracles: dict[str, Any] = {"": lambda: SuiteOracle()}
        nothing = Corpus.from_arrays([], vocabulary)
        data = LanguageModelling(vocabulary, nothing, np.zeros(0, dtype=np.int64), oracles=oracles)
        return Task(task, data, judging)

    def fit(self, task: Task, learner: Learner, seed: int) -> Any:
        """Return the learner's model."""
        return learner.fit(task.data, seed)

    def judge(self, task: Task, model: Any, settings: Mapping[str, Any]) -> list[Score]:
        """Return the scores of a model, or of the published results."""
        if task.name == PUBLISHED:
            return judge_results(model, task.judging)
        return judge(task.judging, model)

    def sections(self, results: Results) -> Sequence[Section]:
        """Return the report's sections."""
        from wug.benchmarks.syntaxgym.report import sections

        return sections(results)

    def reprint(self, file: Path) -> Sequence[Section]:
        """Return the paper's tables made from a folder with the published per-item results."""
        from wug.benchmarks.syntaxgym.report import reprint

        return reprint(file)

    def data_tasks(self, task: str, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the task ``suites``, which need not be named."""
        if task == PUBLISHED:
            raise InputError("the published results have no sentences to answer; take the task suites")
        self.resolve(task or SUITES, options)
        return [SUITES]

    def write_data(self, task: str, options: Mapping[str, Any], seed: int, folder: Path) -> Iterable[Path]:
        """Write the suites and the sentences to answer; the options are the settings."""
        from wug.benchmarks.syntaxgym.files import write_data

        settings = self.resolve(task, options)
        return write_data(self.build(task, settings, seed).judging, settings, folder)

    def score_file(self, task: str, settings: Mapping[str, Any], seed: int, file: Path) -> list[Score]:
        """Judge surprisals that somebody else's system wrote."""
        if task == PUBLISHED:
            raise InputError("the published results are no answers to score; take syntaxgym/suites")
        from wug.benchmarks.syntaxgym.files import score_file

        return score_file(self.build(task, settings, seed).judging, file)


def _suites(options: SuitesSettings) -> tuple[Suite, ...]:
    if options.suites is None:
        return _own_suites(options.items, options.data_seed)
    return _read_suites(options.suites)


@lru_cache(maxsize=4)
def _own_suites(items: int, seed: int) -> tuple[Suite, ...]:
    return tuple(own_suites(items, seed))


@lru_cache(maxsize=4)
def _read_suites(content: Content) -> tuple[Suite, ...]:
    return tuple(read_suites(content.path()))


BENCHMARK = SyntaxGym()
