"""Labelled strings in the format of the Abbadingo contest, which grammar-inference tools share.

The first line holds the number of strings and the number of symbols; every further line is one string: its label (1
accepted, 0 rejected, -1 unknown), its length, its symbols, all separated by blanks.
Source: Lang, Pearlmutter and Price 1998, "Results of the Abbadingo One DFA learning competition".
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.formats._lines import read_text, write_text, wrong_line
from wug.sequences import Corpus, Vocabulary

ACCEPTED, REJECTED, UNKNOWN = 1, 0, -1
_MOST_SYMBOLS = 1_000_000


@dataclass(frozen=True, eq=False)
class LabelledStrings:
    """Strings with what is known of their membership."""

    strings: Corpus
    labels: NDArray[np.int8]
    """(n_strings,) ACCEPTED, REJECTED or UNKNOWN."""


def read(path: Path | str, *, vocabulary: Vocabulary | None = None) -> LabelledStrings:
    """Return the strings of a file; InputError names the line.

    Without ``vocabulary`` the symbols are the numbers from 0 if the file uses only those, otherwise the ones that
    occur, sorted; the start and end symbol is a number sign, repeated if that is itself a symbol.
    """
    return from_text(read_text(path), source=str(path), vocabulary=vocabulary)


def from_text(text: str, *, source: str = "Abbadingo text", vocabulary: Vocabulary | None = None) -> LabelledStrings:
    """Return the strings of the text; see ``read``."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines or len(lines[0][1]) != 2 or not all(re.fullmatch("[0-9]{1,9}", field) for field in lines[0][1]):
        raise wrong_line(
            source, lines[0][0] if lines else 1, "expected the number of strings and the number of symbols"
        )
    n_strings, n_symbols = map(int, lines[0][1])
    if n_symbols > _MOST_SYMBOLS:
        raise wrong_line(source, lines[0][0], f"{n_symbols} symbols are more than {_MOST_SYMBOLS}")
    strings = lines[1:]
    for number, fields in strings:
        if fields[0] not in ("0", "1", "-1"):
            raise wrong_line(source, number, f"a label must be 1, 0 or -1, got '{fields[0]}'")
        if len(fields) < 2 or fields[1] != str(len(fields) - 2):
            announced = fields[1] if len(fields) > 1 else "no"
            raise wrong_line(
                source, number, f"the line announces {announced} symbols and has {max(0, len(fields) - 2)}"
            )
    if len(strings) != n_strings:
        raise wrong_line(source, lines[0][0], f"{n_strings} strings are announced, the file has {len(strings)}")
    if vocabulary is None:
        vocabulary = _vocabulary({symbol for _, fields in strings for symbol in fields[2:]}, n_symbols, source)
    return LabelledStrings(
        _corpus(strings, vocabulary, source), np.array([int(fields[0]) for _, fields in strings], dtype=np.int8)
    )


def write(labelled: LabelledStrings, path: Path | str) -> None:
    """Write the strings; a crash leaves the old file or the new one."""
    write_text(path, to_text(labelled))


def to_text(labelled: LabelledStrings) -> str:
    """Return the text of the strings, symbols by their names, in the order of the corpus."""
    strings, labels = labelled.strings, labelled.labels
    if len(labels) != len(strings):
        raise InputError(f"there must be one label a string, got {len(labels)} labels and {len(strings)} strings")
    vocabulary = strings.vocabulary
    n_symbols = vocabulary.size - len({vocabulary.start, vocabulary.end})
    lines = [f"{len(strings)} {n_symbols}"]
    for label, tokens in zip(labels.tolist(), strings, strict=True):
        lines.append(" ".join([str(label), str(len(tokens)), *(vocabulary.symbols[token] for token in tokens)]))
    return "\n".join(lines) + "\n"


def _vocabulary(used: set[str], n_symbols: int, source: str) -> Vocabulary:
    numbers = [str(number) for number in range(n_symbols)]
    symbols = numbers if used <= set(numbers) else sorted(used)
    if len(symbols) > n_symbols:
        raise wrong_line(source, 1, f"{n_symbols} symbols are announced, the file uses {len(symbols)}")
    boundary = "#"
    while boundary in symbols:
        boundary += "#"
    return Vocabulary((boundary, *symbols))


def _corpus(strings: list[tuple[int, list[str]]], vocabulary: Vocabulary, source: str) -> Corpus:
    boundaries = {vocabulary.start, vocabulary.end}
    tokens: list[int] = []
    for number, fields in strings:
        for symbol in fields[2:]:
            token = vocabulary.classes.get(symbol)
            if token is None or token in boundaries:
                raise wrong_line(source, number, f"'{symbol}' is not a symbol of the vocabulary")
            tokens.append(token)
    offsets = np.cumsum([0, *(len(fields) - 2 for _, fields in strings)], dtype=np.int64)
    return Corpus(np.array(tokens, dtype=np.int64), offsets, vocabulary)
