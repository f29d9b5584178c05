"""Random automata, and how many of them are in a class: section 3.4 of the MLRegTest paper.

Source: van der Poel et al., JMLR 25(283), 2024, Figures 6 and 7. A random automaton is nondeterministic with one start
state; each state accepts, and each arc (between any two states, loops included, by any letter) is there, independently
with a given probability. Its language is that of the minimal DFA.
"""

import string
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from wug.errors import InputError, unknown_name
from wug.languages.automata.classes import CLASSES
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, determinise
from wug.randomness import generator

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class RandomAutomaton:
    """A distribution over automata."""

    n_states: int
    n_letters: int
    arc_probability: float = 0.5
    """p_e, of each arc."""
    accepting_probability: float = 0.5
    """p_f, of each state."""

    def draw(self, *, rng: np.random.Generator) -> DFA:
        """Return the minimal DFA of one draw; InputError for sizes or probabilities that cannot be."""
        if self.n_states < 1 or not 1 <= self.n_letters <= len(string.ascii_letters):
            raise InputError(
                f"a random automaton needs at least one state and 1 to {len(string.ascii_letters)} letters, "
                f"not {self.n_states} states and {self.n_letters} letters"
            )
        for name, probability in (("arc", self.arc_probability), ("accepting", self.accepting_probability)):
            if not 0 <= probability <= 1:
                raise InputError(f"the {name} probability must be from 0 to 1, not {probability}")
        accepting = rng.random(self.n_states) < self.accepting_probability
        arcs = np.argwhere(rng.random((self.n_states, self.n_letters, self.n_states)) < self.arc_probability)
        starts = np.zeros(1, dtype=np.int32)
        letters = tuple(string.ascii_letters[: self.n_letters])
        return minimise(determinise(NFA(arcs.astype(np.int32), starts, accepting, letters)))

    def count_in_class(self, n_automata: int, *, seed: int, class_: str = "SL") -> int:
        """Return how many of ``n_automata`` draws are in a class of ``wug.languages.automata.classes.CLASSES``.

        InputError for an unknown class.
        """
        if class_ not in CLASSES:
            raise unknown_name("class", class_, CLASSES)
        rng = generator(
            seed,
            "random-automata",
            self.n_states,
            self.n_letters,
            repr(self.arc_probability),
            repr(self.accepting_probability),
        )
        decide = CLASSES[class_].decide
        return sum(decide(self.draw(rng=rng)).holds for _ in range(n_automata))


def figure_6() -> Iterator[RandomAutomaton]:
    """Yield the paper's grid of 1 to 20 states and 1 to 10 letters at even odds."""
    for n_states in range(1, 21):
        for n_letters in range(1, 11):
            yield RandomAutomaton(n_states, n_letters)


def figure_7() -> Iterator[RandomAutomaton]:
    """Yield the paper's grid of arc and accepting probabilities 0, 0.1, .., 1 for 7 states and 8 letters."""
    for arcs in range(11):
        for accepting in range(11):
            yield RandomAutomaton(7, 8, arcs / 10, accepting / 10)


def heat_map(models: Iterable[RandomAutomaton], n_automata: int, *, seed: int, class_: str = "SL") -> "pl.DataFrame":
    """Return a row per model: its four parameters, the automata drawn, how many are in the class, and their share.

    >>> heat_map([RandomAutomaton(1, 2)], 3, seed=1).select("in_class", "share").rows()
    [(3, 1.0)]
    """
    import polars as pl

    rows = []
    for model in models:
        in_class = model.count_in_class(n_automata, seed=seed, class_=class_)
        rows.append({**asdict(model), "automata": n_automata, "in_class": in_class, "share": in_class / n_automata})
    return pl.DataFrame(rows)
