"""The trials of a store as the report's sections read them: what each seed gave, by task, parameter and learner."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean
from typing import Any

import polars as pl

from wug.benchmarks.find.families import FAMILIES
from wug.benchmarks.find.settings import FindSettings
from wug.benchmarks.protocol import Results

INDIFFERENT_OPTIONS = ("replicas", "device")
"""Options of learners that change how fast a result is there, not what it is."""
CONDITIONS = ("probes", "min_len", "max_len", "vocab_padding", "optimizer_state")
"""Settings that make results of one task and parameter differ; so does the number of inputs in a block."""
PAPER_CONDITIONS = ("min_len=1", "optimizer_state=carry", "probes=hold-out")
"""Conditions under which figures can be compared with the paper's: they come closer to its code or its text."""
OWN_PARAMETERS = ("split",)


@dataclass(frozen=True)
class Outcome:
    """What one seed of one trial gave."""

    trial: str
    seed: int
    agrees: Mapping[str, bool]
    """By candidate rule."""
    lengths: Mapping[str, float | None]
    """L in nats by rule, where it was measured; None where it is infinite."""
    responses: Mapping[str, tuple[str, ...]]
    """The kinds of the answer to each probe."""


@dataclass(frozen=True)
class Group:
    """All seeds of one learner on one task with one parameter."""

    task: str
    parameters: Mapping[str, Any]
    learner: str
    """Printable, with the options in which the learners at hand differ, and conditions."""
    conditions: tuple[str, ...]
    """Settings, as NAME=VALUE, in which the trials differ from the task's defaults."""
    name: str
    """The learner's name alone."""
    options: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]
    """Each seed once."""
    shares: Mapping[str, float]
    """Share of all answers by kind, and 'a|b': of those where rules a and b differ, the share that follows a."""
    twins: Mapping[str, str]
    """Rival rules that answer the probes as a candidate does, by that candidate's name."""
    failed: int
    """Trials that gave nothing."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The candidate rules."""
        return tuple(self.outcomes[0].agrees)

    @property
    def trials(self) -> tuple[str, ...]:
        """The trials behind it."""
        return tuple(dict.fromkeys(outcome.trial for outcome in self.outcomes))

    @property
    def has_paper_conditions(self) -> bool:
        """Whether figures may be compared with the paper's."""
        return set(self.conditions) <= set(PAPER_CONDITIONS)

    @property
    def parameter(self) -> str:
        """The parameter as it is printed.

        N of composition is left out where it is the paper's.
        """
        return ", ".join(f"{name} = {value}" for name, value in self.parameters.items() if (name, value) != ("N", 40))

    @property
    def position(self) -> float | None:
        """The parameter's value on an axis; None where it is no number."""
        numbers = [value for name, value in self.parameters.items() if name != "N" and isinstance(value, int)]
        return float(numbers[0]) if numbers else None

    def lengths(self, rule: str) -> dict[int, float | None]:
        """Return L in nats by seed, of the seeds for which it was measured."""
        return {outcome.seed: outcome.lengths[rule] for outcome in self.outcomes if rule in outcome.lengths}


def rules_of(found: Iterable[Group]) -> tuple[str, ...]:
    """Return the candidate rules of all groups, in order."""
    return tuple(dict.fromkeys(rule for group in found for rule in group.rules))


@dataclass
class _Collected:
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    """By trial."""
    twins: dict[str, str] = field(default_factory=dict)
    failed: int = 0


def groups(results: Results) -> list[Group]:
    """Return the groups of all trials that ended, by task, learner and parameter."""
    ended = results.trials.filter(pl.col("status").is_in(["done", "failed"])).unique("id", maintain_order=True)
    by_trial: dict[str, list[tuple[str, str, float | None, str]]] = {}
    for trial, *score in results.scores.select("trial", "measure", "item", "value", "note").iter_rows():
        by_trial.setdefault(trial, []).append(tuple(score))
    rows = [(row, json.loads(row["spec"])) for row in ended.iter_rows(named=True)]
    labels = _labels({row["id"]: spec["learner"] for row, spec in rows})
    collected: dict[tuple[Any, ...], tuple[_Collected, dict[str, Any]]] = {}
    for row, spec in rows:
        settings = spec["settings"]
        parameters = _parameters(row["task"], settings)
        conditions = _conditions(row["task"], settings)
        label = " ".join([labels[row["id"]], *conditions])
        key = (row["task"], label, tuple(sorted(parameters.items())))
        about = {"parameters": parameters, "conditions": tuple(conditions), **spec["learner"]}
        found, _ = collected.setdefault(key, (_Collected(), about))
        if row["status"] == "failed":
            found.failed += 1
        else:
            _add(found, row["id"], row["seed"], settings["seeds"], by_trial.get(row["id"], []))
    made = [
        Group(
            task=task,
            parameters=about["parameters"],
            learner=label,
            conditions=about["conditions"],
            name=about["name"],
            options=about["options"],
            outcomes=tuple(one.outcomes[seed] for seed in sorted(one.outcomes)),
            shares=_mean_shares(one),
            twins=one.twins,
            failed=one.failed,
        )
        for (task, label, _), (one, about) in collected.items()
        if one.outcomes
    ]
    order = [*FAMILIES]
    place = {task: number for number, task in enumerate(order)}
    return sorted(
        made, key=lambda group: (place.get(group.task, len(order)), group.task, group.learner, _sortable(group))
    )


