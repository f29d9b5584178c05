"""Numbers beyond the range of floats, for probabilities of strings of any length.

A positive number is a mantissa in [1, RADIX) times a power of RADIX; zero has the mantissa 0. Unlike a logarithm it is
added and multiplied with the relative precision of a float, and unlike a rescaled float it never falls to 0.
"""

import math
from typing import Any

import numpy as np
from numba import njit

BITS = 256
RADIX = 2.0**BITS
NUMBER = np.dtype([("mantissa", np.float64), ("exponent", np.int64)])
"""How such numbers lie in arrays."""


@njit(cache=True, nogil=True)
def scaled(mantissa: float, exponent: int) -> tuple[float, int]:
    """Return the number for any positive float times a power of RADIX."""
    while mantissa >= RADIX:
        mantissa /= RADIX
        exponent += 1
    while mantissa < 1.0:
        mantissa *= RADIX
        exponent -= 1
    return mantissa, exponent


@njit(cache=True, nogil=True)
def add_to(number: Any, mantissa: float, exponent: int) -> None:
    """Add a positive number, not yet scaled, to one in an array."""
    mantissa, exponent = scaled(mantissa, exponent)
    if number.mantissa == 0.0:
        number.mantissa, number.exponent = mantissa, exponent
        return
    if exponent == number.exponent:
        number.mantissa += mantissa
    elif exponent == number.exponent - 1:
        number.mantissa += mantissa / RADIX
    elif exponent > number.exponent:
        below = number.mantissa / RADIX if exponent == number.exponent + 1 else 0.0
        number.mantissa, number.exponent = mantissa + below, exponent
    if number.mantissa >= RADIX:
        number.mantissa /= RADIX
        number.exponent += 1


@njit(cache=True, nogil=True)
def ratio(part: Any, whole: Any) -> float:
    """Return one number, not above the other, divided by it; a positive one never gives 0."""
    if part.mantissa == 0.0:
        return 0.0
    quotient = part.mantissa / whole.mantissa
    for _ in range(min(whole.exponent - part.exponent, 5)):
        quotient /= RADIX
    return max(quotient, 2.2250738585072014e-308)


@njit(cache=True, nogil=True)
def log2(number: Any) -> float:
    """Return the binary logarithm of a number, -inf for zero."""
    if number.mantissa == 0.0:
        return -math.inf
    return math.log2(number.mantissa) + number.exponent * BITS
