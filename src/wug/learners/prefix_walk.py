"""A stateful model's predictions on a whole corpus, each shared prefix computed once, in bounded memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from wug.learners.protocols import Observer
from wug.sequences import Corpus, PrefixTree

State = tuple[Any, ...]
"""Arrays or tensors whose first dimension is the row."""
Step = Callable[[NDArray[np.int64], State], tuple[NDArray[np.floating[Any]], State]]
"""(symbols (rows,), state) -> (log probabilities of the next symbol (rows, n_classes), new state); must leave the old
state as it was."""
First = Callable[[], tuple[NDArray[np.floating[Any]], State]]
"""() -> (log probabilities (1, n_classes), state) after the start symbol alone."""

ROWS = 2048
"""Strings that advance together; a few thousand rows of a small network fill the cache and no more."""
FIXED_POINT_INTERVAL = 16
"""Steps between two looks for states that no longer change."""


@dataclass
class _Batch:
    """Strings that start at known states: each has consumed ``positions`` symbols."""

    strings: NDArray[np.int64]
    positions: NDArray[np.int64]
    log_probabilities: NDArray[np.floating[Any]]
    state: State

    def take(self, rows: Any) -> "_Batch":
        return _Batch(
            self.strings[rows],
            self.positions[rows],
            self.log_probabilities[rows],
            tuple(part[rows] for part in self.state),
        )

    def __len__(self) -> int:
        return len(self.strings)


@njit(cache=True, nogil=True)
def _run_ends(tokens: Any, offsets: Any, strings: Any, positions: Any, ends: Any) -> None:
    """Fill in, per row, the first position from ``positions`` on whose symbol differs from the one before it."""
    for row in range(len(strings)):
        begin, end = offsets[strings[row]], offsets[strings[row] + 1]
        place = begin + positions[row]
        symbol = tokens[place - 1]
        while place < end and tokens[place] == symbol:
            place += 1
        ends[row] = place - begin


def _same_rows(old: State, new: State) -> NDArray[np.bool_]:
    """Return (rows,) whether a row's state is bit for bit what it was."""
    same: NDArray[np.bool_] | None = None
    for before, after in zip(old, new, strict=True):
        equal = np.asarray((before == after).reshape(len(after), -1).all(1))
        same = equal if same is None else same & equal
    if same is None:
        raise ValueError("a state needs at least one array")
    return same


