"""The store: trials and their scores in one SQLite file per folder.

    trials       one row a trial that was planned, with what became of it: 'waiting', 'done' or 'failed'
    scores       one row a score, in the order in which the benchmark reported them
    studies      what was asked for: study, scale, the command, what the scale reduces
    membership   which trials belong to which study and scale; a trial may belong to several

One process at a time writes (``Store.writing``), and holds the lock file beside the database while it does; the system
gives the lock back when the process ends, however it ends. Others may read all the while. Every call of ``record`` is
one durable transaction: after a crash, a full disk or a power cut the store holds every recorded trial whole.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from wug.errors import InputError, WugError
from wug.studies.expansion import Plan
from wug.studies.measuring import host_name, utc_now
from wug.studies.trial import Trial, TrialResult

FILE_NAME = "store.sqlite"
LOCK_NAME = "store.lock"
FORMAT = 1
"""Raised when the tables change; kept in the file's ``user_version``."""
APPLICATION_ID = 0x77756731
"""'wug1', kept in the file's header: tells a store from any other SQLite file."""

BATCH_ROWS = 20_000
"""Rows that are read from a query at a time."""

VERSIONS = ("wug", "python", "numpy", "torch")
"""Programs whose versions are recorded with each trial, in the columns ``wug_version`` ..."""

OUTCOME_COLUMNS = (
    *("status", "error", "traceback", "started", "finished", "wall_s", "cpu_s", "peak_mb", "host", "worker", "attempt"),
    *(f"{name}_version" for name in VERSIONS),
)
"""The columns of a trial that its run fills in."""

