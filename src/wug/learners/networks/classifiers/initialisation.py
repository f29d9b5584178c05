"""How Keras draws the parameters of its layers, transposed to (outputs, inputs).

Glorot and Bengio (2010, AISTATS) and Saxe, McClelland and Ganguli (2014, ICLR), in the form of Keras 2.8. Draws are in
float64 from NumPy's generator, so that every device and dtype starts from the same numbers.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Draw = Callable[[np.random.Generator], NDArray[np.float64]]
"""Returns the values of one parameter."""

_EMBEDDING_LIMIT = 0.05


def uniform_embedding(shape: tuple[int, ...]) -> Draw:
    """Return values between -0.05 and 0.05."""
    return lambda rng: rng.uniform(-_EMBEDDING_LIMIT, _EMBEDDING_LIMIT, shape)


def glorot_uniform(shape: tuple[int, ...], fan_in: int, fan_out: int) -> Draw:
    """Return values between -r and r, r = sqrt(6 / (fan_in + fan_out))."""
    limit = math.sqrt(6.0 / (fan_in + fan_out))
    return lambda rng: rng.uniform(-limit, limit, shape)


def orthogonal(rows: int, columns: int) -> Draw:
    """Return a (rows, columns) matrix with orthonormal columns, uniformly distributed; rows >= columns."""

    def draw(rng: np.random.Generator) -> NDArray[np.float64]:
        q, r = np.linalg.qr(rng.standard_normal((rows, columns)))
        signed: NDArray[np.float64] = q * np.sign(np.diag(r))
        return signed

    return draw


def constant(shape: tuple[int, ...], value: float) -> Draw:
    """Return one value everywhere; nothing is drawn."""
    return lambda rng: np.full(shape, value)


def stacked(*parts: Draw) -> Draw:
    """Return matrices one below the other, drawn from top to bottom."""
    return lambda rng: np.concatenate([part(rng) for part in parts])
