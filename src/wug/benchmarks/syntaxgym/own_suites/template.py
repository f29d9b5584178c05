"""What a template of wug's own suites is: how an item is drawn, and what must be true of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from wug.benchmarks.syntaxgym.own_suites.grammar import english

Contents = Mapping[str, tuple[str, ...]]
"""The regions of each condition."""


class Draw:
    """Draws the words of one item; no word of a category comes twice."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Take the generator."""
        self._rng = rng
        self._used: dict[str, set[int]] = {}

    def index(self, category: str) -> int:
        """Return the place of a word of a category that was not drawn before."""
        used = self._used.setdefault(category, set())
        free = [place for place in range(len(english().lexicon[category])) if place not in used]
        place = int(self._rng.choice(free))
        used.add(place)
        return place

    def word(self, category: str) -> str:
        """Return a word of a category that was not drawn before."""
        return english().lexicon[category][self.index(category)]

    def choose(self, options: Sequence[str]) -> str:
        """Return one of several options."""
        return options[int(self._rng.integers(len(options)))]

    def both(self, *categories: str) -> tuple[str, ...]:
        """Return the words at one place of categories whose words belong together."""
        place = self.index(categories[0])
        return tuple(english().lexicon[category][place] for category in categories)

    def noun(self) -> tuple[str, str]:
        """Return singular and plural of a noun for a person."""
        singular, plural = self.both("N_sg", "N_pl")
        return singular, plural


@dataclass(frozen=True)
class Ambiguity:
    """A beginning of the sentence with two analyses in one condition, and not in the others."""

    regions: int
    """How many regions it has."""
    categories: tuple[str, str]
    condition: str


@dataclass(frozen=True)
class Template:
    """A suite of any size."""

    name: str
    regions: tuple[str, ...]
    predictions: tuple[str, ...]
    draw: Callable[[Draw], Contents]
    manipulated: frozenset[int]
    """Regions, from 1, in which conditions of an item may differ."""
    grammatical: Mapping[str, bool]
    """Whether the grammar derives the sentence in each condition."""
    ambiguity: Ambiguity | None = None
    plausibility: Callable[[Contents, str], bool] | None = None
    """Whether a condition of an item makes sense, where conditions differ in that."""
    plausible: Mapping[str, bool] = field(default_factory=dict)
    """Whether it should, by condition."""
