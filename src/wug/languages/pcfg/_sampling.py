"""The compiled sampling of derivations."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.languages.pcfg._arrays import longer
from wug.languages.pcfg.normal_form import Floats, Integers

Tokens = NDArray[np.integer[Any]]


class Expansions(NamedTuple):
    """The alternatives of every nonterminal as flat arrays."""

    first_alternative: Integers
    """(n_nonterminals + 1,) nonterminal X has the alternatives from here up to the next entry."""
    cumulative: Floats
    """(n_alternatives,) probability of an alternative and those before it of the same nonterminal."""
    first_symbol: Integers
    """(n_alternatives + 1,) an alternative has the symbols from here up to the next entry."""
    symbols: Integers
    """(n_symbols,) a nonterminal's number, or -1 - c for the terminal of class c."""


@njit(cache=True, nogil=True)
def _draw(expansions: Expansions, symbol: int, drawn: float) -> int:
    """Return the first alternative of a nonterminal whose cumulative probability is above a number in [0, 1)."""
    low, high = expansions.first_alternative[symbol], expansions.first_alternative[symbol + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if drawn < expansions.cumulative[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def sample(expansions: Expansions, size: int, rng: np.random.Generator, tokens: Tokens) -> tuple[Tokens, Integers]:
    """Return tokens and offsets of independent strings; ``tokens`` is a first array to write to.

    Derivations are leftmost, on a stack of their own, so that their depth has no limit. Every expansion takes one
    number from the generator, also where there is no choice.
    """
    offsets = np.zeros(size + 1, dtype=np.int64)
    stack = np.empty(64, dtype=np.int64)
    n_tokens = 0
    for string in range(size):
        stack[0], height = 0, 1
        while height > 0:
            height -= 1
            symbol = stack[height]
            if symbol < 0:
                if n_tokens == len(tokens):
                    tokens = longer(tokens)
                tokens[n_tokens] = -1 - symbol
                n_tokens += 1
                continue
            alternative = _draw(expansions, symbol, rng.random())
            first, last = expansions.first_symbol[alternative], expansions.first_symbol[alternative + 1]
            while height + last - first > len(stack):
                stack = longer(stack)
            for place in range(last - 1, first - 1, -1):
                stack[height] = expansions.symbols[place]
                height += 1
        offsets[string + 1] = n_tokens
    return tokens[:n_tokens].copy(), offsets
