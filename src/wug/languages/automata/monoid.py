"""The syntactic monoid and semigroup of a regular language.

The syntactic monoid is the transition monoid of the complete minimal DFA: all transformations of the states that
words induce, the identity (empty word) included. The syntactic semigroup keeps those of non-empty words. Elements
are numbered by their shortlex-smallest words, so element 0 is the identity.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata._closure import enumerate_monoid, left_cayley, multiplication_table, omega_powers
from wug.languages.automata._components import common_refinement, strong_components
from wug.languages.automata.dfa import DFA
from wug.languages.automata.letters import LetterActions, merge_letters
from wug.languages.automata.minimisation import minimise

DEFAULT_LIMIT = 10_000
"""Elements after which the enumeration refuses; the table of so many takes 200 MB."""
LARGEST_LIMIT = 65_535
"""The multiplication table stores elements in 16 bits."""


@dataclass(frozen=True, eq=False)
class GreenRelations:
    """Green's relations of a finite monoid, each as (m,) class numbers in the order of first appearance.

    Two elements are R-equivalent if each is the other times something on the right, L-equivalent on the left,
    J-equivalent on both sides (which in a finite monoid is D), H-equivalent if both R and L.
    """

    r: NDArray[np.int32]
    l: NDArray[np.int32]  # noqa: E741  (the relation's name)
    j: NDArray[np.int32]
    h: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class SyntacticMonoid:
    """A transition monoid with its Cayley graphs; table, idempotents and Green's relations are made when first read."""

    alphabet: tuple[str, ...]
    letters: LetterActions
    """The generators: the distinct actions of the salient letters."""
    elements: NDArray[np.int32]
    """(m, n_states) the transformations, row 0 the identity."""
    right: NDArray[np.int32]
    """(m, n_actions) right Cayley graph: element, then action."""
    left: NDArray[np.int32]
    """(m, n_actions) left Cayley graph: action, then element."""
    prefix: NDArray[np.int32]
    """(m,) element of the shortlex word without its last letter."""
    last: NDArray[np.int32]
    """(m,) action of the last letter of the shortlex word; -1 for the identity."""
    unit: NDArray[np.int32]
    """(2,) the first element and action whose product is the identity, -1 where there is none."""

    def __len__(self) -> int:
        return self.elements.shape[0]

    @property
    def has_neutral_letter(self) -> bool:
        """Whether some letter fixes every state."""
        return bool((self.letters.action_of < 0).any())

    @property
    def tier_start(self) -> int:
        """First element of the subsemigroup that the salient letters generate: 0 (it holds the identity) or 1.

        Without salient letters that subsemigroup is taken to be the identity alone.
        """
        return 0 if self.unit[0] >= 0 or len(self) == 1 else 1

    @property
    def semigroup_start(self) -> int:
        """First element of the syntactic semigroup: 0 if some non-empty word acts as the identity, else 1."""
        return 0 if self.has_neutral_letter else self.tier_start

    @property
    def semigroup_size(self) -> int:
        """Number of elements of the syntactic semigroup."""
        return len(self) - self.semigroup_start

    @cached_property
    def table(self) -> NDArray[np.uint16]:
        """(m, m) multiplication table: the word of the row, then the word of the column."""
        return multiplication_table(self.right, self.prefix, self.last)

    @cached_property
    def is_idempotent(self) -> NDArray[np.bool_]:
        """(m,) whether the element equals its square."""
        return self.table.diagonal() == np.arange(len(self))

    @cached_property
    def omega(self) -> NDArray[np.int32]:
        """(m,) the idempotent among the powers of each element."""
        return omega_powers(self.table)

    @cached_property
    def green(self) -> GreenRelations:
        """Green's relations: the strongly connected components of the Cayley graphs."""
        r = strong_components(self.right)
        l = strong_components(self.left)  # noqa: E741
        j = strong_components(np.hstack([self.right, self.left]))
        return GreenRelations(r, l, j, common_refinement(r, l))

    @cached_property
    def is_regular(self) -> NDArray[np.bool_]:
        """(m,) whether the element's J-class holds an idempotent."""
        holds = np.zeros(len(self), np.bool_)
        holds[self.green.j[self.is_idempotent]] = True
        return holds[self.green.j]

    def word(self, element: int) -> tuple[int, ...]:
        """Return the shortlex-smallest word (columns of the alphabet) that acts as the element."""
        columns: list[int] = []
        while element:
            columns.append(int(self.letters.representatives[self.last[element]]))
            element = int(self.prefix[element])
        return tuple(reversed(columns))

    def unit_word(self, tier: bool) -> tuple[int, ...]:
        """Return the smallest non-empty word that acts as the identity, of salient letters alone with ``tier``.

        There must be one: ``semigroup_start`` (or ``tier_start``) is 0 and, for a tier, some letter is salient.
        """
        neutral = np.flatnonzero(self.letters.action_of < 0)
        if neutral.size and not tier:
            return (int(neutral[0]),)
        assert self.unit[0] >= 0, "no non-empty word acts as the identity"
        return (*self.word(int(self.unit[0])), int(self.letters.representatives[self.unit[1]]))

    def element(self, word: tuple[int, ...]) -> int:
        """Return the element that a word (columns of the alphabet) induces."""
        element = 0
        for column in word:
            action = self.letters.action_of[column]
            if action >= 0:
                element = int(self.right[element, action])
        return element


def syntactic_monoid(dfa: DFA, *, limit: int = DEFAULT_LIMIT) -> SyntacticMonoid:
    """Return the syntactic monoid of the DFA's language.

    Raises InputError when it has more than ``limit`` elements (at most 65,535), before the table is made.
    """
    return transition_monoid(minimise(dfa), limit=limit)


def transition_monoid(dfa: DFA, *, limit: int = DEFAULT_LIMIT) -> SyntacticMonoid:
    """Return the monoid of transformations that words induce on the states of the DFA as it stands.

    Raises InputError when it has more than ``limit`` elements (at most 65,535).
    """
    if not 1 <= limit <= LARGEST_LIMIT:
        raise InputError(f"the limit on monoid elements must lie between 1 and {LARGEST_LIMIT:,}, got {limit:,}")
    letters = merge_letters(dfa)
    elements, right, prefix, last, unit, complete = enumerate_monoid(letters.actions, limit)
    if not complete:
        raise InputError(
            f"the syntactic monoid of this language ({dfa.transitions.shape[0]} states) has more than the limit of "
            f"{limit:,} elements; raise the limit (at most {LARGEST_LIMIT:,}) if memory allows"
        )
    left = left_cayley(right, prefix, last)
    return SyntacticMonoid(dfa.alphabet, letters, elements, right, left, prefix, last, unit)
