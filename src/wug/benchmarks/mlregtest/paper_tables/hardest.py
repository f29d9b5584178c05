"""The languages that were learnt worst."""

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.correlations import with_sizes
from wug.benchmarks.mlregtest.paper_tables.printing import difference, mean
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.statistics.factors import LEVELS, WITHIN
from wug.benchmarks.protocol import Cell, Table
from wug.languages.subregular import RegularLanguage

_SHOWN = 20


def hardest_table(sample: Sample, n_languages: int = _SHOWN) -> Table:
    """Return the languages farthest below what the same networks reach at the same sizes on the same kinds of set.

    Judged so, a language that only a weak network was trained on is not hard for that.
    """
    rows = sample.rows.with_columns(below=pl.col("accuracy") - pl.col("accuracy").mean().over(WITHIN))
    languages = (
        with_sizes(rows)
        .group_by("name", "states", "monoid")
        .agg(
            pl.col("below").mean(),
            pl.col("accuracy").mean(),
            pl.col("trials").explode().drop_nulls().unique().sort(),
            *(
                pl.col("accuracy").filter(pl.col("test_type") == test).mean().alias(test)
                for test in LEVELS["test_type"]
            ),
        )
        .sort(pl.col("below").round(9), "name")
        .head(n_languages)
    )
    return Table(
        title="The hardest languages",
        columns=("definition", "below the mean", "accuracy", *LEVELS["test_type"]),
        rows=tuple(
            (
                row["name"],
                (
                    _definition(row["name"], row["states"], row["monoid"]),
                    Cell(difference(row["below"]), trials=tuple(row["trials"])),
                    *(
                        Cell("" if row[name] is None else mean(row[name]))
                        for name in ("accuracy", *LEVELS["test_type"])
                    ),
                ),
            )
            for row in languages.iter_rows(named=True)
        ),
        caption=(
            f"{sample.part} Sorted by how far accuracy is below the mean of the same network, size of training and "
            "kind of test set."
        ),
        command=sample.command,
    )


def _definition(name: str, states: int, monoid: int) -> Cell:
    return Cell(f"{states:,} states, monoid {monoid:,}", detail=str(RegularLanguage.named(name).formula))
