"""DFAs from tables, from lists of transitions, and the simplest ones."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from wug.errors import InputError
from wug.languages.automata.dfa import DFA, Word, listed

State = TypeVar("State", bound=Hashable)


def checked_alphabet(letters: Iterable[str]) -> tuple[str, ...]:
    """Return the letters as a tuple; raises InputError if one is empty or there twice."""
    alphabet = tuple(letters)
    seen: set[str] = set()
    for letter in alphabet:
        if letter == "":
            raise InputError("an alphabet must consist of non-empty letters, one is empty")
        if letter in seen:
            raise InputError(f"an alphabet must name each letter once, '{letter}' is there twice")
        seen.add(letter)
    return alphabet


def from_table(transitions: ArrayLike, accepting: ArrayLike, alphabet: Iterable[str], start: int = 0) -> DFA:
    """Return the DFA with these rows, one per state, after checking every entry.

    ``accepting`` is either one truth value per state or the list of accepting states.

    >>> from_table([[1, 0], [1, 0]], [1], "ab").n_states
    2
    """
    letters = checked_alphabet(alphabet)
    table = np.asarray(transitions)
    if table.ndim != 2 or table.shape[0] == 0 or table.shape[1] != len(letters):
        raise InputError(
            f"transitions must be a table with at least one row and {len(letters)} columns, got shape {table.shape}"
        )
    n_states = table.shape[0]
    if table.size and not np.issubdtype(table.dtype, np.integer):
        raise InputError(f"transitions must be whole numbers, got {table.dtype}")
    wrong = np.argwhere((table < 0) | (table >= n_states))
    if wrong.size:
        state, column = wrong[0]
        raise InputError(
            f"state {state} goes by '{letters[column]}' to {table[state, column]}, which is none of 0..{n_states - 1}"
        )
    if not 0 <= start < n_states:
        raise InputError(f"the start state must be one of 0..{n_states - 1}, got {start}")
    return DFA(
        np.ascontiguousarray(table, dtype=np.int32), _accepting_mask(np.asarray(accepting), n_states), letters, start
    )


def _accepting_mask(accepting: np.ndarray, n_states: int) -> np.ndarray:
    if accepting.dtype == np.bool_:
        if accepting.shape != (n_states,):
            raise InputError(f"accepting must hold {n_states} truth values, got shape {accepting.shape}")
        return np.ascontiguousarray(accepting)
    if accepting.size and (accepting.ndim != 1 or not np.issubdtype(accepting.dtype, np.integer)):
        raise InputError("accepting must be a list of states or of truth values")
    for state in accepting.tolist():
        if not 0 <= state < n_states:
            raise InputError(f"accepting state {state} is none of 0..{n_states - 1}")
    mask = np.zeros(n_states, dtype=np.bool_)
    mask[accepting.astype(np.int64)] = True
    return mask


def from_transitions(
    transitions: Iterable[tuple[State, str, State]],
    accepting: Iterable[State],
    start: State,
    alphabet: Iterable[str] | None = None,
) -> DFA:
    """Return the DFA with these arcs (source, letter, target); missing ones lead to a dead state.

    States may be anything hashable and are numbered when first named, the start first. Without ``alphabet`` the
    letters are those of the arcs, sorted. Raises InputError for two arcs that differ only in their target.

    >>> from_transitions([("even", "a", "odd"), ("odd", "a", "even")], ["even"], "even").transitions.tolist()
    [[1], [0]]
    """
    arcs = list(transitions)
    letters = checked_alphabet(sorted({letter for _, letter, _ in arcs}) if alphabet is None else alphabet)
    column = {letter: index for index, letter in enumerate(letters)}
    number: dict[State, int] = {start: 0}
    target_of: dict[tuple[int, int], int] = {}
    for source, letter, target in arcs:
        if letter not in column:
            raise InputError(f"the arc from {source} by '{letter}' leaves the alphabet {listed(letters)}")
        key = number.setdefault(source, len(number)), column[letter]
        reached = number.setdefault(target, len(number))
        if target_of.setdefault(key, reached) != reached:
            raise InputError(f"state {source} has two arcs by '{letter}'; a DFA has one")
    final = [number.setdefault(state, len(number)) for state in accepting]
    dead = len(number)
    needs_dead = len(target_of) < dead * len(letters)
    table = np.full((dead + needs_dead, len(letters)), dead, dtype=np.int32)
    for (row, index), reached in target_of.items():
        table[row, index] = reached
    mask = np.zeros(len(table), dtype=np.bool_)
    mask[final] = True
    return DFA(table, mask, letters)


def empty_language(alphabet: Iterable[str]) -> DFA:
    """Return the DFA that accepts nothing."""
    letters = checked_alphabet(alphabet)
    return DFA(np.zeros((1, len(letters)), dtype=np.int32), np.zeros(1, dtype=np.bool_), letters)


def all_words(alphabet: Iterable[str]) -> DFA:
    """Return the DFA that accepts every word."""
    letters = checked_alphabet(alphabet)
    return DFA(np.zeros((1, len(letters)), dtype=np.int32), np.ones(1, dtype=np.bool_), letters)


def from_words(words: Iterable[Sequence[str]], alphabet: Iterable[str]) -> DFA:
    """Return a DFA that accepts exactly these words, as a prefix tree with a dead state.

    >>> from_words(["", "ab"], "ab").n_states
    4
    """
    letters = checked_alphabet(alphabet)
    known = set(letters)
    arcs: list[tuple[Word, str, Word]] = []
    accepting: list[Word] = []
    nodes: set[Word] = {()}
    for word in map(tuple, words):
        accepting.append(word)
        for end, letter in enumerate(word, start=1):
            if letter not in known:
                raise InputError(f"'{letter}' in the word '{''.join(word)}' is not in the alphabet {listed(letters)}")
            if word[:end] not in nodes:
                nodes.add(word[:end])
                arcs.append((word[: end - 1], letter, word[:end]))
    return from_transitions(arcs, accepting, (), letters)
