"""What the first page tells of all benchmarks together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wug.benchmarks.protocol import Card, ProfileEntry, Section, Table
from wug.reports.trials import TrialRecord


@dataclass(frozen=True)
class Chapter:
    """One benchmark's part of the report."""

    card: Card
    sections: Sequence[Section]


@dataclass(frozen=True)
class Tally:
    """How the comparison with the paper came out, in numbers of cells."""

    agrees: int
    differs: int
    not_run: int

    @property
    def compared(self) -> int:
        """Cells with a verdict on what was measured."""
        return self.agrees + self.differs

    @property
    def total(self) -> int:
        """Cells for which the paper gives a figure."""
        return self.compared + self.not_run


@dataclass(frozen=True)
class Runs:
    """How many trials there are, and how they went."""

    done: int
    failed: int
    other: int
    """Neither done nor failed yet."""
    seconds: float
    """Processor time of all."""

    @property
    def total(self) -> int:
        """All trials."""
        return self.done + self.failed + self.other


@dataclass(frozen=True)
class Profile:
    """Learners by the few figures that stand for each benchmark."""

    columns: list[tuple[Card, str]]
    """(benchmark, measure) pairs."""
    rows: list[tuple[str, list[tuple[int, ProfileEntry] | None]]]
    """(learner, entries) pairs; an entry comes with its number, from 1; None where there is none."""
    entries: list[ProfileEntry]
    """All entries, in order of their numbers."""


def tally(sections: Iterable[Section]) -> Tally:
    """Return how many cells that have a published figure agree with it, differ from it, or were not run."""
    tables = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    cells = [cell for table in tables for _, row in table.rows for cell in row if cell.published]
    verdicts = Counter(cell.verdict for cell in cells)
    return Tally(verdicts["agrees"], verdicts["differs"], verdicts["not run"])


def runs(records: Iterable[TrialRecord]) -> Runs:
    """Return how many of the trials are done and how many failed."""
    members = list(records)
    by_status = Counter(one.status for one in members)
    done, failed = by_status["done"], by_status["failed"]
    return Runs(done, failed, len(members) - done - failed, sum(one.seconds for one in members))


def profile(chapters: Iterable[Chapter]) -> Profile:
    """Return the profile of every learner across benchmarks, in the benchmarks' own order."""
    columns: list[tuple[Card, str]] = []
    entries: list[ProfileEntry] = []
    places: dict[tuple[str, str, str], tuple[int, ProfileEntry]] = {}
    for chapter in chapters:
        for section in chapter.sections:
            for entry in section.profile:
                if (chapter.card, entry.measure) not in columns:
                    columns.append((chapter.card, entry.measure))
                entries.append(entry)
                places[entry.learner, chapter.card.name, entry.measure] = (len(entries), entry)
    learners = dict.fromkeys(entry.learner for entry in entries)
    rows = [(one, [places.get((one, card.name, measure)) for card, measure in columns]) for one in learners]
    return Profile(columns, rows, entries)


def runs_by_learner(
    records: Mapping[str, TrialRecord], benchmarks: Sequence[str]
) -> list[tuple[str, list[Runs | None]]]:
    """Return for every learner, by name, its trials in each benchmark; None where it has none."""
    groups: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records.values():
        groups.setdefault((record.learner, record.benchmark), []).append(record)
    learners = sorted({learner for learner, _ in groups})
    return [
        (one, [runs(groups[one, name]) if (one, name) in groups else None for name in benchmarks]) for one in learners
    ]


def failures(records: Mapping[str, TrialRecord]) -> dict[str, list[TrialRecord]]:
    """Return the failed trials by the sentence that says why, the most frequent first."""
    failed: dict[str, list[TrialRecord]] = {}
    for record in records.values():
        if record.status == "failed":
            failed.setdefault(record.error, []).append(record)
    return dict(sorted(failed.items(), key=lambda item: -len(item[1])))
