"""Figure 3 and other curves against training size, and what a network predicts step by step."""

from collections.abc import Callable, Sequence
from statistics import fmean, median

from wug.benchmarks.bliss import summary
from wug.benchmarks.bliss.settings import Select
from wug.benchmarks.bliss.summary import Run, by_learner, language_name, of_index
from wug.benchmarks.bliss.tasks import bliss_language
from wug.benchmarks.protocol import Heatmap, Plot, Series
from wug.sequences import Corpus

TRACED = ("anbn", "dyck1")
"""Tasks whose predictions are shown step by step."""


def accuracy_plot(found: Sequence[Run], tasks: Sequence[str], command: str) -> Plot:
    """Return accuracy on the test lists of the index against training size, a panel for each language."""
    panels = []
    group = of_index(found)
    for task in tasks:
        here = [run for run in group if run.task == task and not run.failed]
        series = [
            _series(label, members, lambda run: run.scores.get("M_det", run.scores.get("M_cat")))
            for label, members in by_learner(here)
        ]
        series = [one for one in series if one.points]
        if series:
            series.append(_baseline_series(here))
            panels.append((language_name(task), tuple(series)))
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


def _series(
    label: str,
    members: Sequence[Run],
    value: Callable[[Run], float | None],
    middle: Callable[[list[float]], float] = fmean,
) -> Series:
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


def reach_plot(found: Sequence[Run], tasks: Sequence[str], command: str) -> Plot:
    """Return the paper's Figure 3 for every language: how far every string is right, against training size."""
    panels, ids, limits = [], [], set()
    for task in tasks:
        here = [run for run in found if run.task == task and run.scores.get("accepted_up_to") is not None]
        if not here:
            continue
        series = [
            _series(label, members, lambda run: max(run.scores["accepted_up_to"] or 0, 0.5), median)
            for label, members in by_learner(here)
        ]
        trained = _series("longest in training", here, lambda run: run.scores["largest_trained"], max)
        series.append(Series(label=trained.label, x=trained.x, y=trained.y, reference=True))
        panels.append((f"{language_name(task)} ({bliss_language(task).size_name})", tuple(series)))
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


def traces(found: Sequence[Run], command: str) -> list[Heatmap]:
    """Return, for each learner, what its best network predicts along the first test string."""
    maps = []
    for task in TRACED:
        for label, members in by_learner([run for run in found if run.task == task and run.trace]):
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
