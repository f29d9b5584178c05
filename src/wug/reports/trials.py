"""The trials behind the numbers: what is told of each, and on which page of the report."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from wug.benchmarks.protocol import Results
from wug.reports.text import duration, score

PER_PAGE = 100
"""Trials on one page: quick to open, and a study of 21,600 trials makes 216 files."""
ITEMS_SHOWN = 200
"""Scores of single items shown of one trial; ``wug export`` has all."""


TrialCommand = Callable[[Mapping[str, Any], Mapping[str, str]], tuple[str, bool]]
"""From a trial's spec and the locations of its files to the command that runs it again, and whether it is the same."""


@dataclass(frozen=True)
class ScoreLine:
    """One score as it is printed."""

    measure: str
    item: str
    value: str
    note: str


@dataclass
class TrialRecord:
    """One trial as the report shows it."""

    id: str
    studies: list[str]
    """The studies that ask for it."""
    scales: list[str]
    benchmark: str
    task: str
    learner: str
    seed: int
    settings: dict[str, str]
    """All settings and the learner's options, by the names that the command line gives them."""
    command: str
    """What runs it again."""
    command_is_same: bool
    """Whether that makes the same trial today."""
    status: str
    error: str
    """One sentence; empty if it did not fail."""
    traceback: str
    facts: list[tuple[str, str]]
    """Times, memory, machine."""
    seconds: float
    """Processor time."""
    scores: list[ScoreLine] = field(default_factory=list)
    """Of the whole task."""
    items: list[ScoreLine] = field(default_factory=list)
    """Of single items."""
    page: str = ""
    """The file, relative to the report's folder, that describes it."""

    @property
    def anchor(self) -> str:
        """The id of its place on the page."""
        return f"t-{self.id}"

    @property
    def short_id(self) -> str:
        """The start of the id, as people read it."""
        return self.id[:10]

    @property
    def address(self) -> str:
        """Where it is described, relative to the report's folder."""
        return f"{self.page}#{self.anchor}"


@dataclass(frozen=True)
class TrialPage:
    """One file with the details of some trials of one benchmark."""

    file: str
    benchmark: str
    number: int
    """From 1."""
    first: int
    """Place of the page's first trial among the benchmark's, from 1."""
    n_trials: int
    """Trials of the benchmark."""
    records: list[TrialRecord]

    @property
    def span(self) -> str:
        """The places of its trials, as printed."""
        return f"{self.first:,}–{self.first + len(self.records) - 1:,}"


def trial_records(results: Results, trial_command: TrialCommand) -> dict[str, TrialRecord]:
    """Return all trials by id, in order of benchmark, learner, task, settings and seed.

    A trial that several studies ask for has a row for each in the results, and is one record here.
    """
    records: dict[str, TrialRecord] = {}
    for row in results.trials.sort("study").iter_rows(named=True):
        record = records.get(row["id"]) or records.setdefault(row["id"], _record(row, trial_command))
        for names, key in ((record.studies, "study"), (record.scales, "scale")):
            if row[key] and row[key] not in names:
                names.append(row[key])
    columns = ("trial", "measure", "item", "value", "note")
    for trial, measure, item, value, note in results.scores.select(columns).iter_rows():
        if trial in records:
            line = ScoreLine(measure, item or "", score(value), note or "")
            (records[trial].items if item else records[trial].scores).append(line)
    return {record.id: record for record in sorted(records.values(), key=_order)}


def trial_pages(records: Mapping[str, TrialRecord]) -> Iterator[TrialPage]:
    """Yield the pages on which the trials are described, and tell each record its page."""
    for benchmark, group in groupby(records.values(), key=lambda one: one.benchmark):
        members = list(group)
        for number, first in enumerate(range(0, len(members), PER_PAGE), 1):
            file = f"trials/{benchmark}-{number:03}.html"
            page = TrialPage(file, benchmark, number, first + 1, len(members), members[first : first + PER_PAGE])
            for record in page.records:
                record.page = page.file
            yield page


def differing_settings(records: list[TrialRecord]) -> list[str]:
    """Return the names of the settings in which these trials differ."""
    names = dict.fromkeys(name for record in records for name in record.settings)
    return [name for name in names if len({record.settings.get(name) for record in records}) > 1]


def _record(row: Mapping[str, Any], trial_command: TrialCommand) -> TrialRecord:
    spec = json.loads(row["spec"])
    times = (("wall time", "wall_s"), ("processor time", "cpu_s"))
    facts = [(name, duration(row[column])) for name, column in times if row[column] is not None]
    if row["peak_mb"] is not None:
        facts.append(("peak memory", f"{row['peak_mb']:,.0f} MB"))
    facts += [(name, str(row[name])) for name in ("started", "finished", "host", "worker", "attempt") if row[name]]
    facts += [(name.removesuffix("_version"), row[name]) for name in row if name.endswith("_version") and row[name]]
    command, command_is_same = trial_command(spec, json.loads(row["locations"]))
    return TrialRecord(
        id=row["id"],
        studies=[],
        scales=[],
        benchmark=row["benchmark"],
        task=row["task"],
        learner=row["learner"],
        seed=row["seed"],
        settings=_settings(spec),
        command=command,
        command_is_same=command_is_same,
        status=row["status"],
        error=row["error"] or "",
        traceback=row["traceback"] or "",
        facts=facts,
        seconds=row["cpu_s"] or 0.0,
    )


def _order(record: TrialRecord) -> tuple[Any, ...]:
    settings = [_natural(value) for value in record.settings.values()]
    return record.benchmark, record.learner, record.task, settings, record.seed, record.id


def _settings(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings by the names that the command line gives them: ``train``, ``learner.width``."""
    named = dict(_flat(spec["settings"])) | dict(_flat(spec["learner"]["options"], "learner."))
    if spec["learner"]["content"]:
        named["learner's code"] = spec["learner"]["content"]
    return named


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _natural(value: str) -> tuple[float, str]:
    """Return a key that sorts numbers by size, and before words."""
    try:
        return float(value), ""
    except ValueError:
        return float("inf"), value
