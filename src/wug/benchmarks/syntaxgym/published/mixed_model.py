"""Linear mixed models with a correlated vector of effects in each group, crossed with an intercept in each unit.

    y = X beta + Z_g b_g + c_u + e,    b_g ~ N(0, sigma^2 T T'),  c_u ~ N(0, sigma^2 t^2),  e ~ N(0, sigma^2)

is fitted by maximum likelihood: beta and sigma are profiled out, and the deviance is minimised over the lower triangle
of T and over t (Bates, Maechler, Bolker, Walker 2015: Fitting linear mixed-effects models using lme4. J. Stat. Softw.
67(1), sections 3.4 and 3.6). Groups are eliminated one by one before units, so the cost of a deviance grows with the
number of groups times the square of the number of units.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from scipy.optimize import minimize

Floats = NDArray[np.float64]

RESTARTS = 3
"""How often the search goes on from where it ended, at most."""


@dataclass(frozen=True)
class MixedFit:
    """A fitted model."""

    log_likelihood: float
    n_parameters: int
    """Fixed effects, covariance of the group effects, variance of the units, residual variance."""
    fixed: Floats
    """(n_fixed,) beta."""
    fixed_errors: Floats
    """(n_fixed,) standard errors."""
    group_deviations: Floats
    """(n_effects,) standard deviations of the group effects."""
    unit_deviation: float
    residual_deviation: float

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        return 2 * self.n_parameters - 2 * self.log_likelihood


class MixedModel:
    """The likelihood of one data set under one design."""

    def __init__(
        self, y: Floats, fixed: Floats, effects: Floats, groups: NDArray[np.int64], units: NDArray[np.int64]
    ) -> None:
        """Take the data.

        ``y`` (n,), ``fixed`` (n, p), ``effects`` (n, q) the design of the group effects, ``groups`` and ``units``
        (n,) numbers from 0.
        """
        self._n, self._p, self._q = len(y), fixed.shape[1], effects.shape[1]
        n_groups, n_units = int(groups.max()) + 1, int(units.max()) + 1
        right = np.column_stack([fixed, y])
        one_hot = np.zeros((self._n, n_units))
        one_hot[np.arange(self._n), units] = 1
        self._units_squared = one_hot.T @ one_hot
        self._units_right = one_hot.T @ right
        self._right_squared = right.T @ right
        members = [groups == group for group in range(n_groups)]
        self._effects_squared = np.stack([effects[rows].T @ effects[rows] for rows in members])
        self._effects_others = np.stack(
            [effects[rows].T @ np.column_stack([one_hot[rows], right[rows]]) for rows in members]
        )
        self._n_units = n_units
        self._lower = np.tril_indices(self._q)

    def fit(self, *, rng: np.random.Generator, n_starts: int = 2) -> MixedFit:
        """Return the best fit from several random starts: identity scaled by U(0.2, 2), plus N(0, 0.3)."""
        best_theta, best = None, np.inf
        for _ in range(n_starts):
            factor = np.eye(self._q) * rng.uniform(0.2, 2)
            theta = np.append(factor[self._lower], rng.uniform(0.2, 2)) + rng.normal(0, 0.3, len(self._lower[0]) + 1)
            deviance = np.inf
            for _ in range(1 + RESTARTS):
                found = minimize(self.deviance, theta, method="L-BFGS-B", options={"maxiter": 1000, "maxfun": 100_000})
                improved = deviance - found.fun
                theta, deviance = found.x, float(found.fun)
                if improved < 1e-6:
                    break
            if deviance < best:
                best_theta, best = theta, deviance
        assert best_theta is not None
        return self._described(best_theta)

    def deviance(self, theta: Floats) -> float:
        """Return minus twice the profiled log-likelihood; ``theta`` is the lower triangle of T by rows, then t."""
        log_determinant, factor = self._solve(theta)
        return float(log_determinant + self._n * (1 + np.log(2 * np.pi * factor[-1, -1] ** 2 / self._n)))

    def _solve(self, theta: Floats) -> tuple[float, Floats]:
        """Return (log determinant of M, lower Cholesky factor of the cross-products of [X y] that remain)."""
        factor = np.zeros((self._q, self._q))
        factor[self._lower] = theta[:-1]
        scale = theta[-1]
        blocks = np.linalg.cholesky(factor.T @ self._effects_squared @ factor + np.eye(self._q))
        others = factor.T @ self._effects_others
        others[:, :, : self._n_units] *= scale
        reduced = np.linalg.solve(blocks, others).reshape(-1, others.shape[2])
        unit_part, right_part = reduced[:, : self._n_units], reduced[:, self._n_units :]
        schur = scale**2 * self._units_squared + np.eye(self._n_units) - unit_part.T @ unit_part
        units = np.linalg.cholesky(schur)
        remaining = solve_triangular(units, scale * self._units_right - unit_part.T @ right_part, lower=True)
        products = self._right_squared - right_part.T @ right_part - remaining.T @ remaining
        diagonals = np.diagonal(blocks, axis1=1, axis2=2), np.diagonal(units)
        log_determinant = 2 * sum(float(np.log(diagonal).sum()) for diagonal in diagonals)
        return log_determinant, np.linalg.cholesky(products)

    def _described(self, theta: Floats) -> MixedFit:
        _, factor = self._solve(theta)
        residual = factor[-1, -1] / np.sqrt(self._n)
        inner = factor[: self._p, : self._p]
        inverse = solve_triangular(inner, np.eye(self._p), lower=True)
        group_factor = np.zeros((self._q, self._q))
        group_factor[self._lower] = theta[:-1]
        return MixedFit(
            log_likelihood=-self.deviance(theta) / 2,
            n_parameters=self._p + len(theta) + 1,
            fixed=inverse.T @ factor[-1, : self._p],
            fixed_errors=residual * np.sqrt((inverse**2).sum(axis=0)),
            group_deviations=residual * np.sqrt((group_factor**2).sum(axis=1)),
            unit_deviation=float(residual * abs(theta[-1])),
            residual_deviation=float(residual),
        )
