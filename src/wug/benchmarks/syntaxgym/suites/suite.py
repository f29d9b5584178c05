"""A test suite: items, each the same sentence in several conditions, cut into regions; and predictions about them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from wug.benchmarks.syntaxgym.suites.formulas import Cell, Formula


class Metric(StrEnum):
    """What the surprisals of a region's tokens are made into."""

    SUM = "sum"
    """Minus the binary logarithm of the region's probability given all before it."""
    MEAN = "mean"
    MEDIAN = "median"
    RANGE = "range"
    MAX = "max"
    MIN = "min"


class Dialect(StrEnum):
    """How formulas group: the two forms in which the published suites exist."""

    BRACKETS = "brackets"
    PARENTHESES = "parentheses"


@dataclass(frozen=True)
class Sentence:
    """A condition's text, and where each region stands in it."""

    text: str
    spans: tuple[tuple[int, int], ...]
    """(start, stop) of each region in characters; those of an empty region are equal."""

    def is_empty(self, region: int) -> bool:
        """Whether a region, counted from 1, has no text."""
        start, stop = self.spans[region - 1]
        return start == stop


@dataclass(frozen=True)
class Item:
    """One item of a suite in all its conditions."""

    number: int
    conditions: Mapping[str, tuple[str, ...]]
    """The contents of the regions in each condition, in the order of the file, which may differ between items."""

    def sentence(self, condition: str) -> Sentence:
        """Return the condition's text: the regions that are not empty, joined by one space.

        >>> item = Item(1, {"gap": ("I know", "", ".")})
        >>> item.sentence("gap")
        Sentence(text='I know .', spans=((0, 6), (6, 6), (7, 8)))
        """
        text = ""
        spans = []
        for content in self.conditions[condition]:
            start = len(text) + 1 if text and content else len(text)
            text = f"{text} {content}" if text and content else text + content
            spans.append((start, len(text)))
        return Sentence(text, tuple(spans))


@dataclass(frozen=True)
class Suite:
    """A suite with its predictions."""

    name: str
    metric: Metric
    regions: tuple[str, ...]
    """Names of the regions, for display alone; the first is region 1."""
    predictions: tuple[Formula, ...]
    items: tuple[Item, ...]
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What else the file says of it: reference, author, comment."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, in the order of the first item."""
        return tuple(self.items[0].conditions)

    @cached_property
    def needed_regions(self) -> Mapping[str, frozenset[int]]:
        """The regions of each condition that some prediction refers to."""
        needed: dict[str, set[int]] = {name: set() for name in self.conditions}
        for formula in self.predictions:
            for cell in formula.cells:
                needed[cell.condition].update(self.regions_of(cell))
        return {name: frozenset(regions) for name, regions in needed.items()}

    def regions_of(self, cell: Cell) -> range:
        """Return the regions that a cell stands for: one, or all."""
        return range(cell.region, cell.region + 1) if cell.region else range(1, len(self.regions) + 1)

    def sentences(self) -> Iterator[tuple[Item, str, Sentence]]:
        """Yield (item, condition, sentence), items and conditions in the order of the file."""
        for item in self.items:
            for condition in item.conditions:
                yield item, condition, item.sentence(condition)
