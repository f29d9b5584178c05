"""The report's sections: Table 2, what lies behind it, Figure 3, and what a network predicts step by step."""

from collections.abc import Sequence

from wug.benchmarks.bliss import figures, published, summary, tables
from wug.benchmarks.bliss.settings import Scan, Select
from wug.benchmarks.bliss.summary import Run, by_learner, of_index
from wug.benchmarks.bliss.tasks import NOTATION
from wug.benchmarks.protocol import Cell, ProfileEntry, Results, Section
from wug.benchmarks.reductions import reduced


def sections(results: Results) -> Sequence[Section]:
    """Return the benchmark's sections for these results."""
    found = summary.runs(results)
    if not found:
        return []
    tasks = [*NOTATION, *sorted({run.task for run in found} - set(NOTATION))]
    command = results.command
    parts = [
        Section(
            title="The generalization index B",
            text=_INDEX_TEXT,
            blocks=(
                tables.index_table(found, tasks, "success", published.TABLE_2_LENIENT, command),
                tables.index_table(found, tasks, "success_strict", published.TABLE_2_STRICT, command),
                tables.success_table(found, tasks, command),
                figures.accuracy_plot(found, tasks, command),
            ),
            reduced=reduced(results, "bliss"),
            profile=_profile(found),
        ),
        Section(
            title="How far every string is right",
            text=_REACH_TEXT,
            blocks=(figures.reach_plot(found, tasks, command), tables.reach_table(found, tasks, command)),
        ),
        Section(
            title="What is known of the distribution",
            text=_DISTRIBUTION_TEXT,
            blocks=(tables.distribution_table(found, tasks, command),),
        ),
    ]
    traces = tuple(figures.traces(found, command))
    if traces:
        parts.append(Section(title="What it predicts, step by step", text=_TRACE_TEXT, blocks=traces))
    return parts


_INDEX_TEXT = """B is the largest factor b such that a network trained on 1000/b strings is right on the next 1000 × b \
strings of the language. '<1' means that not even the largest training sample and the shortest test list sufficed.

At eps = 0.005 a predictor that only repeats the last symbol reaches B = 10 on the first three languages, so that \
column says little by itself: see the second table, where no error is allowed."""

_REACH_TEXT = """The largest n (or length) such that every string up to it is right at every deterministic step \
(for Dyck: at every step within eps). Small points are single seeds, lines their medians; the dotted line is the \
longest string in training."""

_DISTRIBUTION_TEXT = """M_prob = 1 − KL(true ‖ model) / KL(true ‖ uniform), each the mean per step over the test list: \
1 for the true distribution, 0 for a uniform guess, below 0 for worse. The paper leaves this measure for future work \
and gives no figures."""

_TRACE_TEXT = """The first string of the test list, symbol by symbol: what the network expects after each of them. \
Outlined cells are what the language allows there."""


def _profile(found: Sequence[Run]) -> tuple[ProfileEntry, ...]:
    entries = []
    group = of_index(found)
    for label, members in by_learner(group):
        by_task: dict[str, list[Run]] = {}
        for run in members:
            by_task.setdefault(run.task, []).append(run)
        ids = tuple(run.id for run in members)
        for measure, name in (("success", "B ≥ 1 at eps"), ("success_strict", "B ≥ 1 without errors")):
            reached = sum(
                summary.index(runs, measure, select=Select(runs[0].settings["select"]), scan=Scan.MAX).value >= 1
                for runs in by_task.values()
            )
            cell = Cell(measured=f"{reached} of {len(by_task)} languages", trials=ids)
            entries.append(ProfileEntry(label, name, reached / len(by_task), cell))
    return tuple(entries)
