"""Mean accuracies: the paper's Tables 8, 10 to 12, 14, 17, 19, 21 and 23."""

from wug.benchmarks.mlregtest.paper_tables.consistency import margin_checks
from wug.benchmarks.mlregtest.paper_tables.printing import MEAN_MARGIN, difference, mean, mean_agrees, verdict
from wug.benchmarks.mlregtest.paper_tables.sample import N_LANGUAGES, Rule, Sample
from wug.benchmarks.mlregtest.published import PAPER, PublishedMeans, published_means
from wug.benchmarks.mlregtest.statistics.designs import TIMES
from wug.benchmarks.mlregtest.statistics.factors import NAMES, shown
from wug.benchmarks.mlregtest.statistics.intervals import half_width
from wug.benchmarks.protocol import Cell, Table


def means_table(sample: Sample, factor: str) -> Table:
    """Return the mean accuracy and the mean rank of each level of a factor, in the paper's order."""
    paper = published_means(factor)
    found = sample.analysis(factor)
    levels = {shown(factor, level): level for level in found.design.levels}
    rows = []
    for label in paper.values:
        level = levels.get(label, "")
        rank = found.mean_rank(level)
        accuracy = mean_cell(sample, paper, level, label)
        rows.append((label, (accuracy, Cell(measured=f"{rank:.2f}" if rank is not None else ""))))
    return Table(
        title=f"Table {paper.table}: accuracy by {NAMES[factor]}",
        columns=("mean accuracy", f"mean rank ({len(found.design.levels)} is best)"),
        rows=tuple(rows),
        caption=caption(sample, factor),
        source=f"{PAPER}, Table {paper.table}",
        command=sample.command,
    )


def two_way_table(sample: Sample, row_factor: str, column_factor: str) -> Table:
    """Return the mean accuracy of each combination of two factors' levels."""
    paper = published_means(row_factor, column_factor)
    found = sample.analysis(row_factor, column_factor)
    levels = {
        TIMES.join(map(shown, (row_factor, column_factor), level.split(TIMES))): level for level in found.design.levels
    }
    row_labels, columns = (dict.fromkeys(label.split(TIMES)[place] for label in paper.values) for place in (0, 1))

    def cell(row: str, column: str) -> Cell:
        label = f"{row}{TIMES}{column}"
        return mean_cell(sample, paper, levels.get(label, ""), label)

    rows = tuple((row, tuple(cell(row, column) for column in columns)) for row in row_labels)
    contradicted = any(not check.holds for check in margin_checks(paper.factors))
    return Table(
        title=f"Table {paper.table}: accuracy by {NAMES[row_factor]} and {NAMES[column_factor]}",
        columns=tuple(columns),
        rows=rows,
        caption=caption(sample, row_factor, column_factor) + (_CONTRADICTED if contradicted else ""),
        source=f"{PAPER}, Table {paper.table}",
        command=sample.command,
    )


_CONTRADICTED = (
    " The paper's own values do not have the margins of its other tables; perhaps they are means over single "
    "observations, which stand below ours as 'single'."
)


def mean_cell(sample: Sample, paper: PublishedMeans, level: str, label: str) -> Cell:
    """Return the cell of a level; ``label`` is its name as printed, ``level`` is empty where it was not run."""
    design = sample.analysis(*paper.factors).design
    printed = paper.values[label]
    if level not in design.means:
        return Cell(published=mean(printed), verdict="not run")
    value = design.means[level]
    error = half_width(design, level)
    details = [f"95% ±{error:.3f}"] if error is not None else []
    if any(not check.holds for check in margin_checks(paper.factors)):
        details.append(f"single {mean(design.mean_of_rows(level))}")
    word = ""
    if sample.covers(*paper.factors):
        details.append(difference(value - printed))
        if design.n_languages == N_LANGUAGES:
            word = verdict(mean_agrees(value, printed, sample.rule))
        elif error is not None:
            word = verdict(mean_agrees(value, printed, sample.rule, error))
    return Cell(mean(value), mean(printed), word, "; ".join(details), design.trials(level))


def caption(sample: Sample, *factors: str) -> str:
    """Return what the means are made of, and by which rule they are compared."""
    design = sample.analysis(*factors).design
    parts = [f"Means over {design.n_blocks:,} blocks of cell means."]
    if design.reduced:
        parts.append(f"Same languages, complete blocks: {design.reduced}.")
    if sample.covers(*factors):
        if sample.rule is Rule.REPRINT:
            parts.append("Agrees: the paper's digits.")
        else:
            parts.append(f"Agrees: within {MEAN_MARGIN} (and the interval, where languages are missing).")
    else:
        parts.append("Not all of the paper's blocks were run, so its values are shown and not compared.")
    parts.append("± is half the 95% interval over languages within class and alphabet.")
    return " ".join(parts)
