"""Equality and inclusion of regular languages, with a shortest witness where they fail."""

import numpy as np

from wug.languages.automata.boolean import difference, symmetric_difference
from wug.languages.automata.dfa import DFA, Word
from wug.languages.automata.facts import shortest_accepted
from wug.languages.automata.minimisation import minimise


def equivalent(left: DFA, right: DFA) -> bool:
    """Return whether both accept the same words over the same alphabet, order included."""
    if left.alphabet != right.alphabet:
        return False
    one, other = minimise(left), minimise(right)
    return np.array_equal(one.transitions, other.transitions) and np.array_equal(one.accepting, other.accepting)


def shortest_difference(left: DFA, right: DFA) -> Word | None:
    """Return the first word, by length and then alphabet order, in exactly one language; None if they are equal."""
    return shortest_accepted(symmetric_difference(left, right))


def included(left: DFA, right: DFA) -> bool:
    """Return whether the right DFA accepts every word of the left one."""
    return shortest_excluded(left, right) is None


def shortest_excluded(left: DFA, right: DFA) -> Word | None:
    """Return the first word of the left language that is not in the right one; None if the left is included."""
    return shortest_accepted(difference(left, right))
