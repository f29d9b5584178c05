"""What an update of training and a step of evaluation cost, one thread, width 32.

Updates are those of bliss at its smallest training set: 100 draws of a^n b^n in one batch. The peer is the loop that
one would write first: repeated strings padded to one length, torch's optimiser as it comes. Steps are set against the
matrix product that each needs at least, and against torch's own layer asked for one symbol at a time.
"""

import time
from collections.abc import Callable

import numpy as np
import pytest
import torch

from wug.languages.counting import CountingLanguage
from wug.learners.networks.learner import NetworkLearner
from wug.learners.networks.next_symbol import NextSymbolNetwork, padded
from wug.learners.networks.recurrent import GRU, LSTM, SimpleRNN
from wug.learners.networks.transformer import Transformer
from wug.learners.protocols import LanguageModelling
from wug.learners.training.settings import training_settings

WIDTH = 32
UPDATES = 100
ENCODERS = [LSTM, GRU, SimpleRNN, Transformer]


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def quickest(*calls: Callable[[], object], rounds: int) -> list[float]:
    """Return the least CPU seconds of each call; the calls take turns, so that all suffer alike from what else runs."""
    least = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            least[place] = min(least[place], time.process_time() - start)
    return least


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.__name__)
def test_updates(benchmark, encoder):
    language = CountingLanguage("a^n b^n")
    drawn = language.sample(100, rng=np.random.default_rng(0))
    data = LanguageModelling(language.vocabulary, *drawn.unique())
    learner = NetworkLearner(encoder, {"width": WIDTH}, training_settings({"epochs": UPDATES, "device": "cpu"}))
    inputs, targets = map(torch.from_numpy, padded(drawn))
    targets[torch.arange(targets.shape[1]) > torch.from_numpy(drawn.lengths)[:, None]] = -1

    def plain() -> None:
        network = NextSymbolNetwork(encoder(3, WIDTH), WIDTH, 3)
        optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
        for _ in range(UPDATES):
            optimiser.zero_grad()
            loss = torch.nn.functional.cross_entropy(network(inputs).flatten(0, 1), targets.flatten(), ignore_index=-1)
            loss.backward()
            optimiser.step()
            loss.item()

    learner.fit(data, 1)
    ours, theirs = quickest(lambda: learner.fit(data, 1), plain, rounds=5)
    benchmark.pedantic(learner.fit, (data, 1), rounds=3)
    benchmark.extra_info.update(
        {
            "unique strings": len(data.training),
            "longest string": int(drawn.lengths.max()),
            "cpu ms per update": round(1e3 * ours / UPDATES, 2),
            "plain loop, cpu ms per update": round(1e3 * theirs / UPDATES, 2),
            "times faster than the plain loop": round(theirs / ours, 1),
        }
    )
    print(dict(benchmark.extra_info))


@pytest.mark.parametrize("rows", [1, 1000, 2048, 10_000])
@pytest.mark.parametrize(("encoder", "gates"), [(LSTM, 4), (GRU, 3), (SimpleRNN, 1)], ids=["LSTM", "GRU", "SimpleRNN"])
def test_steps(benchmark, encoder, gates, rows):
    network = encoder(3, WIDTH).eval()
    symbols = torch.from_numpy(np.random.default_rng(0).integers(0, 3, rows))
    left, right = torch.rand(rows, 3 + WIDTH), torch.rand(3 + WIDTH, gates * WIDTH)
    repeats = 1 + 500 // rows

    def repeat(call: Callable[[], object]) -> Callable[[], None]:
        def many() -> None:
            for _ in range(repeats):
                call()

        return many

    with torch.inference_mode():
        _, state = network.step(symbols, None)
        one_symbol = network.one_hot(symbols[:, None])
        own_state = tuple(part[None] for part in state)

        def step():
            return network.step(symbols, state)

        step_seconds, product, layer = (
            seconds / repeats
            for seconds in quickest(
                repeat(step),
                repeat(lambda: torch.mm(left, right)),
                repeat(lambda: network.recurrent(one_symbol, own_state if gates == 4 else own_state[0])),
                rounds=40,
            )
        )
        benchmark.pedantic(step, rounds=5, iterations=repeats)
    benchmark.extra_info.update(
        {
            "million rows per cpu second": round(1e-6 * rows / step_seconds, 2),
            "times its matrix product": round(step_seconds / product, 1),
            "times faster than torch's layer": round(layer / step_seconds, 1),
        }
    )
    print(dict(benchmark.extra_info))
