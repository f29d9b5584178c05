"""What an update of MLRegTest's classifiers costs as replicas and alone, and what judging their test sets costs.

CPU milliseconds of one thread, batches of 64 strings over 4 letters; all that is compared takes turns in one run. The
limit is the time of the matrix products alone, at the rate that this machine reaches in products of their shape; gates
and all else come on top. Peers are torch's own layer by itself, without embedding, dense layers and optimiser, and the
network as the paper built it, in Keras: where the environment variable KERAS_PYTHON names an interpreter that has
tensorflow and tf_keras installed.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from wug.learners.networks.classifiers.architectures import build_network
from wug.learners.networks.classifiers.learners import (
    MLRegTestGRU,
    MLRegTestLSTM,
    MLRegTestSRN,
    MLRegTestTransformer,
)
from wug.learners.networks.classifiers.strings import PaddedStrings
from wug.learners.networks.classifiers.training import Sample, train_together
from wug.learners.protocols import Classification
from wug.sequences import Corpus, Vocabulary

LETTERS, BATCH = 4, 64
LEARNERS = {"srn": MLRegTestSRN, "gru": MLRegTestGRU, "lstm": MLRegTestLSTM, "transformer": MLRegTestTransformer}
LAYERS = {"srn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
GATES = {"srn": 1, "gru": 3, "lstm": 4}
UPDATES = {"srn": 16, "gru": 16, "lstm": 3, "transformer": 2}
TEST_STRINGS = 400_000

KERAS = """
import os, sys, time
os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np, tensorflow as tf
from tf_keras import Input, Model, layers, optimizers
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
file, name, width, dense, dropout, optimizer, rate, updates = sys.argv[1:]
width, dropout, rate = int(width), float(dropout), float(rate)
data = np.load(file)
class Positions(layers.Layer):
    def build(self, shape):
        self.table = self.add_weight("table", shape[1:], initializer="uniform")
    def call(self, x):
        return x + self.table
ids = Input((data["ids"].shape[1],))
x = layers.Embedding(int(data["ids"].max()) + 1, width)(ids)
if name == "transformer":
    x = Positions()(x)
    for _ in range(2):
        attended = layers.MultiHeadAttention(2, width, dropout=0.2)(x, x)
        x = layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(0.2)(attended))
    x = layers.GlobalAveragePooling1D()(x)
else:
    layer = {"srn": layers.SimpleRNN, "gru": layers.GRU, "lstm": layers.LSTM}[name]
    x = layer(width, dropout=dropout)(x)
for _ in range(int(dense)):
    x = layers.Dense(64, activation="relu")(x)
x = layers.LayerNormalization(epsilon=1e-6)(layers.Dropout(dropout)(x))
model = Model(ids, layers.Dense(2, activation="softmax")(x))
kind = {"adam": optimizers.legacy.Adam, "rmsprop": optimizers.legacy.RMSprop}[optimizer]
model.compile(optimizer=kind(rate), loss="binary_crossentropy")
targets = np.stack([data["labels"], ~data["labels"]], axis=1).astype("float32")
model.fit(data["ids"], targets, batch_size=64, epochs=1, verbose=0)
least = float("inf")
for _ in range(4):
    start = time.process_time()
    model.fit(data["ids"], targets, batch_size=64, epochs=2, verbose=0)
    least = min(least, (time.process_time() - start) / 2 / int(updates))
print(model.count_params(), least)
"""


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def quickest(calls, rounds):
    """Return the least CPU seconds of each call; the calls take turns, so that all suffer alike from what else runs."""
    least = {name: float("inf") for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            least[name] = min(least[name], time.process_time() - start)
    return least


def samples(replicas, n_strings, length):
    rng = np.random.default_rng(0)
    return [
        Sample(
            PaddedStrings(
                rng.integers(0, LETTERS + 1, (n_strings, length), dtype=np.uint8), np.full(n_strings, length)
            ),
            rng.random(n_strings) < 0.5,
        )
        for _ in range(replicas)
    ]


def training_of(name, replicas, length, epochs=1):
    """Return a call that trains replicas."""
    own = LEARNERS[name](epochs=epochs, device="cpu")
    network = build_network(own.architecture, LETTERS, own.width, own.layers, own.dropout, False)
    data = samples(replicas, BATCH * UPDATES[name], length)
    return lambda: train_together(network, data, range(replicas), own._training)


def per_update(name, counts, length, rounds, others=None):
    """Return CPU milliseconds of an update and replica for each number of replicas, then those of other calls.

    What comes once in a training of 1,024 updates is not counted, such as initial weights and fresh memory: it is the
    difference between a training of three passes and one of a single pass.
    """
    calls = {(n, epochs): training_of(name, n, length, epochs) for n in counts for epochs in (1, 3)}
    seconds = quickest(calls | (others or {}), rounds)
    ours = {n: 1e3 * (seconds[n, 3] - seconds[n, 1]) / 2 / n / UPDATES[name] for n in counts}
    return ours, {call: 1e3 * seconds[call] / UPDATES[name] for call in others or {}}


def layer_of(name, length):
    """Return a call that goes forwards and back through torch's layer alone."""
    width = LEARNERS[name]().width
    layer, inputs = LAYERS[name](width, width), torch.randn(length, BATCH, width, requires_grad=True)

    def both_ways():
        for _ in range(UPDATES[name]):
            layer(inputs)[0][-1].sum().backward()

    return both_ways


