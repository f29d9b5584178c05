"""What the paper prints in its section 6 and its appendix (van der Poel et al. 2024), from ``published.toml``.

Levels are named as the paper prints them; probabilities and statistics are kept as printed.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

PAPER = "van der Poel et al. 2024, JMLR 25(283)"


@dataclass(frozen=True)
class PublishedMeans:
    """A table of mean accuracies."""

    table: str
    """Its number."""
    factors: tuple[str, ...]
    values: Mapping[str, float]
    """By level; by levels joined by ' × ' where there are two factors. Three decimals."""


@dataclass(frozen=True)
class PublishedPairs:
    """The p-values of the all-pairs test of a factor: a lower triangle."""

    where: str
    """'Table 15', or the section whose text gives them."""
    factor: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    """The p-values of each row from its first column on."""

    @property
    def p_values(self) -> dict[tuple[str, str], str]:
        """The p-values by (row, column)."""
        return {
            (row, column): text
            for row, texts in self.rows.items()
            for column, text in zip(self.columns, texts, strict=False)
        }


@dataclass(frozen=True)
class PublishedFriedman:
    """A Friedman test that the text reports."""

    factor: str
    section: str
    p_value: str
    """As printed; '>0.005' where the text says that the test did not reject."""
    statistic: str = ""
    """As printed; empty where the text gives the p-value alone."""
    degrees_of_freedom: int = 0
    network: str = ""
    """Where the test is of one network's accuracies alone."""
    train_size: str = ""
    """Where it is of one training size alone."""


@dataclass(frozen=True)
class PublishedCorrelation:
    """A rank correlation of accuracy with size (Table 24 and the text below it)."""

    size: str
    """'states' of the minimal DFA, or elements of the 'monoid'."""
    part: str
    """Of the observations: 'all', 'Large', or 'GRU Large SA'."""
    rho: str


@cache
def published_means(*factors: str) -> PublishedMeans:
    """Return the table of means for these factors."""
    entry = next(entry for entry in _content()["means"] if tuple(entry["factors"]) == factors)
    return PublishedMeans(entry["table"], factors, entry["values"])


@cache
def published_pairs(factor: str) -> PublishedPairs:
    """Return the p-values for a factor."""
    entry = next(entry for entry in _content()["pairs"] if entry["factor"] == factor)
    where = f"Table {entry['table']}" if "table" in entry else f"section {entry['section']}"
    return PublishedPairs(
        where, factor, tuple(entry["columns"]), {row: tuple(texts) for row, texts in entry["rows"].items()}
    )


@cache
def published_friedman() -> tuple[PublishedFriedman, ...]:
    """Return the Friedman tests in the order of the text."""
    return tuple(PublishedFriedman(**entry) for entry in _content()["friedman"])


@cache
def published_correlations() -> tuple[PublishedCorrelation, ...]:
    """Return the rank correlations with size."""
    return tuple(PublishedCorrelation(**entry) for entry in _content()["correlations"])


@cache
def published_measure_correlations() -> Mapping[tuple[str, str], float]:
    """Return Table 4: Pearson's correlations of two measures over all observations, by (row, column)."""
    entries = _content()["measure_correlations"].items()
    return {(row, column): value for names, value in entries for row, column in [names.split()]}


@cache
def _content() -> dict[str, Any]:
    text = resources.files("wug.benchmarks.mlregtest").joinpath("published.toml").read_text("utf-8")
    return tomllib.loads(text)
