"""find as studies and commands see it: tasks, training, judging, report, files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wug.benchmarks.find import CARD
from wug.benchmarks.find.encoding import Encoding
from wug.benchmarks.find.families import measured_rules, parse, probes_of, rivals_of
from wug.benchmarks.find.fitting import SeedFit, fit_seeds
from wug.benchmarks.find.judge import FindJudging, scores_of, verdict
from wug.benchmarks.find.measures import Kinds
from wug.benchmarks.find.settings import NONE, AllSettings, OptimizerState
from wug.benchmarks.find.stopping import is_decided
from wug.benchmarks.find.tasks import Rule
from wug.benchmarks.protocol import Results, Score, Section, Task
from wug.contents import Content
from wug.errors import InputError
from wug.learners.exact_transducers import known_answers
from wug.learners.protocols import Learner

ASKING_SETTINGS = ("probes", "min_len", "max_len", "rivals")
"""What does not touch the training, unless the answers decide when it stops."""
FITTING_SETTINGS = ("description_length", "block", "optimizer_state", "seeds", "stop_when_decided")
"""What decides which trainings there are, but not the first one's data."""


class Find:
    """What learners do when in doubt."""

    card = CARD
    version = 1
    settings = AllSettings

    def select_tasks(self, factors: Mapping[str, Any]) -> Sequence[str]:
        """Refuse: the tasks have no factors."""
        raise InputError(f"tasks of find are chosen by name, not by {', '.join(factors)}")

    def resolve(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check the task's name and the settings given; return all settings that the task has."""
        _, options = parse(task, settings)
        return options.model_dump(mode="json") | {name: value for name, value in options if isinstance(value, Content)}

    def training_settings(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return those settings that decide the trainings."""
        asking = () if settings["stop_when_decided"] else ASKING_SETTINGS
        return {name: value for name, value in settings.items() if name not in asking}

    def training_shape(self, task: str, settings: Mapping[str, Any]) -> str:
        """Return the task and its data where a trial is one training: of one seed, without description lengths."""
        if settings["description_length"] != NONE or settings["seeds"] > 1:
            return ""
        shape = {name: value for name, value in settings.items() if name not in (*ASKING_SETTINGS, *FITTING_SETTINGS)}
        return f"{task} {sorted(shape.items())}"

    def build(self, task: str, settings: Mapping[str, Any], seed: int) -> Task:
        """Return the task; ``seed`` is the first of those that are trained."""
        made, options = parse(task, settings)
        rivals = rivals_of(made, options)
        asked = replace(made, probes=probes_of(made, options, rivals))
        encoding = Encoding.of(made, options.vocab_padding)
        judging = FindJudging(
            task=asked,
            encoding=encoding,
            kinds=Kinds(asked, asked.probes, rivals if options.rivals else {}),
            options=options,
            measured=measured_rules(asked, options),
            seeds=tuple(range(seed, seed + options.seeds)),
        )
        oracles = {name: _oracle(encoding, rule) for name, rule in asked.rules.items()}
        return Task(task, encoding.data(asked.training, oracles), judging)

    def fit(self, task: Task, learner: Learner, seed: int) -> Any:
        """Return the model of the training pairs or, where there are several trainings, what each seed gave."""
        judging: FindJudging = task.judging
        if len(judging.seeds) == 1 and not judging.measured:
            return learner.fit(task.data, seed)
        if not judging.options.stop_when_decided:
            return _fits(task, learner, judging.seeds)
        fits: list[SeedFit] = []
        at_once = getattr(learner, "replicas", 1)
        for first in range(0, len(judging.seeds), at_once):
            fits += _fits(task, learner, judging.seeds[first : first + at_once])
            if is_decided([verdict(judging, one) for one in fits], list(judging.task.rules)):
                break
        return fits

    def judge(self, task: Task, model: Any, settings: Mapping[str, Any]) -> list[Score]:
        """Return the scores of what ``fit`` returned."""
        judging: FindJudging = task.judging
        fits = model if isinstance(model, list) else [SeedFit(judging.seeds[0], model)]
        return scores_of(judging, [verdict(judging, one) for one in fits])

    def sections(self, results: Results) -> Sequence[Section]:
        """Return the report's sections."""
        from wug.benchmarks.find.report import sections

        return sections(results)

    def data_tasks(self, task: str, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the one task of this name."""
        self.resolve(task, options)
        return [task]

    def write_data(self, task: str, options: Mapping[str, Any], seed: int, folder: Path) -> Iterable[Path]:
        """Write the training pairs and the files to fill in; the options are the settings."""
        from wug.benchmarks.find.files import write_data

        settings = self.resolve(task, options)
        return write_data(self.build(task, settings, seed).judging, settings, folder)

    def score_file(self, task: str, settings: Mapping[str, Any], seed: int, file: Path) -> list[Score]:
        """Judge outputs, or code lengths, that somebody else's system wrote."""
        from wug.benchmarks.find.files import score_file

        return score_file(self.build(task, settings, seed).judging, file)


def _fits(task: Task, learner: Learner, seeds: Sequence[int]) -> list[SeedFit]:
    judging: FindJudging = task.judging
    options = judging.options
    return fit_seeds(
        judging.task,
        judging.encoding,
        learner,
        task.data,
        seeds,
        judging.measured,
        block_size=options.block_size,
        carry=options.optimizer_state is OptimizerState.CARRY,
    )


def _oracle(encoding: Encoding, rule: Rule) -> Any:
    return lambda: known_answers(encoding.source, encoding.target, rule)


BENCHMARK = Find()
