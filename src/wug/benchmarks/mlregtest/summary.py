"""The trials of a store as the report's sections read them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from wug.benchmarks.protocol import Results


@dataclass(frozen=True)
class Run:
    """One trial that was done, with its scores."""

    id: str
    task: str
    learner: str
    """The learner's name with the options that were given."""
    seed: int
    settings: Mapping[str, Any]
    scores: Mapping[str, float | None]
    """Scores of the whole task, without those of single lengths."""


def runs(results: Results) -> list[Run]:
    """Return the trials that are done, each once though several studies may hold it."""
    done = results.trials.filter(pl.col("status") == "done").unique("id", maintain_order=True)
    whole = results.scores.filter(pl.col("item") == "").join(done.select(trial="id"), on="trial", how="semi")
    scores: dict[str, dict[str, float | None]] = {}
    for trial, measure, value in whole.select("trial", "measure", "value").iter_rows():
        scores.setdefault(trial, {})[measure] = value
    return [
        Run(
            id=row["id"],
            task=row["task"],
            learner=row["learner"],
            seed=row["seed"],
            settings=json.loads(row["spec"])["settings"],
            scores=scores.get(row["id"], {}),
        )
        for row in done.iter_rows(named=True)
    ]
