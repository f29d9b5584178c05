"""Text with one string a line, to and from flat tokens, without a Python object per string where possible."""

import os
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.sequences.vocabulary import UNKNOWN, Tokens, Vocabulary

Integers = NDArray[np.int64]
NEWLINE, CARRIAGE_RETURN = 10, 13


def parse_lines(content: bytes, vocabulary: Vocabulary, *, boundary: bool, source: str) -> tuple[Tokens, Integers]:
    """Return tokens and offsets of UTF-8 text with one string a line.

    With ``boundary`` every line must be wrapped in the start and the end symbol, which are taken off. Raises InputError
    with ``source``, the line and the position in the bare string, counted from 1.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text") from error
    if not vocabulary.single_characters:
        return _parse_words(text, vocabulary, boundary, source)
    codes = code_points(text)
    stops = np.flatnonzero(codes == NEWLINE)
    if len(codes) and codes[-1] != NEWLINE:
        stops = np.append(stops, len(codes))
    starts = np.concatenate(([0], stops[:-1] + 1)) if len(stops) else stops
    stops = stops - ((stops > starts) & (codes[np.maximum(stops - 1, 0)] == CARRIAGE_RETURN) if len(stops) else 0)
    if boundary:
        starts, stops = _inner(codes, starts, stops, vocabulary, source)
    return encode_spans(text, codes, starts, stops, vocabulary, [f"{source}, line ", ": "])


def _inner(
    codes: NDArray[Any], starts: Integers, stops: Integers, vocabulary: Vocabulary, source: str
) -> tuple[Integers, Integers]:
    if not len(starts):
        return starts, stops
    wrapped = stops - starts >= 2
    last = len(codes) - 1
    wrapped &= codes[np.minimum(starts, last)] == vocabulary.codes[vocabulary.start]
    wrapped &= codes[np.maximum(stops - 1, 0)] == vocabulary.codes[vocabulary.end]
    if not wrapped.all():
        raise _not_wrapped(vocabulary, source, int(np.argmin(wrapped)) + 1)
    return starts + 1, stops - 1


def _not_wrapped(vocabulary: Vocabulary, source: str, line: int) -> InputError:
    start, end = vocabulary.symbols[vocabulary.start], vocabulary.symbols[vocabulary.end]
    return InputError(f"{source}, line {line}: a string must begin with {start!r} and end with {end!r}")


def encode_spans(
    text: str,
    codes: NDArray[Any],
    starts: Integers,
    stops: Integers,
    vocabulary: Vocabulary,
    where: Sequence[str],
) -> tuple[Tokens, Integers]:
    """Return tokens and offsets of the spans of a text in single characters; ``codes`` are its code points.

    ``where`` is what an error writes before and after the number of the span (from 1).
    """
    from wug.sequences import _kernels

    offsets = np.concatenate(([0], np.cumsum(stops - starts))).astype(np.int64)
    tokens = np.empty(offsets[-1], dtype=vocabulary.dtype)
    problem, span, at = _kernels.encode_spans(
        codes, starts, stops, vocabulary.class_of_code, vocabulary.start, vocabulary.end, tokens
    )
    if problem != _kernels.GOOD:
        place = f"{where[0]}{span + 1}{where[1]}"
        position = at - int(starts[span])
        if problem == _kernels.UNKNOWN_SYMBOL:
            raise vocabulary.unknown_symbol(text[at], position, place)
        raise _boundary_inside(text[at], position, place)
    return tokens, offsets


def _boundary_inside(symbol: str, position: int, where: str) -> InputError:
    return InputError(f"{where}the start or end symbol {symbol!r} stands inside the string, at position {position + 1}")


def _parse_words(text: str, vocabulary: Vocabulary, boundary: bool, source: str) -> tuple[Tokens, Integers]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    strings = [line.split() for line in lines]
    if boundary:
        wrapping = [vocabulary.symbols[vocabulary.start], vocabulary.symbols[vocabulary.end]]
        for number, words in enumerate(strings, start=1):
            if len(words) < 2 or [words[0], words[-1]] != wrapping:
                raise _not_wrapped(vocabulary, source, number)
        strings = [words[1:-1] for words in strings]
    return encode_words(strings, vocabulary, [f"{source}, line ", ": "])


def encode_words(
    strings: Sequence[Sequence[str]], vocabulary: Vocabulary, where: Sequence[str]
) -> tuple[Tokens, Integers]:
    """Return tokens and offsets of strings given as lists of symbols; ``where`` as in ``encode_spans``."""
    classes = vocabulary.classes
    flat = np.array([classes.get(word, UNKNOWN) for words in strings for word in words], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, strings)], dtype=np.int64)
    bad = np.flatnonzero((flat == UNKNOWN) | (flat == vocabulary.start) | (flat == vocabulary.end))
    if len(bad):
        span = int(np.searchsorted(offsets, bad[0], side="right")) - 1
        position = int(bad[0] - offsets[span])
        word, place = strings[span][position], f"{where[0]}{span + 1}{where[1]}"
        if flat[bad[0]] == UNKNOWN:
            raise vocabulary.unknown_symbol(word, position, place)
        raise _boundary_inside(word, position, place)
    return flat.astype(vocabulary.dtype), offsets


def code_points(text: str) -> NDArray[Any]:
    """Return (n_characters,) code points: uint8 for ASCII text, else uint32."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), dtype="<u4")


def format_lines(tokens: Tokens, offsets: Integers, vocabulary: Vocabulary, *, boundary: bool) -> bytes:
    """Return UTF-8 text with one string a line, the last one ended too; the inverse of ``parse_lines``."""
    if not vocabulary.single_characters:
        return _format_words(tokens, offsets, vocabulary, boundary).encode()
    from wug.sequences import _kernels

    is_ascii = bool(vocabulary.codes.max() < 128)
    codes = vocabulary.codes.astype(np.uint8 if is_ascii else "<u4")
    before, after = (int(codes[vocabulary.start]), int(codes[vocabulary.end])) if boundary else (-1, -1)
    written = _kernels.format_lines(tokens, offsets, codes, before, after, NEWLINE).tobytes()
    return written if is_ascii else written.decode("utf-32-le").encode()


def _format_words(tokens: Tokens, offsets: Integers, vocabulary: Vocabulary, boundary: bool) -> str:
    before = [vocabulary.symbols[vocabulary.start]] if boundary else []
    after = [vocabulary.symbols[vocabulary.end]] if boundary else []
    words = [vocabulary.symbols[token] for token in tokens.tolist()]
    bounds = offsets.tolist()
    return "".join(" ".join(before + words[first:last] + after) + "\n" for first, last in pairwise(bounds))


def _umask() -> int:
    """Return the process's mask of permissions, which can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that a crash leaves either the old or the new content."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(content)
            file.close()
            Path(file.name).chmod(0o666 & ~_umask())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
