"""The paper's figures recomputed from the published results, beside what is printed."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
from scipy.stats import pearsonr, spearmanr

from wug.benchmarks.syntaxgym.published.regression import FORMULAS, Design, fit, ratio_tests
from wug.benchmarks.syntaxgym.published.results import CONTROLLED, SIZES, PublishedResults
from wug.benchmarks.syntaxgym.scores import MODIFIER_PAIRS, SuiteSet, circuit_of
from wug.errors import InputError

_KEY = ["model", "size"]
_INSTANCE = ["model", "size", "seed"]


@dataclass(frozen=True)
class Figure:
    """One number: what the files give, and what is printed."""

    measure: str
    item: str
    value: float
    printed: str = ""
    """'' where nothing is printed."""

    @property
    def agrees(self) -> bool | None:
        """Whether the value rounds to the printed one; None where nothing is printed."""
        if not self.printed:
            return None
        printed = Decimal(self.printed)
        exponent = printed.as_tuple().exponent
        assert isinstance(exponent, int)
        return abs(Decimal(self.value) - printed) <= Decimal(5).scaleb(exponent - 1) * Decimal("1.000001")


@cache
def printed_figures() -> dict[tuple[str, str], str]:
    """Return what is printed, by (measure, item)."""
    document = tomllib.loads(Path(__file__).with_name("published.toml").read_text("utf-8"))
    return {(measure, item): value for measure, items in document.items() for item, value in items.items()}


def recompute(
    results: PublishedResults, corrections: PublishedResults | None, *, rng: np.random.Generator
) -> list[Figure]:
    """Return all figures; InputError where the files lack one that is printed, those of the corrections aside."""
    values = dict(_plain_figures(results, ""))
    if corrections is not None:
        values |= dict(_sg_figures(corrections, " corrected", {("GPT-2", "md"), ("GPT-2", "lg")}))
    values |= dict(_regression_figures(results, rng))
    printed = printed_figures()
    missing = [key for key in printed if key not in values and (corrections is not None or "corrected" not in key[0])]
    if missing:
        measure, item = missing[0]
        raise InputError(f"the files lack what '{measure}' of {item} is made from; take all of the published ones")
    return [Figure(*key, value, printed.get(key, "")) for key, value in values.items()]


Named = tuple[tuple[str, str], float]
"""((measure, item), value)."""


def _plain_figures(results: PublishedResults, suffix: str) -> Iterator[Named]:
    yield from _sg_figures(results, suffix)
    for model, size, value in _named_means(results.perplexities, "perplexity"):
        yield ("perplexity", _label(model, size)), value
    scored = _in_mean(results.accuracies, SuiteSet.PAPER)
    for model, value in _by_model(scored):
        yield ("mean over instances and suites", model), value
    circuits = scored.with_columns(circuit=pl.col("suite").map_elements(circuit_of, return_dtype=pl.String))
    per_instance = circuits.group_by(*_INSTANCE, "circuit").agg(pl.col("accuracy").mean())
    means = per_instance.group_by(*_KEY, "circuit").agg(pl.col("accuracy").mean()).sort(*_KEY, "circuit")
    for model, size, circuit, value in means.iter_rows():
        yield ("circuit", f"{_label(model, size)}: {circuit}"), value
    for place, measure in enumerate(("without modifier", "with modifier")):
        members = [pair[place] for pair in MODIFIER_PAIRS]
        for model, value in _by_model(scored.filter(pl.col("suite").is_in(members))):
            yield (measure, model), value
    yield from _deltas(scored)
    per_instance = scored.group_by(*_INSTANCE).agg(pl.col("accuracy").mean())
    joined = per_instance.join(results.perplexities, on=_INSTANCE).filter(pl.col("model").is_in(CONTROLLED))
    if len(joined) > 2:
        measure = "correlation of perplexity and SG-31"
        yield (measure, "Pearson"), float(pearsonr(joined["perplexity"], joined["accuracy"]).statistic)
        yield (measure, "Spearman"), float(spearmanr(joined["perplexity"], joined["accuracy"]).statistic)


def _sg_figures(results: PublishedResults, suffix: str, only: set[tuple[str, str]] | None = None) -> Iterator[Named]:
    for suite_set in SuiteSet:
        scored = _in_mean(results.accuracies, suite_set)
        per_instance = scored.group_by(*_INSTANCE).agg(pl.col("accuracy").mean())
        for model, size, value in _named_means(per_instance, "accuracy"):
            if only is None or (model, size) in only:
                yield (f"SG-{suite_set.value}{suffix}", _label(model, size)), value


def _deltas(scored: pl.DataFrame) -> Iterator[Named]:
    """Yield mean differences of the controlled models' accuracies from the suites' means, by architecture and size.

    The mean of a suite is over pairs of architecture and size, each the mean over its seeds (Figures 3 and 4).
    """
    controlled = scored.filter(pl.col("model").is_in(CONTROLLED))
    pairs = controlled.group_by(*_KEY, "suite").agg(pl.col("accuracy").mean())
    suite_means = pairs.group_by("suite").agg(pl.col("accuracy").mean().alias("mean"))
    deltas = controlled.join(suite_means, on="suite").with_columns(delta=pl.col("accuracy") - pl.col("mean"))
    for column, measure, names in (
        ("model", "SG delta by architecture", CONTROLLED),
        ("size", "SG delta by size", tuple(SIZES)),
    ):
        means = dict(deltas.group_by(column).agg(pl.col("delta").mean()).iter_rows())
        for name in names:
            if name in means:
                yield (measure, name.upper() if column == "size" else name), means[name]


def _regression_figures(results: PublishedResults, rng: np.random.Generator) -> Iterator[Named]:
    design = Design.of(results.accuracies, SuiteSet.PAPER.names)
    fits = {formula: fit(design, formula, rng=rng) for formula in FORMULAS}
    for formula, found in fits.items():
        yield ("log-likelihood", formula), found.log_likelihood
        yield ("AIC", formula), found.aic
    for name, test in ratio_tests(fits).items():
        yield ("likelihood ratio", name), test.chi_squared
        yield ("p", name), test.p_value
    full = fits["L + A"]
    effects = ("intercept", "L", *CONTROLLED[1:])
    for name, value, error in zip(effects, full.fixed, full.fixed_errors, strict=True):
        yield ("fixed effect of L + A", name), float(value)
        yield ("standard error of L + A", name), float(error)
    for name, value in zip(("suite", *effects[1:]), full.group_deviations, strict=True):
        yield ("standard deviation of L + A", name), float(value)
    yield ("standard deviation of L + A", "instance"), full.unit_deviation
    yield ("standard deviation of L + A", "residual"), full.residual_deviation


def _in_mean(accuracies: pl.DataFrame, suite_set: SuiteSet) -> pl.DataFrame:
    """Return model, size, seed, suite, accuracy of the suites of a mean."""
    accuracy = (pl.col("n_correct") / pl.col("n_items")).alias("accuracy")
    return accuracies.filter(pl.col("suite").is_in(suite_set.names)).select(*_INSTANCE, "suite", accuracy)


def _named_means(frame: pl.DataFrame, column: str) -> list[tuple[str, str, float]]:
    return list(frame.group_by(*_KEY).agg(pl.col(column).mean()).sort(*_KEY).iter_rows())


def _by_model(scored: pl.DataFrame) -> list[tuple[str, float]]:
    return list(scored.group_by("model").agg(pl.col("accuracy").mean()).sort("model").iter_rows())


def _label(model: str, size: str) -> str:
    return f"{model} {size.upper()}".strip()
