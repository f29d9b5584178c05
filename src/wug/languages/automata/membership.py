"""Which words a DFA accepts: one word, many words, whole corpora."""

from collections.abc import Iterable, Sequence

import numba
import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA, listed
from wug.sequences import Corpus

_UNKNOWN = -1


def accepts(dfa: DFA, word: str | Sequence[str]) -> bool:
    """Return whether the DFA accepts the word; InputError names a letter that is not in the alphabet.

    A string is read as in ``wug.sequences``: letter by letter, or, where a letter of the alphabet is longer than one
    character, with blanks between letters. Anything else is a sequence of letters.
    """
    return bool(accepts_words(dfa, [word])[0])


def accepts_words(dfa: DFA, words: Iterable[str | Sequence[str]]) -> NDArray[np.bool_]:
    """Return (n_words,) whether the DFA accepts each word, words being written as for ``accepts``."""
    written = list(words)
    is_single = all(len(letter) == 1 for letter in dfa.alphabet)
    if is_single and set(map(type, written)) <= {str}:
        spelled: list[str | Sequence[str]] = written
        columns = _columns_of_text("".join(map(str, written)), dfa.alphabet)
    else:
        spelled = [word.split() if isinstance(word, str) and not is_single else word for word in written]
        column = {letter: index for index, letter in enumerate(dfa.alphabet)}
        columns = np.array([column.get(letter, _UNKNOWN) for word in spelled for letter in word], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, spelled)], dtype=np.int64)
    unknown = np.flatnonzero(columns == _UNKNOWN)
    if unknown.size:
        index = int(np.searchsorted(offsets, unknown[0], side="right")) - 1
        place = int(unknown[0] - offsets[index])
        raise InputError(
            f"word {index + 1}, {written[index]!r}, has {spelled[index][place]!r} at position {place + 1}, "
            f"which is not in the alphabet {listed(dfa.alphabet)}"
        )
    return np.asarray(dfa.accepting[_final_states(dfa.transitions, dfa.start, columns, offsets)])


def accepts_corpus(dfa: DFA, corpus: Corpus) -> NDArray[np.bool_]:
    """Return (n_strings,) whether the DFA accepts each string; InputError for a symbol outside the alphabet.

    Symbols of the corpus's vocabulary are letters by their names, whatever their order.
    """
    column = {letter: index for index, letter in enumerate(dfa.alphabet)}
    column_of = np.array([column.get(symbol, _UNKNOWN) for symbol in corpus.vocabulary.symbols], dtype=np.int32)
    columns = column_of[corpus.tokens]
    unknown = np.flatnonzero(columns == _UNKNOWN)
    if unknown.size:
        index = int(np.searchsorted(corpus.offsets, unknown[0], side="right")) - 1
        symbol = corpus.vocabulary.symbols[corpus.tokens[unknown[0]]]
        raise InputError(
            f"string {index + 1} has {symbol!r} at position {unknown[0] - corpus.offsets[index] + 1}, "
            f"which is not in the alphabet {listed(dfa.alphabet)}"
        )
    return np.asarray(dfa.accepting[_final_states(dfa.transitions, dfa.start, columns, corpus.offsets)])


def _columns_of_text(text: str, alphabet: tuple[str, ...]) -> NDArray[np.int32]:
    """Return (n_characters,) the column of each character, -1 for those outside the alphabet."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    known = [ord(letter) for letter in alphabet]
    column_of = np.full(max(known, default=0) + 2, _UNKNOWN, dtype=np.int32)  # the last entry stands for all above
    column_of[known] = np.arange(len(known))
    return column_of[np.minimum(codes, np.uint32(len(column_of) - 1))]


@numba.njit(cache=True, nogil=True)
def _final_states(
    transitions: NDArray[np.int32], start: int, columns: NDArray[np.int32], offsets: NDArray[np.int64]
) -> NDArray[np.int32]:
    finals = np.empty(offsets.shape[0] - 1, dtype=np.int32)
    for word in range(finals.shape[0]):
        state = np.int32(start)
        for index in range(offsets[word], offsets[word + 1]):
            state = transitions[state, columns[index]]
        finals[word] = state
    return finals
