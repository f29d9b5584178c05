"""The report's sections: Table 2, what lies behind it, Figure 3, and what a network predicts step by step."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean, median

from wug.benchmarks.bliss import published, summary
from wug.benchmarks.bliss.settings import Scan, Select, format_factor
from wug.benchmarks.bliss.summary import Run
from wug.benchmarks.bliss.tasks import NOTATION, bliss_language
from wug.benchmarks.protocol import Cell, Heatmap, Plot, ProfileEntry, Results, Section, Series, Table
from wug.sequences import Corpus

TRACED = ("anbn", "dyck1")
"""Tasks whose predictions are shown step by step."""


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
                _index_table(found, tasks, "success", published.TABLE_2_LENIENT, command),
                _index_table(found, tasks, "success_strict", published.TABLE_2_STRICT, command),
                _success_table(found, tasks, command),
                _accuracy_plot(found, tasks, command),
            ),
            reduced=_reduced(results),
            profile=_profile(found),
        ),
        Section(
            title="How far every string is right",
            text=_REACH_TEXT,
            blocks=(_reach_plot(found, tasks, command), _reach_table(found, tasks, command)),
        ),
        Section(
            title="What is known of the distribution",
            text=_DISTRIBUTION_TEXT,
            blocks=(_distribution_table(found, tasks, command),),
        ),
    ]
    traces = tuple(_traces(found, command))
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


def _rows(found: Sequence[Run]) -> dict[str, list[Run]]:
    """Return the trials by row: one for each learner with its options, one more where options compete."""
    rows: dict[str, list[Run]] = {}
    for run in found:
        rows.setdefault(run.learner, []).append(run)
    labels: dict[str, set[str]] = {}
    for run in found:
        labels.setdefault(run.architecture, set()).add(run.learner)
    for architecture, variants in labels.items():
        if len(variants) > 1:
            rows[f"{architecture} (best of {len(variants)})"] = [r for r in found if r.architecture == architecture]
    return dict(sorted(rows.items()))


def _of_index(found: Sequence[Run]) -> list[Run]:
    """Return the trials whose training and test sizes belong together (N = 3, |C| = 1000 / b)."""
    return [run for run in found if round(run.train * run.b) == 10 ** int(run.settings["N"])]


def _name(task: str) -> str:
    return NOTATION.get(task, task)


def _index_table(
    found: Sequence[Run],
    tasks: Sequence[str],
    measure: str,
    paper: dict[tuple[str, str], published.PublishedIndex],
    command: str,
) -> Table:
    lenient = measure == "success"
    rows = []
    for label, group in _rows(_of_index(found)).items():
        cells = tuple(_index_cell([run for run in group if run.task == task], measure, paper, task) for task in tasks)
        rows.append((label, cells))
    measured = {run.architecture for run in found}
    for architecture in sorted({learner for learner, _ in paper} - measured):
        rows.append((architecture, tuple(_unmeasured(paper, architecture, task) for task in tasks)))
    margins = sorted({str(run.settings["eps"]) for run in found}) if lenient else ["0"]
    return Table(
        title=f"Table 2: index B, eps = {', '.join(margins)}",
        columns=tuple(_name(task) for task in tasks),
        rows=tuple(rows),
        caption="Large: measured; below it the paper's value where its text states one, and the index of single seeds.",
        source=published.TABLE_2,
        command=command,
    )


def _unmeasured(paper: dict[tuple[str, str], published.PublishedIndex], architecture: str, task: str) -> Cell:
    stated = paper.get((architecture, task))
    return Cell(published=stated.printed, verdict="not run") if stated else Cell()


def _index_cell(
    group: Sequence[Run], measure: str, paper: dict[tuple[str, str], published.PublishedIndex], task: str
) -> Cell:
    if not group:
        return Cell(verdict="not run")
    stated = paper.get((group[0].architecture, task))
    scan, select = Scan(group[0].settings["scan"]), Select(group[0].settings["select"])
    found = summary.index(group, measure, select=select, scan=scan)
    per_seed = Counter(one.printed for one in summary.by_seed(group, measure, scan=scan).values())
    details = []
    if per_seed.total() > 1:
        details.append("seeds: " + ", ".join(f"{value} ×{count}" for value, count in sorted(per_seed.items())))
    if not found.complete:
        details.append("only b = " + ", ".join(format_factor(b) for b in found.tested))
    if any(run.scores.get("over_budget") for run in found.runs):
        over = [format_factor(run.b) for run in found.runs if run.scores.get("over_budget")]
        details.append(f"over budget, counted as failed: b = {', '.join(over)}")
    if measure == "success" and found.value and all(run.scores.get("repeat_last_success") for run in found.runs):
        details.append("so does repeating the last symbol")
    contiguous = summary.index(group, measure, select=select, scan=Scan.CONTIGUOUS)
    if contiguous.value != found.value:
        details.append(f"{contiguous.printed} without gaps")
    return Cell(
        measured=found.printed,
        published=stated.printed if stated else "",
        verdict=_verdict(found, stated),
        detail="; ".join(details),
        trials=tuple(run.id for run in group),
    )


def _verdict(found: summary.Index, stated: published.PublishedIndex | None) -> str:
    if stated is None or not found.complete:
        return ""
    agrees = found.value in stated.values if stated.values else found.value >= 1
    return "agrees" if agrees else "differs"


def _success_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    group = _of_index(found)
    factors = sorted({run.b for run in group})
    rows = []
    for label, members in _rows(group).items():
        for task in tasks:
            here = [run for run in members if run.task == task]
            if here:
                cells = tuple(_success_cell([run for run in here if run.b == b]) for b in factors)
                rows.append((f"{label} · {_name(task)}", cells))
    return Table(
        title="Behind the index: accuracy on each test list",
        columns=tuple(f"b = {format_factor(b)}" for b in factors),
        rows=tuple(rows),
        caption="M_det (counting languages) or M_cat (Dyck) of the network with the lowest training loss.",
        command=command,
    )


def _success_cell(group: Sequence[Run]) -> Cell:
    if not group:
        return Cell(verdict="not run")
    best = summary.winner(group, Select(group[0].settings["select"]))
    if best.failed:
        return Cell(measured="failed", trials=tuple(run.id for run in group))
    accuracy = best.scores.get("M_det", best.scores.get("M_cat"))
    baseline = best.scores.get("repeat_last_M_det", best.scores.get("repeat_last_M_cat"))
    successes = sum(run.succeeds("success") for run in group)
    details = [f"success {successes} of {len(group)} seeds"] if len(group) > 1 else []
    if accuracy is None:
        details.append(best.notes.get("success", ""))
    else:
        details.append(f"{int(best.scores['accepted_strings'] or 0)} of {int(best.scores['strings'] or 0)} strings")
    if baseline is not None:
        details.append(f"repeat-last {baseline:.4f}")
    if best.scores.get("over_budget"):
        details.append(best.notes["over_budget"])
    return Cell(
        measured=f"{accuracy:.4f}" if accuracy is not None else "–",
        detail="; ".join(details),
        trials=tuple(run.id for run in group),
    )


def _accuracy_plot(found: Sequence[Run], tasks: Sequence[str], command: str) -> Plot:
    panels = []
    group = _of_index(found)
    for task in tasks:
        here = [run for run in group if run.task == task and not run.failed]
        series = [
            _series(label, members, lambda run: run.scores.get("M_det", run.scores.get("M_cat")))
            for label, members in _by_learner(here)
        ]
        series = [one for one in series if one.points]
        if series:
            series.append(_baseline_series(here))
            panels.append((_name(task), tuple(series)))
    return Plot(
        title="The index's test lists against training size",
        name="bliss-index-against-training-size",
        panels=tuple(panels),
        x_label="training strings |C| (test list: 1000 × 1000 / |C|)",
        y_label="accuracy M",
        x_scale="log",
        alt="Accuracy on the test list that belongs to each training size, one panel a language, one line a learner.",
        caption="M_det or M_cat; lines are means over seeds, points single seeds, dotted the repeat-last predictor.",
        command=command,
        trials=tuple(run.id for run in group),
    )


def _by_learner(found: Sequence[Run]) -> list[tuple[str, list[Run]]]:
    ordered = sorted(found, key=lambda run: run.learner)
    return [(label, list(members)) for label, members in groupby(ordered, key=lambda run: run.learner)]


def _series(label: str, members: Sequence[Run], value, middle=fmean) -> Series:  # type: ignore[no-untyped-def]
    values: dict[int, list[float]] = {}
    for run in members:
        score = value(run)
        if score is not None:
            values.setdefault(run.train, []).append(score)
    sizes = sorted(values)
    return Series(
        label=label,
        x=tuple(float(size) for size in sizes),
        y=tuple(middle(values[size]) for size in sizes),
        points=tuple((float(size), score) for size in sizes for score in values[size]),
    )


def _baseline_series(members: Sequence[Run]) -> Series:
    line = _series(
        "repeat-last",
        members,
        lambda run: run.scores.get("repeat_last_M_det", run.scores.get("repeat_last_M_cat")),
    )
    return Series(label=line.label, x=line.x, y=line.y, reference=True)


def _reach_plot(found: Sequence[Run], tasks: Sequence[str], command: str) -> Plot:
    panels, ids, limits = [], [], set()
    for task in tasks:
        here = [run for run in found if run.task == task and run.scores.get("accepted_up_to") is not None]
        if not here:
            continue
        series = [
            _series(label, members, lambda run: max(run.scores["accepted_up_to"] or 0, 0.5), median)
            for label, members in _by_learner(here)
        ]
        trained = _series("longest in training", here, lambda run: run.scores["largest_trained"], max)
        series.append(Series(label=trained.label, x=trained.x, y=trained.y, reference=True))
        panels.append((f"{_name(task)} ({bliss_language(task).size_name})", tuple(series)))
        ids += [run.id for run in here]
        limits |= {int(run.scores["reach_limit"] or 0) for run in here if run.task == "anbn"}
    ticks = [(0.5, "none")] + [(float(limit), f"≥ {limit}") for limit in sorted(limits)]
    return Plot(
        title="Figure 3: the largest n up to which every string is accepted",
        name="bliss-figure-3",
        panels=tuple(panels),
        x_label="training strings |C|",
        y_label="largest n (or length)",
        x_scale="log",
        y_scale="log",
        y_ticks=tuple(ticks),
        alt="Largest n up to which every string is accepted against training size, one panel a language.",
        caption=(
            "The paper's figure shows a^n b^n up to n = 1000: MDL-RNN and Baby-NTM reach the cap, LSTM and Stack-RNN "
            "hardly exceed the training strings; its values are not stated in its text."
        ),
        command=command,
        trials=tuple(ids),
    )


def _reach_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    rows = []
    for label, members in _by_learner([run for run in found if not run.failed]):
        cells = []
        for task in tasks:
            here = [run for run in members if run.task == task and run.scores.get("accepted_up_to") is not None]
            cells.append(_reach_cell(here))
        rows.append((label, tuple(cells)))
    return Table(
        title="Largest n (or length) with every string right, largest training size",
        columns=tuple(_name(task) for task in tasks),
        rows=tuple(rows),
        caption="Range over seeds; below it how long the training strings were.",
        source=published.FIGURE_3,
        command=command,
    )


def _reach_cell(group: Sequence[Run]) -> Cell:
    if not group:
        return Cell(verdict="not run")
    largest = max(run.train for run in group)
    here = [run for run in group if run.train == largest]
    values = sorted(int(run.scores["accepted_up_to"] or 0) for run in here)
    limit = int(here[0].scores["reach_limit"] or 0)
    shown = [f"≥{value}" if value >= limit else str(value) for value in (values[0], values[-1])]
    trained = int(max(run.scores["largest_trained"] or 0 for run in here))
    return Cell(
        measured=shown[0] if values[0] == values[-1] else f"{shown[0]}–{shown[1]}",
        detail=f"trained up to {trained} on {largest} strings",
        trials=tuple(run.id for run in here),
    )


def _distribution_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    rows = []
    for label, members in _by_learner([run for run in found if not run.failed]):
        cells = tuple(_distribution_cell([run for run in members if run.task == task]) for task in tasks)
        rows.append((label, cells))
    return Table(
        title="M_prob on the test list of the largest training size",
        columns=tuple(_name(task) for task in tasks),
        rows=tuple(rows),
        caption="Mean over seeds; below it KL in bits per symbol, and how far the M_prob of every string is 0.99.",
        command=command,
    )


def _distribution_cell(group: Sequence[Run]) -> Cell:
    if not group:
        return Cell(verdict="not run")
    largest = max(run.train for run in group)
    here = [run for run in group if run.train == largest]
    values = _values(here, "M_prob")
    if not values:
        return Cell(measured="–", detail=here[0].notes.get("M_prob", ""), trials=tuple(run.id for run in here))
    details = [f"KL {fmean(_values(here, 'kl_bits')):.4f} bits"]
    if len(values) > 1:
        details.append(f"seeds {min(values):.3f} to {max(values):.3f}")
    reached = [int(value) for value in _values(here, "M_prob_up_to")]
    if reached:
        details.append(f"≥ 0.99 up to {min(reached)}" + (f"–{max(reached)}" if max(reached) > min(reached) else ""))
    return Cell(measured=f"{fmean(values):.3f}", detail="; ".join(details), trials=tuple(run.id for run in here))


def _values(group: Sequence[Run], measure: str) -> list[float]:
    """Return the values that trials have of a measure."""
    return [value for run in group if (value := run.scores.get(measure)) is not None]


def _traces(found: Sequence[Run], command: str) -> list[Heatmap]:
    maps = []
    for task in TRACED:
        for label, members in _by_learner([run for run in found if run.task == task and run.trace]):
            largest = max(run.train for run in members)
            candidates = [run for run in members if run.train == largest]
            maps.append(_trace(label, summary.winner(candidates, Select.TRAIN_LOSS), command))
    return maps


def _trace(label: str, run: Run, command: str) -> Heatmap:
    language = bliss_language(run.task).language
    vocabulary = language.vocabulary
    items = sorted(next(iter(run.trace.values())), key=lambda item: int(item.split(":", 1)[0]))
    read = [item.split(":", 1)[1] for item in items]
    string = Corpus.from_arrays([[vocabulary.classes[symbol] for symbol in read[1:]]], vocabulary)
    truth = language.next_symbols(string)
    valid = truth.valid[truth.situations]
    symbols = [symbol for symbol in vocabulary.symbols if symbol in run.trace]
    return Heatmap(
        title=f"{label} on {language.name}",
        name=f"bliss-trace-{run.task}-{run.id}",
        x_names=tuple(read),
        y_names=tuple(symbols),
        values=tuple(tuple(run.trace[symbol].get(item, 0.0) for item in items) for symbol in symbols),
        marks=tuple(
            (y, x)
            for y, symbol in enumerate(symbols)
            for x in range(len(items))
            if valid[x, vocabulary.classes[symbol]]
        ),
        alt=f"Next-symbol probabilities of {label} along one string of {language.name}.",
        x_label="symbols read",
        y_label="next symbol",
        value_label="probability",
        caption=f"Trained on {run.train} strings, seed {run.seed}.",
        command=command,
        trials=(run.id,),
    )


def _profile(found: Sequence[Run]) -> tuple[ProfileEntry, ...]:
    entries = []
    group = _of_index(found)
    for label, members in _by_learner(group):
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


def _reduced(results: Results) -> str:
    """Return what the scales that were run reduce, as the built-in studies say it."""
    sentences = []
    for study, scale in sorted(results.trials.select("study", "scale").unique().iter_rows()):
        path = Path(__file__).parent / "studies" / f"{str(study).removeprefix('bliss/')}.toml"
        if str(study).startswith("bliss/") and path.exists():
            settings = tomllib.loads(path.read_text(encoding="utf-8"))
            for block in settings["trials"]:
                text = block.get("scale", {}).get(scale, {}).get("reduced", "")
                if text and text not in sentences:
                    sentences.append(f"{study}, scale {scale}: {text}")
    return " ".join(dict.fromkeys(sentences))
