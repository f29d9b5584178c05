"""What a benchmark offers to studies, reports and the command line.

A benchmark is a folder in ``wug.benchmarks`` whose ``__init__.py`` defines ``CARD`` (cheap to import) and whose module
``benchmark.py`` defines ``BENCHMARK``, an object with the members of ``Benchmark``. Nothing else has to be changed
when one is added. Its built-in studies are the TOML files in its folder ``studies/``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic import BaseModel

if TYPE_CHECKING:
    import polars as pl

    from wug.learners.protocols import Learner


@dataclass(frozen=True)
class Card:
    """What ``wug list`` tells of a benchmark without importing it."""

    name: str
    title: str
    paper: str
    """Reference of the paper, with its address."""
    measures: str
    """What it measures, in one sentence."""
    setting: str
    """One of wug.learners.protocols.SETTINGS, or several joined by commas."""
    tasks: tuple[str, ...]
    """Names of the tasks, or of the first few where there are many."""


@dataclass(frozen=True)
class Score:
    """One number of one trial."""

    measure: str
    value: float | None
    """None where the measure has no finite value; ``note`` says why."""
    item: str = ""
    """What the number is about, where not the whole task: a suite, a rule, a position."""
    note: str = ""
    """Why there is no value, naming the string or item; or a flag that the reader must see."""


@dataclass(frozen=True)
class Task:
    """Training data with what is needed to judge; each benchmark has its own ``judging``."""

    name: str
    data: Any
    """What the learner is fitted to: LanguageModelling, Transduction or Classification."""
    judging: Any
    """Whatever the benchmark's ``judge`` needs: test lists, exact answers."""


# --- what the paper's tables and figures are made of; rendered by wug.reports -----------------------------------------


@dataclass(frozen=True)
class Cell:
    """One cell of a table: what the paper says and what was measured."""

    measured: str = ""
    """As printed; empty when nothing was run."""
    published: str = ""
    """As printed in the paper; empty when it gives no figure, or none is known."""
    verdict: str = ""
    """'agrees', 'differs', 'not run' or '' (nothing to compare)."""
    detail: str = ""
    """A second line: interval over seeds, baseline, a flag such as 'over budget'."""
    trials: tuple[str, ...] = ()
    """Ids of the trials behind it."""


@dataclass(frozen=True)
class Table:
    """A table of the paper, side by side with what was measured."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    """(row name, cells) pairs; as many cells as columns."""
    caption: str = ""
    source: str = ""
    """Where the published figures come from: paper, table."""
    command: str = ""
    """The command that makes it."""


@dataclass(frozen=True)
class Series:
    """One line or group of points of a plot."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    """Lower ends of the intervals, or empty."""
    high: tuple[float, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    """Single runs behind the line, drawn small."""
    published: bool = False
    """True for the paper's own values, drawn dashed and named as the paper's."""
    reference: bool = False
    """True for what the others are seen against, a baseline or a limit; drawn dotted and grey."""


@dataclass(frozen=True)
class Plot:
    """A figure with one or more panels of series."""

    title: str
    name: str
    """File name without ending."""
    panels: tuple[tuple[str, tuple[Series, ...]], ...]
    """(panel title, series) pairs."""
    x_label: str
    y_label: str
    alt: str
    """What the picture shows, in words."""
    x_scale: str = "linear"
    """'linear' or 'log'."""
    y_scale: str = "linear"
    y_ticks: tuple[tuple[float, str], ...] = ()
    """Places on the y axis with names of their own: (1000, '≥ 1000') for a cap, (0.5, '<1') below a scale's start."""
    caption: str = ""
    command: str = ""
    trials: tuple[str, ...] = ()


@dataclass(frozen=True)
class DotPlot:
    """Values of named rows along one axis; rows that belong together can be joined by bars beside them."""

    title: str
    name: str
    """File name without ending."""
    rows: tuple[str, ...]
    """From top to bottom."""
    series: tuple[Series, ...]
    """``x`` are places of rows, 0 for the first; ``y`` their values, ``low`` and ``high`` the ends of intervals."""
    value_label: str
    alt: str
    """What the picture shows, in words."""
    bars: tuple[tuple[int, int], ...] = ()
    """(first, last) rows that a bar joins; what it means stands in the caption."""
    caption: str = ""
    command: str = ""
    trials: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heatmap:
    """Values on a grid, for example the probabilities along a string."""

    title: str
    name: str
    x_names: tuple[str, ...]
    y_names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    """(y, x) values in 0..1, or the numbers of classes."""
    marks: tuple[tuple[int, int], ...]
    """(y, x) cells to outline: what would be right."""
    alt: str
    x_label: str = ""
    y_label: str = ""
    value_label: str = ""
    """What a value is, for the colour scale."""
    classes: tuple[str, ...] = ()
    """Names of the classes (at most seven) whose numbers, from 0 on, the values are; empty where values are shares."""
    caption: str = ""
    command: str = ""
    trials: tuple[str, ...] = ()


