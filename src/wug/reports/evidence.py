"""What stands behind a number: the trials of a table's cell, of a figure, of an entry of the profile."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wug.benchmarks.protocol import Cell, Figure, ProfileEntry, Table
from wug.reports.trials import TrialRecord, differing_settings

SHOWN_WHOLE = 50
"""More trials than this behind one number are listed by id alone."""
ROWS_OF_A_PAGE = 3000
"""A page that would have more trials than this lists all by id alone, to stay quick to open."""
SCORES_SHOWN = 6
"""Scores beside each trial; its own page has all."""


@dataclass(frozen=True)
class Evidence:
    """The trials behind one number or figure."""

    anchor: str
    """Its place on the page of evidence; '' stands for the page itself."""
    title: str
    cell: Cell | None
    records: list[TrialRecord]
    columns: list[str]
    """What tells these trials apart: names of settings, 'learner', 'task', 'seed'."""
    measures: list[str]
    """The benchmark's first few scores."""
    missing: list[str]
    """Ids that the stores of this report do not hold."""

    def value(self, record: TrialRecord, column: str) -> str:
        """Return what a trial has in one of the columns."""
        if column in ("learner", "task", "seed"):
            return str(getattr(record, column))
        return record.settings.get(column, "")

    def score(self, record: TrialRecord, measure: str) -> str:
        """Return a trial's score as printed."""
        return next((line.value for line in record.scores if line.measure == measure), "")


def cell_anchor(row: int, column: int) -> str:
    """Return the place of a table's cell on its page of evidence; rows and columns count from 1."""
    return f"r{row}c{column}"


def table_evidence(table: Table, records: Mapping[str, TrialRecord]) -> list[Evidence]:
    """Return the evidence of every cell that has trials, row by row."""
    return [
        _evidence(cell_anchor(y, x), f"{row}, {column}", cell, cell.trials, records)
        for y, (row, cells) in enumerate(table.rows, 1)
        for x, (column, cell) in enumerate(zip(table.columns, cells, strict=True), 1)
        if cell.trials
    ]


def figure_evidence(block: Figure, records: Mapping[str, TrialRecord]) -> list[Evidence]:
    """Return the evidence of a figure, none if it names no trials."""
    return [_evidence("", block.title, None, block.trials, records)] if block.trials else []


def profile_evidence(entries: Iterable[ProfileEntry], records: Mapping[str, TrialRecord]) -> list[Evidence]:
    """Return the evidence of every entry that has trials."""
    return [
        _evidence(f"p{number}", f"{entry.learner}, {entry.measure}", entry.cell, entry.cell.trials, records)
        for number, entry in enumerate(entries, 1)
        if entry.cell.trials
    ]


def is_long(one: Evidence, page: Sequence[Evidence]) -> bool:
    """Tell whether the trials are too many to show each with its scores."""
    return len(one.records) > SHOWN_WHOLE or sum(len(other.records) for other in page) > ROWS_OF_A_PAGE


def _evidence(
    anchor: str, title: str, cell: Cell | None, trials: Iterable[str], records: Mapping[str, TrialRecord]
) -> Evidence:
    ids = list(dict.fromkeys(trials))
    known = [records[one] for one in ids if one in records]
    columns = [name for name in ("learner", "task") if len({getattr(one, name) for one in known}) > 1]
    columns += ["seed", *differing_settings(known)]
    measures = list(dict.fromkeys(line.measure for one in known for line in one.scores))[:SCORES_SHOWN]
    return Evidence(anchor, title, cell, known, columns, measures, [one for one in ids if one not in records])
