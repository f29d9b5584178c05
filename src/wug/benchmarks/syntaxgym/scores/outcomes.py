"""What a model's surprisals make of a suite: each prediction of each item, with what failed."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from wug.benchmarks.syntaxgym.suites import Cell, Evaluation, Item, Sentence, Suite
from wug.benchmarks.syntaxgym.surprisal import RegionSurprisals, check_tiling, region_surprisals
from wug.errors import InputError
from wug.learners.protocols import ScoredText

Scored = Callable[[Item, str], tuple[Sentence, ScoredText]]
"""(item, condition) -> its sentence and the tokens with their surprisals."""


@dataclass(frozen=True)
class ItemOutcome:
    """One item's predictions."""

    number: int
    evaluations: tuple[Evaluation, ...]
    """One for each prediction of the suite; empty where the item failed."""
    regions: dict[str, tuple[float, ...]]
    """The regions' surprisals in bits, by condition."""
    failure: str = ""
    """Why there is no evaluation: a value that is not finite, tokens that do not tile the text. Counts as false."""
    across: tuple[str, ...] = ()
    """Tokens that lie across the border of two regions."""

    def holds(self, prediction: int) -> bool:
        """Whether a prediction holds; false where the item failed."""
        return bool(self.evaluations) and self.evaluations[prediction].holds

    def is_tied(self, prediction: int) -> bool:
        """Whether a prediction fails with a comparison whose sides are equal."""
        return bool(self.evaluations) and self.evaluations[prediction].is_tied


@dataclass(frozen=True)
class SuiteOutcome:
    """All items of a suite."""

    suite: Suite
    items: tuple[ItemOutcome, ...]

    def n_holding(self, prediction: int | None) -> int:
        """Return the number of items for which a prediction holds, or all of them where it is None."""
        wanted = range(len(self.suite.predictions)) if prediction is None else (prediction,)
        return sum(all(item.holds(one) for one in wanted) for item in self.items)

    def accuracy(self, prediction: int | None = 0) -> float:
        """Return the share of items for which a prediction holds, or all of them where it is None."""
        return self.n_holding(prediction) / len(self.items)

    @property
    def failures(self) -> tuple[ItemOutcome, ...]:
        """Items without evaluation."""
        return tuple(item for item in self.items if item.failure)


def evaluate_suite(suite: Suite, scored: Scored) -> SuiteOutcome:
    """Return what the surprisals of all sentences make of a suite's predictions."""
    return SuiteOutcome(suite, tuple(_evaluate_item(suite, item, scored) for item in suite.items))


def _evaluate_item(suite: Suite, item: Item, scored: Scored) -> ItemOutcome:
    regions: dict[str, RegionSurprisals] = {}
    for condition in item.conditions:
        needed = suite.needed_regions[condition]
        sentence, text = scored(item, condition)
        try:
            check_tiling(sentence.text, text, max((sentence.spans[region - 1][1] for region in needed), default=0))
        except InputError as error:
            return ItemOutcome(item.number, (), {}, f"{condition}: {error}")
        regions[condition] = region_surprisals(sentence, text, suite.metric)
    values = {condition: found.bits for condition, found in regions.items()}
    across = tuple(token for found in regions.values() for token in found.across)
    for condition, wanted in suite.needed_regions.items():
        for region in sorted(wanted):
            value = values[condition][region - 1]
            if not math.isfinite(value):
                reason = f"{condition}, region {region} ({suite.regions[region - 1]}): its surprisal is {value}"
                return ItemOutcome(item.number, (), values, reason, across)

    def value_of(cell: Cell) -> float:
        return math.fsum(values[cell.condition][region - 1] for region in suite.regions_of(cell))

    evaluations = tuple(formula.evaluate(value_of) for formula in suite.predictions)
    return ItemOutcome(item.number, evaluations, values, across=across)
