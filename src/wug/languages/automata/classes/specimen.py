"""Specimen about one regular language that several class decisions share, each worked out when first asked for."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, wraps

import numba
import numpy as np
from numpy.typing import NDArray

from wug.languages.automata.classes.verdict import Verdict
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states
from wug.languages.automata.letters import LetterActions, merge_letters
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.monoid import DEFAULT_LIMIT, SyntacticMonoid, transition_monoid

Columns = tuple[int, ...]
"""A word as columns of the alphabet."""


class Specimen:
    """One language's minimal DFA, monoid and what follows from them.

    With ``shortcuts`` off every decision checks its criterion as published, over all idempotents and without looking
    at other classes; with shortcuts (the default) one idempotent of each D-class stands for the others (equivalent
    idempotents have isomorphic local monoids) and inclusions between classes save work.
    """

    def __init__(self, dfa: DFA, *, limit: int = DEFAULT_LIMIT, shortcuts: bool = True) -> None:
        self.dfa = minimise(dfa)
        self.limit = limit
        self.shortcuts = shortcuts
        self.verdicts: dict[object, Verdict] = {}

    @cached_property
    def letters(self) -> LetterActions:
        """The distinct actions of the letters."""
        return merge_letters(self.dfa)

    @cached_property
    def neutral(self) -> Columns:
        """Columns of the letters that change no state."""
        return tuple(np.flatnonzero(self.letters.action_of < 0).tolist())

    @cached_property
    def salient(self) -> Columns:
        """Columns of the other letters: the smallest tier of the language."""
        return tuple(np.flatnonzero(self.letters.action_of >= 0).tolist())

    @cached_property
    def merged(self) -> DFA:
        """The minimal DFA over one letter of each action, without the neutral letters."""
        columns = self.letters.representatives.tolist()
        transitions = np.ascontiguousarray(self.letters.actions.T)
        return DFA(transitions, self.dfa.accepting, tuple(self.dfa.alphabet[column] for column in columns))

    @cached_property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """(n_actions,) the letters that have each action."""
        alphabet, action_of = self.dfa.alphabet, self.letters.action_of
        return tuple(
            tuple(alphabet[column] for column in np.flatnonzero(action_of == action).tolist())
            for action in range(len(self.letters.actions))
        )

    def live(self, complement: bool) -> NDArray[np.bool_]:
        """Return (n_states,) whether some word leads into the language (or its complement) from the state."""
        return live_states(replace(self.merged, accepting=self.dfa.accepting != complement))

    @cached_property
    def monoid(self) -> SyntacticMonoid:
        """The syntactic monoid; raises InputError beyond the limit."""
        return transition_monoid(self.dfa, limit=self.limit)

    def start(self, tier: bool) -> int:
        """Return the first element of the syntactic semigroup, or of its part that the tier generates."""
        return self.monoid.tier_start if tier else self.monoid.semigroup_start

    @cached_property
    def objects(self) -> NDArray[np.int32]:
        """(n,) the idempotents e to look at in conditions on local monoids eSe; the identity first."""
        idempotents = np.flatnonzero(self.monoid.is_idempotent).astype(np.int32)
        if self.shortcuts:
            _, first = np.unique(self.monoid.green.j[idempotents], return_index=True)
            idempotents = idempotents[np.sort(first)]
        return idempotents

    @cached_property
    def local_monoids(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(offsets, members): the distinct elements of eSe for each e of ``objects``, one e after the other."""
        return _local_monoids(self.monoid.table, self.objects)

    def decide(self, decision: Callable[["Specimen"], Verdict]) -> Verdict:
        """Return the decision's verdict, made once."""
        if decision not in self.verdicts:
            self.verdicts[decision] = decision(self)
        return self.verdicts[decision]


def decision(procedure: Callable[[Specimen], Verdict]) -> Callable[[DFA | Specimen], Verdict]:
    """Make a decision procedure take a DFA as well as specimen, and remember its verdict there."""

    @wraps(procedure)
    def decide(language: DFA | Specimen) -> Verdict:
        specimen = language if isinstance(language, Specimen) else Specimen(language)
        return specimen.decide(procedure)

    return decide


@numba.njit(cache=True, nogil=True)
def _local_monoids(
    table: NDArray[np.uint16], objects: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    m = table.shape[0]
    offsets = np.zeros(objects.size + 1, np.int32)
    members = np.empty(max(16, m), np.int32)
    seen = np.full(m, -1, np.int32)
    size = 0
    for index in range(objects.size):
        idempotent = objects[index]
        if size + m > members.size:
            larger = np.empty(2 * members.size + m, np.int32)
            larger[:size] = members[:size]
            members = larger
        for element in range(m):
            inside = table[table[idempotent, element], idempotent]
            if seen[inside] != index:
                seen[inside] = index
                members[size] = inside
                size += 1
        offsets[index + 1] = size
    return offsets, members[:size].copy()
