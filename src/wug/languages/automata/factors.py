"""DFAs of the literals that subregular logics are made of: factors, subsequences, prefixes, suffixes, counts.

Words are sequences of letters; every result is minimal. Source of the matching automata: Knuth, Morris and Pratt
1977, "Fast pattern matching in strings".
"""

from collections.abc import Iterable, Sequence

import numpy as np

from wug.errors import InputError
from wug.languages.automata.building import checked_alphabet, from_table
from wug.languages.automata.dfa import DFA, listed
from wug.languages.automata.minimisation import minimise


def with_blocks(blocks: Iterable[Sequence[str]], alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words that contain the blocks in this order without overlap, gaps between them or none.

    One block is containment of a factor, blocks of one letter are containment of a subsequence.

    >>> from wug.languages.automata.membership import accepts_words
    >>> accepts_words(with_blocks(["ab", "c"], "abc"), ["cab", "babac"]).tolist()
    [False, True]
    """
    letters = checked_alphabet(alphabet)
    rows: list[list[int]] = []
    for block in blocks:
        matching = _matching_table(_columns(block, letters), len(letters))
        rows.extend([[len(rows) + target for target in row] for row in matching[:-1]])
    rows.append([len(rows)] * len(letters))
    return minimise(from_table(_table(rows, letters), [len(rows) - 1], letters))


def with_prefix(word: Sequence[str], alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words that begin with ``word``."""
    letters = checked_alphabet(alphabet)
    columns = _columns(word, letters)
    done, dead = len(columns), len(columns) + 1
    rows = [
        [place + 1 if column == letter else dead for column in range(len(letters))]
        for place, letter in enumerate(columns)
    ]
    rows += [[done] * len(letters), [dead] * len(letters)]
    return minimise(from_table(_table(rows, letters), [done], letters))


def with_suffix(word: Sequence[str], alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words that end with ``word``."""
    letters = checked_alphabet(alphabet)
    rows = _matching_table(_columns(word, letters), len(letters))
    return minimise(from_table(_table(rows, letters), [len(rows) - 1], letters))


def with_occurrences(word: Sequence[str], at_least: int, alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words in which ``word`` occurs at so many places or more, overlaps counted."""
    letters = checked_alphabet(alphabet)
    if len(word) == 0:
        raise InputError("occurrences can be counted of a non-empty word only")
    if at_least < 0:
        raise InputError(f"the number of occurrences must be at least 0, got {at_least}")
    matching = _matching_table(_columns(word, letters), len(letters))
    size = len(matching)
    rows = []
    for counted in range(at_least):
        for row in matching:
            rows.append([(counted + (target == size - 1)) * size + target for target in row])
    # The row of the full match after the last count stands for "enough".
    enough = at_least * size + size - 1
    rows += [[enough] * len(letters) for _ in range(size)]
    return minimise(from_table(_table(rows, letters), list(range(at_least * size, len(rows))), letters))


def with_count(letter: str, modulus: int, remainders: Iterable[int], alphabet: Iterable[str]) -> DFA:
    """Return the DFA of the words whose number of ``letter``, modulo ``modulus``, is one of the remainders."""
    letters = checked_alphabet(alphabet)
    (column,) = _columns([letter], letters)
    if modulus < 1:
        raise InputError(f"a modulus must be at least 1, got {modulus}")
    accepting = sorted(set(remainders))
    for remainder in accepting:
        if not 0 <= remainder < modulus:
            raise InputError(f"a remainder modulo {modulus} must be one of 0..{modulus - 1}, got {remainder}")
    table = np.repeat(np.arange(modulus)[:, None], len(letters), axis=1)
    table[:, column] = (np.arange(modulus) + 1) % modulus
    return minimise(from_table(table, accepting, letters))


def _columns(word: Sequence[str], letters: tuple[str, ...]) -> list[int]:
    column_of = {letter: index for index, letter in enumerate(letters)}
    for letter in word:
        if letter not in column_of:
            raise InputError(f"the letter '{letter}' is not in the alphabet {listed(letters)}")
    return [column_of[letter] for letter in word]


def _matching_table(word: list[int], n_letters: int) -> list[list[int]]:
    """Return (n + 1, n_letters) the length of the longest prefix of ``word`` that ends at the current place."""
    rows: list[list[int]] = []
    border = 0
    for place, letter in enumerate([*word, None]):
        row = list(rows[border]) if place else [0] * n_letters
        if letter is not None:
            if place:
                border = rows[border][letter]
            row[letter] = place + 1
        rows.append(row)
    return rows


def _table(rows: list[list[int]], letters: tuple[str, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(letters))