class _Walk:
    def __init__(self, corpus: Corpus, step: Step, observer: Observer, rows: int) -> None:
        self.tokens = corpus.tokens
        self.offsets = corpus.offsets
        self.lengths = np.asarray(corpus.lengths, dtype=np.int64)
        self.step = step
        self.observer = observer
        self.rows = rows
        tree = PrefixTree.from_corpus(corpus)
        self.parent = np.asarray(tree.parent, dtype=np.int64)
        self.split = np.asarray(tree.split, dtype=np.int64)
        inner = np.flatnonzero(self.parent >= 0)
        self.children = inner[np.lexsort((self.split[inner], self.parent[inner]))]
        self.first_child = np.searchsorted(self.parent[self.children], np.arange(len(corpus) + 1))

    def run(self, first: First) -> bool:
        roots = np.flatnonzero(self.parent < 0)
        log_probabilities, state = first()
        every = np.zeros(len(roots), dtype=np.int64)
        waiting = [_Batch(roots, self.split[roots], log_probabilities[every], tuple(part[every] for part in state))]
        while waiting:
            batch = waiting.pop()
            remaining = self.lengths[batch.strings] - batch.positions
            by_length = np.argsort(-remaining, kind="stable")
            if len(batch) > self.rows:
                waiting.append(batch.take(by_length[self.rows :]))
            branches = self._advance(batch.take(by_length[: self.rows]))
            if branches is None:
                return False
            if len(branches):
                waiting.append(branches)
        return True

    def _pending(self, batch: _Batch) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the batch's children by the step at which they leave: (children, steps, last step per row)."""
        low, high = self.first_child[batch.strings], self.first_child[batch.strings + 1]
        counts = high - low
        rows = np.repeat(np.arange(len(batch)), counts)
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
        children = self.children[places]
        steps = self.split[children] - batch.positions[rows]
        last = np.full(len(batch), -1, dtype=np.int64)
        np.maximum.at(last, rows, steps)
        order = np.argsort(steps, kind="stable")
        return children[order], steps[order], last

    def _advance(self, batch: _Batch) -> _Batch | None:
        """Walk one batch to the ends of its strings; return the branches met, or None when enough was seen."""
        children, child_steps, last_step = self._pending(batch)
        row_of = np.full(len(self.lengths), -1, dtype=np.int64) if len(children) else np.empty(0, dtype=np.int64)
        if len(children):
            row_of[batch.strings] = np.arange(len(batch))
        remaining = self.lengths[batch.strings] - batch.positions
        branches: list[_Batch] = []
        next_child, step = 0, 0
        while len(batch):
            until = int(np.searchsorted(child_steps, step, side="right")) if next_child < len(children) else next_child
            if until > next_child:
                leaving = children[next_child:until]
                parents = self.parent[leaving]
                self.observer.fork(parents, leaving)
                branch = batch.take(row_of[parents])
                branch.strings = leaving
                branches.append(branch)
                next_child = until
            if not self.observer.observe(batch.strings, batch.positions, batch.positions + 1, batch.log_probabilities):
                return None
            going = len(remaining) - int(np.searchsorted(remaining[::-1], step, side="right"))
            if going == 0:
                break
            if going < len(batch):
                batch = batch.take(slice(0, going))
                remaining, last_step = remaining[:going], last_step[:going]
            symbols = self.tokens[self.offsets[batch.strings] + batch.positions].astype(np.int64)
            log_probabilities, state = self.step(symbols, batch.state)
            before = batch.state
            batch = _Batch(batch.strings, batch.positions + 1, log_probabilities, state)
            step += 1
            if step % FIXED_POINT_INTERVAL == 0:
                settled = _same_rows(before, state) & (last_step < step)
                if settled.any():
                    batch, keep = self._jump(batch, settled)
                    remaining = self.lengths[batch.strings] - batch.positions + step
                    last_step = last_step[keep]
                    if len(row_of):
                        row_of[batch.strings] = np.arange(len(batch))
        return _concatenate(branches, batch)

    def _jump(self, batch: _Batch, settled: NDArray[np.bool_]) -> tuple[_Batch, NDArray[np.int64]]:
        """Carry rows at a fixed point of their symbol to the end of that symbol's run.

        A step that left the state unchanged leaves it unchanged as long as the symbol repeats, and predicts the same.
        """
        rows = np.flatnonzero(settled)
        starts = batch.positions[rows]
        ends = np.empty(len(rows), dtype=np.int64)
        _run_ends(self.tokens, self.offsets, batch.strings[rows], starts, ends)
        self.observer.observe(batch.strings[rows], starts, ends, batch.log_probabilities[rows])
        positions = batch.positions.copy()
        positions[rows] = ends
        order = np.argsort(-(self.lengths[batch.strings] - positions), kind="stable")
        moved = _Batch(batch.strings, positions, batch.log_probabilities, batch.state)
        return moved.take(order), order


def _concatenate(branches: list[_Batch], like: _Batch) -> _Batch:
    """Join batches (numpy or torch states alike)."""
    if not branches:
        return like.take(slice(0, 0))
    return _Batch(
        np.concatenate([branch.strings for branch in branches]),
        np.concatenate([branch.positions for branch in branches]),
        np.concatenate([branch.log_probabilities for branch in branches]),
        tuple(_join([branch.state[part] for branch in branches]) for part in range(len(like.state))),
    )


def _join(parts: list[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    import torch

    return torch.cat(parts)


def walk(corpus: Corpus, first: First, step: Step, observer: Observer, *, rows: int = ROWS) -> bool:
    """Show the observer a model's predictions at every position of every string.

    The strings' prefix tree is walked branch by branch: strings that leave a common trunk start from its state and
    advance together, the longest first, so that a batch only ever shrinks. A row whose state a step left unchanged,
    bit for bit, is carried to the end of the symbol's run at once. Memory: one state for each waiting branch and
    ``rows`` working rows, whatever the length of the strings.

    Returns False when the observer had seen enough before the end.
    """
    if len(corpus) == 0:
        return True
    return _Walk(corpus, step, observer, rows).run(first)
