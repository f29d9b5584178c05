"""Concatenation, powers, iteration and reversal of regular languages; every result is minimal."""

import numpy as np

from wug.errors import InputError
from wug.languages.automata.boolean import different_alphabets
from wug.languages.automata.building import from_words
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, determinise, live_arcs, silent_arcs


def concatenation(left: DFA, right: DFA) -> DFA:
    """Return the minimal DFA of the words u v with u in the left and v in the right language."""
    if left.alphabet != right.alphabet:
        raise different_alphabets(left, right)
    offset = left.n_states
    between = silent_arcs(np.flatnonzero(left.accepting), right.start + offset)
    arcs = np.concatenate([live_arcs(left), between, live_arcs(right, offset)])
    accepting = np.concatenate([np.zeros_like(left.accepting), right.accepting])
    return minimise(determinise(NFA(arcs, np.array([left.start], dtype=np.int32), accepting, left.alphabet)))


def star(dfa: DFA) -> DFA:
    """Return the minimal DFA of all concatenations of words of the language, the empty word included."""
    hub = dfa.n_states
    arcs = np.concatenate(
        [live_arcs(dfa), silent_arcs([hub], dfa.start), silent_arcs(np.flatnonzero(dfa.accepting), hub)]
    )
    accepting = np.append(np.zeros_like(dfa.accepting), True)
    return minimise(determinise(NFA(arcs, np.array([hub], dtype=np.int32), accepting, dfa.alphabet)))


def power(dfa: DFA, exponent: int) -> DFA:
    """Return the minimal DFA of the words u1 u2 ... un with every part in the language; n = 0 gives the empty word."""
    if exponent < 0:
        raise InputError(f"an exponent must be at least 0, got {exponent}")
    if exponent == 0:
        return minimise(from_words([()], dfa.alphabet))
    factor = result = minimise(dfa)
    for _ in range(exponent - 1):
        result = concatenation(result, factor)
    return result


def reversal(dfa: DFA) -> DFA:
    """Return the minimal DFA of the language's words read backwards."""
    arcs = live_arcs(dfa)[:, [2, 1, 0]]
    accepting = np.zeros_like(dfa.accepting)
    accepting[dfa.start] = True
    return minimise(determinise(NFA(arcs, np.flatnonzero(dfa.accepting).astype(np.int32), accepting, dfa.alphabet)))
