"""Checks of what languages are given."""

from typing import Any

import numpy as np

from wug.errors import InputError
from wug.languages.protocol import Language
from wug.sequences import Corpus


def require_vocabulary(language: Language, corpus: Corpus) -> None:
    """Refuse a corpus whose classes mean something else than the language's."""
    if corpus.vocabulary != language.vocabulary:
        raise InputError(
            f"a corpus over {_symbols(corpus)} does not suit {language.name}, "
            f"whose symbols are {' '.join(language.vocabulary.symbols)}"
        )


def require_size(size: int) -> None:
    """Refuse a negative number of strings."""
    if size < 0:
        raise InputError(f"the number of strings must be at least 0, not {size}")


def require_probability(name: str, probability: float) -> None:
    """Refuse what is no probability strictly between 0 and 1."""
    if not 0 < probability < 1:
        raise InputError(f"{name} must be between 0 and 1 (exclusive), not {probability}")


def require_one_member(language: Language, after: Corpus) -> None:
    """Refuse an ``after`` that is not exactly one string of the language."""
    if len(after) != 1:
        raise InputError(f"the list starts after one string, not {len(after)}")
    if not language.contains(after)[0]:
        raise InputError(f"the list cannot start after {_shortened(after.text(0))!r}, which is not in {language.name}")


def no_prefix(language: Language, string: int, position: int) -> InputError:
    """Return the error for a string, numbered from 0, whose symbol at a position, from 0, cannot stand there."""
    return InputError(f"string {string + 1} is no prefix of a string of {language.name}: see position {position + 1}")


def _symbols(corpus: Corpus) -> str:
    return _shortened(" ".join(corpus.vocabulary.symbols))


def _shortened(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[: length - 4] + " ..."


def smallest_unsigned(n_values: int) -> np.dtype[Any]:
    """Return the smallest unsigned dtype that holds 0 to n_values - 1."""
    return np.min_scalar_type(n_values - 1)
