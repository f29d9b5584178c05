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
"""Strings that advance together; two thousand rows of a small network fill the cache and no more."""
WINDOW = 64
"""Steps over which states are remembered, so the longest cycle that is found."""
LOOK_EACH = 4
"""Steps between two looks for a state that came back: a cycle of three is found as one of twelve."""
WORTHWHILE = 8
"""Symbols that a jump must save."""


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
def _runs(tokens: Any, offsets: Any, strings: Any, positions: Any, periods: Any, ends: Any) -> None:
    """Fill in, per row, where the run of the symbol read last ends; its own position where the run is too young.

    A run is old enough when it holds the last ``periods`` symbols; a period of 0 asks for nothing.
    """
    for row in range(len(strings)):
        begin, end = offsets[strings[row]], offsets[strings[row] + 1]
        place = begin + positions[row]
        ends[row] = positions[row]
        if periods[row] == 0 or positions[row] < periods[row]:
            continue
        symbol = tokens[place - 1]
        old_enough = True
        for back in range(2, periods[row] + 1):
            if tokens[place - back] != symbol:
                old_enough = False
        if old_enough:
            while place < end and tokens[place] == symbol:
                place += 1
            ends[row] = place - begin


class _Window:
    """The states and predictions of the last steps of a batch, to find states that come back, bit for bit."""

    def __init__(self, batch: _Batch) -> None:
        self.batches = [batch]
        self.periods = np.zeros(len(batch), dtype=np.int64)

    def add(self, batch: _Batch) -> None:
        """Remember one more step of the same strings (of the first ones, where others ended)."""
        self.batches.append(batch)
        if (len(self.batches) - 1) % LOOK_EACH:
            return
        first, now = self.batches[0], batch
        like_first = _as_array(_column(first.state)[: len(now)] == _column(now.state))
        found = np.flatnonzero(like_first & (self.periods[: len(now)] == 0))
        if len(found):
            self.periods[found] = len(self.batches) - 1

    @property
    def is_full(self) -> bool:
        return len(self.batches) > WINDOW

    def returned(self, batch: _Batch) -> NDArray[np.int64]:
        """Return (rows,) the period after which each row's state came back; 0 where none did."""
        periods = self.periods[: len(batch)].copy()
        for period in np.unique(periods[periods > 0]):
            rows = np.flatnonzero(periods == period)
            earlier = self.batches[-1 - period].state
            same = np.ones(len(rows), dtype=bool)
            for before, after in zip(earlier, batch.state, strict=True):
                same &= _as_array((before[rows] == after[rows]).reshape(len(rows), -1).all(1))
            periods[rows[~same]] = 0
        return periods


def _as_array(flags: Any) -> NDArray[np.bool_]:
    """Return an array or a tensor on any device as an array."""
    return np.asarray(flags if isinstance(flags, np.ndarray) else flags.cpu())


def _column(state: State) -> Any:
    """Return (rows,) one number of each row's state, which differs wherever states usually differ."""
    return state[-1].reshape(len(state[-1]), -1)[:, 0]


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
        window = _Window(batch)
        next_child, step = 0, 0
        while True:
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
                return _concatenate(branches, batch)
            if going < len(batch):
                batch = batch.take(slice(0, going))
                remaining, last_step = remaining[:going], last_step[:going]
            symbols = self.tokens[self.offsets[batch.strings] + batch.positions].astype(np.int64)
            batch = _Batch(batch.strings, batch.positions + 1, *self.step(symbols, batch.state))
            step += 1
            window.add(batch)
            if window.is_full:
                order = self._jump(batch, window, last_step < step)
                if order is not None:
                    batch = batch.take(order)
                    remaining, last_step = self.lengths[batch.strings] - batch.positions + step, last_step[order]
                    if len(row_of):
                        row_of[batch.strings] = np.arange(len(batch))
                window = _Window(batch)

    def _jump(self, batch: _Batch, window: _Window, free: NDArray[np.bool_]) -> NDArray[np.int64] | None:
        """Carry rows whose state goes round in a cycle to the end of their symbol's run.

        As long as the symbol repeats, the states and predictions of the cycle repeat. Changes the batch; returns the
        new order of its rows, longest remaining string first, or None when no row was carried.
        """
        periods = np.where(free, window.returned(batch), 0)
        if not periods.any():
            return None
        ends = np.empty(len(batch), dtype=np.int64)
        _runs(self.tokens, self.offsets, batch.strings, batch.positions, periods, ends)
        saved = ends - batch.positions
        if saved.max() < WORTHWHILE:
            return None
        # rows of the batch are changed one cycle after the other, so nothing of the old batch may be written to
        batch.log_probabilities = batch.log_probabilities.copy()
        batch.state = tuple(part[np.arange(len(batch))] for part in batch.state)
        batch.positions = batch.positions.copy()
        for period in np.unique(periods[saved >= WORTHWHILE]):
            rows = np.flatnonzero((periods == period) & (saved >= WORTHWHILE))
            cycle = window.batches[-1 - period : -1]
            predictions = np.stack([one.log_probabilities[rows] for one in cycle], axis=1)
            self.observer.observe(batch.strings[rows], batch.positions[rows], ends[rows], predictions)
            batch.positions[rows] = ends[rows]
            for phase in np.unique(saved[rows] % period):
                there = rows[saved[rows] % period == phase]
                batch.log_probabilities[there] = cycle[phase].log_probabilities[there]
                for part, earlier in zip(batch.state, cycle[phase].state, strict=True):
                    part[there] = earlier[there]
        return np.argsort(-(self.lengths[batch.strings] - batch.positions), kind="stable")


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
    advance together, the longest first, so that a batch only ever shrinks. While a symbol repeats, finite arithmetic
    ends in a cycle of states, often within a few hundred steps; a row whose state came back, bit for bit, is carried to
    the end of the symbol's run at once. Memory: one state for each waiting branch and ``rows`` times WINDOW working
    states, whatever the length of the strings.

    Returns False when the observer had seen enough before the end.
    """
    if len(corpus) == 0:
        return True
    return _Walk(corpus, step, observer, rows).run(first)
