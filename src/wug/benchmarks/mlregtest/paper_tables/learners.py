"""Every learner beside the others: networks, shortcuts, learners without gradients."""

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.printing import mean
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.statistics.designs import TIMES
from wug.benchmarks.mlregtest.statistics.factors import NAMES, in_order, shown
from wug.benchmarks.mlregtest.statistics.intervals import half_width
from wug.benchmarks.protocol import Cell, Table


def learners_table(sample: Sample, factor: str, train_size: str) -> Table:
    """Return mean accuracy by the levels of ``class`` or ``test_type`` (rows) and learner (columns) at one size."""
    design = sample.where(pl.col("train_size") == train_size).analysis(factor, "nn_type").design
    levels = [level.split(TIMES) for level in design.levels]
    learners = in_order("nn_type", (learner for _, learner in levels))

    def cell(level: str, learner: str) -> Cell:
        name = f"{level}{TIMES}{learner}"
        if name not in design.means:
            return Cell()
        error = half_width(design, name)
        detail = "" if error is None else f"95% ±{error:.3f}"
        return Cell(mean(design.means[name]), detail=detail, trials=design.trials(name))

    return Table(
        title=f"All learners by {NAMES[factor]}, {train_size} training",
        columns=tuple(shown("nn_type", learner) for learner in learners),
        rows=tuple(
            (level, tuple(cell(level, learner) for learner in learners))
            for level in in_order(factor, (level for level, _ in levels))
        ),
        caption=f"Mean accuracies on {design.n_languages:,} languages that every learner was judged on, "
        f"over {design.n_blocks:,} blocks.",
        command=sample.command,
    )
