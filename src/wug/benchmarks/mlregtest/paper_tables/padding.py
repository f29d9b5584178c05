"""What a network loses or gains by seeing the padding behind a string as symbols of it, as the paper's networks do."""

import math
from collections.abc import Iterator

import polars as pl
from scipy.stats import t

from wug.benchmarks.mlregtest.paper_tables.printing import difference, mean
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.statistics.factors import LANGUAGE, LEVELS, NETWORKS, in_order
from wug.benchmarks.protocol import Cell, Table

_MASKED = {f"mlregtest-{network} padding=masked": network for network in NETWORKS}
_ALL = "all"


def padding_tables(sample: Sample) -> Iterator[Table]:
    """Yield for each network that was trained with padding masked and as input a table of the paired differences."""
    learners = set(sample.observations["nn_type"])
    for masked, network in _MASKED.items():
        if {masked, network} <= learners:
            pairs = _pairs(sample, network, masked)
            if len(pairs):
                yield _table(pairs, NETWORKS[network], sample.command)


def _pairs(sample: Sample, network: str, masked: str) -> pl.DataFrame:
    """Return a row per language, size and kind of test set that both were judged on."""
    same = (*LANGUAGE, "train_size", "test_type")
    rows = sample.rows.filter(pl.col("nn_type").is_in([network, masked]))
    sides = [
        rows.filter(pl.col("nn_type") == learner).select(*same, pl.col("accuracy").alias(name), pl.col("trials"))
        for learner, name in ((network, "input"), (masked, "masked"))
    ]
    return sides[0].join(sides[1], on=same, suffix="_masked")


def _table(pairs: pl.DataFrame, network: str, command: str) -> Table:
    classes = in_order("class", pairs["class"].to_list())
    tests = [test for test in LEVELS["test_type"] if test in set(pairs["test_type"])]
    rows = []
    for class_ in (*classes, _ALL):
        rest = pairs if class_ == _ALL else pairs.filter(pl.col("class") == class_)
        whole = rest.group_by(*LANGUAGE, "train_size").agg(pl.col("input", "masked").mean())
        trials = [*rest["trials"].explode(), *rest["trials_masked"].explode()]
        cells = [
            Cell(mean(float(whole["input"].to_numpy().mean()))),
            Cell(mean(float(whole["masked"].to_numpy().mean())), trials=tuple(sorted({one for one in trials if one}))),
            _difference(whole),
            *(_difference(rest.filter(pl.col("test_type") == test)) for test in tests),
        ]
        rows.append((class_, tuple(cells)))
    return Table(
        title=f"{network}: padding masked or seen",
        columns=("seen", "masked", "masked − seen", *(f"{test}: masked − seen" for test in tests)),
        rows=tuple(rows),
        caption=(
            f"Mean accuracies of {pairs.select(LANGUAGE).n_unique():,} languages on which the same network was trained "
            "twice: with the padding behind a string as symbols of it, as in the paper, and with the state read at the "
            "string's end. Intervals are Student's 95% over languages."
        ),
        command=command,
    )


def _difference(rows: pl.DataFrame) -> Cell:
    gains = (rows["masked"] - rows["input"]).to_numpy()
    n = len(gains)
    if not n:
        return Cell()
    if n == 1:
        return Cell(difference(float(gains[0])))
    half = float(t.ppf(0.975, n - 1)) * float(gains.std(ddof=1)) / math.sqrt(n)
    return Cell(difference(float(gains.mean())), detail=f"95% ±{half:.3f}")
