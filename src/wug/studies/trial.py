"""A trial: one task, learner, seed and choice of settings, and the id that follows from them.

    spec = {"benchmark", "learner", "seed", "settings", "task", "version"}      all that decides the outcome
    id   = the first 16 hexadecimal digits of the SHA-256 of the spec as canonical JSON

Files and folders stand in the spec by the hash of their content; where they are is kept beside it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wug.benchmarks.protocol import Score
from wug.benchmarks.registry import benchmark
from wug.contents import Content
from wug.errors import InputError
from wug.learners.registry import LearnerSpec


def canonical_json(value: Any) -> str:
    """Return the one way to write a value: sorted keys, no spaces, contents as their hash.

    >>> canonical_json({"b": 1.5, "a": [True, None]})
    '{"a":[true,null],"b":1.5}'
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_content_as_hash)
    except (ValueError, TypeError) as error:
        raise InputError(f"a setting cannot be part of a trial: {error}") from None


def _content_as_hash(value: Any) -> dict[str, str]:
    if isinstance(value, Content):
        return {"sha256": value.sha256}
    raise TypeError(f"{value!r} is no plain value")


def trial_id(spec_json: str) -> str:
    """Return the id of the trial whose spec, as canonical JSON, this is."""
    return hashlib.sha256(spec_json.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Trial:
    """One trial, ready to be run; ``plan_trials`` makes them."""

    benchmark: str
    task: str
    learner: LearnerSpec
    seed: int
    settings: Mapping[str, Any]
    """All settings of the benchmark, defaults filled in."""
    spec_json: str
    """The spec as canonical JSON."""
    training_key: str
    """Trials with equal keys share one training."""
    companion_key: str = ""
    """Trials with equal keys may be trained together, as replicas; empty where each is trained alone."""

    @cached_property
    def id(self) -> str:
        """What the trial is known by in stores, exports and reports."""
        return trial_id(self.spec_json)

    @property
    def spec(self) -> dict[str, Any]:
        """All that decides the trial's outcome."""
        spec: dict[str, Any] = json.loads(self.spec_json)
        return spec

    @property
    def locations(self) -> dict[str, str]:
        """Where the files and folders of the spec are: by 'learner', or by the name of the setting."""
        found = {name: value.location for name, value in self.settings.items() if isinstance(value, Content)}
        return found if self.learner.location is None else {"learner": self.learner.location, **found}


def plan_trials(
    benchmark_name: str, task: str, settings: Mapping[str, Any], learners: Iterable[LearnerSpec], seeds: Iterable[int]
) -> list[Trial]:
    """Return a trial for each learner and seed of a task; InputError where the benchmark refuses task or settings.

    A training is decided by learner, seed and the benchmark's ``training_settings``, to which the task belongs unless
    they name another under the key ``task`` (a task that is judged on another's model).
    """
    chosen = benchmark(benchmark_name)
    resolved = chosen.resolve(task, settings)
    training = canonical_json({"task": task, **chosen.training_settings(task, resolved)})
    shape = chosen.training_shape(task, resolved)
    # The spec is put together from parts in the order of its sorted keys: a study of 100,000 trials has few of each.
    tail = f'"settings":{canonical_json(resolved)},"task":{canonical_json(task)},"version":{chosen.version}}}'
    seeds = list(seeds)
    trials = []
    for learner in learners:
        identity = canonical_json(learner.identity())
        companions = f"{benchmark_name} {chosen.version} {shape} {identity}" if shape and learner.replicas > 1 else ""
        head = f'{{"benchmark":{canonical_json(benchmark_name)},"learner":{identity},"seed":'
        for seed in seeds:
            spec_json = f"{head}{seed},{tail}"
            key = f"{benchmark_name} {chosen.version} {training} {identity} {seed}"
            trials.append(Trial(benchmark_name, task, learner, seed, resolved, spec_json, key, companions))
    return trials


def group_by_training(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Return the trials in groups that share one training, in order of their first members."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.training_key, []).append(trial)
    return list(groups.values())


def group_trials(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Return the trials in the groups in which they are run, in order of their first members.

    A group shares one training or, where the learner trains replicas, as many trainings of one shape as it has
    replicas. The groups of a study follow from all of its trials, so that they do not depend on what is done already.
    """
    groups: list[list[Trial]] = []
    open_groups: dict[str, tuple[list[Trial], int]] = {}
    for members in group_by_training(trials):
        key, replicas = members[0].companion_key, members[0].learner.replicas
        group, size = open_groups.get(key, ([], replicas)) if key else ([], replicas)
        if size >= replicas:
            group, size = [], 0
            groups.append(group)
        group += members
        open_groups[key] = group, size + 1
    return groups


@dataclass(frozen=True)
class TrialResult:
    """What became of a trial."""

    trial: str
    """The trial's id."""
    status: str
    """'done' or 'failed'."""
    started: str
    """When its group began, UTC, ISO 8601."""
    finished: str
    host: str
    worker: str
    attempt: int
    """1, or more where workers died."""
    versions: Mapping[str, str]
    """Of wug, python, numpy and torch."""
    scores: tuple[Score, ...] = ()
    error: str = ""
    """One sentence; empty where the trial is done."""
    traceback: str = ""
    refused: bool = False
    """True where it failed because the request was wrong: a learner that cannot be had for this task, a file gone."""
    wall_s: float = 0.0
    """Seconds of its own judging, and an equal share of the training's."""
    cpu_s: float = 0.0
    """Seconds of all threads of the process, shared likewise."""
    peak_mb: float = 0.0
    """Largest resident memory of the process during the group, in MiB."""
