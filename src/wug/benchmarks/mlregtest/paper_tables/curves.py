"""Learning curves: accuracy against the size of training."""

from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.published import PAPER, published_means
from wug.benchmarks.mlregtest.statistics.analysis import Analysis
from wug.benchmarks.mlregtest.statistics.designs import TIMES
from wug.benchmarks.mlregtest.statistics.factors import LEVELS, NETWORKS, TRAINING_STRINGS, in_order, shown
from wug.benchmarks.mlregtest.statistics.intervals import half_width
from wug.benchmarks.protocol import Plot, Series


def learning_curves(sample: Sample) -> Plot | None:
    """Return mean accuracy on all test sets (beside Table 23) and on each; None where only one size was run."""
    whole = sample.analysis("nn_type", "train_size")
    by_test = sample.analysis("nn_type", "train_size", "test_type")
    if sample.observations["train_size"].n_unique() < 2 or not whole.design.means:
        return None
    panels = [("all test sets", (*_series(whole, ""), *_published()))]
    for test in LEVELS["test_type"]:
        series = _series(by_test, test)
        if series:
            panels.append((test, series))
    return Plot(
        title="Learning curves",
        name="mlregtest-learning-curves",
        panels=tuple(panels),
        x_label="training strings",
        y_label="accuracy",
        x_scale="log",
        alt="Mean accuracy against the number of training strings, one line a network, one panel a kind of test set.",
        caption=" ".join(
            filter(
                None,
                (
                    f"Means over the same languages, with 95% intervals over languages; dashed: {PAPER}, Table 23.",
                    whole.design.reduced,
                ),
            )
        ),
        command=sample.command,
    )


def _series(analysis: Analysis, test: str) -> tuple[Series, ...]:
    design = analysis.design
    levels = [level.split(TIMES) for level in design.levels]
    series = []
    for learner in in_order("nn_type", (level[0] for level in levels)):
        names = {
            size: name
            for size in TRAINING_STRINGS
            if (name := TIMES.join(filter(None, (learner, size, test)))) in design.means
        }
        if not names:
            continue
        means = [design.means[name] for name in names.values()]
        errors = [half_width(design, name) for name in names.values()]
        known = [error for error in errors if error is not None]
        has_errors = len(known) == len(errors)
        series.append(
            Series(
                shown("nn_type", learner),
                x=tuple(float(TRAINING_STRINGS[size]) for size in names),
                y=tuple(means),
                low=tuple(m - e for m, e in zip(means, known, strict=True)) if has_errors else (),
                high=tuple(m + e for m, e in zip(means, known, strict=True)) if has_errors else (),
            )
        )
    return tuple(series)


def _published() -> tuple[Series, ...]:
    values = published_means("nn_type", "train_size").values
    x = tuple(float(strings) for strings in TRAINING_STRINGS.values())
    return tuple(
        Series(label, x, tuple(values[f"{label}{TIMES}{size}"] for size in TRAINING_STRINGS), published=True)
        for label in NETWORKS.values()
    )
