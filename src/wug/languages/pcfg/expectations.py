"""How often each rule is expected in a derivation, and what follows from it: expected length and entropy."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from wug.languages.pcfg.grammar import Grammar
from wug.languages.pcfg.systems import compare_radius_with_one, strong_components


def expansion_matrix(grammar: Grammar) -> Mapping[tuple[int, int], Fraction]:
    """Return the expected number of each nonterminal (second) in one expansion of each one (first), where not 0."""
    entries: dict[tuple[int, int], Fraction] = {}
    for rule in grammar.rules:
        for symbol in rule.right:
            if not symbol.is_terminal:
                place = grammar.index[rule.left], grammar.index[symbol.name]
                entries[place] = entries.get(place, Fraction(0)) + rule.probability
    return entries


def expected_expansions(grammar: Grammar) -> NDArray[np.float64]:
    """Return (n_nonterminals,) how often each nonterminal is expanded on average in a derivation; may be infinite.

    Solves ``x = start + x A`` with the expansion matrix A. Nonterminals of a critical component (spectral radius 1),
    and those reached from it, are expanded infinitely often on average although every derivation ends.
    """
    matrix, n = expansion_matrix(grammar), len(grammar.index)
    is_infinite = np.zeros(n, dtype=bool)
    for component in strong_components(matrix, n):
        if compare_radius_with_one(matrix, component) == 0:
            is_infinite[component] = True
    has_grown = True
    while has_grown:
        reached = [lower for upper, lower in matrix if is_infinite[upper] and not is_infinite[lower]]
        is_infinite[reached] = True
        has_grown = bool(reached)
    system = np.eye(n)
    for (upper, lower), expected in matrix.items():
        system[upper, lower] = float((upper == lower) - expected)  # rounded once, however near to 0 it is
    finite = np.flatnonzero(~is_infinite)
    expansions = np.full(n, np.inf)
    expansions[finite] = np.linalg.solve(system[np.ix_(finite, finite)].T, (finite == 0).astype(float))
    return expansions


def expected_terminals(grammar: Grammar) -> float:
    """Return the expected number of terminals of a string; infinite for a critical grammar."""
    expansions, total = expected_expansions(grammar), 0.0
    for rule in grammar.rules:
        n_terminals = sum(symbol.is_terminal for symbol in rule.right)
        if n_terminals:
            total += float(expansions[grammar.index[rule.left]] * float(rule.probability) * n_terminals)
    return total


def derivation_entropy_bits(grammar: Grammar) -> float:
    """Return the entropy of the leftmost derivations, which is that of the strings if the grammar is unambiguous.

    Each expansion of a nonterminal adds the entropy of its alternatives (Grenander 1976, "Pattern Synthesis"; Soule
    1974, "Entropies of probabilistic grammars").
    """
    expansions, total = expected_expansions(grammar), 0.0
    for left, rules in grammar.alternatives.items():
        probabilities = np.array([float(rule.probability) for rule in rules if rule.probability < 1])
        if len(probabilities):
            total -= float(expansions[grammar.index[left]] * (probabilities * np.log2(probabilities)).sum())
    return total
