"""How much worse border sets are judged than random sets of the same lengths."""

from wug.benchmarks.mlregtest.paper_tables.printing import difference, mean_agrees, verdict
from wug.benchmarks.mlregtest.paper_tables.sample import N_LANGUAGES, Sample
from wug.benchmarks.mlregtest.published import PAPER, published_means
from wug.benchmarks.mlregtest.statistics.designs import TIMES
from wug.benchmarks.mlregtest.statistics.factors import NETWORKS, TRAINING_STRINGS, in_order, shown
from wug.benchmarks.protocol import Cell, Plot, Series, Table

GAPS = {"short strings": ("SR", "SA"), "long strings": ("LR", "LA")}
"""Random and border set."""


def gap_table(sample: Sample) -> Table:
    """Return random less border accuracy of each network, or other learner, beside what Table 11 gives."""
    paper = published_means("nn_type", "test_type").values
    design = sample.analysis("nn_type", "test_type").design
    learners = in_order("nn_type", (level.split(TIMES)[0] for level in design.levels))
    compared = sample.of_paper().covers("nn_type", "test_type") and design.n_languages == N_LANGUAGES
    rows = []
    for learner in dict.fromkeys((*NETWORKS, *learners)):
        label = shown("nn_type", learner)
        cells = []
        for random, border in GAPS.values():
            printed = None
            if label in NETWORKS.values():
                printed = paper[f"{label}{TIMES}{random}"] - paper[f"{label}{TIMES}{border}"]
            published = "" if printed is None else difference(printed)
            names = [f"{learner}{TIMES}{of}" for of in (random, border)]
            if any(name not in design.means for name in names):
                cells.append(Cell(published=published, verdict="not run" if published else ""))
                continue
            value = design.means[names[0]] - design.means[names[1]]
            agrees = "" if printed is None or not compared else verdict(mean_agrees(value, printed, sample.rule))
            cells.append(Cell(difference(value), published, agrees, trials=design.trials(names[0])))
        rows.append((label, tuple(cells)))
    return Table(
        title="How much worse are border sets than random ones?",
        columns=tuple(f"{name}: {random} − {border}" for name, (random, border) in GAPS.items()),
        rows=tuple(rows),
        caption=" ".join(filter(None, ("Differences of mean accuracies over the same languages.", design.reduced))),
        source=f"{PAPER}, differences of Table 11",
        command=sample.command,
    )


def gap_plot(sample: Sample) -> Plot | None:
    """Return the gap against the size of training, a panel each for short and long strings; None without two sizes."""
    design = sample.analysis("nn_type", "train_size", "test_type").design
    levels = [level.split(TIMES) for level in design.levels]
    sizes = in_order("train_size", (size for _, size, _ in levels))
    if len(sizes) < 2 or not design.means:
        return None
    panels = []
    for name, (random, border) in GAPS.items():
        series = []
        for learner in in_order("nn_type", (learner for learner, _, _ in levels)):
            points = [
                (float(TRAINING_STRINGS[size]), design.means[one] - design.means[other])
                for size in sizes
                for one, other in [[TIMES.join((learner, size, of)) for of in (random, border)]]
                if one in design.means and other in design.means
            ]
            if points:
                x, y = zip(*points, strict=True)
                series.append(Series(shown("nn_type", learner), x, y))
        panels.append((f"{name}: {random} − {border}", tuple(series)))
    return Plot(
        title="Random less border accuracy against the size of training",
        name="mlregtest-border-gap",
        panels=tuple(panels),
        x_label="training strings",
        y_label="difference of accuracies",
        x_scale="log",
        alt="How much worse border sets are judged than random ones, by size of training, one line a network.",
        caption=" ".join(filter(None, ("Means over the same languages.", design.reduced))),
        command=sample.command,
    )
