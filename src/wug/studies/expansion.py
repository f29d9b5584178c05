"""From a study, a scale and what the command line changes to the list of trials.

Of the places that can set a value the later ones win:

1. the block's ``set``; 2. the options written with a learner; 3. the study's scale; 4. the block's scale;
5. the command line.

A setting of a scale or of the command line goes to the blocks whose benchmark has it, an option ``learner.X`` to the
learners that have it. One that nobody has is an error, so a misspelt name never passes silently; only when the command
line replaces the learners may the file hold options for those that are gone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from typing import Any

from wug.benchmarks.registry import benchmark
from wug.errors import InputError, unknown_name
from wug.learners.registry import LearnerSpec, parse_learner
from wug.studies.study import Block, Factors, LearnerEntry, Scale, ScaleEntry, Study
from wug.studies.trial import Trial, canonical_json, plan_trials

Axes = Mapping[str, list[Any]]
"""Values of each setting; one value where it is fixed."""


@dataclass(frozen=True)
class Changes:
    """What the command line changes in a study."""

    learners: Sequence[str] = ()
    """Learners in place of the study's."""
    seeds: int | None = None
    """Number of seeds, from 1 on, in place of the study's."""
    tasks: Sequence[str] = ()
    """Names of those of the study's tasks that are to be run; all where empty."""
    factors: Mapping[str, Any] = field(default_factory=dict)
    """Values of factors that the tasks must have, too."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """The trials of a study at a scale."""

    study: Study
    scale: Scale | None
    trials: tuple[Trial, ...]
    """Each once, in the study's order."""

    @property
    def scale_name(self) -> str:
        """The scale's name; empty where the study has no scales."""
        return "" if self.scale is None else str(self.scale)


def plan_study(study: Study, scale: Scale | None, changes: Changes | None = None) -> Plan:
    """Return the trials of a study; InputError where a name, a value or a combination is refused."""
    blocks = [_Layers(study, block, scale, changes or Changes()) for block in study.document.trials]
    accepted = _Accepted()
    trials: dict[str, Trial] = {}
    for number, block in enumerate(blocks, 1):
        try:
            trials |= {trial.id: trial for trial in block.trials(accepted)}
        except InputError as error:
            where = f" (block {number} of its [[trials]])" if len(blocks) > 1 else ""
            raise InputError(f"study {study.name}{where}: {error}") from None
    accepted.refuse_leftovers(blocks)
    if not trials:
        raise InputError(f"no task of the study {study.name} has all that is asked for")
    return Plan(study, scale, tuple(trials.values()))


@dataclass
class _Accepted:
    """Which settings found a benchmark, and which options a learner, that knows them; and the tasks there are."""

    settings: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    tasks: set[str] = field(default_factory=set)
    """All tasks of the study."""
    _known_settings: set[str] = field(default_factory=set)
    _known_options: set[str] = field(default_factory=set)
    _parsed: dict[str, LearnerSpec] = field(default_factory=dict)

    def for_benchmark(self, name: str, given: Axes) -> Axes:
        """Return those of the given settings that the benchmark has."""
        known = benchmark(name).settings.model_fields
        self._known_settings.update(known)
        taken = {key: values for key, values in given.items() if key in known}
        self.settings.update(taken)
        return taken

    def for_learner(self, entry: LearnerEntry, given: Mapping[str, Any], options: Mapping[str, Any]) -> LearnerSpec:
        """Return a learner with its own options and those of the given ones that it has.

        ``options`` are all that count for it, by rank; ``given`` those of them that others may be meant for.
        """
        key = canonical_json([entry.name, options])
        if key not in self._parsed:
            self._parsed[key] = self._parse(entry, given, options)
        spec = self._parsed[key]
        self.options.update(name for name in given if name in spec.options)
        return spec

    def _parse(self, entry: LearnerEntry, given: Mapping[str, Any], options: Mapping[str, Any]) -> LearnerSpec:
        try:
            spec = parse_learner(entry.name, options)
        except InputError as refusal:
            if not given:
                raise
            own = {name: value for name, value in options.items() if name not in given or name in entry.options}
            spec = parse_learner(entry.name, own)
            known = {**spec.defaults, **spec.options}
            suited = {name: value for name, value in options.items() if name in own or name in known}
            if len(suited) == len(options):
                raise refusal from None
            spec = parse_learner(entry.name, suited)
        self._known_options.update(spec.defaults, spec.options)
        return spec

    def refuse_leftovers(self, blocks: Iterable["_Layers"]) -> None:
        """Raise InputError for a setting or option that was meant for someone and taken by no one."""
        for block in blocks:
            for name in block.meant_tasks:
                if name not in self.tasks:
                    raise unknown_name("task of the study", name, self.tasks)
            for name in block.meant_settings:
                if name not in self.settings:
                    raise unknown_name("setting", name, self._known_settings)
            for name in block.meant_options:
                if name not in self.options and not self._known_options:
                    raise InputError(f"no learner of this study has options, but 'learner.{name}' is set")
                if name not in self.options and name not in self._known_options:
                    raise unknown_name("learner option", name, self._known_options)


