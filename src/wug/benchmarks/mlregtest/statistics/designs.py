"""From observations to blocks and treatments: the cell means of the paper's design, or of the part that was run.

Two rules make an incomplete design fair, and leave a complete one as the paper has it.

- Same languages: what varies while the language stays (size of training, network, kind of test) is compared on those
  languages alone, block by block, that were seen at all levels.
- Complete blocks: a block that lacks one of the levels is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from wug.benchmarks.mlregtest.statistics.factors import FACTORS, GROUPS, LANGUAGE, WITHIN, in_order
from wug.benchmarks.mlregtest.statistics.friedman import DECIMALS

TIMES = " × "
"""Between the levels of several factors that are one treatment together: ``gru × SR``."""


@dataclass(frozen=True, eq=False)
class Design:
    """The blocks of one treatment factor, or of several whose combinations are the treatments."""

    factors: tuple[str, ...]
    levels: tuple[str, ...]
    """The treatments, in the order in which they are shown."""
    values: NDArray[np.float64]
    """(n_blocks, n_levels) mean accuracies."""
    rows: pl.DataFrame
    """What they are means of: a row per language, training size, network and test set, with its ``level``, its
    ``accuracy``, its ``trials``, and of its value the ``cell_mean`` and ``in_cell``, the number of rows behind it."""
    n_dropped: int
    """Blocks left out, for they lack a level."""
    n_languages_seen: int
    """Languages in the rows that it is made from."""

    @property
    def n_blocks(self) -> int:
        """Number of complete blocks."""
        return len(self.values)

    @cached_property
    def n_languages(self) -> int:
        """Languages behind the values."""
        return self.rows.select(LANGUAGE).n_unique() if len(self.rows) else 0

    @property
    def is_testable(self) -> bool:
        """Whether there is a block with two levels or more."""
        return self.n_blocks > 0 and len(self.levels) > 1

    @cached_property
    def means(self) -> dict[str, float]:
        """Mean over the blocks of each level; empty without blocks."""
        return dict(zip(self.levels, self.values.mean(axis=0).tolist(), strict=True)) if self.n_blocks else {}

    @property
    def reduced(self) -> str:
        """What the two rules left out, in words; empty where they left out nothing."""
        parts = []
        if self.n_languages < self.n_languages_seen:
            parts.append(f"{self.n_languages:,} of {self.n_languages_seen:,} languages were seen at every level")
        if self.n_dropped:
            parts.append(f"{self.n_dropped:,} of {self.n_dropped + self.n_blocks:,} blocks lack a level")
        return "; ".join(parts)

    def mean_of_rows(self, level: str) -> float:
        """Return the mean over the rows of a level, in which cells with more languages weigh more."""
        return float(self.rows.filter(pl.col("level") == level)["accuracy"].to_numpy().mean())

    def trials(self, level: str) -> tuple[str, ...]:
        """Return the ids of the trials behind a level."""
        ids = self.rows.filter(pl.col("level") == level)["trials"].explode().drop_nulls()
        return tuple(ids.unique().sort().to_list())


def design(rows: pl.DataFrame, *factors: str) -> Design:
    """Return the blocks of a factor (or of several as one), ``logic`` and ``order`` among them.

    ``rows`` are what ``language_means`` returns, or some of them. The levels are those that were observed. Blocks are
    the combinations of the other factors; those of the groups have no class among them. A value is a mean over
    languages, each the mean of its trials; in a group, every language counts the same, whatever its class.
    """
    n_languages_seen = rows.select(LANGUAGE).n_unique() if len(rows) else 0
    rows = rows.with_columns(level=pl.concat_str(factors, separator=TIMES))
    levels = _levels(rows, factors)
    treated = {"class" if name in GROUPS else name for name in factors}
    blocking = [name for name in FACTORS if name not in treated]
    all_blocks = rows.select(blocking).n_unique() if len(rows) else 0
    rows = _seen_at_all(rows, [name for name in WITHIN if name in treated])
    in_block = rows.group_by(blocking).agg(pl.col("level").n_unique()).filter(pl.col("level") == len(levels))
    rows = rows.join(in_block.select(blocking), on=blocking, how="semi")
    cells = rows.group_by(*blocking, "level").agg(cell_mean=pl.col("accuracy").mean(), in_cell=pl.len())
    wide = cells.sort(blocking).pivot("level", index=blocking, values="cell_mean")
    values = wide.select(levels).to_numpy().round(DECIMALS) if len(wide) else np.empty((0, len(levels)))
    return Design(
        factors=factors,
        levels=tuple(levels),
        values=values,
        rows=rows.join(cells, on=[*blocking, "level"]),
        n_dropped=all_blocks - len(wide),
        n_languages_seen=n_languages_seen,
    )


def language_means(observations: pl.DataFrame) -> pl.DataFrame:
    """Return a row per language, training size, network and test set, with its groups: the mean over its trials."""
    keys = list(dict.fromkeys((*LANGUAGE, *FACTORS)))
    rows = observations.group_by(keys).agg(pl.col("accuracy").mean(), trials=pl.col("trial"))
    return rows.with_columns(
        pl.col("alph").cast(pl.String),
        *(
            pl.col("class")
            .replace_strict(
                {one: group for group, members in groups.items() for one in members}, return_dtype=pl.String
            )
            .alias(name)
            for name, groups in GROUPS.items()
        ),
    )


def n_cells(rows: pl.DataFrame) -> int:
    """Return how many of the design's cells are there; the paper's design has 2,304."""
    return rows.select(FACTORS).n_unique() if len(rows) else 0


def _levels(rows: pl.DataFrame, factors: Sequence[str]) -> list[str]:
    observed = rows.select(factors).unique()
    orders = {name: in_order(name, observed[name].to_list()) for name in factors}
    found = sorted(
        observed.iter_rows(), key=lambda row: [orders[n].index(v) for n, v in zip(factors, row, strict=True)]
    )
    return [TIMES.join(row) for row in found]


def _seen_at_all(rows: pl.DataFrame, treated: Sequence[str]) -> pl.DataFrame:
    """Return the rows of languages seen at all observed combinations of the factors, within levels of the others."""
    if not treated:
        return rows
    keys = [*LANGUAGE, *(name for name in WITHIN if name not in treated)]
    n_levels = rows.select(treated).n_unique() if len(rows) else 0
    whole = rows.group_by(keys).len().filter(pl.col("len") == n_levels).drop("len")
    return rows.join(whole, on=keys, how="semi")
