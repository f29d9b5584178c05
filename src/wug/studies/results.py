"""A store's trials and scores as frames, for reports and exports."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wug.benchmarks.protocol import Results
from wug.studies.store import OUTCOME_COLUMNS, Store

if TYPE_CHECKING:
    import polars as pl

ENDED = "status IN ('done', 'failed')"


def read_results(store: Store) -> Results:
    """Return all trials that ended, with their scores.

    A trial that belongs to several studies or scales has a row for each; one that belongs to none, because it was
    imported without, has empty names there.
    """
    trials = read_frame(
        store,
        "SELECT id, ifnull(study, '') AS study, ifnull(scale, '') AS scale, benchmark, task, learner, seed, spec, "
        f"{', '.join(OUTCOME_COLUMNS)} FROM trials LEFT JOIN membership ON membership.trial = trials.id "
        f"WHERE {ENDED} ORDER BY id, study, scale",
    )
    scores = read_frame(
        store,
        "SELECT trial, measure, item, value, note FROM scores "
        f"WHERE trial IN (SELECT id FROM trials WHERE {ENDED}) ORDER BY trial, position",
    )
    commands = {(status.study, status.scale): status.command for status in store.studies()}
    return Results(trials=trials, scores=scores, command="; ".join(dict.fromkeys(commands.values())), commands=commands)


def read_frame(store: Store, query: str) -> "pl.DataFrame":
    """Return the rows of a query as a frame, in the types of ``column_types``."""
    import polars as pl

    return pl.concat(pl.DataFrame(batch, schema=column_types(batch)) for batch in store.batches(query))


def column_types(names: Iterable[str]) -> dict[str, "pl.DataType"]:
    """Return the types of columns of a store or an export: they depend on the name, not on what is in a column."""
    import polars as pl

    numbers: dict[str, pl.DataType] = dict.fromkeys(("seed", "attempt", "position"), pl.Int64())
    numbers |= dict.fromkeys(("value", "wall_s", "cpu_s", "peak_mb"), pl.Float64())
    return {name: numbers.get(name, pl.String()) for name in names}
