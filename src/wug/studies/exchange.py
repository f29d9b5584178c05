"""Results as one long table, to other programs and between machines: export and import.

One row a score, and one for a trial without scores. Of two exports of equal runs these columns may differ, all others
are equal: started, finished, wall_s, cpu_s, peak_mb, host, worker, attempt.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wug.errors import InputError, WugError
from wug.studies.results import ENDED, column_types, read_frame
from wug.studies.store import OUTCOME_COLUMNS, VERSIONS, ScoreRow, Store
from wug.studies.trial import canonical_json, trial_id

if TYPE_CHECKING:
    import polars as pl

_VERSION_COLUMNS = tuple(f"{name}_version" for name in VERSIONS)
_SCORE_COLUMNS = ("measure", "item", "value", "note")
COLUMNS = (
    *("trial", "benchmark", "task", "learner", "seed", *_SCORE_COLUMNS, "status", "error", "spec", "study", "scale"),
    *("started", "finished", "wall_s", "cpu_s", "peak_mb", "host", "worker", "attempt", *_VERSION_COLUMNS),
)
"""The columns of an export, in order."""
SEPARATOR = ";"
"""Between the studies of a trial that belongs to several, and between their scales in the same order."""


def export_results(store: Store, file: Path) -> int:
    """Write all trials that ended to a Parquet or CSV file, whole or not at all; return the number of trials."""
    writers = {".parquet": "write_parquet", ".csv": "write_csv"}
    if file.suffix not in writers:
        raise InputError(f"'{file}' must end in {' or '.join(writers)}, which decides the format")
    table = _long_table(store)
    unfinished = file.with_name(f".{file.name}.unfinished")
    try:
        getattr(table, writers[file.suffix])(unfinished)
        unfinished.replace(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise WugError(f"{file} cannot be written: {error.strerror or error}") from None
    return table["trial"].n_unique()


def _long_table(store: Store) -> "pl.DataFrame":
    outcomes = [f"trials.{column}" for column in OUTCOME_COLUMNS if column != "traceback"]
    trials = read_frame(
        store,
        f"SELECT id AS trial, benchmark, task, learner, seed, spec, {', '.join(outcomes)} FROM trials WHERE {ENDED}",
    )
    memberships = read_frame(
        store,
        f"SELECT trial, group_concat(study, '{SEPARATOR}') AS study, group_concat(scale, '{SEPARATOR}') AS scale "
        "FROM (SELECT * FROM membership ORDER BY trial, study, scale) GROUP BY trial",
    )
    scores = read_frame(store, "SELECT trial, position, measure, item, value, note FROM scores")
    table = trials.join(memberships, on="trial", how="left").join(scores, on="trial", how="left")
    return table.sort("trial", "position").select(COLUMNS)


@dataclass(frozen=True)
class Imported:
    """What an import did."""

    added: int
    """Trials that are new in the store, or were waiting or failed there."""
    known: int
    """Trials that were done in the store already; they stay as they were."""
    differing: tuple[str, ...]
    """Ids of those among them whose scores in the file are others."""


def import_results(store: Store, file: Path) -> Imported:
    """Merge an export into a store; InputError names the row that is not what its id says."""
    trials = _read(file)
    done = store.done()
    new = [trial for trial in trials if trial["id"] not in done]
    known = [trial for trial in trials if trial["id"] in done]
    differing = [trial["id"] for trial in known if _scores_of(store, trial["id"]) != trial["scores"]]
    memberships = [membership for trial in trials for membership in _memberships(trial)]
    store.merge(new, {trial["id"]: trial["scores"] for trial in new}, memberships)
    return Imported(len(new), len(known), tuple(differing))


def _memberships(trial: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (study, scale, trial) for each study of a trial."""
    studies, scales = ((trial[name] or "").split(SEPARATOR) for name in ("study", "scale"))
    if len(studies) != len(scales):
        raise InputError(f"trial {trial['id']} has {len(studies)} studies, but {len(scales)} scales")
    yield from ((study, scale, trial["id"]) for study, scale in zip(studies, scales, strict=True) if study)


def _scores_of(store: Store, trial: str) -> list[ScoreRow]:
    return [(measure, item, value, note) for measure, value, item, note in store.scores(trial)]


def _read(file: Path) -> list[dict[str, Any]]:
    """Return the trials of an export, checked, each with its scores."""
    trials: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(_read_table(file).iter_rows(named=True), 2 if file.suffix == ".csv" else 1):
        known = trials.get(row["trial"])
        own = {name: row[name] for name in COLUMNS if name not in _SCORE_COLUMNS}
        if known is None:
            _check_row(row, f"{file}, row {number}")
            known = trials[row["trial"]] = {**own, "id": row["trial"], "scores": []}
        elif any(known[name] != value for name, value in own.items()):
            names = [name for name, value in own.items() if known[name] != value]
            raise InputError(f"{file}, row {number}: trial {row['trial']} has another {names[0]} than in its first row")
        if row["measure"] is not None:
            known["scores"].append((row["measure"], row["item"] or "", row["value"], row["note"] or ""))
    return list(trials.values())


def _read_table(file: Path) -> "pl.DataFrame":
    import polars as pl

    kinds = column_types(COLUMNS)
    try:
        if file.suffix == ".csv":
            table = pl.read_csv(file, schema_overrides=kinds)
        elif file.suffix == ".parquet":
            table = pl.read_parquet(file)
        else:
            raise InputError(f"'{file}' must end in .parquet or .csv")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{file} is no table: {str(error).splitlines()[0]}") from None
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise InputError(f"{file} has no column '{missing[0]}', so it is no export of wug")
    return table.select(COLUMNS)


def _check_row(row: Mapping[str, Any], where: str) -> None:
    """Raise InputError unless the spec has the row's id and agrees with its other columns."""
    try:
        spec = json.loads(row["spec"])
        canonical = canonical_json(spec)
        stated = {name: spec[name] for name in ("benchmark", "task", "seed")} | {"learner": spec["learner"]["name"]}
    except (TypeError, ValueError, KeyError):
        raise InputError(f"{where}: the spec of trial {row['trial']} is not one that wug writes") from None
    if trial_id(canonical) != row["trial"] or canonical != row["spec"]:
        raise InputError(
            f"{where}: trial {row['trial']} was changed: its spec has the id {trial_id(canonical)}; "
            "nothing was imported"
        )
    for name, value in stated.items():
        if row[name] != value and not (name == "learner" and str(row[name]).startswith(f"{value} ")):
            raise InputError(
                f"{where}: trial {row['trial']} was changed: its spec says {name} {value!r}, the row {row[name]!r}; "
                "nothing was imported"
            )
    if row["status"] not in ("done", "failed"):
        raise InputError(f"{where}: the status of trial {row['trial']} must be done or failed, not {row['status']!r}")
