"""Compiled loops over strings of brackets.

Pair i is written with the classes 2i + 1 (opening) and 2i + 2 (closing); class 0 is the boundary.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def members(tokens: Array, offsets: Integers) -> NDArray[np.bool_]:
    """Return (n_strings,) whether every bracket of a string is closed, in the right order."""
    n_strings = len(offsets) - 1
    balanced = np.zeros(n_strings, dtype=np.bool_)
    open_brackets = np.empty_like(tokens)
    for i in range(n_strings):
        depth = 0
        for j in range(offsets[i], offsets[i + 1]):
            token = tokens[j]
            if token % 2 == 1:
                open_brackets[depth] = token
                depth += 1
            elif depth > 0 and token == open_brackets[depth - 1] + 1:
                depth -= 1
            else:
                depth = -1
                break
        balanced[i] = depth == 0
    return balanced


@njit(cache=True, nogil=True)
def next_situations(tokens: Array, offsets: Integers, situations: Array) -> tuple[int, int]:
    """Fill ``situations`` as DyckLanguage.next_symbols describes them; return (-1, 0).

    Or return the number of the first string that is no prefix and the position of its first impossible symbol.
    """
    innermost = np.zeros(len(tokens) + 1, dtype=situations.dtype)  # at each depth, as a situation
    for i in range(len(offsets) - 1):
        depth = 0
        situations[offsets[i] + i] = 0
        for j in range(offsets[i], offsets[i + 1]):
            token = tokens[j]
            if token % 2 == 1:
                depth += 1
                innermost[depth] = (token + 1) // 2
            elif depth > 0 and token == 2 * innermost[depth]:
                depth -= 1
            else:
                return i, j - offsets[i]
            situations[j + i + 1] = innermost[depth]
    return -1, 0


@njit(cache=True, nogil=True)
def sample(n_pairs: int, open_probability: float, offsets: Integers, tokens: Array, rng: Any) -> Array:
    """Fill the (size + 1,) offsets of draws and return their tokens; ``tokens`` is room to begin with, at least 1.

    At every step a draw opens a bracket or else closes the innermost one.
    """
    open_brackets = np.empty_like(tokens)
    filled = 0
    offsets[0] = 0
    for i in range(len(offsets) - 1):
        depth = 0
        while True:
            draw = rng.random() / open_probability
            if draw >= 1 and depth == 0:
                break
            if filled == len(tokens):
                tokens = np.append(tokens, np.empty_like(tokens))
                open_brackets = np.append(open_brackets, np.empty_like(open_brackets))
            if draw >= 1:
                depth -= 1
                tokens[filled] = open_brackets[depth] + 1
            else:
                tokens[filled] = 2 * int(draw * n_pairs) + 1
                open_brackets[depth] = tokens[filled]
                depth += 1
            filled += 1
        offsets[i + 1] = filled
    return tokens[:filled].copy()


@njit(cache=True, nogil=True)
def uniform(n_pairs: int, tokens: Array, rng: Any) -> None:
    """Fill (size, length) ``tokens`` with strings that are drawn uniformly.

    At depth h with r symbols to come, h (r + h + 2) / (2 r (h + 1)) of the ways to go on begin with a closing bracket
    (Arnold and Sleep 1980, "Uniform random generation of balanced parenthesis strings").
    """
    size, length = tokens.shape
    open_brackets = np.empty(length, dtype=tokens.dtype)
    for i in range(size):
        depth = 0
        for t in range(length):
            left = length - t
            if rng.random() * 2 * left * (depth + 1) < depth * (left + depth + 2):
                depth -= 1
                tokens[i, t] = open_brackets[depth] + 1
            else:
                tokens[i, t] = 2 * rng.integers(0, n_pairs) + 1
                open_brackets[depth] = tokens[i, t]
                depth += 1


@njit(cache=True, nogil=True)
def list_words(first: Integers, is_listed: bool, next_opening: Integers, closing: Integers, listed: Array) -> int:
    """Fill (size, length) ``listed`` with balanced words in order; return how many there are.

    Words are in ranks: the place of a symbol in the order of the symbols. ``first`` holds a word (length,), the list
    starts with it or, where it is listed already, behind it. ``next_opening[r]`` is the smallest opening bracket with a
    rank of at least r, or 2k where there is none; ``closing[r]`` is the partner of an opening bracket, -1 for others.
    """
    size, length = listed.shape
    nothing = len(closing)
    word = first.copy()
    due = np.empty(length + 1, dtype=np.int64)  # the closing brackets that open ones wait for, innermost last
    depth, n_listed, least = 0, 0, 0
    t = length if is_listed else 0
    while True:
        chosen = nothing
        if t < length:
            if depth + 2 <= length - t:
                chosen = next_opening[least]
            if depth > 0 and least <= due[depth - 1] < chosen:
                chosen = due[depth - 1]
        elif not is_listed:
            listed[n_listed] = word
            n_listed += 1
            if n_listed == size:
                return n_listed
        is_listed = False
        if chosen < nothing:
            word[t] = chosen
            if closing[chosen] >= 0:
                due[depth] = closing[chosen]
                depth += 1
            else:
                depth -= 1
            t, least = t + 1, 0
        elif t == 0:
            return n_listed
        else:
            t -= 1
            if closing[word[t]] >= 0:
                depth -= 1
            else:
                due[depth] = word[t]
                depth += 1
            least = int(word[t]) + 1