_SCHEMA = f"""
CREATE TABLE trials (
  id TEXT PRIMARY KEY, benchmark TEXT NOT NULL, task TEXT NOT NULL, learner TEXT NOT NULL, seed INTEGER NOT NULL,
  spec TEXT NOT NULL, locations TEXT NOT NULL DEFAULT '{{}}',
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'failed')),
  error TEXT, traceback TEXT, started TEXT, finished TEXT, wall_s REAL, cpu_s REAL, peak_mb REAL,
  host TEXT, worker TEXT, attempt INTEGER, {", ".join(f"{name}_version TEXT" for name in VERSIONS)});
CREATE TABLE scores (
  trial TEXT NOT NULL, position INTEGER NOT NULL, measure TEXT NOT NULL, item TEXT NOT NULL, value REAL,
  note TEXT NOT NULL, PRIMARY KEY (trial, position)) WITHOUT ROWID;
CREATE TABLE studies (
  study TEXT NOT NULL, scale TEXT NOT NULL, title TEXT NOT NULL, reduced TEXT NOT NULL, command TEXT NOT NULL,
  started TEXT NOT NULL, PRIMARY KEY (study, scale)) WITHOUT ROWID;
CREATE TABLE membership (
  trial TEXT NOT NULL, study TEXT NOT NULL, scale TEXT NOT NULL, PRIMARY KEY (trial, study, scale)) WITHOUT ROWID;
CREATE TABLE writer (only INTEGER PRIMARY KEY CHECK (only = 1), process INTEGER, host TEXT, started TEXT);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""


_ADD_MEMBERSHIP = "INSERT OR IGNORE INTO membership (study, scale, trial) VALUES (?, ?, ?)"

ScoreRow = tuple[str, str, float | None, str]
"""Measure, item, value, note."""


@dataclass(frozen=True)
class StudyStatus:
    """How far a study has come."""

    study: str
    scale: str
    command: str
    """The command that asked for it last."""
    waiting: int
    done: int
    failed: int


class Store:
    """An open store; ``Store.reading`` and ``Store.writing`` make one."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @classmethod
    @contextmanager
    def reading(cls, folder: Path) -> Iterator["Store"]:
        """Open an existing store to read from it, also while somebody writes; InputError where there is none."""
        path = folder / FILE_NAME
        if not path.is_file():
            raise InputError(f"there is no store in {folder}; 'wug run STUDY --store {folder}' makes one")
        # A store that was closed properly can be read where nothing can be written, for example from a read-only disk.
        untouched = not os.access(folder, os.W_OK) and not path.with_name(f"{FILE_NAME}-wal").exists()
        address = f"{path.absolute().as_uri()}?{'immutable=1' if untouched else 'mode=ro'}"
        with _explained(path, "read"), closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            _check_format(connection, path)
            yield cls(folder, connection)

    @classmethod
    @contextmanager
    def writing(cls, folder: Path) -> Iterator["Store"]:
        """Open a store, made if missing, as the only writer; InputError while another process writes to it."""
        path, lock = folder / FILE_NAME, FileLock(folder / LOCK_NAME, timeout=0)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            raise InputError(
                f"the store {folder} is in use{_writer(path)}; wait until that ends, or choose another with --store"
            ) from None
        except OSError as error:
            raise WugError(f"the store {folder} cannot be written: {error.strerror or error}") from None
        try:
            with _explained(path, "written"), closing(sqlite3.connect(path, isolation_level=None)) as connection:
                _prepare(connection, path)
                yield cls(folder, connection)
        finally:
            lock.release()

    def register(self, plan: Plan, command: str) -> None:
        """Remember a study's trials and the command that asks for them.

        Trials that an earlier request of this study and scale asked for, this one does not, and that never ended are
        forgotten.
        """
        study, scale, document = plan.study.name, plan.scale_name, plan.study.document
        request = (study, scale, document.title, plan.study.reduced(plan.scale), command, utc_now())
        memberships = ((study, scale, trial.id) for trial in plan.trials)
        with self._transaction() as connection:
            connection.execute(
                "DELETE FROM membership WHERE study = ? AND scale = ? "
                "AND trial IN (SELECT id FROM trials WHERE status = 'waiting')",
                (study, scale),
            )
            connection.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?, ?, ?)", request)
            connection.executemany(
                "INSERT INTO trials (id, benchmark, task, learner, seed, spec, locations) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET locations = excluded.locations",
                map(_planned_row, plan.trials),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO membership (study, scale, trial) VALUES (?, ?, ?)", memberships
            )
            connection.execute(
                "DELETE FROM trials WHERE status = 'waiting' AND id NOT IN (SELECT trial FROM membership)"
            )

    def done(self) -> set[str]:
        """Return the ids of all trials that are done."""
        return {row[0] for row in self._connection.execute("SELECT id FROM trials WHERE status = 'done'")}

    def record(self, results: Iterable[TrialResult]) -> None:
        """Keep results for good, in one transaction, in place of what the trials had before."""
        results = list(results)
        outcomes = [(*_outcome(result), result.trial) for result in results]
        scores = {
            result.trial: [(score.measure, score.item, score.value, score.note) for score in result.scores]
            for result in results
        }
        with self._transaction() as connection:
            assignments = ", ".join(f"{column} = ?" for column in OUTCOME_COLUMNS)
            connection.executemany(f"UPDATE trials SET {assignments} WHERE id = ?", outcomes)
            _replace_scores(connection, scores)

    def merge(
        self,
        trials: Iterable[Mapping[str, Any]],
        scores: Mapping[str, Sequence[ScoreRow]],
        memberships: Iterable[tuple[str, str, str]],
    ) -> None:
        """Take in trials that ended elsewhere, in place of what is known of them here, in one transaction.

        ``trials`` have the columns of the table by name (those that are missing stay empty), ``scores`` their scores
        by id, ``memberships`` are (study, scale, id) and may be those of further trials.
        """
        memberships = list(memberships)
        columns = ("id", "benchmark", "task", "learner", "seed", "spec", *OUTCOME_COLUMNS)
        assignments = ", ".join(f"{column} = excluded.{column}" for column in OUTCOME_COLUMNS)
        with self._transaction() as connection:
            connection.executemany(
                f"INSERT INTO trials ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
                f"ON CONFLICT DO UPDATE SET {assignments}",
                ([trial.get(column) for column in columns] for trial in trials),
            )
            _replace_scores(connection, scores)
            connection.executemany(
                "INSERT OR IGNORE INTO studies VALUES (?, ?, '', '', '', ?)",
                ((study, scale, utc_now()) for study, scale in sorted({membership[:2] for membership in memberships})),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO membership (study, scale, trial) VALUES (?, ?, ?)", memberships
            )

    def studies(self) -> list[StudyStatus]:
        """Return how far each study has come, the latest asked for last."""
        query = """
            SELECT studies.study, studies.scale, command, sum(status = 'waiting'), sum(status = 'done'),
                   sum(status = 'failed')
            FROM studies JOIN membership USING (study, scale) JOIN trials ON trials.id = membership.trial
            GROUP BY studies.study, studies.scale ORDER BY studies.started, studies.study, studies.scale
        """
        return [StudyStatus(*row) for row in self._connection.execute(query)]

    def failures(self) -> list[dict[str, Any]]:
        """Return id, benchmark, task, learner, seed and error of each failed trial."""
        query = "SELECT id, benchmark, task, learner, seed, error FROM trials WHERE status = 'failed' ORDER BY id"
        return self.rows(query)

    def trial(self, start_of_id: str) -> dict[str, Any]:
        """Return all columns of the one trial whose id starts so; InputError where there is none, or several."""
        found = self.rows("SELECT * FROM trials WHERE id GLOB ? || '*' LIMIT 3", (_literal(start_of_id),))
        if not found:
            raise InputError(f"there is no trial '{start_of_id}' in the store {self.folder}")
        if len(found) > 1:
            some = ", ".join(row["id"] for row in found[:3])
            raise InputError(
                f"'{start_of_id}' is the start of several trials: {some}{' ...' if len(found) > 3 else ''}"
            )
        return found[0]

    def scores(self, trial: str) -> list[tuple[str, float | None, str, str]]:
        """Return (measure, value, item, note) of a trial's scores, as they were reported."""
        query = "SELECT measure, value, item, note FROM scores WHERE trial = ? ORDER BY position"
        return self._connection.execute(query, (trial,)).fetchall()

    def memberships(self, trial: str) -> list[tuple[str, str]]:
        """Return (study, scale) of the studies that a trial belongs to."""
        query = "SELECT study, scale FROM membership WHERE trial = ? ORDER BY study, scale"
        return self._connection.execute(query, (trial,)).fetchall()

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query as records."""
        cursor = self._connection.execute(query, parameters)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def batches(self, query: str) -> Iterator[dict[str, Sequence[Any]]]:
        """Yield the columns of a query by name, some thousand rows at a time; at least one batch."""
        cursor = self._connection.execute(query)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchmany(BATCH_ROWS)
        yield dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))
        while rows := cursor.fetchmany(BATCH_ROWS):
            yield dict(zip(names, zip(*rows, strict=True), strict=True))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Make all or none of the changes inside, durably."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite has rolled back by itself where the disk is full
                self._connection.execute("ROLLBACK")
            raise


def _replace_scores(connection: sqlite3.Connection, scores: Mapping[str, Sequence[ScoreRow]]) -> None:
    connection.executemany("DELETE FROM scores WHERE trial = ?", ((trial,) for trial in scores))
    connection.executemany(
        "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?)",
        ((trial, position, *row) for trial, rows in scores.items() for position, row in enumerate(rows)),
    )


def _planned_row(trial: Trial) -> tuple[Any, ...]:
    locations = json.dumps(trial.locations) if trial.locations else "{}"
    return trial.id, trial.benchmark, trial.task, trial.learner.label, trial.seed, trial.spec_json, locations


def _outcome(result: TrialResult) -> tuple[Any, ...]:
    """Return a result's values in the order of OUTCOME_COLUMNS."""
    own = [getattr(result, column) for column in OUTCOME_COLUMNS[: -len(VERSIONS)]]
    return (*own, *(result.versions.get(name) for name in VERSIONS))


