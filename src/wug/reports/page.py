"""Writes the report: a folder of pages that opens from the disk, without a server and without a network.

    index.html          what was measured, and the profile of the learners across benchmarks
    BENCHMARK.html      its tables and figures beside the paper's
    evidence/*.html     for each table, figure and the profile: the trials behind every number
    trials/*.html       every trial with settings, scores, times and the command that repeats it, 100 a page
    figures/*           each figure as SVG and PDF for papers, its data as CSV, and the forms that the pages show
    tables/*.csv        each table for machines

The same results give the same bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wug.benchmarks.protocol import Block, Card, Results, Section, Table
from wug.reports.data_files import csv_of
from wug.reports.evidence import Evidence, figure_evidence, profile_evidence, table_evidence
from wug.reports.figures import FigureFile, figure_files
from wug.reports.folder import ReportFolder
from wug.reports.overview import Chapter, Profile, failures, profile, runs, runs_by_learner, tally
from wug.reports.plots import Looks, looks
from wug.reports.rendering import Templates
from wug.reports.text import FileNames
from wug.reports.trials import ITEMS_SHOWN, TrialCommand, TrialRecord, trial_pages, trial_records

FORMS = {"day": "", "night": "-dark", "narrow": "-narrow", "narrow_night": "-narrow-dark"}
"""What a figure's forms for the page add to its file name."""


@dataclass(frozen=True)
class BlockView:
    """A table or figure with the files that belong to it, named relative to the report's folder."""

    id: str
    """Its place on the benchmark's page."""
    block: Block
    data: str
    """CSV file."""
    evidence: str
    """Page with the trials behind it; empty if it names none."""
    images: Mapping[str, FigureFile]
    """The forms of a figure by name (FORMS); none of a table, or of a figure that shows nothing."""
    for_papers: tuple[str, ...]
    """The files of a figure that are meant for papers."""


@dataclass(frozen=True)
class SectionView:
    """A section with the views of its blocks."""

    id: str
    section: Section
    blocks: list[BlockView]


def write_report(
    results: Results, chapters: Sequence[Chapter], folder: Path, trial_command: TrialCommand
) -> list[Path]:
    """Write the report on these results and return its files, ``index.html`` first.

    ``chapters`` are the benchmarks' parts, in the order in which they appear. An earlier report in the folder is
    replaced; any other folder that is not empty is refused with InputError.
    """
    output = ReportFolder(folder)
    output.claim()
    writer = _Writer(trial_records(results, trial_command), chapters, output)
    writer.write_trials()
    first_figures = {chapter.card.name: writer.write_chapter(chapter) for chapter in chapters}
    writer.write_overview({name: view for name, view in first_figures.items() if view}, results.command)
    output.write("style.css", writer.templates.source("style.css"))
    return sorted(output.finish(), key=lambda path: path != folder / "index.html")


class _Writer:
    """Renders the pages of one report into its folder; the trials come first, for the others link to them."""

    def __init__(self, records: Mapping[str, TrialRecord], chapters: Sequence[Chapter], output: ReportFolder) -> None:
        self.records = records
        self.chapters = chapters
        self.output = output
        self.templates = Templates(chapters)

    def write_trials(self) -> None:
        pages = list(trial_pages(self.records))
        listing = self.templates.render("trials.html", root="../", pages=pages, failed=failures(self.records))
        self.output.write("trials/index.html", listing)
        for page in pages:
            before, after = (
                next((one for one in pages if one.benchmark == page.benchmark and one.number == number), None)
                for number in (page.number - 1, page.number + 1)
            )
            text = self.templates.render(
                "trial-details.html", root="../", page=page, before=before, after=after, items_shown=ITEMS_SHOWN
            )
            self.output.write(page.file, text)

    def write_chapter(self, chapter: Chapter) -> BlockView | None:
        """Write a benchmark's page with all that belongs to it; return its first figure."""
        views = list(self._sections(chapter))
        members = self._of(chapter.card)
        text = self.templates.render(
            "benchmark.html",
            root="",
            card=chapter.card,
            sections=views,
            tally=tally(chapter.sections),
            runs=runs(members),
            learners=sorted({one.learner for one in members}),
            scales=sorted({scale for one in members for scale in one.scales}),
        )
        self.output.write(f"{chapter.card.name}.html", text)
        return next((view for section in views for view in section.blocks if view.images), None)

    def write_overview(self, first_figures: Mapping[str, BlockView], command: str) -> None:
        shown: Profile = profile(self.chapters)
        names = [chapter.card.name for chapter in self.chapters]
        text = self.templates.render(
            "index.html",
            root="",
            tallies={chapter.card.name: tally(chapter.sections) for chapter in self.chapters},
            runs=runs(self.records.values()),
            runs_of={chapter.card.name: runs(self._of(chapter.card)) for chapter in self.chapters},
            matrix=runs_by_learner(self.records, names),
            profile=shown,
            first_figures=first_figures,
            command=command,
        )
        self.output.write("index.html", text)
        self._write_evidence(
            "evidence/profile.html",
            "Profile of the learners",
            "index.html#profile",
            "Overview",
            profile_evidence(shown.entries, self.records),
        )

    def _of(self, card: Card) -> list[TrialRecord]:
        return [one for one in self.records.values() if one.benchmark == card.name]

    def _sections(self, chapter: Chapter) -> Iterator[SectionView]:
        places = looks(block for section in chapter.sections for block in section.blocks)
        anchors, files = FileNames(), FileNames()
        for section in chapter.sections:
            own = anchors.name(section.title)
            views = []
            for block in section.blocks:
                text = block.title if isinstance(block, Table) else block.name
                name = files.name(text if text.startswith(chapter.card.name) else f"{chapter.card.name} {text}")
                views.append(self._block(block, anchors.name(block.title), name, chapter.card, places))
            yield SectionView(own, section, views)

    def _block(self, block: Block, anchor: str, name: str, card: Card, places: Looks) -> BlockView:
        if isinstance(block, Table):
            data, evidence = f"tables/{name}.csv", table_evidence(block, self.records)
            drawn: dict[str, FigureFile] = {}
        else:
            data, evidence = f"figures/{name}.csv", figure_evidence(block, self.records)
            drawn = {file.name: file for file in figure_files(block, name, places)}
        self.output.write(data, csv_of(block))
        for file in drawn.values():
            self.output.write(f"figures/{file.name}", file.content)
        page = f"evidence/{name}.html"
        written = self._write_evidence(page, block.title, f"{card.name}.html#{anchor}", card.title, evidence)
        return BlockView(
            anchor,
            block,
            data,
            page if written else "",
            {form: drawn[f"{name}{end}.svg"] for form, end in FORMS.items() if f"{name}{end}.svg" in drawn},
            tuple(one for one in (f"{name}.svg", f"{name}.pdf") if one in drawn),
        )

    def _write_evidence(self, file: str, title: str, back: str, back_name: str, evidence: list[Evidence]) -> bool:
        """Write a page of evidence unless there is none; tell whether it was written."""
        if evidence:
            text = self.templates.render(
                "evidence.html", root="../", title=title, back=back, back_name=back_name, evidence=evidence
            )
            self.output.write(file, text)
        return bool(evidence)
