"""The set of windows of width k that a sample shows, and the strictly local language that it stands for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.symbolic import _key_sets as kernels
from wug.learners.symbolic.strings import Strings

LARGEST_TABLE = 1 << 28
"""Entries of a transition table after which no automaton is built."""


def require_width(width: int, n_letters: int, *, option: str = "k") -> None:
    """Raise InputError unless windows of this width, or one wider, are numbers that fit into 64 bits."""
    if width < 1:
        raise InputError(f"option '{option}' must be 1 or more, not {width}")
    if (n_letters + 1) ** (width + 1) >= 1 << 63:
        largest = next(k for k in range(width) if (n_letters + 1) ** (k + 2) >= 1 << 63)
        raise InputError(f"option '{option}' can be at most {largest} over {n_letters} letters, not {width}")


@dataclass(frozen=True, eq=False)
class WindowSet:
    """Windows of width k, the ends of a string counting as symbols (see ``_key_sets`` for their numbers)."""

    keys: NDArray[np.int64]
    """(n_windows,) the windows, rising."""
    width: int
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, strings: Strings, width: int) -> "WindowSet":
        """Return the windows that occur in some string."""
        keys = kernels.window_keys(strings.columns, strings.offsets, width, len(strings.alphabet) + 1)
        keys.sort()
        return cls(keys[_changes(keys)], width, strings.alphabet)

    @property
    def base(self) -> int:
        """Number of letters and one boundary."""
        return len(self.alphabet) + 1

    @cached_property
    def slots(self) -> NDArray[np.int64]:
        """The windows as a hash table."""
        return kernels.new_slots(self.keys)

    def hold_all_of(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether every window of each string is in the set."""
        return kernels.all_windows_held(self.slots, strings.columns, strings.offsets, self.width, self.base)

    def to_dfa(self) -> DFA:
        """Return the minimal DFA of the strings that consist of these windows.

        InputError where the table of contexts (the last k - 1 symbols) has more than ``LARGEST_TABLE`` entries.
        """
        n_contexts = self.base ** (self.width - 1)
        contexts_of_keys = self.keys // self.base
        changes = _changes(contexts_of_keys)
        contexts, source = contexts_of_keys[changes], np.cumsum(changes) - 1
        if len(contexts) * len(self.alphabet) > LARGEST_TABLE:
            raise InputError(
                f"the automaton is too large: {len(contexts):,} contexts of {len(self.alphabet)} letters each"
            )
        digit = self.keys % self.base
        accepting = np.zeros(len(contexts) + 1, dtype=np.bool_)
        accepting[source[digit == 0]] = True
        table = np.full((len(contexts) + 1, len(self.alphabet)), len(contexts), dtype=np.int32)
        inside = digit > 0
        table[source[inside], digit[inside] - 1] = np.searchsorted(contexts, self.keys[inside] % n_contexts)
        return minimise(DFA(table, accepting, self.alphabet))


def _changes(values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each value differs from the one before it, which is true of the first."""
    return np.concatenate((np.ones(min(len(values), 1), dtype=np.bool_), values[1:] != values[:-1]))