def products_of(name, length):
    """Return a call that does the matrix products of an update: forwards, and twice as many back.

    Where nothing is dropped, what is read goes through a table, so that only the state is multiplied.
    """
    own = LEARNERS[name]()
    columns = own.width * (2 if own.dropout else 1)
    left, right = torch.randn(8, GATES[name] * own.width, columns), torch.randn(8, columns, BATCH)
    out = torch.empty(8, GATES[name] * own.width, BATCH)

    def products():
        for _ in range(UPDATES[name] * length * 3 // 8):
            torch.bmm(left, right, out=out)

    return products


@pytest.mark.parametrize("length", [30, 64])
@pytest.mark.parametrize("name", ["srn", "gru", "lstm"])
def test_updates(benchmark, name, length):
    replicas = LEARNERS[name]().replicas
    others = {"torch's layer": layer_of(name, length), "products": products_of(name, length)}
    ours, theirs = per_update(name, {1, replicas}, length, 12, others)
    benchmark.pedantic(training_of(name, replicas, length), rounds=1)
    benchmark.extra_info.update(
        {
            "alone, cpu ms": round(ours[1], 2),
            f"{replicas} replicas, cpu ms": round(ours[replicas], 2),
            "torch's layer, cpu ms": round(theirs["torch's layer"], 2),
            "products, cpu ms": round(theirs["products"], 2),
            "times the limit": round(ours[replicas] / theirs["products"], 1),
            "times faster than torch's layer": round(theirs["torch's layer"] / ours[replicas], 1),
        }
    )
    print(name, length, dict(benchmark.extra_info))


@pytest.mark.parametrize("name", ["srn", "gru", "lstm", "transformer"])
def test_replica_counts(benchmark, name):
    counts = [1, 2, 4, 8, 16] if name in ("srn", "gru") else [1, 2]
    ours, _ = per_update(name, counts, 64, 4)
    benchmark.pedantic(training_of(name, 1, 64), rounds=1)
    benchmark.extra_info.update({f"{n} replicas, cpu ms": round(ms, 2) for n, ms in ours.items()})
    print(name, dict(benchmark.extra_info))


@pytest.mark.parametrize("name", list(LEARNERS))
def test_judging(benchmark, name):
    n_strings = {"srn": 20_000, "gru": 20_000, "lstm": 1_000, "transformer": 250}[name]
    rng = np.random.default_rng(0)
    vocabulary = Vocabulary(("#", "a", "b", "c", "d"))
    strings = Corpus.from_arrays([rng.integers(1, 5, length) for length in rng.integers(20, 51, n_strings)], vocabulary)
    data = Classification(vocabulary, strings.select(slice(0, 64)), np.arange(64) % 2 == 0)
    model = LEARNERS[name](epochs=0, device="cpu").fit(data, 1)
    seconds = quickest({"judging": lambda: model.classify(strings)}, rounds=4)["judging"]
    benchmark.pedantic(model.classify, (strings,), rounds=1)
    benchmark.extra_info.update(
        {
            "microseconds per string": round(1e6 * seconds / n_strings, 1),
            "cpu seconds for 400,000": round(seconds / n_strings * TEST_STRINGS, 1),
        }
    )
    print(name, dict(benchmark.extra_info))


@pytest.mark.parametrize("name", list(LEARNERS))
def test_beside_keras(benchmark, name):
    interpreter = os.environ.get("KERAS_PYTHON")
    if not interpreter:
        pytest.skip("the environment variable KERAS_PYTHON names no interpreter with tensorflow and tf_keras")
    own = LEARNERS[name]()
    (sample,) = samples(1, BATCH * UPDATES[name], 64)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.npz"
        np.savez(file, ids=sample.strings.ids.astype(np.int32), labels=sample.labels)
        settings = [own.width, own.layers, own.dropout, own.optimizer, own.learning_rate, UPDATES[name]]
        command = [interpreter, "-c", KERAS, str(file), name, *map(str, settings)]
        environment = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"}
        answer = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    n_parameters, theirs = answer.split()[-2:]
    network = build_network(own.architecture, LETTERS, own.width, own.layers, own.dropout, False)
    assert int(n_parameters) == sum(parameter.size for parameter in network.parameters)
    ours = per_update(name, [own.replicas], 64, 6)[0][own.replicas]
    benchmark.pedantic(training_of(name, own.replicas, 64), rounds=1)
    benchmark.extra_info.update(
        {
            "keras, cpu ms": round(1e3 * float(theirs), 1),
            "ours, cpu ms": round(ours, 2),
            "times faster than keras": round(1e3 * float(theirs) / ours, 1),
        }
    )
    print(name, dict(benchmark.extra_info))
