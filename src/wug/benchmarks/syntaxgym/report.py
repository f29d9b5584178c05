"""The report's sections: SG scores and circuits, suites, modifiers, effects, along an item, the paper's own."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from wug.benchmarks.protocol import Block, Cell, Plot, ProfileEntry, Results, Section, Series, Table
from wug.benchmarks.reductions import reduced
from wug.benchmarks.syntaxgym import PUBLISHED, SUITES
from wug.benchmarks.syntaxgym.published.figures import Figure, printed_figures
from wug.benchmarks.syntaxgym.published.judge import Files, figures_of
from wug.benchmarks.syntaxgym.published.results import CONTROLLED, SIZES
from wug.benchmarks.syntaxgym.scores import CIRCUITS, SUITE_NAMES

PLOTTED_SUITES = ("mvrr", "npz_obj", "fgd_object", "number_orc", "subordination", "center_embed", "npi_src_ever")
"""Suites whose first item is drawn region by region: one of each circuit at least."""
SOURCE = "Hu et al. 2020 (arXiv:2005.03692); per-item results published with it"


@dataclass(frozen=True)
class Run:
    """One finished trial."""

    trial: str
    task: str
    label: str
    settings: Mapping[str, Any]
    scores: Mapping[tuple[str, str], float]
    """Value by (measure, item), where there is one."""
    notes: Mapping[tuple[str, str], str]

    def cell(self, measure: str, item: str = "", *, digits: int = 3, published: str = "") -> Cell:
        """Return a score as a cell of a table; empty where there is none."""
        value = self.scores.get((measure, item))
        shown = "" if value is None else f"{value:.{digits}f}"
        return Cell(shown, published, trials=(self.trial,), detail=self.notes.get((measure, item), ""))


def sections(results: Results) -> Sequence[Section]:
    """Return the benchmark's sections for these results."""
    found = runs(results)
    suites, published = ([run for run in found if run.task == task] for task in (SUITES, PUBLISHED))
    parts = []
    if suites:
        command = results.command
        parts += [
            Section(
                "What a model knows of syntax",
                _SUITES_TEXT,
                (_circuit_table(suites, command), _modifier_table(suites, command)),
                reduced(results, "syntaxgym"),
                tuple(
                    ProfileEntry(run.label, "SG score", run.scores.get(("SG", "")), run.cell("SG"))
                    for run in suites
                    if ("SG", "") in run.scores
                ),
            ),
            Section("Suite by suite", _SUITE_TEXT, (_suite_table(suites, command), _tie_table(suites, command))),
            Section("How large the effects are", _EFFECT_TEXT, (_effect_table(suites, command),)),
            Section("Surprisals along an item", _ITEM_TEXT, tuple(_item_plots(suites, command))),
        ]
    for run in published[:1]:
        figures = [
            Figure(measure, item, value, printed_figures().get((measure, item), ""))
            for (measure, item), value in run.scores.items()
        ]
        parts.append(_published_section(figures, (run.trial,), results.command))
    return [part for part in parts if part.blocks]


def reprint(folder: Path) -> Sequence[Section]:
    """Return the paper's tables made from a folder with the published per-item results."""
    return [_published_section(figures_of(Files.of(folder), seed=1), (), "")]


_SUITES_TEXT = """A suite has items, each a sentence in several conditions; a prediction says in which condition a \
region must be more surprising. Its accuracy is the share of items for which the first prediction holds (ties fail). \
The SG score is the mean over suites, a circuit's the mean over its suites. Without knowledge, equal chances for every \
order of surprisals give about 0.285. The interval is a bootstrap over items; over suites it is wider, and stands below.

A score holds under its start symbol alone: with and without one, a pretrained model's SG score differs by up to 14 \
points."""

_SUITE_TEXT = """Accuracy of the first prediction, as in the paper's figures; chance is what the prediction holds with \
when all orders of the surprisals are equally likely. Of the suites with two predictions, the share of items for which \
both hold stands below."""

_EFFECT_TEXT = """For each comparison of a prediction, by how many bits the side that should be greater is greater, \
mean over items. n(condition) is the surprisal of region n."""

_ITEM_TEXT = """The surprisal of each region of a suite's first item, in all its conditions; for trials with \
regions=all."""

_PUBLISHED_TEXT = """Every figure recomputed from the per-item results that the authors published, beside what is \
printed: it agrees when it rounds to that. The n-grams' ties are broken by 51 runs, of which more than half must be \
right. After publication the authors withdrew the controlled GPT-2 of MD and LG in favour of new runs; these are \
called corrected here and are not part of the regressions."""


