"""The regressions of the paper: is it architecture or size that matters? (Hu et al. 2020, sections 4.2 and 4.3)

One row for each controlled instance and suite; the accuracy by the logarithm of the corpus size L, the architecture A
and the circuit C. Each suite has an intercept, a slope of L and effects of the architectures of its own, correlated;
each instance an intercept.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.stats import chi2

from wug.benchmarks.syntaxgym.published.mixed_model import Floats, MixedFit, MixedModel
from wug.benchmarks.syntaxgym.published.results import CONTROLLED, SIZES
from wug.benchmarks.syntaxgym.scores import circuit_of

FORMULAS = ("L + A", "A", "L", "L*C + A*C", "L + A*C", "L*C + A")
"""The six models."""
TESTS = {
    "size": ("L + A", "A"),
    "architecture": ("L + A", "L"),
    "size:circuit": ("L*C + A*C", "L + A*C"),
    "architecture:circuit": ("L*C + A*C", "L*C + A"),
}
"""Likelihood-ratio tests: (full model, the same without)."""


@dataclass(frozen=True)
class RatioTest:
    """A likelihood-ratio test."""

    chi_squared: float
    degrees: int
    p_value: float


@dataclass(frozen=True)
class Design:
    """The rows of the regression."""

    y: Floats
    log_size: Floats
    architectures: Floats
    """(n, 4) dummies; the first architecture is the reference."""
    circuits: Floats
    """(n, n_circuits - 1) dummies; the first circuit is the reference."""
    suites: np.ndarray[tuple[int], np.dtype[np.int64]]
    instances: np.ndarray[tuple[int], np.dtype[np.int64]]

    @classmethod
    def of(cls, accuracies: pl.DataFrame, suite_names: tuple[str, ...]) -> "Design":
        """Return the rows of the controlled models and the given suites."""
        rows = accuracies.filter(pl.col("model").is_in(CONTROLLED) & pl.col("suite").is_in(suite_names))
        circuits = [circuit_of(suite) for suite in rows["suite"]]
        keys = [f"{model} {size} {seed}" for model, size, seed in rows.select("model", "size", "seed").iter_rows()]
        return cls(
            y=(rows["n_correct"] / rows["n_items"]).to_numpy().astype(np.float64),
            log_size=np.log([SIZES[size] for size in rows["size"]]),
            architectures=_dummies(rows["model"].to_list(), list(CONTROLLED)),
            circuits=_dummies(circuits, sorted(set(circuits))),
            suites=_numbers(rows["suite"].to_list()),
            instances=_numbers(keys),
        )

    def fixed(self, formula: str) -> Floats:
        """Return (n, p) the columns of a formula: an intercept, its terms, and their products with the circuits."""
        terms = {"L": self.log_size[:, None], "A": self.architectures}
        columns = [np.ones((len(self.y), 1))]
        if "C" in formula:
            columns.append(self.circuits)
        for term in formula.split(" + "):
            name, _, by_circuit = term.partition("*")
            columns.append(terms[name])
            if by_circuit:
                columns += [terms[name] * circuit[:, None] for circuit in self.circuits.T]
        return np.column_stack(columns)


def fit(design: Design, formula: str, *, rng: np.random.Generator) -> MixedFit:
    """Return the fit of one of FORMULAS."""
    effects = np.column_stack([np.ones(len(design.y)), design.log_size, design.architectures])
    model = MixedModel(design.y, design.fixed(formula), effects, design.suites, design.instances)
    return model.fit(rng=rng)


def ratio_tests(fits: Mapping[str, MixedFit]) -> dict[str, RatioTest]:
    """Return the four likelihood-ratio tests of the six fits."""
    tests = {}
    for name, (full, reduced) in TESTS.items():
        statistic = 2 * (fits[full].log_likelihood - fits[reduced].log_likelihood)
        degrees = fits[full].n_parameters - fits[reduced].n_parameters
        tests[name] = RatioTest(statistic, degrees, float(chi2.sf(statistic, degrees)))
    return tests


def _dummies(values: list[str], levels: list[str]) -> Floats:
    return np.array([[float(value == level) for level in levels[1:]] for value in values])


def _numbers(values: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
