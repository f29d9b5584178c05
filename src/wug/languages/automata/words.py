"""Uniform drawing of words of one length from the language of an automaton, with exact counts."""

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.dfa import DFA
from wug.languages.automata.letters import merge_letters
from wug.languages.automata.walks import WalkGraph, WalkTable


@dataclass(frozen=True, eq=False)
class LetterClasses:
    """The letters sorted into classes of equal action."""

    actions: NDArray[np.int32]
    """(n_classes, n_states) state reached from each state by any letter of the class."""
    letters: NDArray[np.int32]
    """(n_letters,) the letters, class after class."""
    first: NDArray[np.int64]
    """(n_classes + 1,) class c owns ``letters[first[c]:first[c + 1]]``."""

    @classmethod
    def of(cls, dfa: DFA) -> "LetterClasses":
        """Return the classes of an automaton's letters; the neutral letters, if any, are the last class."""
        merged = merge_letters(dfa)
        actions = merged.actions
        class_of = merged.action_of
        if (class_of < 0).any():
            identity = np.arange(len(dfa.accepting), dtype=np.int32)
            class_of = np.where(class_of < 0, len(actions), class_of)
            actions = np.vstack([actions, identity])
        sizes = np.bincount(class_of, minlength=len(actions))
        letters = np.argsort(class_of, kind="stable").astype(np.int32)
        return cls(np.ascontiguousarray(actions), letters, np.concatenate(([0], np.cumsum(sizes))))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_classes,) number of letters of each class."""
        return np.diff(self.first)


class WordSampler:
    """Exact numbers of the accepted words of each length up to ``longest``, and uniform draws from them.

    Words are rows of letters (columns of the automaton), not classes of a vocabulary.
    """

    def __init__(self, dfa: DFA, longest: int) -> None:
        self._start = dfa.start
        self._classes = LetterClasses.of(dfa)
        n_classes, n_states = self._classes.actions.shape
        graph = WalkGraph(
            first_edge=np.arange(n_states + 1, dtype=np.int64) * n_classes,
            targets=np.ascontiguousarray(self._classes.actions.T).ravel(),
            ways=np.tile(self._classes.sizes, n_states).astype(np.uint32),
            final_ways=dfa.accepting.astype(np.uint32),
        )
        self._table = WalkTable(graph, longest, largest=len(dfa.alphabet) ** longest)

    def count(self, length: int) -> int:
        """Return the exact number of accepted words of a length."""
        return self.completions(self._start, length)

    def completions(self, state: int, length: int) -> int:
        """Return the exact number of words of a length that lead from a state to acceptance."""
        return self._table.count(state, length)

    def sample(self, size: int, length: int, *, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return (size, length) letters of independent draws, each accepted word of the length equally likely.

        InputError if there is no such word.
        """
        walks = self._table.sample(size, self._start, length, rng=rng)
        return _spell(walks.edges, walks.ways, self._classes.first, self._classes.letters)


@numba.njit(cache=True, nogil=True)
def _spell(
    edges: NDArray[np.int32], ways: NDArray[np.uint32], first: NDArray[np.int64], letters: NDArray[np.int32]
) -> NDArray[np.int32]:
    n_words, length = edges.shape
    n_classes = len(first) - 1
    words = np.empty((n_words, length), np.int32)
    for word in range(n_words):
        for position in range(length):
            words[word, position] = letters[first[edges[word, position] % n_classes] + np.int64(ways[word, position])]
    return words
