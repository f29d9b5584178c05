"""The dense complete deterministic finite automaton."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Word = tuple[str, ...]
"""A word as its letters; a letter may be longer than one character."""


@dataclass(frozen=True, eq=False)
class DFA:
    """A complete DFA over an ordered alphabet; a dead state, where one is needed, is a state like any other."""

    transitions: NDArray[np.int32]
    """(n_states, n_letters) the state reached from each state by each letter."""
    accepting: NDArray[np.bool_]
    """(n_states,) whether a word that ends here is accepted."""
    alphabet: tuple[str, ...]
    """The letters, in column order."""
    start: int = 0
    """The state before the first letter."""

    @property
    def n_states(self) -> int:
        """Number of rows, dead state included."""
        return self.transitions.shape[0]

    @property
    def n_letters(self) -> int:
        """Number of columns."""
        return self.transitions.shape[1]


def listed(letters: Sequence[str]) -> str:
    """Return the letters with blanks between for a message; of more than 20 only the first ones."""
    return " ".join(letters[:20]) + (f" ... ({len(letters)} letters)" if len(letters) > 20 else "")
