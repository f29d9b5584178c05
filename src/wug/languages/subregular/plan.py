"""What the data sets of a language look like: which sets, sizes, lengths and rules. The defaults are MLRegTest's.

Source: van der Poel et al., "MLRegTest: A Benchmark for the Machine Learning of Regular Languages", JMLR 25(283), 2024,
section 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType

from wug.errors import InputError, unknown_name
from wug.languages.automata.borders import Weighting

SIZES: Mapping[str, int] = MappingProxyType({"Small": 1_000, "Mid": 10_000, "Large": 100_000})
"""Strings per set."""


class Set(StrEnum):
    """A data set, by the paper's name; in the order in which the sets of a size are drawn."""

    TRAIN = "Train"
    DEV = "Dev"
    SR = "SR"
    LR = "LR"
    SA = "SA"
    LA = "LA"

    @property
    def is_long(self) -> bool:
        """Whether the set has the long lengths."""
        return self in (Set.LR, Set.LA)

    @property
    def is_adversarial(self) -> bool:
        """Whether the set consists of border pairs."""
        return self in (Set.SA, Set.LA)

    @property
    def avoids(self) -> frozenset["Set"]:
        """The sets with which this one may have no word in common; a set that avoids itself has no duplicates."""
        return _AVOIDS[self]


_AVOIDS = {
    Set.TRAIN: frozenset(Set) - {Set.TRAIN},
    Set.DEV: frozenset(Set),
    Set.SR: frozenset({Set.TRAIN, Set.DEV, Set.SR}),
    Set.LR: frozenset({Set.TRAIN, Set.DEV, Set.LR}),
    Set.SA: frozenset({Set.TRAIN, Set.DEV, Set.SA, Set.LA}),
    Set.LA: frozenset({Set.TRAIN, Set.DEV, Set.SA, Set.LA}),
}


class OnShortage(StrEnum):
    """What to do where a language has fewer strings of a length and label than a set needs."""

    ERROR = "error"
    """Raise InputError with length, label and both numbers."""
    ALL = "all"
    """Take what there is; the manifest says where."""


@dataclass(frozen=True)
class Plan:
    """How many strings of which lengths the sets hold.

    >>> Plan().per_length(Set.LR, "Large")
    2500
    """

    sizes: Mapping[str, int] = field(default_factory=lambda: SIZES)
    """Strings per set for each size, smallest first; half of them of each label, equally many of each length."""
    short_lengths: tuple[int, ...] = tuple(range(20, 30))
    """Lengths of Train, Dev, SR and SA (there, of the words of the language), ascending."""
    long_lengths: tuple[int, ...] = tuple(range(31, 51))
    """Lengths of LR and LA, ascending."""
    weighting: Weighting | str = Weighting.PAIRS
    """What is equally likely in SA and LA."""
    on_shortage: OnShortage | str = OnShortage.ERROR

    def lengths(self, of: Set) -> tuple[int, ...]:
        """Return the lengths of a set's words (of a border pair: of its word of the language)."""
        return self.long_lengths if of.is_long else self.short_lengths

    def per_length(self, of: Set, size: str) -> int:
        """Return the number of strings of each length and label (of border pairs of each length)."""
        return self.sizes[size] // (2 * len(self.lengths(of)))

    @property
    def longest(self) -> int:
        """The largest length of a word of the language."""
        return max(*self.short_lengths, *self.long_lengths)

    def upto(self, size: str) -> tuple[str, ...]:
        """Return the sizes from the smallest up to this one; InputError for a size that is not in the plan."""
        if size not in self.sizes:
            raise unknown_name("size", size, self.sizes)
        names = tuple(self.sizes)
        return names[: names.index(size) + 1]

    def check(self) -> None:
        """Raise InputError with the first thing that cannot be planned."""
        if not self.sizes:
            raise InputError("the data sets need at least one size")
        for kind, lengths in (("short", self.short_lengths), ("long", self.long_lengths)):
            if not lengths or lengths[0] < 0 or any(a >= b for a, b in pairwise(lengths)):
                raise InputError(
                    f"the {kind} lengths must be one or more ascending numbers from 0, not {list(lengths)}"
                )
            for name, size in self.sizes.items():
                if size < 1 or size % (2 * len(lengths)):
                    raise InputError(
                        f"size {name}: {size:,} strings cannot be shared equally among 2 labels and {len(lengths)} "
                        f"{kind} lengths; take a multiple of {2 * len(lengths)}"
                    )
        for (small, fewer), (large, more) in pairwise(self.sizes.items()):
            if fewer >= more:
                raise InputError(f"sizes must ascend, but {small} has {fewer:,} strings and {large} {more:,}")
        if self.weighting not in list(Weighting):
            raise unknown_name("weighting", self.weighting, Weighting)
        if self.on_shortage not in list(OnShortage):
            raise unknown_name("rule on shortage", self.on_shortage, OnShortage)