@dataclass(frozen=True)
class StateDiagram:
    """An automaton as a picture: state 0 is where words start."""

    title: str
    accepting: tuple[bool, ...]
    """For each state whether it accepts; such states have two rims."""
    arcs: tuple[tuple[int, int, str], ...]
    """(from state, to state, letters as they are shown), one for each pair of states that has any."""


@dataclass(frozen=True)
class StateDiagrams:
    """Pictures of automata side by side."""

    title: str
    name: str
    """File name without ending."""
    diagrams: tuple[StateDiagram, ...]
    alt: str
    """What the picture shows, in words."""
    caption: str = ""
    command: str = ""
    trials: tuple[str, ...] = ()


Figure = Plot | DotPlot | Heatmap | StateDiagrams
Block = Table | Figure


@dataclass(frozen=True)
class ProfileEntry:
    """What the overview says of one learner in one benchmark: the profile of learners across benchmarks."""

    learner: str
    measure: str
    """For example 'index B, mean of six languages'; entries of one measure share a column."""
    value: float | None
    """Where it stands between 0 (nothing) and 1 (perfect), drawn as a bar; None draws none."""
    cell: Cell


@dataclass(frozen=True)
class Section:
    """A part of the report: a heading, words, and tables and figures."""

    title: str
    text: str = ""
    """Plain sentences; blank lines separate paragraphs."""
    blocks: tuple[Block, ...] = ()
    reduced: str = ""
    """What was reduced at the scale that was run, in plain sentences; empty at paper scale."""
    profile: tuple[ProfileEntry, ...] = ()
    """The few figures that stand for the benchmark in the overview."""


@dataclass(frozen=True)
class Results:
    """What a report is made from: trials and their scores out of one or more stores."""

    trials: "pl.DataFrame"
    """One row a trial: id, study, scale, benchmark, task, learner, seed, spec (JSON), status, error, times ..."""
    scores: "pl.DataFrame"
    """One row a score: trial, measure, item, value, note."""
    command: str = ""
    """The command that made the store's trials, for captions; empty if unknown."""
    commands: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The command of each (study, scale)."""


@dataclass(frozen=True)
class StudyFile:
    """A study that comes with a benchmark."""

    name: str
    """For example bliss/table-2."""
    path: Path


class Benchmark(Protocol):
    """One of the five evaluation systems."""

    card: Card
    version: int
    """Raised when scores of an equal spec change; part of every trial's id."""
    settings: type[BaseModel]
    """The settings of a trial with their defaults and descriptions; unknown keys are refused."""

    def select_tasks(self, factors: Mapping[str, Any]) -> Sequence[str]:
        """Return the tasks that have the given values of factors (each one value, or a list of values).

        Raises InputError for a factor that the benchmark's tasks do not have, or where no task is left.
        """

    def resolve(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check the task's name and the settings given; return all settings with defaults filled in."""

    def training_settings(self, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return those settings that decide the training; trials equal in them, learner, seed and task share one fit.

        A task that is judged on the model of another names it under the key ``task``.
        """

    def training_shape(self, task: str, settings: Mapping[str, Any]) -> str:
        """Return what trials must have in common for a learner to train them together, as replicas; '' for never.

        Only for benchmarks whose ``fit`` is one training of ``task.data``.
        """

    def build(self, task: str, settings: Mapping[str, Any], seed: int) -> Task:
        """Return the task; a function of its arguments alone."""

    def fit(self, task: Task, learner: "Learner", seed: int) -> Any:
        """Return what ``judge`` judges: the model of ``task.data``, or all models where a benchmark fits several."""

    def judge(self, task: Task, model: Any, settings: Mapping[str, Any]) -> list[Score]:
        """Return the scores of what ``fit`` returned."""

    def sections(self, results: Results) -> Sequence[Section]:
        """Return the report's sections for these results, the paper's tables and figures among them."""

    def data_tasks(self, task: str, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the tasks whose data are meant by what was asked for: one, or those of a group that has a name.

        ``options`` are those of ``wug data``, unchecked: the benchmark's settings, or options of its own.
        """

    def write_data(self, task: str, options: Mapping[str, Any], seed: int, folder: Path) -> Iterable[Path]:
        """Write training data and the items to answer, for people who train elsewhere; return the files written."""

    def score_file(self, task: str, settings: Mapping[str, Any], seed: int, file: Path) -> list[Score]:
        """Judge predictions that somebody else's system wrote for the items of ``write_data``."""


@runtime_checkable
class Reprints(Protocol):
    """What a benchmark offers beside, where its paper's authors have published their own results as files."""

    def reprint(self, file: Path) -> Sequence[Section]:
        """Return the paper's tables and figures made from the original's results, beside what the paper prints.

        Raises InputError for a file that holds no such results.
        """
