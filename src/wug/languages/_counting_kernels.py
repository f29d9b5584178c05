"""Compiled loops over strings of counting languages.

A language is given by ``symbols`` (n_blocks,), ``constants`` (n_blocks,), ``factors`` (n_blocks, n_parameters) and
``introduces`` (n_blocks,), the number of the parameter that a block is the first to have, or -1.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def _known_length(constants: Integers, factors: Integers, block: int, values: Integers) -> int:
    """Return the length of a block, less the part of a parameter that is not known yet (its value is 0)."""
    length = constants[block]
    for parameter in range(len(values)):
        length += factors[block, parameter] * values[parameter]
    return length


@njit(cache=True, nogil=True)
def write(symbols: Integers, constants: Integers, factors: Integers, values: Integers, tokens: Array) -> None:
    """Fill ``tokens`` with the strings that have these (n_strings, n_parameters) values."""
    filled = 0
    for i in range(len(values)):
        for block in range(len(symbols)):
            length = _known_length(constants, factors, block, values[i])
            tokens[filled : filled + length] = symbols[block]
            filled += length


@njit(cache=True, nogil=True)
def read(
    symbols: Integers, constants: Integers, factors: Integers, introduces: Integers, tokens: Array, offsets: Integers
) -> tuple[NDArray[np.bool_], Integers]:
    """Return (n_strings,) membership and (n_strings, n_parameters) values, of members only."""
    n_strings = len(offsets) - 1
    members = np.zeros(n_strings, dtype=np.bool_)
    values = np.zeros((n_strings, factors.shape[1]), dtype=np.int64)
    for i in range(n_strings):
        at, last = offsets[i], offsets[i + 1]
        fits = True
        for block in range(len(symbols)):
            begin = at
            while at < last and tokens[at] == symbols[block]:
                at += 1
            rest = at - begin - _known_length(constants, factors, block, values[i])
            parameter = introduces[block]
            if parameter < 0:
                fits = rest == 0
            else:
                step = factors[block, parameter]
                fits = rest >= step and rest % step == 0
                values[i, parameter] = rest // step
            if not fits:
                break
        members[i] = fits and at == last
    return members, values


@njit(cache=True, nogil=True)
def next_situations(
    symbols: Integers,
    constants: Integers,
    factors: Integers,
    introduces: Integers,
    end: int,
    n_classes: int,
    tokens: Array,
    offsets: Integers,
    situations: Array,
) -> tuple[int, int]:
    """Fill ``situations`` as CountingLanguage.next_symbols describes them; return (-1, 0).

    Or return the number of the first string that is no prefix and the position of its first impossible symbol.
    """
    values = np.empty(factors.shape[1], dtype=np.int64)
    for i in range(len(offsets) - 1):
        at, last = offsets[i], offsets[i + 1]
        place = at + i
        situations[place] = symbols[0]
        values[:] = 0
        is_cut = False
        for block in range(len(symbols)):
            symbol = symbols[block]
            parameter = introduces[block]
            length = _known_length(constants, factors, block, values)
            if parameter < 0:
                is_cut = last - at < length
                for t in range(min(length, last - at)):
                    if tokens[at + t] != symbol:
                        return i, at + t - offsets[i]
                    situations[place + t + 1] = symbol
            else:
                step = factors[block, parameter]
                known, choice = length, length + step
                length = 0
                while at + length < last and tokens[at + length] == symbol:
                    length += 1
                    situations[place + length] = symbol
                    if length == choice:
                        situations[place + length] = n_classes + parameter
                        choice += step
                is_cut = at + length == last
                if not is_cut and (length == known or length != choice - step):
                    return i, at + length - offsets[i]
                values[parameter] = (length - known) // step
            if is_cut:
                break
            at += length
            place += length
            if parameter < 0:
                situations[place] = symbols[block + 1] if block + 1 < len(symbols) else end
        if not is_cut and at < last:
            return i, at - offsets[i]
    return -1, 0


@njit(cache=True, nogil=True)
def list_values(weights: Integers, values: Integers, is_listed: bool, size: int) -> Integers:
    """Return (size, n_parameters) values in order: by weighted sum, then as tuples.

    Starts with ``values``, (n_parameters,), or behind them where they are listed already.
    """
    free = len(weights) - 1
    found = np.empty((size, free + 1), dtype=np.int64)
    current = values.copy()
    total = (weights * values).sum()
    n_found = 0
    while n_found < size:
        rest = total - (weights[:free] * current[:free]).sum()
        if not is_listed and rest % weights[free] == 0:
            current[free] = rest // weights[free]
            found[n_found] = current
            n_found += 1
        is_listed = False
        # The next tuple of the free parameters that leaves at least one for the last one; else the next sum.
        level = free - 1
        while level >= 0:
            current[level] += 1
            current[level + 1 : free] = 1
            if total - (weights[:free] * current[:free]).sum() >= weights[free]:
                break
            level -= 1
        if level < 0:
            total += 1
            current[:free] = 1
    return found
