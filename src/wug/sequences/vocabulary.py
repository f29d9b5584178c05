"""Symbols and the integers (classes) that stand for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wug.errors import InputError

Tokens = NDArray[np.integer[Any]]
"""Classes of symbols, in the vocabulary's dtype."""

PADDING = "<pad>"
"""A symbol of this name fills strings up; it stands in none, and no learner answers with it."""

UNKNOWN = -1
"""Entry of ``Vocabulary.class_of_code`` for characters that are no symbol."""


@dataclass(frozen=True)
class Vocabulary:
    """Symbols in the order of their classes, the start and end symbol among them.

    Symbols of one character are written together (``aabb``). Where a symbol is longer, blanks stand between symbols
    (``jump twice``).

    >>> Vocabulary(("#", "a", "b")).encode("aab")
    array([1, 1, 2], dtype=uint8)
    """

    symbols: tuple[str, ...]
    """Class c is written ``symbols[c]``."""
    start: int = 0
    """Class of the symbol in front of every string."""
    end: int = 0
    """Class of the symbol behind every string; often the same symbol."""

    def __post_init__(self) -> None:
        """Refuse symbols that could not be read back."""
        if not self.symbols:
            raise InputError("a vocabulary needs at least one symbol")
        seen: set[str] = set()
        for symbol in self.symbols:
            if not symbol or any(character.isspace() for character in symbol):
                raise InputError(f"a symbol must be one or more characters without blanks, not {symbol!r}")
            if symbol in seen:
                raise InputError(f"the symbol {symbol!r} occurs twice in the vocabulary")
            seen.add(symbol)
        for role, token in (("start", self.start), ("end", self.end)):
            if not 0 <= token < self.size:
                raise InputError(f"the {role} symbol must be a class from 0 to {self.size - 1}, not {token}")

    @property
    def size(self) -> int:
        """Number of classes."""
        return len(self.symbols)

    @property
    def padding(self) -> int | None:
        """Class of the symbol PADDING; None where there is no such symbol."""
        return self.classes.get(PADDING)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Smallest of uint8, uint16 and int32 that holds every class."""
        if self.size <= 1 << 8:
            return np.dtype(np.uint8)
        return np.dtype(np.uint16 if self.size <= 1 << 16 else np.int32)

    @cached_property
    def single_characters(self) -> bool:
        """Whether every symbol is one character, so that strings are written without blanks."""
        return all(len(symbol) == 1 for symbol in self.symbols)

    @cached_property
    def classes(self) -> dict[str, int]:
        """The class of each symbol."""
        return {symbol: token for token, symbol in enumerate(self.symbols)}

    @cached_property
    def codes(self) -> NDArray[np.uint32]:
        """(size,) Unicode code point of each class; only for single characters."""
        return np.array([ord(symbol) for symbol in self.symbols], dtype=np.uint32)

    @cached_property
    def class_of_code(self) -> NDArray[np.int32]:
        """(n,) class of each code point, UNKNOWN where there is none, so too the last, which stands for all above."""
        table = np.full(max(256, int(self.codes.max()) + 2), UNKNOWN, dtype=np.int32)
        table[self.codes] = np.arange(self.size)
        return table

    def encode(self, text: str) -> Tokens:
        """Return (n,) the classes of a written string; InputError names an unknown symbol and its position.

        Positions count symbols from 1.
        """
        written: Sequence[str] = text if self.single_characters else text.split()
        tokens = np.array([self.classes.get(symbol, UNKNOWN) for symbol in written], dtype=np.int64)
        unknown = np.flatnonzero(tokens == UNKNOWN)
        if len(unknown):
            position = int(unknown[0])
            raise self.unknown_symbol(written[position], position)
        return tokens.astype(self.dtype)

    def decode(self, tokens: ArrayLike) -> str:
        """Return the written form of (n,) classes; InputError names a class that does not exist and its position."""
        classes = np.asarray(tokens).tolist()
        for position, token in enumerate(classes):
            if not 0 <= token < self.size:
                raise InputError(f"no class {token} (position {position + 1}); classes go from 0 to {self.size - 1}")
        return self.separator.join(self.symbols[token] for token in classes)

    @property
    def separator(self) -> str:
        """What stands between two symbols of a written string."""
        return "" if self.single_characters else " "

    def unknown_symbol(self, symbol: str, position: int, where: str = "") -> InputError:
        """Return the error for a symbol that is not in the vocabulary; ``position`` counts from 0."""
        known = " ".join(self.symbols[:20]) + (" ..." if self.size > 20 else "")
        return InputError(f"{where}unknown symbol {symbol!r} at position {position + 1}; known symbols: {known}")
