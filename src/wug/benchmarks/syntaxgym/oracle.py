"""Surprisals that satisfy the predictions: what a perfect model would give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import linprog

from wug.benchmarks.syntaxgym.suites import Cell, Formula, Item, Sentence, Suite
from wug.benchmarks.syntaxgym.suites.formulas import Step, fold
from wug.errors import TrialError
from wug.learners.protocols import ScoredText

MARGIN_BITS = 1.0
"""By how much each comparison holds."""
HIGHEST_BITS = 1000.0
MAX_ALTERNATIVES = 64
"""Conjunctions tried of a formula with |."""


_Bits = dict[str, tuple[float, ...]]
"""Surprisals of the regions by condition."""


@dataclass(frozen=True)
class _Constraint:
    """``sum(weights * bits) + constant >= margin``, or ``= 0`` where the margin is 0."""

    weights: Mapping[Cell, float]
    constant: float
    margin: float


class SuiteOracle:
    """Answers the sentences of suites with surprisals that satisfy each item's predictions: one token a region.

    All predictions of a suite are satisfied where this is possible, else the first alone.
    """

    def __init__(self) -> None:
        """Begin with nothing solved."""
        self._known: dict[tuple[tuple[Formula, ...], tuple[tuple[str, tuple[bool, ...]], ...]], _Bits | None] = {}

    def region_bits(self, suite: Suite, item: Item) -> _Bits:
        """Return the surprisals of the regions of an item, by condition.

        Raises TrialError where no surprisals satisfy the first prediction.
        """
        emptiness = {condition: tuple(map(bool, regions)) for condition, regions in item.conditions.items()}
        key = suite.predictions, tuple(sorted(emptiness.items()))
        if key not in self._known:
            for formulas in (suite.predictions, suite.predictions[:1]):
                self._known[key] = _satisfying(formulas, suite, emptiness)
                if self._known[key] is not None:
                    break
        found = self._known[key]
        if found is not None:
            return found
        raise TrialError(f"no surprisals satisfy the prediction of suite {suite.name}, item {item.number}")

    def score_sentence(self, suite: Suite, item: Item, condition: str, sentence: Sentence) -> ScoredText:
        """Return a sentence of an item as one token a region."""
        bits = self.region_bits(suite, item)[condition]
        filled = [region for region, (start, stop) in enumerate(sentence.spans) if start < stop]
        return ScoredText(
            tuple(sentence.text[slice(*sentence.spans[region])] for region in filled),
            np.array([sentence.spans[region][0] for region in filled], dtype=np.int64),
            np.array([sentence.spans[region][1] for region in filled], dtype=np.int64),
            np.array([bits[region] for region in filled], dtype=np.float64),
        )


def _satisfying(formulas: Sequence[Formula], suite: Suite, filled: Mapping[str, tuple[bool, ...]]) -> _Bits | None:
    """Return surprisals that satisfy formulas, those of empty regions 0; None where there are none."""
    cells = [Cell(region, condition) for condition in filled for region in range(1, len(suite.regions) + 1)]
    bounds = [(0.0, HIGHEST_BITS if filled[cell.condition][cell.region - 1] else 0.0) for cell in cells]
    for choice in product(*(_alternatives(formula, suite) for formula in formulas)):
        constraints = [constraint for conjunction in choice for constraint in conjunction]
        rows = np.array([[constraint.weights.get(cell, 0.0) for cell in cells] for constraint in constraints])
        limits = np.array([constraint.margin - constraint.constant for constraint in constraints])
        equal = np.array([constraint.margin == 0 for constraint in constraints])
        found = linprog(
            np.ones(len(cells)),
            *((-rows[~equal], -limits[~equal]) if (~equal).any() else (None, None)),
            *((rows[equal], limits[equal]) if equal.any() else (None, None)),
            bounds=bounds,
        )
        if found.success:
            values = dict(zip(cells, map(float, found.x), strict=True))
            return {
                condition: tuple(values[Cell(region, condition)] for region in range(1, len(suite.regions) + 1))
                for condition in filled
            }
    return None


def _alternatives(formula: Formula, suite: Suite) -> list[list[_Constraint]]:
    """Return conjunctions of constraints one of which must hold, at most MAX_ALTERNATIVES of them."""

    def push(operand: Cell | float) -> tuple[dict[Cell, float], float]:
        if not isinstance(operand, Cell):
            return {}, operand
        return {Cell(region, operand.condition): 1.0 for region in suite.regions_of(operand)}, 0.0

    def combine(step: Step, left: object, right: object) -> object:
        if isinstance(left, list) and isinstance(right, list):
            if step.operator == "|":
                return (left + right)[:MAX_ALTERNATIVES]
            return [one + other for one in left for other in right][:MAX_ALTERNATIVES]
        assert isinstance(left, tuple)
        assert isinstance(right, tuple)
        if step.operator == "<":
            left, right = right, left
        sign = 1 if step.operator == "+" else -1
        weights = {cell: left[0].get(cell, 0.0) + sign * right[0].get(cell, 0.0) for cell in (*left[0], *right[0])}
        constant = left[1] + sign * right[1]
        if step.operator in "+-":
            return weights, constant
        return [[_Constraint(weights, constant, 0.0 if step.operator == "=" else MARGIN_BITS)]]

    found: list[list[_Constraint]] = fold(formula.program, push, combine)
    return found
