"""P-values of the all-pairs test: the paper's Tables 9, 15, 18, 20, 22 and 26, and those in its text."""

from wug.benchmarks.mlregtest.paper_tables.means import mean_cell
from wug.benchmarks.mlregtest.paper_tables.printing import probability, probability_agrees, verdict
from wug.benchmarks.mlregtest.paper_tables.sample import Rule, Sample
from wug.benchmarks.mlregtest.published import PAPER, published_means, published_pairs
from wug.benchmarks.mlregtest.statistics.factors import COMPLEMENTS, NAMES, shown
from wug.benchmarks.mlregtest.statistics.nemenyi import LEVEL
from wug.benchmarks.protocol import Cell, Table


def pairs_table(sample: Sample, factor: str) -> Table:
    """Return the p-values of all pairs of levels as the paper's lower triangle."""
    paper = published_pairs(factor)
    levels = {shown(factor, level): level for level in sample.analysis(factor).design.levels}
    rows = tuple(
        (
            row,
            tuple(
                p_cell(sample, factor, levels.get(row, ""), levels.get(column, ""), paper.p_values[row, column])
                if (row, column) in paper.p_values
                else Cell()
                for column in paper.columns
            ),
        )
        for row in paper.rows
    )
    return Table(
        title=f"{paper.where.capitalize()}: all pairs by {NAMES[factor]}, p-values",
        columns=paper.columns,
        rows=rows,
        caption=caption(sample, factor),
        source=f"{PAPER}, {paper.where}",
        command=sample.command,
    )


def p_cell(sample: Sample, factor: str, one: str, other: str, published: str) -> Cell:
    """Return the cell of a pair's p-value."""
    found = sample.analysis(factor).p_value(one, other)
    if found is None:
        return Cell(published=published, verdict="not run")
    word = verdict(probability_agrees(found, published, sample.rule)) if sample.covers(factor) else ""
    return Cell(probability(found), published, word, "significant" if found < LEVEL else "")


def caption(sample: Sample, factor: str) -> str:
    """Return what the probabilities are of, and by which rule they are compared."""
    design = sample.analysis(factor).design
    parts = [f"Nemenyi's test on {design.n_blocks:,} blocks; significant below {LEVEL}."]
    if design.reduced:
        parts.append(f"Same languages, complete blocks: {design.reduced}.")
    if not sample.covers(factor):
        parts.append("Not all of the paper's blocks were run, so its values are shown and not compared.")
    elif sample.rule is Rule.REPRINT:
        parts.append("Agrees: the paper's digits.")
    else:
        parts.append("Agrees: the same decision.")
    return " ".join(parts)


def complements_table(sample: Sample) -> Table:
    """Return Table 9: classes and their complements, which were judged on the same strings."""
    means, pairs = published_means("class"), published_pairs("class")
    rows = []
    for one, other in COMPLEMENTS:
        published = pairs.p_values.get((one, other)) or pairs.p_values[other, one]
        found = sample.analysis("class").design.levels
        first, second = (mean_cell(sample, means, name if name in found else "", name) for name in (one, other))
        rows.append((f"{one} and {other}", (first, second, p_cell(sample, "class", one, other, published))))
    return Table(
        title="Table 9: classes and their complements",
        columns=("mean accuracy", "of the complements", "p-value"),
        rows=tuple(rows),
        caption=caption(sample, "class"),
        source=f"{PAPER}, Tables 9, 12 and 26",
        command=sample.command,
    )
