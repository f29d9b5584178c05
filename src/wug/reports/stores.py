"""Results out of one or more stores, as one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wug.benchmarks.protocol import Results
from wug.errors import InputError
from wug.studies.results import read_frame, read_results
from wug.studies.store import Store

if TYPE_CHECKING:
    import polars as pl

MEMBERSHIP = ("study", "scale")
"""Of a trial's row, what a store may know more or less of than another; the rest is the outcome."""


def read_stores(folders: Sequence[Path]) -> Results:
    """Return all trials of these stores that ended, with ``locations`` (JSON) beside what a store tells of them.

    Raises InputError where a folder has no store, or where no trial has ended in any of them.
    """
    results = merged([_read(folder) for folder in folders])
    if results.trials.is_empty():
        names = " and ".join(str(folder) for folder in folders)
        raise InputError(
            f"no trial has ended in {names} yet; 'wug run STUDY' runs some, 'wug status' tells how far it is"
        )
    return results


def no_trials() -> Results:
    """Return results without any trial, for a report on what others ran."""
    import polars as pl

    trials = dict.fromkeys(("id", *MEMBERSHIP, "benchmark"), pl.String)
    scores = dict.fromkeys(("trial", "measure", "item", "value", "note"), pl.String)
    return Results(pl.DataFrame(schema=trials), pl.DataFrame(schema=scores))


def merged(results: Sequence[Results]) -> Results:
    """Return several results as one: of a trial that more than one has, the first outcome that is done counts.

    It keeps the studies that any of them knows it by.
    """
    import polars as pl

    if len(results) == 1:
        return results[0]
    rows = pl.concat([one.trials.with_columns(source=pl.lit(number)) for number, one in enumerate(results)])
    chosen = rows.sort(pl.col("status") != "done", "source", maintain_order=True).unique("id", keep="first")
    memberships = rows.select("id", *MEMBERSHIP).unique()
    named = memberships.filter((pl.col("study") != "") | ~pl.col("id").is_in(_named(memberships)))
    trials = named.join(chosen.drop(MEMBERSHIP), on="id").sort("id", *MEMBERSHIP)
    scores = pl.concat(
        [
            one.scores.join(
                chosen.filter(source=number).select(trial="id"), on="trial", how="semi", maintain_order="left"
            )
            for number, one in enumerate(results)
        ]
    )
    joined = "; ".join(dict.fromkeys(one.command for one in results if one.command))
    commands = {study: command for one in reversed(results) for study, command in one.commands.items()}
    return Results(trials.drop("source").select(results[0].trials.columns), scores, joined, commands)


def of_benchmark(results: Results, name: str) -> Results:
    """Return the trials of one benchmark, with their scores and the commands of their studies."""
    import polars as pl

    trials = results.trials.filter(pl.col("benchmark") == name)
    scores = results.scores.join(trials.select(trial="id").unique(), on="trial", how="semi", maintain_order="left")
    studies = trials.select(*MEMBERSHIP).unique(maintain_order=True).rows()
    commands = {study: command for study, command in results.commands.items() if study in studies}
    joined = "; ".join(dict.fromkeys(filter(None, commands.values())))
    return Results(trials, scores, joined or results.command, commands)


def _named(memberships: "pl.DataFrame") -> "pl.Series":
    """Return the ids of the trials that belong to a study."""
    import polars as pl

    return memberships.filter(pl.col("study") != "")["id"].unique().implode()


def _read(folder: Path) -> Results:
    with Store.reading(folder) as store:
        results = read_results(store)
        locations = read_frame(store, "SELECT id, locations FROM trials")
    trials = results.trials.join(locations, on="id", how="left")
    return Results(trials, results.scores, results.command, results.commands)