def _sortable(group: Group) -> tuple[tuple[str, float, str], ...]:
    return tuple(
        (name, float(value), "") if isinstance(value, int) else (name, 0.0, str(value))
        for name, value in group.parameters.items()
    )


def _parameters(task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    if task not in FAMILIES or settings.get("tasks"):
        return {}
    names = OWN_PARAMETERS if task == "scan" else FAMILIES[task].parameters
    return {name: settings[name] for name in names}


def _conditions(task: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the settings, as NAME=VALUE, in which a trial differs from the task's defaults."""
    family = FAMILIES[task].settings if task in FAMILIES and not settings.get("tasks") else FindSettings
    defaults = {name: family.model_fields[name].default for name in CONDITIONS}
    shown = [f"{name}={settings[name]}" for name in CONDITIONS if settings[name] != defaults[name]]
    usual = _usual_block(task) if family is not FindSettings else None
    return shown if usual in (None, settings["block"]) else [*shown, f"block={settings['block']}"]


@cache
def _usual_block(task: str) -> int | None:
    """Return how many inputs a block has unless something else is asked for; None of tasks that are read from files."""
    family = FAMILIES[task]
    if any(field.is_required() for field in family.settings.model_fields.values()):
        return None
    return family.make(family.settings()).block_size


def _labels(learners: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return each trial's learner as it is printed, so that those of one name can be told apart."""
    described = {
        trial: {
            "file": str(learner["content"])[:6],
            **{name: value for name, value in learner["options"].items() if name not in INDIFFERENT_OPTIONS},
        }
        for trial, learner in learners.items()
    }
    variants: dict[str, dict[str, set[str]]] = {}
    for trial, options in described.items():
        for name, value in options.items():
            variants.setdefault(learners[trial]["name"], {}).setdefault(name, set()).add(json.dumps(value))
    labels = {}
    for trial, options in described.items():
        name = learners[trial]["name"]
        varying = sorted(option for option, values in variants[name].items() if len(values) > 1)
        labels[trial] = " ".join([name, *(f"{option}={options[option]}" for option in varying)])
    return labels


_SEED = re.compile(r"seed (\d+)(?:: (.*))?")


def _add(found: _Collected, trial: str, seed: int, seeds: int, scores: Iterable[tuple[Any, ...]]) -> None:
    """Add a trial's seeds; a seed that another trial gave too is taken from the one with more description lengths."""
    agrees: dict[int, dict[str, bool]] = {}
    lengths: dict[int, dict[str, float | None]] = {}
    responses: dict[int, dict[str, list[str]]] = {}
    shares: dict[str, float] = {}
    for measure, item, value, note in scores:
        kind, colon, name = measure.partition(":")
        if not colon:
            continue
        match = _SEED.fullmatch(item) if seeds > 1 else None
        if kind == "share" and not item and value is not None:
            shares[name] = value
            if note:
                found.twins[name] = note.split("'")[1]
        of_seed, rest = (int(match[1]), match[2] or "") if match else (seed, item)
        if seeds > 1 and match is None:
            continue
        if kind == "agrees" and not rest:
            agrees.setdefault(of_seed, {})[name] = bool(value)
        elif kind == "L_nats" and not rest:
            lengths.setdefault(of_seed, {})[name] = value
        elif kind == "response":
            responses.setdefault(of_seed, {}).setdefault(rest, []).append(name)
    found.shares[trial] = shares
    for of_seed, agreed in agrees.items():
        outcome = Outcome(
            trial,
            of_seed,
            agreed,
            lengths.get(of_seed, {}),
            {probe: tuple(kinds) for probe, kinds in responses.get(of_seed, {}).items()},
        )
        known = found.outcomes.get(of_seed)
        if known is None or len(outcome.lengths) > len(known.lengths):
            found.outcomes[of_seed] = outcome


def _mean_shares(found: _Collected) -> dict[str, float]:
    """Return the mean share of each kind over seeds."""
    of_seeds = [found.shares[outcome.trial] for outcome in found.outcomes.values()]
    names = dict.fromkeys(name for shares in of_seeds for name in shares)
    return {name: fmean(shares.get(name, 0.0) for shares in of_seeds) for name in names}
