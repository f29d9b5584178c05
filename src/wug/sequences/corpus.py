"""Many strings in two flat arrays."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wug.errors import InputError
from wug.sequences import text
from wug.sequences.vocabulary import Tokens, Vocabulary


@dataclass(frozen=True, eq=False)
class Corpus:
    """Strings over a vocabulary, bare: without the start and end symbol that every string is understood to have.

    >>> corpus = Corpus.from_strings(["ab", "", "aabb"], Vocabulary(("#", "a", "b")))
    >>> corpus.lengths
    array([2, 0, 4])
    >>> corpus[2]
    array([1, 1, 2, 2], dtype=uint8)
    """

    tokens: Tokens
    """(n_symbols,) classes of all symbols, string after string, in the vocabulary's dtype."""
    offsets: NDArray[np.int64]
    """(n_strings + 1,) string i is ``tokens[offsets[i]:offsets[i + 1]]``."""
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        """Check that the arrays fit together, which compiled loops rely on, and store them in the right dtypes."""
        tokens, offsets = np.asarray(self.tokens), np.asarray(self.offsets, dtype=np.int64)
        if tokens.ndim != 1 or offsets.ndim != 1 or len(offsets) == 0:
            raise InputError("a corpus needs flat tokens and flat offsets, one offset more than strings")
        if offsets[0] != 0 or offsets[-1] != len(tokens) or (np.diff(offsets) < 0).any():
            raise InputError("the offsets of a corpus must rise from 0 to the number of tokens")
        if len(tokens) and tokens.dtype.kind not in "iu":
            raise InputError(f"the tokens of a corpus must be integers, not {tokens.dtype}")
        if len(tokens) and not (tokens.min() >= 0 and tokens.max() < self.vocabulary.size):
            wrong = int(np.flatnonzero((tokens < 0) | (tokens >= self.vocabulary.size))[0])
            string = int(np.searchsorted(offsets, wrong, side="right")) - 1
            raise InputError(
                f"string {string + 1}: no class {tokens[wrong]} (position {wrong - offsets[string] + 1}); "
                f"classes go from 0 to {self.vocabulary.size - 1}"
            )
        object.__setattr__(self, "tokens", np.ascontiguousarray(tokens, dtype=self.vocabulary.dtype))
        object.__setattr__(self, "offsets", np.ascontiguousarray(offsets))

    @classmethod
    def from_strings(cls, strings: Iterable[str], vocabulary: Vocabulary) -> "Corpus":
        """Return the corpus of written strings; InputError names string and position of what cannot be read.

        The start and end symbol may not occur in them.
        """
        written = list(strings)
        where = ["string ", ": "]
        if not vocabulary.single_characters:
            return cls(*text.encode_words([string.split() for string in written], vocabulary, where), vocabulary)
        joined = "".join(written)
        bounds = np.cumsum([0, *map(len, written)], dtype=np.int64)
        encoded = text.encode_spans(joined, text.code_points(joined), bounds[:-1], bounds[1:], vocabulary, where)
        return cls(*encoded, vocabulary)

    @classmethod
    def from_arrays(cls, arrays: Iterable[ArrayLike], vocabulary: Vocabulary) -> "Corpus":
        """Return the corpus of strings given as (length,) classes."""
        strings = [np.asarray(array) for array in arrays]
        offsets = np.cumsum([0, *map(len, strings)], dtype=np.int64)
        filled = [string for string in strings if len(string)]
        tokens = np.concatenate(filled) if filled else np.empty(0, dtype=vocabulary.dtype)
        return cls(tokens, offsets, vocabulary)

    @classmethod
    def concatenate(cls, corpora: Iterable["Corpus"]) -> "Corpus":
        """Return all strings of one or more corpora with the same vocabulary, in order."""
        parts = list(corpora)
        if not parts:
            raise InputError("there must be at least one corpus to concatenate")
        vocabulary = parts[0].vocabulary
        if any(part.vocabulary != vocabulary for part in parts):
            raise InputError("corpora must have the same vocabulary to be concatenated")
        lengths = np.concatenate([part.lengths for part in parts])
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        return cls(np.concatenate([part.tokens for part in parts]), offsets, vocabulary)

    @classmethod
    def read_text(cls, path: Path | str, vocabulary: Vocabulary, boundary: bool = True) -> "Corpus":
        """Read a UTF-8 file with one string a line; InputError names file, line and position in the bare string.

        With ``boundary`` each line is wrapped in start and end symbol (``#aabb#``), as in the files of BLISS.
        """
        content = _read(path)
        return cls(*text.parse_lines(content, vocabulary, boundary=boundary, source=str(path)), vocabulary)

    @classmethod
    def read_parquet(cls, path: Path | str, vocabulary: Vocabulary, column: str = "string") -> "Corpus":
        """Read the strings, written bare, in a column of a Parquet file; InputError names file and row."""
        from wug.sequences import parquet

        tokens, offsets = parquet.read(path, vocabulary, column)
        return cls(tokens, offsets, vocabulary)

    def write_text(self, path: Path | str, boundary: bool = True) -> None:
        """Write one string a line, as ``read_text`` reads it; a crash leaves the old file or the new one."""
        content = text.format_lines(self.tokens, self.offsets, self.vocabulary, boundary=boundary)
        text.replace_file(Path(path), content)

    def write_parquet(self, path: Path | str, column: str = "string") -> None:
        """Write the strings, bare, as the one column of a Parquet file; a crash leaves the old file or the new one."""
        from wug.sequences import parquet

        parquet.write(path, self.tokens, self.offsets, self.vocabulary, column)

    def __len__(self) -> int:
        """Return the number of strings."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Tokens:
        """Return (length,) a view of one string's classes; negative numbers count from the end."""
        n_strings = len(self)
        if not -n_strings <= index < n_strings:
            raise IndexError(f"string {index} of {n_strings}")
        index %= n_strings
        return self.tokens[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[Tokens]:
        """Yield each string's classes."""
        return (self[index] for index in range(len(self)))

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """(n_strings,) number of symbols of each string."""
        return np.diff(self.offsets)

    @property
    def n_symbols(self) -> int:
        """Number of symbols of all strings, start and end symbols not counted."""
        return len(self.tokens)

    def select(self, indices: ArrayLike | slice) -> "Corpus":
        """Return the strings with these numbers, or where a mask is true, or in a slice."""
        from wug.sequences import _kernels

        chosen = np.arange(len(self))[indices if isinstance(indices, slice) else _as_index(indices)]
        offsets = np.concatenate(([0], np.cumsum(self.lengths[chosen])))
        return Corpus(_kernels.gather(self.tokens, self.offsets[chosen], offsets), offsets, self.vocabulary)

    def text(self, index: int) -> str:
        """Return one string as it is written, bare."""
        return self.vocabulary.decode(self[index])

    def texts(self) -> Iterator[str]:
        """Yield every string as it is written, bare."""
        return (self.vocabulary.decode(string) for string in self)

    def unique(self) -> tuple["Corpus", NDArray[np.int64]]:
        """Return the different strings in order of first occurrence and (n_unique,) how often each occurs."""
        from wug.sequences import _kernels

        firsts, multiplicities = _kernels.unique_strings(self.tokens, self.offsets)
        return self.select(firsts), multiplicities

    def sha256(self) -> str:
        """Return the hash of vocabulary and strings; equal on every machine for equal content."""
        vocabulary = [self.vocabulary.symbols, self.vocabulary.start, self.vocabulary.end]
        digest = hashlib.sha256(json.dumps(vocabulary, separators=(",", ":")).encode() + b"\n")
        digest.update(np.ascontiguousarray(self.offsets, dtype="<i8").data)
        digest.update(np.ascontiguousarray(self.tokens, dtype=self.vocabulary.dtype.newbyteorder("<")).data)
        return digest.hexdigest()


def _as_index(indices: ArrayLike) -> NDArray[Any]:
    index = np.asarray(indices)
    return index if len(index) else index.astype(np.int64)


def _read(path: Path | str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
