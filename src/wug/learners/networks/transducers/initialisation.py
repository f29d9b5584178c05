"""How fairseq 0.9.0 draws parameters; values are float64 from NumPy's generator, equal for every device and dtype."""

import math

import numpy as np
from numpy.typing import NDArray

from wug.learners.networks.classifiers.initialisation import Draw


def uniform(shape: tuple[int, ...], limit: float) -> Draw:
    """Return values between -limit and limit."""
    return lambda rng: rng.uniform(-limit, limit, shape)


def normal(shape: tuple[int, ...], deviation: float) -> Draw:
    """Return values of mean 0 and this standard deviation."""
    return lambda rng: rng.normal(0.0, deviation, shape)


def xavier_uniform(fan_in: int, fan_out: int, gain: float = 1.0) -> Draw:
    """Return a (fan_in, fan_out) matrix (Glorot and Bengio 2010, AISTATS)."""
    return uniform((fan_in, fan_out), gain * math.sqrt(6.0 / (fan_in + fan_out)))


def side_by_side(*parts: Draw) -> Draw:
    """Return matrices side by side, drawn from left to right."""
    return lambda rng: np.concatenate([part(rng) for part in parts], axis=1)


def without(row: int | None, draw: Draw) -> Draw:
    """Return a drawn matrix in which one row, that of the padding, is zero."""

    def drawn(rng: np.random.Generator) -> NDArray[np.float64]:
        values = draw(rng)
        if row is not None:
            values[row] = 0.0
        return values

    return drawn


def weight_normalised(shape: tuple[int, int], deviation: float) -> Draw:
    """Return (fan_in + 1, fan_out) values: directions of (fan_in, fan_out), and below them their lengths.

    The lengths make the weights equal to what was drawn (Salimans and Kingma 2016, without their data-dependent part).
    """

    def drawn(rng: np.random.Generator) -> NDArray[np.float64]:
        directions = rng.normal(0.0, deviation, shape)
        return np.concatenate([directions, np.linalg.norm(directions, axis=0, keepdims=True)])

    return drawn
