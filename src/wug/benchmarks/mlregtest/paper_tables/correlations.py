"""Correlations over single observations: of the measures (Table 4), and of accuracy with size (Table 24)."""

from itertools import product

import numpy as np
import polars as pl

from wug.benchmarks.mlregtest.observations import MEASURES
from wug.benchmarks.mlregtest.paper_tables.printing import (
    CORRELATION_MARGIN,
    difference,
    probability,
    statistic_agrees,
    verdict,
)
from wug.benchmarks.mlregtest.paper_tables.sample import Rule, Sample
from wug.benchmarks.mlregtest.published import PAPER, published_correlations, published_measure_correlations
from wug.benchmarks.mlregtest.statistics.analysis import paper_blocks
from wug.benchmarks.mlregtest.statistics.correlation import RankCorrelation, spearman
from wug.benchmarks.mlregtest.statistics.factors import FACTORS, LANGUAGE, shown
from wug.benchmarks.mlregtest.statistics.sizes import language_sizes
from wug.benchmarks.protocol import Cell, Table

_PARTS: dict[str, dict[str, str]] = {
    "all": {},
    "Large": {"train_size": "Large"},
    "GRU Large SA": {"nn_type": "gru", "train_size": "Large", "test_type": "SA"},
}
_SIZES = {"states": "states of the minimal DFA", "monoid": "elements of the syntactic monoid"}
_LEAST = 30
"""Languages that a part must have to be the one with the strongest correlation."""


def size_table(sample: Sample) -> Table:
    """Return Table 24, the correlations below it in the text, and the strongest one of any network, size and set."""
    rows_with_sizes = with_sizes(sample.rows)
    published = {(one.size, one.part): one.rho for one in published_correlations()}
    rows = []
    for size, name in _SIZES.items():
        cells = []
        for part, held in _PARTS.items():
            chosen = _chosen(rows_with_sizes, held)
            cells.append(_cell(sample, chosen, size, published[size, part], held))
        rows.append((name, (*cells, _strongest(rows_with_sizes, size))))
    return Table(
        title="Table 24: rank correlation of accuracy with size",
        columns=(*_PARTS, "strongest of any network, size and set"),
        rows=tuple(rows),
        caption=(
            "Spearman's rho over languages, networks, training sizes and test sets; compared where all languages and "
            f"all of the paper's cells of the part were run. Agrees: within {CORRELATION_MARGIN} "
            "(in a reprint: the paper's digits)."
        ),
        source=f"{PAPER}, Table 24 and section 6.2.6",
        command=sample.command,
    )


def with_sizes(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of MLRegTest's languages with columns ``name``, ``states`` and ``monoid``."""
    table = pl.DataFrame([(name, size.states, size.monoid) for name, size in language_sizes().items()], orient="row")
    table.columns = ["name", "states", "monoid"]
    return rows.with_columns(name=language_name()).join(table, on="name")


def language_name() -> pl.Expr:
    """Return the expression for a language's name, from its factors."""
    fields = [pl.col(name).cast(pl.String) for name in LANGUAGE]
    return pl.concat_str([fields[0].str.zfill(2), fields[1].str.zfill(2), *fields[2:]], separator=".")


def _chosen(rows: pl.DataFrame, held: dict[str, str]) -> pl.DataFrame:
    return rows.filter([pl.col(name) == level for name, level in held.items()]) if held else rows


def _correlation(rows: pl.DataFrame, size: str) -> RankCorrelation:
    return spearman(rows[size].to_numpy(), rows["accuracy"].to_numpy())


def _cell(sample: Sample, rows: pl.DataFrame, size: str, published: str, held: dict[str, str]) -> Cell:
    found = _correlation(rows, size)
    if found.rho is None:
        return Cell(published=published.replace("-", "−"), verdict="not run")
    n_cells = rows.select(FACTORS).n_unique()
    whole = n_cells == paper_blocks(held=held) and rows["name"].n_unique() == len(language_sizes())
    word = ""
    if whole and sample.rule is Rule.REPRINT:
        word = verdict(statistic_agrees(found.rho, published))
    elif whole:
        word = verdict(abs(found.rho - float(published)) <= CORRELATION_MARGIN)
    p_value = found.p_value
    detail = f"n = {found.n:,}" + ("" if p_value is None else f", p {_with_sign(p_value)}")
    return Cell(difference(found.rho), published.replace("-", "−"), word, detail)


def _with_sign(p_value: float) -> str:
    text = probability(p_value)
    return text.replace("<", "< ") if text.startswith("<") else f"= {text}"


def _strongest(rows: pl.DataFrame, size: str) -> Cell:
    found: list[tuple[float, str, int]] = []
    levels = [rows[name].unique().sort().to_list() for name in ("nn_type", "train_size", "test_type")]
    for network, train_size, test_type in product(*levels):
        part = _chosen(rows, {"nn_type": network, "train_size": train_size, "test_type": test_type})
        correlation = _correlation(part, size)
        if correlation.rho is not None and correlation.n >= _LEAST:
            found.append((correlation.rho, f"{shown('nn_type', network)} {train_size} {test_type}", correlation.n))
    if not found:
        return Cell()
    rho, name, n = min(found)
    return Cell(difference(rho), detail=f"{name}, n = {n:,}")


def measures_table(sample: Sample) -> Table:
    """Return Table 4: how the measures go together, over single observations that have all of them."""
    rows = sample.observations.drop_nulls(MEASURES)
    published = published_measure_correlations()
    matrix = np.corrcoef(rows.select(MEASURES).to_numpy().T) if len(rows) > 1 else np.full((4, 4), np.nan)
    names = [measure for measure in MEASURES if any(row == measure for row, _ in published)]
    columns = [measure for measure in MEASURES if any(column == measure for _, column in published)]
    left_out = len(sample.observations) - len(rows)

    def cell(row: str, column: str) -> Cell:
        if (row, column) not in published:
            return Cell()
        value, printed = float(matrix[MEASURES.index(row), MEASURES.index(column)]), published[row, column]
        if not np.isfinite(value):
            return Cell(published=difference(printed), verdict="not run")
        text = f"{printed:.3f}"
        agrees = (
            statistic_agrees(value, text) if sample.rule is Rule.REPRINT else abs(value - printed) <= CORRELATION_MARGIN
        )
        return Cell(difference(value), difference(printed), verdict(agrees) if sample.covers("class") else "")

    return Table(
        title="Table 4: correlations of the measures",
        columns=tuple(columns),
        rows=tuple((row, tuple(cell(row, column) for column in columns)) for row in names),
        caption=(
            f"Pearson's correlation over {len(rows):,} observations"
            + (f"; {left_out:,} lack one of the measures." if left_out else ".")
            + f" Agrees: within {CORRELATION_MARGIN} (in a reprint: the paper's digits)."
        ),
        source=f"{PAPER}, Table 4",
        command=sample.command,
    )
