"""The walk over the prefix tree against plain evaluation, string by string."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.learners import prefix_walk
from wug.learners.prefix_walk import walk
from wug.sequences import Corpus, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b"))


class ToyNetwork:
    """A small recurrent network in NumPy.

    ``decay`` 0: the last symbol alone decides, so that there are fixed points. ``decay`` 1: an a sets the hidden units
    and a b moves them round, so that there are cycles as long as there are units.
    """

    def __init__(self, decay: float = 0.9, units: int = 4) -> None:
        rng = np.random.default_rng(3)
        self.inputs, self.outputs = rng.normal(size=(3, units)), rng.normal(size=(units, 3))
        self.decay, self.units = decay, units
        self.rows_stepped = 0

    def first(self):
        return self._step(np.zeros(1, dtype=np.int64), (np.zeros((1, self.units)),))

    def step(self, symbols, state):
        self.rows_stepped += len(symbols)
        return self._step(symbols, state)

    def _step(self, symbols, state):
        if self.decay == 1.0:
            hidden = np.where(symbols[:, None] == 1, self.inputs[1], np.roll(state[0], 1, axis=1))
        else:
            hidden = np.tanh(self.inputs[symbols] + self.decay * state[0])
        scores = np.einsum("rw,wc->rc", hidden, self.outputs)
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), (hidden,)


class Collector:
    """Keeps every prediction, as if nothing were shared."""

    def __init__(self, corpus: Corpus, enough: int | None = None) -> None:
        self.seen = [np.full((length + 1, 3), np.nan) for length in corpus.lengths]
        self.enough = enough

    def fork(self, parents, children):
        for parent, child in zip(parents, children, strict=True):
            known = ~np.isnan(self.seen[parent][: len(self.seen[child]), 0])
            self.seen[child][: known.sum()] = self.seen[parent][: known.sum()]

    def observe(self, strings, starts, stops, log_probabilities):
        for row, (string, start, stop) in enumerate(zip(strings, starts, stops, strict=True)):
            assert np.isnan(self.seen[string][start:stop]).all(), "a position was shown twice"
            assert not np.isnan(self.seen[string][:start]).any(), "a position was skipped"
            cycle = np.atleast_2d(log_probabilities[row])
            self.seen[string][start:stop] = cycle[np.arange(stop - start) % len(cycle)]
        if self.enough is not None:
            self.enough -= 1
        return self.enough is None or self.enough > 0


def plain(network: ToyNetwork, corpus: Corpus) -> list[np.ndarray]:
    answers = []
    for string in corpus:
        log_probabilities, state = network.first()
        rows = [log_probabilities[0]]
        for symbol in string:
            log_probabilities, state = network._step(np.array([int(symbol)]), state)
            rows.append(log_probabilities[0])
        answers.append(np.array(rows))
    return answers


def assert_equal_to_plain(corpus: Corpus, decay: float, rows: int) -> ToyNetwork:
    network, collector = ToyNetwork(decay), Collector(corpus)
    assert walk(corpus, network.first, network.step, collector, rows=rows)
    for seen, expected in zip(collector.seen, plain(network, corpus), strict=True):
        np.testing.assert_allclose(seen, expected, rtol=0, atol=1e-12)
    return network


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.text("ab", max_size=12), min_size=1, max_size=30),
    st.sampled_from([0.0, 0.9, 1.0]),
    st.integers(1, 40),
    st.sampled_from([1, 2, 5, 9]),
    st.sampled_from([1, 2]),
)
def test_equal_to_plain_evaluation(strings, decay, rows, interval, look_each):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefix_walk, "WINDOW", interval)
        patch.setattr(prefix_walk, "WORTHWHILE", 1)
        patch.setattr(prefix_walk, "LOOK_EACH", look_each)
        assert_equal_to_plain(Corpus.from_strings(strings, VOCABULARY), decay, rows)


def test_shared_prefixes_are_computed_once():
    corpus = Corpus.from_strings(["a" * n + "b" * n for n in range(1, 40)], VOCABULARY)
    network = assert_equal_to_plain(corpus, 0.9, 64)
    assert network.rows_stepped == 39 + sum(range(1, 40))


def test_small_batches_cost_nothing_but_batches():
    corpus = Corpus.from_strings(["a" * n + "b" * n for n in range(1, 40)], VOCABULARY)
    assert assert_equal_to_plain(corpus, 0.9, 5).rows_stepped == 39 + sum(range(1, 40))


@pytest.mark.parametrize("decay", [0.0, 1.0])
def test_a_state_that_comes_back_ends_the_run(decay):
    strings = ["a" * n + "b" * (300 + n) + "ab" * 20 for n in range(1, 20)]
    network = assert_equal_to_plain(Corpus.from_strings(strings, VOCABULARY), decay, 64)
    assert network.rows_stepped < 19 * (2 * prefix_walk.WINDOW + 80)


def test_stops_when_the_observer_has_seen_enough():
    corpus = Corpus.from_strings(["ab" * 50], VOCABULARY)
    network = ToyNetwork()
    assert not walk(corpus, network.first, network.step, Collector(corpus, enough=7))
    assert network.rows_stepped == 6


def test_an_empty_corpus_and_an_empty_string():
    network = ToyNetwork()
    empty = Corpus.from_strings([], VOCABULARY)
    assert walk(empty, network.first, network.step, Collector(empty))
    assert_equal_to_plain(Corpus.from_strings(["", "", "a"], VOCABULARY), 0.9, 8)
