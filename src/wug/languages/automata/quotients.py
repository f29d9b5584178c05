"""Left and right quotients of regular languages."""

from collections.abc import Sequence

import numpy as np

from wug.errors import InputError
from wug.languages.automata.boolean import MAX_PAIRS, different_alphabets, reachable_pairs
from wug.languages.automata.dfa import DFA, listed
from wug.languages.automata.facts import live_states
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, determinise, live_arcs


def residual(dfa: DFA, word: Sequence[str]) -> DFA:
    """Return the minimal DFA of the words that continue ``word`` to a word of the language."""
    column = {letter: index for index, letter in enumerate(dfa.alphabet)}
    state = dfa.start
    for place, letter in enumerate(word, start=1):
        if letter not in column:
            raise InputError(f"'{letter}' at position {place} is not in the alphabet {listed(dfa.alphabet)}")
        state = int(dfa.transitions[state, column[letter]])
    return minimise(DFA(dfa.transitions, dfa.accepting, dfa.alphabet, state))


def left_quotient(prefixes: DFA, language: DFA) -> DFA:
    """Return the minimal DFA of the words w such that u w is in the language for some u among the prefixes."""
    _, pairs = reachable_pairs(prefixes, language)
    starts = np.unique(pairs[prefixes.accepting[pairs[:, 0]], 1]).astype(np.int32)
    return minimise(determinise(NFA(live_arcs(language), starts, language.accepting, language.alphabet)))


def right_quotient(language: DFA, suffixes: DFA) -> DFA:
    """Return the minimal DFA of the words w such that w v is in the language for some v among the suffixes."""
    if language.alphabet != suffixes.alphabet:
        raise different_alphabets(language, suffixes)
    words, ends = minimise(language), minimise(suffixes)
    n_pairs = words.n_states * ends.n_states
    if n_pairs > MAX_PAIRS:
        raise InputError(f"the automaton is too large: the quotient needs {n_pairs} pairs of states, over {MAX_PAIRS}")
    # Pair (q, v) is number q * ends.n_states + v; q accepts in the quotient if (q, start) reaches acceptance in both.
    pairs = words.transitions[:, None, :] * np.int32(ends.n_states) + ends.transitions[None, :, :]
    both = words.accepting[:, None] & ends.accepting[None, :]
    live = live_states(DFA(pairs.reshape(n_pairs, words.n_letters), both.ravel(), words.alphabet))
    return minimise(DFA(words.transitions, live.reshape(both.shape)[:, 0].copy(), words.alphabet))
