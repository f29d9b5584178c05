"""Numerical mathematics of grammars: least fixed points, closures, and how often nonterminals are expanded."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import connected_components

Polynomial = Sequence[tuple[float, tuple[int, ...]]]
"""A sum of terms: a coefficient times variables, one of which may occur several times."""

TINY = float(np.finfo(float).tiny)
_DOUBT = 1e-6
"""Spectral radii nearer to 1 than this are compared in exact arithmetic."""


def least_solution(polynomials: Sequence[Polynomial]) -> NDArray[np.float64]:
    """Return the least non-negative solution x of ``x[i] = polynomials[i](x)``, whose coefficients are positive.

    Newton's method from 0, which rises towards the least solution (Etessami and Yannakakis 2009, "Recursive Markov
    chains, stochastic grammars, and monotone systems of nonlinear equations"). Quadratic convergence, unless the system
    is critical; then about half of the digits are right. Variables that are not 0 never come out as 0.
    """
    solution = np.zeros(len(polynomials))
    positive = _positive_variables(polynomials)
    place_of = {variable: place for place, variable in enumerate(positive)}
    for _ in range(200):
        values, jacobian = np.zeros(len(positive)), np.zeros((len(positive), len(positive)))
        for i, variable in enumerate(positive):
            for coefficient, variables in polynomials[variable]:
                if not all(factor in place_of for factor in variables):
                    continue
                values[i] += coefficient * np.prod(solution[list(variables)])
                for place, factor in enumerate(variables):
                    others = [*variables[:place], *variables[place + 1 :]]
                    jacobian[i, place_of[factor]] += coefficient * np.prod(solution[others])
        try:
            step = np.linalg.solve(np.eye(len(positive)) - jacobian, values - solution[positive])
        except np.linalg.LinAlgError:  # critical, and at the solution
            break
        if not (step > 1e-16 * solution[positive]).any():
            break
        solution[positive] += np.maximum(step, 0)
    solution[positive] = np.maximum(solution[positive], TINY)
    return solution


def _positive_variables(polynomials: Sequence[Polynomial]) -> list[int]:
    """Return the variables that are not 0 in the least solution."""
    found: set[int] = set()
    n_before = -1
    while n_before < len(found):
        n_before = len(found)
        for variable, polynomial in enumerate(polynomials):
            if any(found.issuperset(variables) for _, variables in polynomial):
                found.add(variable)
    return sorted(found)


def star(matrix: csr_array) -> csr_array:
    """Return I + A + A² + ... of a non-negative matrix with spectral radius below 1.

    Lehmann's elimination: no entry is ever a difference, so entries are accurate one by one, and exactly 0 where no
    path leads. An entry with a path never is 0, however small. Nodes without a way on, of which a grammar with many
    words has many, take no part in it.
    """
    inner = np.flatnonzero(np.diff(matrix.indptr))
    closed = matrix[inner][:, inner].toarray()
    for k in range(len(closed)):
        rows, columns = np.flatnonzero(closed[:, k]), np.flatnonzero(closed[k])
        if len(rows) and len(columns):
            through = np.outer(closed[rows, k] / (1 - closed[k, k]), closed[k, columns])
            closed[np.ix_(rows, columns)] += np.maximum(through, TINY)
    to_inner = csr_array((np.ones(len(inner)), (inner, np.arange(len(inner)))), shape=(matrix.shape[0], len(inner)))
    paths = to_inner @ csr_array(closed + np.eye(len(closed))) @ matrix[inner]
    paths.data = np.maximum(paths.data, TINY)
    return csr_array(paths + eye_array(matrix.shape[0], format="csr"))


def strong_components(edges: Mapping[tuple[int, int], object], n: int) -> list[list[int]]:
    """Return the strongly connected components of a graph with n nodes that lie on a cycle."""
    if not edges:
        return []
    rows, columns = np.array(list(edges)).T
    graph = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    n_components, component = connected_components(graph, connection="strong")
    members: list[list[int]] = [[] for _ in range(n_components)]
    for node in range(n):
        members[component[node]].append(node)
    return [nodes for nodes in members if len(nodes) > 1 or (nodes[0], nodes[0]) in edges]


def compare_radius_with_one(matrix: Mapping[tuple[int, int], Fraction], nodes: Sequence[int]) -> int:
    """Return -1, 0 or 1 for a spectral radius below, at or above 1 of a strongly connected block; exact."""
    block = [[matrix.get((i, j), Fraction(0)) for j in nodes] for i in nodes]
    radius = float(np.abs(np.linalg.eigvals(np.array(block, dtype=float))).max())
    if abs(radius - 1) > _DOUBT:
        return 1 if radius > 1 else -1
    # I - A is an M-matrix iff elimination meets positive pivots only, with 0 allowed as the last one (radius 1).
    rest = [[(i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(block)]
    for k, pivot_row in enumerate(rest):
        pivot = pivot_row[k]
        if k == len(rest) - 1:
            return -1 if pivot > 0 else int(pivot < 0)
        if pivot <= 0:
            return 1
        for row in rest[k + 1 :]:
            factor = row[k] / pivot
            row[k:] = [entry - factor * above for entry, above in zip(row[k:], pivot_row[k:], strict=True)]
    raise AssertionError("a strongly connected block has at least one node")
