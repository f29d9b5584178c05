"""Strings in a column of a Parquet file, through Polars and without a Python object per string."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.sequences import text
from wug.sequences.vocabulary import Tokens, Vocabulary


def read(path: Path | str, vocabulary: Vocabulary, column: str) -> tuple[Tokens, NDArray[np.int64]]:
    """Return tokens and offsets of the strings in one column; InputError names file and row."""
    import polars as pl

    try:
        frame = pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path}: cannot be read as a Parquet file ({str(error).splitlines()[0]})") from error
    if column not in frame.columns:
        raise InputError(f"{path}: no column {column!r}; there are: {', '.join(frame.columns)}")
    strings = frame[column]
    if strings.dtype != pl.String:
        raise InputError(f"{path}: column {column!r} must hold strings, not {strings.dtype}")
    if strings.null_count():
        raise InputError(f"{path}, row {int(strings.is_null().arg_true()[0]) + 1}: no string in column {column!r}")
    where = [f"{path}, row ", ": "]
    if not vocabulary.single_characters:
        return text.encode_words([string.split() for string in strings], vocabulary, where)
    joined = strings.str.join("").item() if len(strings) else ""
    bounds = np.concatenate(([0], np.cumsum(strings.str.len_chars().to_numpy(), dtype=np.int64)))
    return text.encode_spans(joined, text.code_points(joined), bounds[:-1], bounds[1:], vocabulary, where)


def write(path: Path | str, tokens: Tokens, offsets: NDArray[np.int64], vocabulary: Vocabulary, column: str) -> None:
    """Write the strings, bare, as a file of one column."""
    import polars as pl

    lines = text.format_lines(tokens, offsets, vocabulary, boundary=False).decode()
    strings = pl.Series(column, [lines], dtype=pl.String).str.split("\n").explode()
    buffer = io.BytesIO()
    strings.head(len(offsets) - 1).to_frame().write_parquet(buffer)
    text.replace_file(Path(path), buffer.getvalue())
