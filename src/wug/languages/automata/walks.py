"""Uniform drawing among the walks of a finite graph, exact however many walks there are.

Words of an automaton and border pairs of a language (``words.py``, ``borders.py``) are both walks of n steps through a
graph whose edges stand for several *ways* each (letters that act alike). One drawing choice per step, weighted by the
number of walks that are left, makes every walk equally likely.

The numbers of walks are exact integers (thousands of bits where needed). A choice is a real number u in [0, 1),
revealed 32 bits at a time: the first 32 bits decide unless u lies in the same 2^-32 cell as the border between two
outcomes; then exact integers and further bits do. So no rounding enters, and equal generators give equal walks on every
platform.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata import _walk_kernels as kernels

MAX_TABLE_BYTES = 2**31
"""Larger tables of counts are refused."""
_CHUNK = 4096
"""Walks drawn at a time."""


@dataclass(frozen=True, eq=False)
class WalkGraph:
    """A graph with several ways along each edge and several ways to end in a node (none: a walk cannot end there)."""

    first_edge: NDArray[np.int64]
    """(n_nodes + 1,) node i owns edges ``first_edge[i]`` up to ``first_edge[i + 1]`` (exclusive)."""
    targets: NDArray[np.int32]
    """(n_edges,) node behind each edge."""
    ways: NDArray[np.uint32]
    """(n_edges,) number of ways along each edge."""
    final_ways: NDArray[np.uint32]
    """(n_nodes,) number of ways to end in each node."""


@dataclass(frozen=True, eq=False)
class Walks:
    """Walks of equal length from one node."""

    edges: NDArray[np.int32]
    """(n_walks, n_steps) edge of each step."""
    ways: NDArray[np.uint32]
    """(n_walks, n_steps + 1) which of the edge's ways, counted from 0; in the last column the way of the ending."""
    ends: NDArray[np.int32]
    """(n_walks,) last node."""


class WalkTable:
    """The numbers of walks of up to ``longest`` steps through a graph, and uniform draws from these walks.

    ``largest`` must be at least the number of walks of ``longest`` steps from any node: it decides the table's width.
    """

    def __init__(self, graph: WalkGraph, longest: int, largest: int) -> None:
        n_nodes, n_edges = len(graph.final_ways), len(graph.targets)
        n_digits = max(1, -(-largest.bit_length() // 32))
        table_bytes = 4 * (longest + 1) * (n_nodes * n_digits + n_edges)
        if table_bytes > MAX_TABLE_BYTES:
            raise InputError(
                f"counting {longest} steps through {n_nodes:,} nodes and {n_edges:,} edges takes "
                f"{table_bytes / 2**30:.1f} GiB, more than the {MAX_TABLE_BYTES / 2**30:.0f} GiB allowed; "
                "take shorter strings or a smaller automaton"
            )
        self.graph = graph
        self.longest = longest
        self._counts = np.zeros((longest + 1, n_nodes, n_digits), dtype=np.uint32)
        self._counts[0, :, 0] = graph.final_ways
        self._thresholds = np.zeros((longest + 1, n_edges), dtype=np.uint32)
        kernels.tabulate(graph.first_edge, graph.targets, graph.ways, self._counts, self._thresholds)

    def count(self, node: int, steps: int) -> int:
        """Return the exact number of walks of so many steps from a node."""
        if not 0 <= steps <= self.longest:
            raise InputError(f"the length must be from 0 to {self.longest}, not {steps}")
        return int.from_bytes(self._counts[steps, node].astype("<u4").tobytes(), "little")

    def sample(self, size: int, node: int, steps: int, *, rng: np.random.Generator) -> Walks:
        """Return ``size`` independent draws, each walk of so many steps equally likely; InputError if there is none."""
        if not self.count(node, steps):
            raise InputError(f"there is nothing of length {steps} to draw from")
        edges = np.empty((size, steps), dtype=np.int32)
        ways = np.empty((size, steps + 1), dtype=np.uint32)
        ends = np.full(size, node, dtype=np.int32)
        for first in range(0, size, _CHUNK):
            chunk = slice(first, first + _CHUNK)
            self._walk(edges[chunk], ways[chunk], ends[chunk], rng)
        return Walks(edges, ways, ends)

    def _walk(
        self, edges: NDArray[np.int32], ways: NDArray[np.uint32], nodes: NDArray[np.int32], rng: np.random.Generator
    ) -> None:
        graph, (size, steps) = self.graph, edges.shape
        bits = rng.integers(0, 2**64 - 1, size=(size, steps + 1), dtype=np.uint64, endpoint=True)
        done = np.zeros(size, dtype=np.int64)
        while True:
            kernels.walk(
                graph.first_edge,
                graph.targets,
                graph.ways,
                graph.final_ways,
                self._thresholds,
                bits,
                nodes,
                done,
                edges,
                ways,
            )
            undecided = np.flatnonzero(done <= steps)
            if not len(undecided):
                return
            for walk in undecided.tolist():
                self._decide(walk, bits, nodes, done, edges, ways, rng)

    def _decide(
        self,
        walk: int,
        bits: NDArray[np.uint64],
        nodes: NDArray[np.int32],
        done: NDArray[np.int64],
        edges: NDArray[np.int32],
        ways: NDArray[np.uint32],
        rng: np.random.Generator,
    ) -> None:
        """Take one step of one walk with exact integers and as many random bits as it needs."""
        graph, step, node, left = self.graph, int(done[walk]), int(nodes[walk]), edges.shape[1] - int(done[walk])
        high, low = divmod(int(bits[walk, step]), 2**32)
        if left:
            if edges[walk, step] == kernels.NOWHERE:
                first, last = int(graph.first_edge[node]), int(graph.first_edge[node + 1])
                weights = [
                    int(graph.ways[edge]) * self.count(int(graph.targets[edge]), left - 1)
                    for edge in range(first, last)
                ]
                edges[walk, step] = first + choose(weights, high, rng)
            edge = edges[walk, step]
            nodes[walk] = graph.targets[edge]
            n_ways = int(graph.ways[edge])
        else:
            n_ways = int(graph.final_ways[node])
        ways[walk, step] = choose([1] * n_ways, low, rng)
        done[walk] += 1


def choose(weights: Sequence[int], first_bits: int, rng: np.random.Generator) -> int:
    """Return an index with probability exactly proportional to its weight.

    The choice is a real number in [0, 1) whose first 32 bits are given; further ones are drawn while it could still
    fall to either of two indices.
    """
    bounds = list(accumulate(weights))
    number, n_bits = first_bits, 32
    while True:
        lowest = number * bounds[-1] >> n_bits
        highest = ((number + 1) * bounds[-1] - 1) >> n_bits
        index = next(index for index, bound in enumerate(bounds) if lowest < bound)
        if highest < bounds[index]:
            return index
        number = number << 32 | int(rng.integers(0, 2**32 - 1, dtype=np.uint64, endpoint=True))
        n_bits += 32
