"""Strongly connected components of a graph with a fixed number of arcs per node."""

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def strong_components(arcs: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return (n,) component of each node of the graph with arcs (n, out_degree); Tarjan 1972, without recursion.

    Components are numbered by their smallest node: node 0 is in component 0, and so on.
    """
    n, degree = arcs.shape
    order = np.full(n, -1, np.int32)
    low = np.empty(n, np.int32)
    root_of = np.full(n, -1, np.int32)
    waiting = np.empty(n, np.int32)
    path = np.empty(n, np.int32)
    next_arc = np.zeros(n, np.int32)
    n_waiting = 0
    clock = 0
    for start in range(n):
        if order[start] >= 0:
            continue
        depth = 0
        path[0] = start
        order[start] = low[start] = clock
        clock += 1
        waiting[n_waiting] = start
        n_waiting += 1
        while depth >= 0:
            node = path[depth]
            if next_arc[node] < degree:
                target = arcs[node, next_arc[node]]
                next_arc[node] += 1
                if order[target] < 0:
                    order[target] = low[target] = clock
                    clock += 1
                    waiting[n_waiting] = target
                    n_waiting += 1
                    depth += 1
                    path[depth] = target
                elif root_of[target] < 0:
                    low[node] = min(low[node], order[target])
                continue
            if low[node] == order[node]:
                while True:
                    n_waiting -= 1
                    member = waiting[n_waiting]
                    root_of[member] = node
                    if member == node:
                        break
            depth -= 1
            if depth >= 0:
                parent = path[depth]
                low[parent] = min(low[parent], low[node])
    return relabelled(root_of)


@numba.njit(cache=True, nogil=True)
def relabelled(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the labels (values below n) renumbered from 0 in the order of first appearance."""
    n = labels.shape[0]
    new = np.full(n, -1, np.int32)
    out = np.empty(n, np.int32)
    count = 0
    for node in range(n):
        if new[labels[node]] < 0:
            new[labels[node]] = count
            count += 1
        out[node] = new[labels[node]]
    return out


@numba.njit(cache=True, nogil=True)
def class_lists(labels: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return (offsets, members): members[offsets[c]:offsets[c + 1]] are the nodes with label c, ascending."""
    n = labels.shape[0]
    count = 0
    for node in range(n):
        count = max(count, labels[node] + 1)
    offsets = np.zeros(count + 1, np.int32)
    for node in range(n):
        offsets[labels[node] + 1] += 1
    for label in range(count):
        offsets[label + 1] += offsets[label]
    fill = offsets[:count].copy()
    members = np.empty(n, np.int32)
    for node in range(n):
        members[fill[labels[node]]] = node
        fill[labels[node]] += 1
    return offsets, members


@numba.njit(cache=True, nogil=True)
def common_refinement(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return (n,) labels of the meet of two partitions whose labels are numbered by first appearance."""
    n = first.shape[0]
    offsets, members = class_lists(first)
    owner = np.full(n, -1, np.int32)
    seen_in = np.full(n, -1, np.int32)
    out = np.empty(n, np.int32)
    for label in range(offsets.shape[0] - 1):
        for node in members[offsets[label] : offsets[label + 1]]:
            other = second[node]
            if seen_in[other] != label:
                seen_in[other] = label
                owner[other] = node
            out[node] = owner[other]
    return relabelled(out)
