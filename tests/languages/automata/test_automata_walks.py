"""Exactness of counting and drawing walks, down to the last random bit."""

from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.walks import WalkGraph, WalkTable, choose


class ListedBits:
    """Stands for a generator; hands out the bits it was given, then zeros."""

    def __init__(self, first, further):
        self.first, self.further = first, list(further)

    def integers(self, low, high, *, dtype, endpoint, size=None):
        assert low == 0
        assert endpoint
        if size is not None:
            return np.array(self.first, dtype=np.uint64).reshape(size)
        return self.further.pop(0) if self.further else 0


def graph_of(edges, finals):
    """Return the graph of (source, target, ways) triples."""
    edges = sorted(edges, key=lambda edge: edge[0])
    sources = [source for source, _, _ in edges]
    first = np.searchsorted(sources, np.arange(len(finals) + 1)).astype(np.int64)
    targets = np.array([target for _, target, _ in edges], dtype=np.int32)
    ways = np.array([ways for _, _, ways in edges], dtype=np.uint32)
    return WalkGraph(first, targets, ways, np.array(finals, dtype=np.uint32))


@st.composite
def graphs(draw):
    n_nodes = draw(st.integers(1, 4))
    node = st.integers(0, n_nodes - 1)
    edges = draw(st.lists(st.tuples(node, node, st.integers(1, 70)), min_size=1, max_size=10))
    covered = edges + [(source, source, 1) for source in range(n_nodes) if source not in {e[0] for e in edges}]
    finals = draw(st.lists(st.integers(0, 3), min_size=n_nodes, max_size=n_nodes))
    return covered, finals


def counts_by_hand(edges, finals, steps):
    counts = list(finals)
    for _ in range(steps):
        counts = [sum(w * counts[t] for s, t, w in edges if s == node) for node in range(len(finals))]
    return counts


@settings(deadline=None, max_examples=60)
@given(graphs(), st.integers(0, 40))
def test_counts_are_exact(description, steps):
    edges, finals = description
    table = WalkTable(graph_of(edges, finals), 40, largest=3 * 700**40)
    expected = counts_by_hand(edges, finals, steps)
    assert [table.count(node, steps) for node in range(len(finals))] == expected


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 10**20), min_size=1, max_size=6).filter(any), st.data())
def test_choose_follows_the_exact_partition_of_the_unit_interval(weights, data):
    total = sum(weights)
    bounds = [0, *accumulate(weights)]
    near = [min(bound * 2**32 // total, 2**32 - 1) for bound in bounds]
    first = data.draw(st.one_of(st.sampled_from(near), st.integers(0, 2**32 - 1)))
    further = data.draw(st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4))
    index = choose(weights, first, ListedBits([], further))
    # all further bits together: the number that the choice would converge to, known to 2^-160
    number = Fraction(sum(bits << (32 * (4 - i)) for i, bits in enumerate([first, *further])), 2**160)
    low, high = list(pairwise(bounds))[index]
    assert Fraction(low, total) <= number + Fraction(1, 2**160)
    assert number < Fraction(high, total)
    assert weights[index] > 0


@settings(deadline=None, max_examples=100)
@given(graphs(), st.integers(1, 12), st.data())
def test_compiled_walks_take_the_exact_choices_also_at_borders(description, steps, data):
    edges, finals = description
    graph = graph_of(edges, finals)
    table = WalkTable(graph, steps, largest=3 * 700**steps)
    start = next((node for node in range(len(finals)) if table.count(node, steps)), None)
    if start is None:
        return
    node, halves, path = start, [], []
    further = data.draw(st.lists(st.integers(0, 2**32 - 1), min_size=8, max_size=8))
    reference = ListedBits([], further)
    for left in range(steps, -1, -1):
        own = range(graph.first_edge[node], graph.first_edge[node + 1])
        weights = [int(graph.ways[e]) * table.count(int(graph.targets[e]), left - 1) for e in own] if left else [1]
        cell = Fraction(2**32, sum(weights))
        borders = [min(int(cell * sum(weights[: i + 1])), 2**32 - 1) for i in range(len(weights))]
        high = data.draw(st.one_of(st.sampled_from(borders), st.integers(0, 2**32 - 1)))
        edge = own[choose(weights, high, reference)] if left else None
        n_ways = int(graph.ways[edge]) if left else int(graph.final_ways[node])
        way_borders = [min(int(Fraction(2**32 * way, n_ways)), 2**32 - 1) for way in range(n_ways + 1)]
        low = data.draw(st.one_of(st.sampled_from(way_borders), st.integers(0, 2**32 - 1)))
        path.append((edge, choose([1] * n_ways, low, reference)))
        halves.append(high << 32 | low)
        node = int(graph.targets[edge]) if left else node
    walks = table.sample(1, start, steps, rng=ListedBits(halves, further))
    assert walks.edges[0].tolist() == [edge for edge, _ in path[:-1]]
    assert walks.ways[0].tolist() == [way for _, way in path]
    assert walks.ends[0] == node


def test_lengths_beyond_the_table_are_refused():
    table = WalkTable(graph_of([(0, 0, 2)], [1]), 5, largest=2**5)
    with pytest.raises(InputError, match="from 0 to 5, not 6"):
        table.count(0, 6)


def test_nothing_to_draw_from_is_said():
    table = WalkTable(graph_of([(0, 0, 2)], [0]), 5, largest=2**5)
    with pytest.raises(InputError, match="nothing of length 3"):
        table.sample(1, 0, 3, rng=np.random.default_rng(0))


def test_a_table_too_large_is_refused_before_it_is_made():
    with pytest.raises(InputError, match="take shorter strings"):
        WalkTable(graph_of([(0, 0, 2)], [1]), 10**9, largest=2)