def runs(results: Results) -> list[Run]:
    """Return the finished trials."""
    trials = results.trials.filter((pl.col("benchmark") == "syntaxgym") & (pl.col("status") == "done"))
    by_trial = results.scores.partition_by("trial", as_dict=True)
    found = []
    rows = list(trials.select("id", "task", "learner", "spec", "seed").iter_rows(named=True))
    learners = {row["learner"] for row in rows}
    for row in rows:
        settings = json.loads(row["spec"])["settings"]
        scores = by_trial.get((row["id"],))
        if scores is None:
            continue
        records = list(scores.select("measure", "item", "value", "note").iter_rows())
        start = settings.get("start", "declared")
        others = [one for one in rows if one["learner"] == row["learner"] and one["task"] == row["task"]]
        label = row["learner"] if start == "declared" else f"{row['learner']}, start {start}"
        if len(others) > len(learners) or len({one["seed"] for one in others}) > 1:
            label += f", seed {row['seed']}"
        found.append(
            Run(
                row["id"],
                row["task"],
                label,
                settings,
                {(measure, item): value for measure, item, value, _ in records if value is not None},
                {(measure, item): note for measure, item, _, note in records if note},
            )
        )
    return found


def _circuit_table(found: Sequence[Run], command: str) -> Table:
    circuits = sorted(set(CIRCUITS.values()))
    rows = []
    for run in found:
        low, high = run.cell("SG_low").measured, run.cell("SG_high").measured
        wide = run.cell("SG_low_over_suites").measured, run.cell("SG_high_over_suites").measured
        sg = run.cell("SG")
        interval = f"[{low}, {high}]; over suites [{wide[0]}, {wide[1]}]; {sg.detail}" if low else sg.detail
        cells = (
            Cell(sg.measured, detail=interval, trials=sg.trials),
            run.cell("SG_above_chance"),
            *(run.cell("circuit", circuit) for circuit in circuits),
        )
        rows.append((run.label, cells))
    return Table(
        "SG score and circuits",
        ("SG score", "above chance", *circuits),
        tuple(rows),
        caption="Above chance: on a scale where chance is 0 and certainty 1, mean over suites.",
        command=command,
    )


def _modifier_table(found: Sequence[Run], command: str) -> Table:
    rows = tuple((run.label, (run.cell("without_modifier"), run.cell("with_modifier"))) for run in found)
    return Table(
        "Stability under modifiers",
        ("without modifier", "with modifier"),
        rows,
        caption="Mean accuracy over the five suites that exist in both forms.",
        command=command,
    )


def _suites_of(found: Iterable[Run], measure: str) -> list[str]:
    names = {item for run in found for name, item in run.scores if name == measure and item}
    return [name for name in SUITE_NAMES if name in names] + sorted(names - set(SUITE_NAMES))


def _suite_table(found: Sequence[Run], command: str) -> Table:
    rows = []
    for suite in _suites_of(found, "accuracy"):
        chance = next((run.cell("chance", suite) for run in found if ("chance", suite) in run.scores), Cell("?"))
        rows.append((suite, (Cell(chance.measured), *(_accuracy_cell(run, suite) for run in found))))
    return Table("Accuracy of each suite", ("chance", *(run.label for run in found)), tuple(rows), command=command)


def _accuracy_cell(run: Run, suite: str) -> Cell:
    cell = run.cell("accuracy", suite)
    both = run.scores.get(("accuracy_all_predictions", suite))
    detail = "; ".join(part for part in ("" if both is None else f"all predictions {both:.3f}", cell.detail) if part)
    return Cell(cell.measured, detail=detail, trials=cell.trials)


def _tie_table(found: Sequence[Run], command: str) -> Table:
    return Table(
        "Ties and failures",
        ("items that fail by a tie", "items without a value"),
        tuple((run.label, (run.cell("ties", digits=0), run.cell("failures", digits=0))) for run in found),
        caption="In the suites of the SG score. Both count as false.",
        command=command,
    )


def _effect_table(found: Sequence[Run], command: str) -> Table:
    contrasts = list(dict.fromkeys(item for run in found for name, item in run.scores if name == "effect_bits"))
    rows = tuple((item, tuple(run.cell("effect_bits", item, digits=2) for run in found)) for item in contrasts)
    return Table("Effects in bits", tuple(run.label for run in found), rows, command=command)


