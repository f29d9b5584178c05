"""What an update of find's sequence-to-sequence learners costs: CPU milliseconds of one thread, and seed.

The task is Count-or-Memorization at l = 40, one pair of 40 symbols each, as the published code's times were taken
(specification of Kharitonov and Chaabouni 2021: fairseq 0.9.0 on one idle core). What comes once in a training of
3,000 updates is not counted: it is the difference between a training of some updates and one of twice as many.

The LSTMs' limit: with one pair each step is a product of matrix and vector, which reads every weight forwards and
again back. These products alone are timed on matrices of the same shapes.
"""

import time

import pytest
import torch

from wug.benchmarks.find.benchmark import BENCHMARK
from wug.learners.networks.transducers.learners import (
    ConvolutionalTransducer,
    JointTransducer,
    LSTMTransducer,
    LSTMTransducerWithAttention,
    TransformerTransducer,
)

PUBLISHED_MS = {"lstm": 119, "lstm with attention": 152, "cnn": 30, "transformer": 4.1, "joint": 5.2}
"""Per update and seed, published code."""
LEARNERS = {
    "lstm": LSTMTransducer,
    "lstm with attention": LSTMTransducerWithAttention,
    "cnn": ConvolutionalTransducer,
    "transformer": TransformerTransducer,
    "joint": JointTransducer,
}
UPDATES = {"lstm": 10, "lstm with attention": 10, "cnn": 10, "transformer": 100, "joint": 100}
REPLICAS = {"lstm": [], "lstm with attention": [], "cnn": [2], "transformer": [4, 16, 32], "joint": [4, 16, 32]}
STEPS = 41
"""Of encoder and of decoder: 40 symbols and the end."""


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def data():
    settings = BENCHMARK.resolve("count", {"l": 40, "description_length": "none"})
    return BENCHMARK.build("count", settings, 1).data


def quickest(calls, rounds):
    """Return the least CPU seconds of each call; the calls take turns, so that all suffer alike from what else runs."""
    least = {name: float("inf") for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            least[name] = min(least[name], time.process_time() - start)
    return least


def training(name, data, replicas, updates):
    learner = LEARNERS[name](epochs=updates, replicas=replicas, device="cpu")
    return lambda: learner.fit_together([data] * replicas, list(range(replicas)))


def lstm_products(updates):
    """Return a call that does the products of matrix and vector of an LSTM without attention, forwards and back."""
    shapes = [(2048, 512), (2048, 1024)]  # encoder; decoder, which reads its last output as well
    matrices = [torch.randn(shape) for shape in shapes]
    vectors = [torch.randn(columns) for _, columns in shapes]
    slopes = [torch.randn(rows) for rows, _ in shapes]
    transposed = [matrix.t() for matrix in matrices]

    def products():
        for _ in range(updates):
            for factors, right in ((matrices, vectors), (transposed, slopes)):
                for matrix, vector in zip(factors, right, strict=True):
                    for _ in range(STEPS):
                        torch.mv(matrix, vector)

    return products


@pytest.mark.parametrize("name", list(LEARNERS))
def test_updates(benchmark, data, name):
    updates = UPDATES[name]
    calls = {
        (replicas, times): training(name, data, replicas, times * updates)
        for replicas in [1, *REPLICAS[name]]
        for times in (1, 2)
    }
    if name == "lstm":
        calls["products"] = lstm_products(updates)
    seconds = quickest(calls, rounds=4)
    benchmark.pedantic(calls[1, 1], rounds=1)
    ms = {
        replicas: 1e3 * (seconds[replicas, 2] - seconds[replicas, 1]) / updates / replicas
        for replicas in [1, *REPLICAS[name]]
    }
    benchmark.extra_info.update({f"{n} together, cpu ms per seed": round(each, 2) for n, each in ms.items()})
    benchmark.extra_info["published code, ms"] = PUBLISHED_MS[name]
    benchmark.extra_info["times fewer"] = round(PUBLISHED_MS[name] / min(ms.values()), 1)
    if "products" in seconds:
        benchmark.extra_info["products alone, ms"] = round(1e3 * seconds["products"] / updates, 1)
    print(name, dict(benchmark.extra_info))