class _Layers:
    """A block with all that changes it."""

    def __init__(self, study: Study, block: Block, scale: Scale | None, changes: Changes) -> None:
        self._block, self._changes = block, changes
        entries = [study.document.scale.get(scale), block.scale.get(scale)] if scale else []
        self._scales: list[ScaleEntry] = [entry for entry in entries if entry is not None]

    @property
    def meant_tasks(self) -> Sequence[str]:
        """Tasks that the command line names: each must be in the study."""
        return self._changes.tasks

    @property
    def meant_settings(self) -> list[str]:
        """Settings of scales and command line: each must suit a benchmark."""
        above = [*(entry.set for entry in self._scales), self._changes.settings]
        return [name for layer in above for name in layer if not name.startswith("learner.")]

    @property
    def meant_options(self) -> list[str]:
        """Options that must suit a learner: all, or the command line's where it replaces the learners."""
        layers = [] if self._changes.learners else [self._block.set, *(entry.set for entry in self._scales)]
        return [
            name.removeprefix("learner.")
            for layer in [*layers, self._changes.settings]
            for name in layer
            if name.startswith("learner.")
        ]

    def trials(self, accepted: _Accepted) -> Iterator[Trial]:
        """Yield the block's trials."""
        name = self._block.benchmark
        own, _ = _split(self._block.set)
        above, _ = _split(*(entry.set for entry in self._scales), self._changes.settings)
        settings = {**own, **accepted.for_benchmark(name, above)}
        learners = list(self._learners(accepted))
        seeds = self._last("seeds")
        if self._changes.seeds is not None:
            seeds = range(1, self._changes.seeds + 1)
        for task, values in product(self._tasks(accepted), _combinations(settings)):
            yield from plan_trials(name, task, values, learners, seeds)

    def _tasks(self, accepted: _Accepted) -> list[str]:
        """Return the names of the tasks, those that the command line leaves."""
        chosen = benchmark(self._block.benchmark)
        entries: list[str | Factors] = self._last("task")
        names = [
            name for entry in entries for name in ([entry] if isinstance(entry, str) else chosen.select_tasks(entry))
        ]
        accepted.tasks.update(names)
        if self._changes.tasks:
            names = [name for name in names if name in self._changes.tasks]
        if self._changes.factors:
            with_factors = frozenset(chosen.select_tasks(self._changes.factors))
            names = [name for name in names if name in with_factors]
        return names

    def _learners(self, accepted: _Accepted) -> Iterator[LearnerSpec]:
        _, below = _split(self._block.set)
        _, above = _split(*(entry.set for entry in self._scales), self._changes.settings)
        entries: list[LearnerEntry] = self._last("learner")
        if self._changes.learners:
            entries = [LearnerEntry(name=name) for name in self._changes.learners]
        for entry in entries:
            own = {name: [value] for name, value in entry.options.items()}
            for options in _combinations({**below, **own, **above}):
                given = {name: value for name, value in options.items() if name in above or name not in own}
                yield accepted.for_learner(entry, given, options)

    def _last(self, name: str) -> Any:
        """Return the value of a field: the last scale's that has one, else the block's."""
        values = [getattr(entry, name) for entry in self._scales]
        return next((value for value in reversed(values) if value is not None), getattr(self._block, name))


def _split(*layers: Mapping[str, Any]) -> tuple[Axes, Axes]:
    """Return the axes of the benchmark's settings and of the learner's options; later layers win."""
    merged = dict(chain.from_iterable(layer.items() for layer in layers))
    axes = {name: value if isinstance(value, list) else [value] for name, value in merged.items()}
    for name, values in axes.items():
        if not values:
            raise InputError(f"'{name}' is an empty list, so there is no trial")
    settings = {name: values for name, values in axes.items() if not name.startswith("learner.")}
    options = {name.removeprefix("learner."): values for name, values in axes.items() if name.startswith("learner.")}
    return settings, options


def _combinations(axes: Axes) -> list[dict[str, Any]]:
    """Return every choice of one value for each setting."""
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