def _item_plots(found: Sequence[Run], command: str) -> Iterable[Plot]:
    for run in found:
        if run.settings.get("regions") != "all":
            continue
        values: dict[str, dict[str, dict[int, float]]] = {}
        first: dict[str, str] = {}
        for (measure, item), value in run.scores.items():
            if measure == "surprisal_bits":
                suite, number, condition, region = item.split(": ")
                if first.setdefault(suite, number) == number:
                    values.setdefault(suite, {}).setdefault(condition, {})[int(region)] = value
        for suite in PLOTTED_SUITES:
            if suite not in values:
                continue
            series = tuple(
                Series(condition, tuple(map(float, sorted(bits))), tuple(bits[region] for region in sorted(bits)))
                for condition, bits in values[suite].items()
            )
            yield Plot(
                f"{suite}, item {first[suite]}: {run.label}",
                f"surprisals-{suite}-{run.trial}",
                (("", series),),
                "region",
                "surprisal (bits)",
                alt=f"Surprisal of each region of item {first[suite]} of {suite} under {run.label}, by condition.",
                command=command,
                trials=(run.trial,),
            )


# --- the paper's own results ------------------------------------------------------------------------------------------


def _published_section(figures: Sequence[Figure], trials: tuple[str, ...], command: str) -> Section:
    by_key = {(figure.measure, figure.item): figure for figure in figures}
    measures = list(dict.fromkeys(figure.measure for figure in figures if figure.item))
    blocks: list[Block] = [plot for plot in (_perplexity_plot(by_key, trials, command),) if plot.panels[0][1]]
    for measure in measures:
        items = [figure for figure in figures if figure.measure == measure and figure.item]
        if measure == "circuit":
            blocks.append(_grid(f"{measure} scores", items, ": ", trials, command))
        elif measure.startswith(("SG-", "perplexity")):
            blocks.append(_grid(measure, items, " ", trials, command))
        else:
            rows = tuple((figure.item, (_figure_cell(figure, trials),)) for figure in items)
            blocks.append(Table(_title(measure), ("value",), rows, source=SOURCE, command=command))
    return Section("The paper's figures, from the authors' results", _PUBLISHED_TEXT, tuple(blocks))


def _title(measure: str) -> str:
    return measure[0].upper() + measure[1:]


def _grid(measure: str, figures: Sequence[Figure], separator: str, trials: tuple[str, ...], command: str) -> Table:
    """Return a table with what stands behind the last separator of an item as its column."""
    parts: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        row, found, column = figure.item.rpartition(separator)
        if not found or (separator == " " and column not in {size.upper() for size in SIZES}):
            row, column = figure.item, "pretrained"
        parts.setdefault(row, {})[column] = figure
    order = [size.upper() for size in SIZES]
    columns = sorted(
        {column for row in parts.values() for column in row},
        key=lambda column: (order.index(column) if column in order else len(order), column),
    )
    rows = tuple(
        (row, tuple(_figure_cell(cells[column], trials) if column in cells else Cell() for column in columns))
        for row, cells in parts.items()
    )
    return Table(_title(measure), tuple(columns), rows, source=SOURCE, command=command)


def _figure_cell(figure: Figure, trials: tuple[str, ...]) -> Cell:
    verdict = {None: "", True: "agrees", False: "differs"}[figure.agrees]
    shown = f"{figure.value:.2e}" if 0 < abs(figure.value) < 1e-3 else f"{figure.value:.4f}"
    return Cell(shown, figure.printed, verdict, trials=trials)


def _perplexity_plot(by_key: Mapping[tuple[str, str], Figure], trials: tuple[str, ...], command: str) -> Plot:
    series = []
    for model in CONTROLLED:
        points = [
            (by_key["perplexity", item].value, by_key["SG-31", item].value)
            for item in (f"{model} {size.upper()}" for size in SIZES)
            if ("perplexity", item) in by_key and ("SG-31", item) in by_key
        ]
        if points:
            x, y = zip(*points, strict=True)
            series.append(Series(model, x, y, published=True))
    return Plot(
        "SG score against perplexity",
        "sg-and-perplexity",
        (("", tuple(series)),),
        "test perplexity (mean over seeds)",
        "SG-31",
        alt="SG score of each controlled architecture at four corpus sizes against its test perplexity.",
        x_scale="log",
        caption="Perplexities of GPT-2 are per word piece, so not comparable with the others.",
        command=command,
        trials=trials,
    )