def _literal(text: str) -> str:
    """Return the pattern that matches the text itself."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise InputError(f"{path} is not a store of wug")
    if version != FORMAT:
        raise InputError(
            f"the store {path} has format {version}, but this version of wug knows format {FORMAT}; export it to "
            f"Parquet with the version that wrote it, and import that"
        )


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables where the file is new, and let readers read while this process writes."""
    is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if not is_new:
        _check_format(connection, path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if is_new:
        connection.executescript(f"BEGIN;{_SCHEMA}COMMIT;")
    connection.execute("INSERT OR REPLACE INTO writer VALUES (1, ?, ?, ?)", (os.getpid(), host_name(), utc_now()))


def _writer(path: Path) -> str:
    """Return who writes to a store, as far as it can be told, for an error message."""
    try:
        with Store.reading(path.parent) as store:
            row = store.rows("SELECT process, host, started FROM writer")[0]
    except (WugError, IndexError):
        return ""
    return f" by process {row['process']} on {row['host']}, since {row['started']}"


@contextmanager
def _explained(path: Path, what: str) -> Iterator[None]:
    """Turn SQLite's errors into sentences."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB":
            raise InputError(f"{path} is not a store of wug") from None
        if name in ("SQLITE_FULL", "SQLITE_IOERR_WRITE"):
            reason = f"the disk is full ({error})"
        else:
            reason = str(error)
        kept = "; every trial recorded before is kept" if what == "written" else ""
        raise WugError(f"the store {path} cannot be {what}: {reason}{kept}") from error
