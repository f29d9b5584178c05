"""The paper's Table 2 and what lies behind it, side by side with what was measured."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from wug.benchmarks.bliss import published, summary
from wug.benchmarks.bliss.settings import Scan, Select, format_factor
from wug.benchmarks.bliss.summary import Run, by_learner, language_name, of_index
from wug.benchmarks.protocol import Cell, Table


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


def index_table(
    found: Sequence[Run],
    tasks: Sequence[str],
    measure: str,
    paper: dict[tuple[str, str], published.PublishedIndex],
    command: str,
) -> Table:
    """Return Table 2 for one kind of success (``success`` or ``success_strict``)."""
    lenient = measure == "success"
    rows = []
    for label, group in _rows(of_index(found)).items():
        cells = tuple(_index_cell([run for run in group if run.task == task], measure, paper, task) for task in tasks)
        rows.append((label, cells))
    measured = {run.architecture for run in found}
    for architecture in sorted({learner for learner, _ in paper} - measured):
        rows.append((architecture, tuple(_unmeasured(paper, architecture, task) for task in tasks)))
    margins = sorted({str(run.settings["eps"]) for run in found}) if lenient else ["0"]
    return Table(
        title=f"Table 2: index B, eps = {', '.join(margins)}",
        columns=tuple(language_name(task) for task in tasks),
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


def success_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    """Return the accuracy on every test list that the index is made of."""
    group = of_index(found)
    factors = sorted({run.b for run in group})
    rows = []
    for label, members in _rows(group).items():
        for task in tasks:
            here = [run for run in members if run.task == task]
            if here:
                cells = tuple(_success_cell([run for run in here if run.b == b]) for b in factors)
                rows.append((f"{label} · {language_name(task)}", cells))
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


def reach_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    """Return how far every string is right, for the largest training size."""
    rows = []
    for label, members in by_learner([run for run in found if not run.failed]):
        cells = []
        for task in tasks:
            here = [run for run in members if run.task == task and run.scores.get("accepted_up_to") is not None]
            cells.append(_reach_cell(here))
        rows.append((label, tuple(cells)))
    return Table(
        title="Largest n (or length) with every string right, largest training size",
        columns=tuple(language_name(task) for task in tasks),
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


def distribution_table(found: Sequence[Run], tasks: Sequence[str], command: str) -> Table:
    """Return M_prob for the largest training size."""
    rows = []
    for label, members in by_learner([run for run in found if not run.failed]):
        cells = tuple(_distribution_cell([run for run in members if run.task == task]) for task in tasks)
        rows.append((label, cells))
    return Table(
        title="M_prob on the test list of the largest training size",
        columns=tuple(language_name(task) for task in tasks),
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
