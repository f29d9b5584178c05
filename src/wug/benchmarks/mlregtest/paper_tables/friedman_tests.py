"""All Friedman tests that the paper's section 6 reports, with Kendall's coefficient of concordance."""

from collections.abc import Sequence
from itertools import groupby

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.consistency import contradiction
from wug.benchmarks.mlregtest.paper_tables.printing import (
    probability,
    probability_agrees,
    statistic_agrees,
    verdict,
)
from wug.benchmarks.mlregtest.paper_tables.sample import Rule, Sample
from wug.benchmarks.mlregtest.published import PAPER, PublishedFriedman, published_friedman
from wug.benchmarks.mlregtest.statistics.factors import NAMES, NETWORKS
from wug.benchmarks.mlregtest.statistics.nemenyi import LEVEL
from wug.benchmarks.protocol import Cell, Table

_LEARNERS = {label: name for name, label in NETWORKS.items()}
NOT_REJECTED = f">{LEVEL}"
"""What stands for a p-value where the text says that the test did not reject."""


def friedman_table(sample: Sample) -> Table:
    """Return a row per test; statistics that contradict other figures of the paper are marked."""
    rows = []
    for (factor, network, size), tests in groupby(
        sorted(published_friedman(), key=_order), lambda test: (test.factor, test.network, test.train_size)
    ):
        name = NAMES[factor] + "".join(f", {held} only" for held in (network, size) if held)
        rows.append((name, _cells(sample, list(tests))))
    rule = "the paper's digits" if sample.rule is Rule.REPRINT else "the same decision"
    return Table(
        title="Friedman tests",
        columns=("χ²", "df", "blocks", "p-value", "Kendall's W"),
        rows=tuple(rows),
        caption=(
            f"Corrected for ties; significant below {LEVEL}. Compared where all of the paper's blocks were run; "
            f"agrees: {rule}. † contradicts other figures of the paper. The paper's public script makes the tests of "
            "order relation within one network from the means by logical level, so that their outcome is uncertain."
        ),
        source=f"{PAPER}, sections 6.1 and 6.2",
        command=sample.command,
    )


def _order(test: PublishedFriedman) -> tuple[int, int]:
    """Sort by factor in the text's order, the whole before its parts; a second statistic joins the first."""
    factors = list(dict.fromkeys(one.factor for one in published_friedman()))
    parts = ["", *NETWORKS.values(), "Small", "Mid", "Large"]
    return factors.index(test.factor), parts.index(test.network or test.train_size)


def _cells(sample: Sample, tests: Sequence[PublishedFriedman]) -> tuple[Cell, ...]:
    first = tests[0]
    held = {}
    if first.network:
        held["nn_type"] = _LEARNERS[first.network]
    if first.train_size:
        held["train_size"] = first.train_size
    part = sample.where(pl.all_horizontal(pl.col(name) == level for name, level in held.items())) if held else sample
    marked = [f"{test.statistic}{' †' if contradiction(test) else ''}" for test in tests if test.statistic]
    published = " and ".join(marked)
    p_published = "not rejected" if first.p_value == NOT_REJECTED else first.p_value
    against = "; ".join(f"† paper's figures imply {text}" for test in tests if (text := contradiction(test)))
    analysis = part.analysis(first.factor)
    found = analysis.friedman
    if found is None:
        return (
            Cell(published=published, verdict="not run" if published else "", detail=against),
            *(Cell() for _ in range(2)),
            Cell(published=p_published, verdict="not run"),
            Cell(),
        )
    covers = part.covers(first.factor, held=held)
    sound = [test.statistic for test in tests if test.statistic and not contradiction(test)]
    word = ""
    if covers and sound and sample.rule is Rule.REPRINT:
        word = verdict(all(statistic_agrees(found.statistic, text) for text in sound))
    p_word = verdict(probability_agrees(found.p_value, first.p_value, sample.rule)) if covers else ""
    return (
        Cell(f"{found.statistic:.2f}", published, word, "; ".join(filter(None, (against, analysis.design.reduced)))),
        Cell(str(found.degrees_of_freedom)),
        Cell(f"{found.n_blocks:,}"),
        Cell(probability(found.p_value), p_published, p_word),
        Cell(f"{found.kendalls_w:.3f}"),
    )
