"""Observations on their way into tables, and the rules by which they are compared with what the paper prints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import polars as pl

from wug.benchmarks.mlregtest.observations import checked
from wug.benchmarks.mlregtest.statistics.analysis import Analysis, analyse, paper_blocks
from wug.benchmarks.mlregtest.statistics.designs import language_means, n_cells
from wug.benchmarks.mlregtest.statistics.factors import LANGUAGE, NETWORKS
from wug.languages.subregular import language_names

N_LANGUAGES = len(language_names())


class Rule(StrEnum):
    """What it takes to agree with the paper."""

    RERUN = "rerun"
    """For trials of one's own: means within two points, tests with the same decision, correlations within 0.1."""
    REPRINT = "reprint"
    """For the paper's own observations: the digits that it prints."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Observations with what tables need beside them; analyses are made once."""

    observations: pl.DataFrame
    """See the module ``observations``."""
    rows: pl.DataFrame
    """Their ``language_means``."""
    rule: Rule = Rule.RERUN
    command: str = ""
    """What made the observations, for the tables."""
    _analyses: dict[tuple[str, ...], Analysis] = field(default_factory=dict)

    @classmethod
    def of(cls, observations: pl.DataFrame, rule: Rule = Rule.RERUN, command: str = "") -> "Sample":
        """Return the sample of a frame; InputError for columns or entries that are no observations."""
        frame = checked(observations)
        return cls(frame, language_means(frame), rule, command)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look at."""
        return self.observations.is_empty()

    def of_paper(self) -> "Sample":
        """Return the observations of the paper's four networks."""
        return self.where(pl.col("nn_type").is_in(list(NETWORKS)))

    def where(self, chosen: pl.Expr) -> "Sample":
        """Return a part of the observations, chosen by learner, size of training or kind of test set."""
        return Sample(self.observations.filter(chosen), self.rows.filter(chosen), self.rule, self.command)

    def analysis(self, *factors: str) -> Analysis:
        """Return the tests of a factor, or of several as one."""
        if factors not in self._analyses:
            self._analyses[factors] = analyse(self.rows, *factors)
        return self._analyses[factors]

    def covers(self, *factors: str, held: Mapping[str, str] | None = None) -> bool:
        """Tell whether all of the paper's blocks for these factors were run, at one level each of those ``held``."""
        return self.analysis(*factors).design.n_blocks == paper_blocks(*factors, held=held or ())

    @property
    def part(self) -> str:
        """What part of the paper's design was run, in a sentence."""
        if self.is_empty:
            return "Nothing was run."
        cells = n_cells(self.rows)
        languages = self.rows.select(LANGUAGE).n_unique()
        if (cells, languages) == (2304, N_LANGUAGES):
            return "All 2,304 cells of the design, all 1,800 languages."
        return f"{cells:,} of the design's 2,304 cells, {languages:,} of the 1,800 languages."
