"""A store's trials and scores as frames, for reports and exports."""

from typing import TYPE_CHECKING, Any

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
    trials = store.columns(
        "SELECT id, ifnull(study, '') AS study, ifnull(scale, '') AS scale, benchmark, task, learner, seed, spec, "
        f"{', '.join(OUTCOME_COLUMNS)} FROM trials LEFT JOIN membership ON membership.trial = trials.id "
        f"WHERE {ENDED} ORDER BY id, study, scale"
    )
    scores = store.columns(
        "SELECT trial, measure, item, value, note FROM scores "
        f"WHERE trial IN (SELECT id FROM trials WHERE {ENDED}) ORDER BY trial, position"
    )
    commands = dict.fromkeys(status.command for status in store.studies())
    return Results(trials=frame(trials), scores=frame(scores), command="; ".join(commands))


def frame(columns: dict[str, list[Any]]) -> "pl.DataFrame":
    """Return columns of a store as a frame; their types do not depend on what is in them."""
    import polars as pl

    kinds: dict[str, pl.DataType] = dict.fromkeys(columns, pl.String())
    numbers: dict[str, pl.DataType] = dict.fromkeys(("seed", "attempt", "position"), pl.Int64())
    numbers |= dict.fromkeys(("value", "wall_s", "cpu_s", "peak_mb"), pl.Float64())
    return pl.DataFrame(columns, schema={**kinds, **{name: kind for name, kind in numbers.items() if name in kinds}})
