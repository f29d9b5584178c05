"""Moving a language from one alphabet to another.

============  =============================================================  =========================
function      words of the result                                            alphabet
============  =============================================================  =========================
``restrict``  those of the language that use only the given letters          the given letters
``extend``    those of the language                                          a larger one
``project``   those of the language after deleting all other letters         the given letters
``lift``      those that are in the language after deleting new letters      a larger one
``expand``    those in the language once each letter is replaced             any, letters by their models
============  =============================================================  =========================
"""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from wug.errors import InputError
from wug.languages.automata.building import checked_alphabet
from wug.languages.automata.dfa import DFA, listed
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, SILENT, determinise, live_arcs


def restrict(dfa: DFA, letters: Iterable[str]) -> DFA:
    """Return the DFA of the words over ``letters``, in this column order; the others' columns are dropped."""
    kept = checked_alphabet(letters)
    return DFA(_columns(dfa, kept), dfa.accepting, kept, dfa.start)


def extend(dfa: DFA, alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the same words over a larger alphabet; new letters lead to a dead state."""
    letters = _superset(dfa, alphabet)
    table = np.full((dfa.n_states + 1, len(letters)), dfa.n_states, dtype=np.int32)
    table[:-1, [letters.index(letter) for letter in dfa.alphabet]] = dfa.transitions
    return DFA(table, np.append(dfa.accepting, False), letters, dfa.start)


def project(dfa: DFA, letters: Iterable[str]) -> DFA:
    """Return the minimal DFA of what is left of the language's words when all other letters are deleted."""
    kept = checked_alphabet(letters)
    _columns(dfa, kept)
    column_of = {letter: index for index, letter in enumerate(kept)}
    renamed = np.array([column_of.get(letter, SILENT) for letter in dfa.alphabet], dtype=np.int32)
    arcs = live_arcs(dfa)
    arcs[:, 1] = renamed[arcs[:, 1]]
    return minimise(determinise(NFA(arcs, np.array([dfa.start], dtype=np.int32), dfa.accepting, kept)))


def lift(dfa: DFA, alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words that are in the language once letters outside its alphabet, the tier, are deleted."""
    letters = _superset(dfa, alphabet)
    table = np.empty((dfa.n_states, len(letters)), dtype=np.int32)
    table[:] = np.arange(dfa.n_states, dtype=np.int32)[:, None]
    table[:, [letters.index(letter) for letter in dfa.alphabet]] = dfa.transitions
    return DFA(table, dfa.accepting, letters, dfa.start)


def expand(dfa: DFA, model_of: Mapping[str, str]) -> DFA:
    """Return the DFA over the mapping's letters, in its order, in which each letter acts as its model does here."""
    letters = checked_alphabet(model_of)
    return DFA(_columns(dfa, tuple(model_of.values())), dfa.accepting, letters, dfa.start)


def models(alphabet: Iterable[str], letter_sets: Iterable[Collection[str]]) -> dict[str, str]:
    """Return for each letter the first letter that is in the same sets; such letters need only one column.

    >>> models("abcde", ["a", "abc"])
    {'a': 'a', 'b': 'b', 'c': 'b', 'd': 'd', 'e': 'd'}
    """
    letters = tuple(alphabet)
    memberships: dict[str, list[int]] = {letter: [] for letter in letters}
    for index, letter_set in enumerate(dict.fromkeys(map(frozenset, letter_sets))):
        for letter in letter_set:
            memberships[letter].append(index)
    first: dict[tuple[int, ...], str] = {}
    return {letter: first.setdefault(tuple(memberships[letter]), letter) for letter in letters}


def _columns(dfa: DFA, letters: tuple[str, ...]) -> np.ndarray:
    column_of = {letter: index for index, letter in enumerate(dfa.alphabet)}
    for letter in letters:
        if letter not in column_of:
            raise InputError(f"the letter '{letter}' is not in the alphabet {listed(dfa.alphabet)}")
    return np.ascontiguousarray(dfa.transitions[:, [column_of[letter] for letter in letters]])


def _superset(dfa: DFA, alphabet: Iterable[str]) -> tuple[str, ...]:
    letters = checked_alphabet(alphabet)
    missing = [letter for letter in dfa.alphabet if letter not in letters]
    if missing:
        raise InputError(f"the alphabet {listed(letters)} must contain every letter so far; '{missing[0]}' is missing")
    return letters
