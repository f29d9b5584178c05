"""How many words of a length a DFA accepts, exactly."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise


def count(dfa: DFA, length: int) -> int:
    """Return the exact number of accepted words of this length.

    >>> from wug.languages.automata.building import from_table
    >>> count(from_table([[0, 1], [2, 1], [2, 2]], [0, 1], "ab"), 64)
    65
    """
    return counts(dfa, length)[length]


def counts(dfa: DFA, longest: int) -> list[int]:
    """Return the exact numbers of accepted words of the lengths 0, 1, ..., ``longest``."""
    if longest < 0:
        raise InputError(f"a length must be at least 0, got {longest}")
    minimal = minimise(dfa)
    vectors = completions(minimal)
    return [int(next(vectors)[minimal.start]) for _ in range(longest + 1)]


def completions(dfa: DFA) -> Iterator[NDArray[np.object_]]:
    """Yield, for the lengths 0, 1, 2, ..., the (n_states,) numbers of words that lead from each state to acceptance.

    Entries are Python integers. Source: the transfer-matrix recursion c[0](q) = [q accepts],
    c[n](q) = sum over letters a of c[n-1](q.a).
    """
    columns, multiplicity = np.unique(dfa.transitions, axis=1, return_counts=True)
    targets = np.ascontiguousarray(columns.T)
    weights = [int(weight) for weight in multiplicity]
    vector = dfa.accepting.astype(object) * 1
    while True:
        yield vector
        following = np.zeros(dfa.n_states, dtype=object)
        for target, weight in zip(targets, weights, strict=True):
            reached = vector[target]
            following += reached if weight == 1 else reached * weight
        vector = following
