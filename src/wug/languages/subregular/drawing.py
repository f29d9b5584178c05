"""Drawing the words of all data sets of one language, size after size, set after set, exactly uniformly."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.boolean import complement
from wug.languages.automata.borders import BorderSampler
from wug.languages.automata.dfa import DFA
from wug.languages.automata.words import WordSampler
from wug.languages.subregular.ledger import WordLedger
from wug.languages.subregular.plan import Plan, Set
from wug.randomness import generator

_MOST_AT_ONCE = 1 << 16
_IDLE_ROUNDS = 20
"""A block of pairs is given up after this many times as many vain draws in a row as there are pairs.

A pair that is left would have been missed with probability e^-20.
"""


@dataclass(frozen=True)
class Shortage:
    """A length and label of which there are too few words or pairs."""

    size: str
    sets: tuple[Set, ...]
    """The sets that need them, together."""
    length: int
    accepted: bool
    """Whether they are words of the language, or words outside it; of border pairs, both are short."""
    requested: int
    available: int


@dataclass
class Block:
    """The words of one length in one set, in the order drawn, as numbers in the ledger."""

    accepted: NDArray[np.int64]
    """(n,) the words of the language."""
    rejected: NDArray[np.int64]
    """(n,) the words outside it; in SA and LA word i is one edit from ``accepted[i]``."""
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    """How many of both belong to each size."""


class Drawing:
    """The words drawn so far for the data sets of an automaton; a function of automaton, plan, seed and key.

    ``shortages`` fills where there were too few words; whoever draws decides what that means.
    """

    def __init__(self, dfa: DFA, plan: Plan, seed: int, key: str) -> None:
        self.plan = plan
        self.shortages: list[Shortage] = []
        self.ledger = WordLedger(len(dfa.alphabet), plan.longest + 1, len(Set))
        none = np.empty(0, dtype=np.int64)
        self.blocks = {(of, length): Block(none, none) for of in Set for length in plan.lengths(of)}
        self._purpose = (seed, "mlregtest", key)
        self._words = {True: WordSampler(dfa, plan.longest), False: WordSampler(complement(dfa), plan.longest)}
        self._pairs = BorderSampler(dfa, plan.longest, weighting=plan.weighting)

    def supply_shortages(self, size: str) -> list[Shortage]:
        """Return, from exact counts alone, where a size needs more different words than there are.

        The random sets of a length are counted together. Border pairs then suffice too: by the edge-isoperimetric
        inequality of Hamming graphs (Lindsey 1964) there are at least as many as words of the rarer label.
        """
        plan = self.plan
        found = []
        for length in sorted({*plan.short_lengths, *plan.long_lengths}):
            sets = tuple(of for of in Set if length in plan.lengths(of) and not of.is_adversarial)
            needed = sum(plan.per_length(of, size) for of in sets)
            for accepted in (True, False):
                n_words = self._words[accepted].count(length)
                if n_words < needed:
                    found.append(Shortage(size, sets, length, accepted, needed, n_words))
        return found

    def add_size(self, size: str) -> None:
        """Draw what a size has beyond the next smaller one, which must have been added before."""
        for of in Set:
            rng = generator(*self._purpose, of, size)
            wanted = self.plan.per_length(of, size)
            for length in self.plan.lengths(of):
                block = self.blocks[of, length]
                if of.is_adversarial:
                    pairs = self._draw_pairs(of, length, wanted - len(block.accepted), rng)
                    accepted, rejected = pairs[:, 0], pairs[:, 1]
                else:
                    accepted = self._draw_words(of, length, True, wanted - len(block.accepted), rng)
                    rejected = self._draw_words(of, length, False, wanted - len(block.rejected), rng)
                block.accepted = np.concatenate((block.accepted, accepted))
                block.rejected = np.concatenate((block.rejected, rejected))
                block.ends[size] = len(block.accepted), len(block.rejected)
                for label, words in ((True, block.accepted), (False, block.rejected)):
                    if len(words) < wanted:
                        self.shortages.append(Shortage(size, (of,), length, label, wanted, len(words)))

    def _draw_words(
        self, of: Set, length: int, accepted: bool, wanted: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return ``wanted`` words, or all that are left."""
        sampler, forbidden, mark = self._words[accepted], _marks(of.avoids), _marks([of])
        n_words = sampler.count(length)
        left = n_words - self.ledger.n_marked(length, accepted, forbidden)
        missing = min(wanted, left) if of in of.avoids or not left else wanted
        drawn = [np.empty(0, dtype=np.int64)]
        while missing:
            left = n_words - self.ledger.n_marked(length, accepted, forbidden)
            words = sampler.sample(min(missing * n_words // left, _MOST_AT_ONCE), length, rng=rng)
            lengths = np.full(len(words), length)
            drawn.append(self.ledger.admit(words, lengths, accepted, forbidden=forbidden, mark=mark, limit=missing))
            missing -= len(drawn[-1])
        return np.concatenate(drawn)

    def _draw_pairs(self, of: Set, length: int, wanted: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return (wanted, 2) words inside and outside the language, or fewer pairs where no further one is found."""
        forbidden, mark = _marks(of.avoids), _marks([of])
        n_pairs = self._pairs.count(length)
        missing = wanted if n_pairs else 0
        drawn = [np.empty((0, 2), dtype=np.int64)]
        at_once, idle = missing, 0
        while missing and idle < _IDLE_ROUNDS * n_pairs:
            pairs = self._pairs.sample(min(at_once, _MOST_AT_ONCE), length, rng=rng)
            inside = pairs.inside, np.full(len(pairs.inside), length), True
            outside = pairs.outside, pairs.outside_lengths, False
            admitted = self.ledger.admit_pairs([inside, outside], forbidden=forbidden, mark=mark, limit=missing)
            drawn.append(admitted)
            missing -= len(admitted)
            idle = 0 if len(admitted) else idle + len(pairs.inside)
            at_once = -(-missing * len(pairs.inside) // len(admitted)) if len(admitted) else 2 * at_once
        return np.concatenate(drawn)


def _marks(sets: Iterable[Set]) -> int:
    """Return the bits by which the ledger knows some sets."""
    order = list(Set)
    return sum(1 << order.index(of) for of in sets)
