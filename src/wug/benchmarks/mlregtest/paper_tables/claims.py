"""What the paper concludes, claim by claim, for all networks together and for each: does it hold here too?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.printing import mean, probability, verdict
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.published import PAPER
from wug.benchmarks.mlregtest.statistics.factors import COMPLEMENTS, NETWORKS, in_order, shown
from wug.benchmarks.mlregtest.statistics.nemenyi import LEVEL
from wug.benchmarks.protocol import Cell, Table

ALL = "all networks run"


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds for some observations, and the numbers that decide."""

    holds: bool
    numbers: str


@dataclass(frozen=True)
class Claim:
    """A conclusion of the paper."""

    text: str
    where: str
    find: Callable[[Sample], Finding | None]
    """Returns None where the observations do not tell."""
    published: Mapping[str, bool]
    """By network, or ``ALL``: whether the paper says that it holds. Where it says nothing there is no entry."""


def claims_table(sample: Sample) -> Table:
    """Return every claim for all networks that were run together, and for each network."""
    columns = (ALL, *NETWORKS.values())
    samples = {ALL: sample} | {label: sample.where(pl.col("nn_type") == name) for name, label in NETWORKS.items()}
    rows = []
    for claim in CLAIMS:
        cells = tuple(_cell(claim, samples[column], column) for column in columns)
        rows.append((f"{claim.text} ({claim.where})", cells))
    return Table(
        title="What the paper concludes",
        columns=columns,
        rows=tuple(rows),
        caption=(
            f"{sample.part}{_levels_run(sample)} Means are compared as they are; a tie is no order. "
            f"Significant: p < {LEVEL}."
        ),
        source=f"{PAPER}, sections 6 and 7",
        command=sample.command,
    )


def _levels_run(sample: Sample) -> str:
    names = [shown(of, level) for of in ("nn_type", "train_size") for level in in_order(of, sample.observations[of])]
    return f" Run: {', '.join(names)}." if names else ""


def _cell(claim: Claim, sample: Sample, column: str) -> Cell:
    stated = claim.published.get(column)
    published = "" if stated is None else ("holds" if stated else "does not hold")
    found = None if sample.is_empty else claim.find(sample)
    if found is None:
        return Cell(published=published, verdict="not run" if published else "")
    word = "" if stated is None else verdict(found.holds == stated)
    return Cell("holds" if found.holds else "does not hold", published, word, found.numbers)


def _ordered(factor: str, *levels: str) -> Callable[[Sample], Finding | None]:
    """Return the finder of: each level has a lower mean than the next."""

    def find(sample: Sample) -> Finding | None:
        means = sample.analysis(factor).design.means
        if any(level not in means for level in levels):
            return None
        values = [means[level] for level in levels]
        holds = all(one < other for one, other in pairwise(values))
        return Finding(holds, _listed(factor, means, levels))

    return find


def _pairs_ordered(factor: str, pairs: Sequence[tuple[str, str]]) -> Callable[[Sample], Finding | None]:
    """Return the finder of: in each pair the first level has the lower mean."""

    def find(sample: Sample) -> Finding | None:
        means = sample.analysis(factor).design.means
        if any(level not in means for pair in pairs for level in pair):
            return None
        holds = all(means[low] < means[high] for low, high in pairs)
        return Finding(holds, _listed(factor, means, [level for pair in pairs for level in pair]))

    return find


def _extreme(factor: str, levels: Sequence[str], *, highest: bool) -> Callable[[Sample], Finding | None]:
    """Return the finder of: these levels have the highest, or lowest, means of all; it needs all others to be there."""

    def find(sample: Sample) -> Finding | None:
        means = sample.analysis(factor).design.means
        others = [level for level in means if level not in levels]
        if any(level not in means for level in levels) or not others:
            return None
        if highest:
            holds = min(means[level] for level in levels) > max(means[level] for level in others)
            nearest = max(others, key=lambda level: means[level])
        else:
            holds = max(means[level] for level in levels) < min(means[level] for level in others)
            nearest = min(others, key=lambda level: means[level])
        return Finding(holds, _listed(factor, means, [*levels, nearest]))

    return find


def _complements_alike(sample: Sample) -> Finding | None:
    analysis = sample.analysis("class")
    p_values = {f"{one}/{other}": analysis.p_value(one, other) for one, other in COMPLEMENTS}
    known = {pair: value for pair, value in p_values.items() if value is not None}
    if len(known) < len(p_values):
        return None
    numbers = ", ".join(f"{pair} p = {probability(value)}" for pair, value in known.items())
    return Finding(all(value >= LEVEL for value in known.values()), numbers)


def _listed(factor: str, means: Mapping[str, float], levels: Sequence[str]) -> str:
    return ", ".join(f"{shown(factor, level)} {mean(means[level])}" for level in levels)


_EVERYWHERE = dict.fromkeys((ALL, *NETWORKS.values()), True)

CLAIMS = (
    Claim(
        "More data give better accuracy", "Tables 8, 23", _ordered("train_size", "Small", "Mid", "Large"), _EVERYWHERE
    ),
    Claim("Classes and their complements do not differ", "Table 9", _complements_alike, {ALL: True}),
    Claim(
        "Border sets are harder than random ones",
        "Tables 10, 11",
        _pairs_ordered("test_type", (("SA", "SR"), ("LA", "LR"))),
        _EVERYWHERE,
    ),
    Claim(
        "Long strings are harder than short ones",
        "Tables 10, 11",
        _pairs_ordered("test_type", (("LR", "SR"), ("LA", "SA"))),
        {column: True for column in _EVERYWHERE if column != "GRU"},
    ),
    Claim("SF is the easiest class", "Table 12", _extreme("class", ("SF",), highest=True), {ALL: True}),
    Claim(
        "Zp and Reg are the hardest classes", "Table 12", _extreme("class", ("Zp", "Reg"), highest=False), {ALL: True}
    ),
    Claim("MSO is the hardest logical level", "section 6.2.3", _extreme("logic", ("MSO",), highest=False), _EVERYWHERE),
    Claim(
        "PROP is the easiest logical level", "section 6.2.3", _extreme("logic", ("PROP",), highest=True), _EVERYWHERE
    ),
    Claim(
        "Successor is the easiest order relation", "Table 17", _extreme("order", ("SUCC",), highest=True), {ALL: True}
    ),
    Claim(
        "Larger alphabets are easier",
        "Table 19, section 6.2.4",
        _ordered("alph", "4", "16", "64"),
        _EVERYWHERE | {"GRU": False},
    ),
    Claim("The GRU is the best network", "Table 21", _extreme("nn_type", ("gru",), highest=True), {ALL: True}),
)
