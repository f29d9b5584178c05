"""From the trials of a store to the index B: which network stands for an architecture, and which b it reaches."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import polars as pl

from wug.benchmarks.bliss.settings import Scan, Select
from wug.benchmarks.bliss.tasks import NOTATION
from wug.benchmarks.protocol import Results


@dataclass(frozen=True)
class Run:
    """One trial with its scores."""

    id: str
    task: str
    learner: str
    """Printable: the architecture with the options in which the trials at hand differ."""
    architecture: str
    """The learner's name without options."""
    seed: int
    settings: dict[str, Any]
    failed: bool
    scores: dict[str, float | None]
    notes: dict[str, str]
    trace: dict[str, dict[str, float]] = field(default_factory=dict)
    """Symbol -> 'POSITION:LAST SYMBOL' -> probability."""

    @property
    def b(self) -> float:
        """The factor of the test list."""
        return float(self.settings["b"])

    @property
    def train(self) -> int:
        """Number of training strings."""
        return int(self.settings["train"])

    def succeeds(self, measure: str) -> bool:
        """Return whether this trial succeeded; a trial that failed to run did not."""
        return not self.failed and bool(self.scores.get(measure))


def runs(results: Results) -> list[Run]:
    """Return the trials that ended, each once though several studies may hold it."""
    ended = results.trials.filter(pl.col("status").is_in(["done", "failed"])).unique("id", maintain_order=True)
    scores = results.scores.join(ended.select(trial="id"), on="trial", how="semi")
    by_trial: dict[str, list[tuple[str, str, float | None, str]]] = {}
    for trial, measure, item, value, note in scores.select("trial", "measure", "item", "value", "note").iter_rows():
        by_trial.setdefault(trial, []).append((measure, item, value, note))
    labels = _labels(ended)
    found = []
    for row in ended.iter_rows(named=True):
        spec = json.loads(row["spec"])
        values: dict[str, float | None] = {}
        notes: dict[str, str] = {}
        trace: dict[str, dict[str, float]] = {}
        for measure, item, value, note in by_trial.get(row["id"], []):
            if measure.startswith("p:"):
                if value is not None:
                    trace.setdefault(measure[2:], {})[item] = value
                continue
            values[measure] = value
            if note:
                notes[measure] = note
        found.append(
            Run(
                id=row["id"],
                task=row["task"],
                learner=labels[row["id"]],
                architecture=spec["learner"]["name"],
                seed=row["seed"],
                settings=spec["settings"],
                failed=row["status"] == "failed",
                scores=values,
                notes=notes,
                trace=trace,
            )
        )
    return found


def _labels(trials: pl.DataFrame) -> dict[str, str]:
    """Return each trial's learner as it is printed, so that those of one architecture can be told apart."""
    learners = {row[0]: json.loads(row[1])["learner"] for row in trials.select("id", "spec").iter_rows()}
    variants: dict[str, dict[str, set[str]]] = {}
    for learner in learners.values():
        options = {"file": learner["content"], **learner["options"]}
        for name, value in options.items():
            variants.setdefault(learner["name"], {}).setdefault(name, set()).add(json.dumps(value))
    labels = {}
    for trial, learner in learners.items():
        varying = [name for name, values in variants[learner["name"]].items() if len(values) > 1]
        shown = {"file": str(learner["content"])[:6], **learner["options"]}
        labels[trial] = " ".join([learner["name"], *(f"{name}={shown[name]}" for name in sorted(varying))])
    return labels


def winner(candidates: Sequence[Run], select: Select) -> Run:
    """Return the network that stands for its architecture among equal trials of several seeds (and options).

    Ties go to the smaller seed; networks without the deciding score come last.
    """
    measure = {Select.TRAIN_LOSS: "training_bits", Select.VAL_LOSS: "validation_bits"}.get(select)

    def rank(run: Run) -> tuple[float, ...]:
        if measure:
            value = run.scores.get(measure)
            return (0.0, value) if value is not None else (1.0, 0.0)
        accuracy = run.scores.get("M_det", run.scores.get("M_cat"))
        return (-float(run.succeeds("success")), -(accuracy if accuracy is not None else -1.0))

    return min(candidates, key=lambda run: (run.failed, *rank(run), run.seed, run.id))


@dataclass(frozen=True)
class Index:
    """The generalization index of one architecture on one language."""

    value: float
    """The largest successful b; 0 stands for '<1': no b succeeded, or none from 1 on."""
    tested: tuple[float, ...]
    """The b for which there is a trial, ascending."""
    success: tuple[bool, ...]
    """The success vector, one entry for each b tested."""
    runs: tuple[Run, ...]
    """The trials that decided, one for each b tested."""

    @property
    def printed(self) -> str:
        """The index as it is printed: ``10``, ``<1``; ``≥1`` where larger b were not tried."""
        if not self.value:
            return "<1"
        open_ended = self.value == self.tested[-1] and self.value < 10
        return f"{'≥' if open_ended else ''}{self.value:g}"

    @property
    def complete(self) -> bool:
        """Whether all four b of the paper were tried."""
        return {1.0, 2.0, 4.0, 10.0} <= set(self.tested)


def index(candidates: Iterable[Run], measure: str, *, select: Select, scan: Scan) -> Index:
    """Return the index of trials that differ in b and in their seeds; ``measure`` is the kind of success."""
    by_b: dict[float, list[Run]] = {}
    for run in candidates:
        by_b.setdefault(run.b, []).append(run)
    tested = tuple(sorted(by_b))
    chosen = tuple(winner(by_b[b], select) for b in tested)
    success = tuple(run.succeeds(measure) for run in chosen)
    value = 0.0
    for b, good in zip(tested, success, strict=True):
        if good:
            value = b
        elif scan is Scan.CONTIGUOUS:
            break
    return Index(value, tested, success, chosen)


def by_seed(candidates: Iterable[Run], measure: str, *, scan: Scan) -> dict[tuple[int, int], Index]:
    """Return the index of each (data seed, model seed) by itself."""
    groups: dict[tuple[int, int], list[Run]] = {}
    for run in candidates:
        groups.setdefault((run.settings["data_seed"], run.seed), []).append(run)
    return {key: index(group, measure, select=Select.TRAIN_LOSS, scan=scan) for key, group in sorted(groups.items())}


def of_index(found: Sequence[Run]) -> list[Run]:
    """Return the trials whose training and test sizes belong together (N = 3, |C| = 1000 / b)."""
    return [run for run in found if round(run.train * run.b) == 10 ** int(run.settings["N"])]


def language_name(task: str) -> str:
    """Return a task's language as the paper writes it."""
    return NOTATION.get(task, task)


def by_learner(found: Sequence[Run]) -> list[tuple[str, list[Run]]]:
    """Return the trials of each learner, in order of its label."""
    ordered = sorted(found, key=lambda run: run.learner)
    return [(label, list(members)) for label, members in groupby(ordered, key=lambda run: run.learner)]
