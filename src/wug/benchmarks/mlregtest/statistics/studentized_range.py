"""The range of k independent standard normal variables: what all-pairs tests refer their largest difference to.

It is the studentized range with infinitely many degrees of freedom (R's ``ptukey(q, k, Inf)``).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr

from wug.errors import InputError

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)
_REACH = 9.0
"""A standard normal variable is beyond this with probability 1e-19."""
_LARGEST = 60.0
"""The range exceeds this with a probability around 1e-390."""


def survival(q: ArrayLike, n_variables: int) -> NDArray[np.float64]:
    """Return the probability, elementwise, that the range of ``n_variables`` exceeds ``q``.

    With z the largest of the k variables, it is the integral of k φ(z) Φ(z)^(k-1) [1 - (1 - Φ(z-q) / Φ(z))^(k-1)].
    Written so, small probabilities keep their relative precision (1e-10 down to 1e-300), where 1 minus the distribution
    function ends near 1e-14.

    >>> float(survival(3.633160, 4).round(6))
    0.05
    """
    if n_variables < 2:
        raise InputError(f"a range needs at least 2 variables, not {n_variables}")
    q = np.maximum(np.asarray(q, dtype=np.float64), 0.0)[..., None]
    upper = q / 2 + _REACH
    z = (upper - _REACH) / 2 + (upper + _REACH) / 2 * _NODES
    log_below = log_ndtr(z)
    log_density = np.log(n_variables) - z**2 / 2 - np.log(2 * np.pi) / 2 + (n_variables - 1) * log_below
    share = np.exp(log_ndtr(z - q) - log_below)
    with np.errstate(divide="ignore"):
        some_below = -np.expm1((n_variables - 1) * np.log1p(-share))
    total = ((upper + _REACH) / 2 * _WEIGHTS * np.exp(log_density) * some_below).sum(axis=-1)
    return np.clip(total, 0.0, 1.0)


def critical_value(level: float, n_variables: int) -> float:
    """Return the q that the range exceeds with probability ``level``, which is between 0 and 1.

    >>> round(critical_value(0.05, 4) / 2**0.5, 3)
    2.569
    """
    if not 0 < level < 1:
        raise InputError(f"a significance level is between 0 and 1, not {level}")
    return float(brentq(lambda q: float(survival(q, n_variables)) - level, 0.0, _LARGEST, xtol=1e-12))
