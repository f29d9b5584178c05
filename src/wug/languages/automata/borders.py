"""Uniform drawing of border pairs: a word of the language and a word outside it, one edit apart.

A pair (x, y) has x in the language, y outside it, and y is x after one substitution, deletion or insertion of a letter.
The length of a pair is the length of x. Pairs become walks through a graph of three kinds of nodes, read along x:

- *before* the edit: the state p that both words have reached;
- *after* it: the two states (p, q) that x and y have reached;
- *just behind a deletion*: what was deleted must not follow at once.

Deleting any letter of a run gives the same y, and so does inserting a letter anywhere in a run of its like. With the
weighting ``pairs`` an edit of a run counts once, at the run's end (a deleted letter a is not followed by an a, nor an
inserted b by a b), and every pair is equally likely. With ``paths`` each alignment counts, as in the published
generator of MLRegTest: a pair is as likely as it has alignments.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError, unknown_name
from wug.languages.automata import _border_kernels as kernels
from wug.languages.automata._border_graph import Edit, border_graph
from wug.languages.automata.dfa import DFA
from wug.languages.automata.walks import WalkTable
from wug.languages.automata.words import LetterClasses

Kind = TypeVar("Kind", bound=StrEnum)

MAX_STATES = 10_000
"""Automata with more states are refused: pairs of states are numbered in a square."""


class Weighting(StrEnum):
    """What is equally likely: each pair, or each alignment of a pair."""

    PAIRS = "pairs"
    PATHS = "paths"


@dataclass(frozen=True, eq=False)
class BorderPairs:
    """Pairs of words one edit apart; row i of ``inside`` and row i of ``outside`` belong together."""

    inside: NDArray[np.int32]
    """(n_pairs, length) letters of the words of the language."""
    outside: NDArray[np.int32]
    """(n_pairs, length + 1) letters of the words outside it, filled up with -1."""
    outside_lengths: NDArray[np.int64]
    """(n_pairs,) length - 1, length or length + 1 after a deletion, substitution or insertion."""


class BorderSampler:
    """Exact numbers of the border pairs of each length up to ``longest``, and uniform draws from them.

    ``edits`` restricts the pairs to those made by some edits. InputError for an unknown weighting or edit, and for an
    automaton with more than MAX_STATES states.
    """

    def __init__(
        self,
        dfa: DFA,
        longest: int,
        *,
        weighting: Weighting | str = Weighting.PAIRS,
        edits: Collection[Edit | str] = tuple(Edit),
    ) -> None:
        n_states, n_letters = dfa.transitions.shape
        if n_states > MAX_STATES:
            raise InputError(f"border pairs need an automaton of at most {MAX_STATES:,} states, not {n_states:,}")
        every_alignment = _member(Weighting, "weighting", weighting) is Weighting.PATHS
        self._dfa = dfa
        self._letters = LetterClasses.of(dfa)
        kinds = {_member(Edit, "edit", edit) for edit in edits}
        self._graph = border_graph(dfa, self._letters, kinds, every_alignment=every_alignment)
        n_edits = longest * n_letters + longest + (longest + 1) * n_letters
        self._table = WalkTable(self._graph.walks, longest, largest=n_letters**longest * n_edits)

    def count(self, length: int) -> int:
        """Return the exact number of pairs (or of their alignments) whose word of the language has this length."""
        return self._table.count(self._dfa.start, length)

    def sample(self, size: int, length: int, *, rng: np.random.Generator) -> BorderPairs:
        """Return independent draws, each pair (or alignment) equally likely; InputError if there is none."""
        walks = self._table.sample(size, self._dfa.start, length, rng=rng)
        inside, outside, outside_lengths = kernels.spell_pairs(
            walks.edges,
            walks.ways,
            walks.ends,
            self._graph.steps,
            self._graph.classes,
            self._graph.n_states,
            self._letters.actions,
            self._dfa.accepting,
            self._letters.first,
            self._letters.letters,
        )
        return BorderPairs(inside, outside, outside_lengths)


def _member(kinds: type[Kind], what: str, name: str) -> Kind:
    if name not in list(kinds):
        raise unknown_name(what, name, list(kinds))
    return kinds(name)
