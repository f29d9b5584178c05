"""Judging an LSTM of width 32 on the b = 10 test list of a^n b^n: 10,000 strings, 100.42 million predicted symbols.

Three figures in one run: the prefix walk, a straightforward evaluation string by string in plain torch (every 200th
string, scaled by symbols), and the limit that arithmetic sets (operations of the matrix products over the 50 million
different prefixes, at the rate that this machine multiplies matrices of the walk's own shape). One thread each; CPU
seconds.
"""

import resource
import time

import numpy as np
import pytest
import torch

from wug.benchmarks.bliss import judge
from wug.benchmarks.bliss.benchmark import BENCHMARK
from wug.benchmarks.bliss.settings import BlissSettings
from wug.learners import prefix_walk
from wug.learners.registry import build_learner, parse_learner
from wug.sequences import PrefixTree

WIDTH = 32
SETTINGS = {"b": 10}


@pytest.fixture(scope="module")
def trained():
    torch.set_num_threads(1)
    task = BENCHMARK.build("anbn", BENCHMARK.resolve("anbn", SETTINGS), 1)
    learner = build_learner(parse_learner("lstm", {"width": WIDTH, "epochs": 500}))
    return task, learner.fit(task.data, 1)


def matrix_product_rate(rows: int) -> float:
    """Return floating-point operations per CPU second of the walk's own matrix product."""
    left, right = torch.rand(rows, WIDTH + 3), torch.rand(WIDTH + 3, 4 * WIDTH)
    out = torch.empty(rows, 4 * WIDTH)
    for _ in range(50):
        torch.mm(left, right, out=out)
    start, repeats = time.process_time(), 2000
    for _ in range(repeats):
        torch.mm(left, right, out=out)
    return repeats * 2 * left.numel() * right.shape[1] / (time.process_time() - start)


def per_string_seconds(task, model, every: int) -> float:
    """Return CPU seconds of evaluating the list string by string, from a share of the strings."""
    corpus = task.judging.test.corpus
    encoder, output = model.network.encoder, model.network.output
    chosen = np.arange(every // 2, len(corpus), every)
    start = time.process_time()
    errors = 0
    with torch.inference_mode():
        for i in chosen:
            string = torch.from_numpy(np.concatenate(([0], corpus[int(i)])).astype(np.int64))
            target = torch.cat([string[1:], string[:1]])
            log_probabilities = output(encoder(string[None]))[0].log_softmax(dim=1)
            relevant = string == 2
            errors += int((log_probabilities.argmax(dim=1) != target)[relevant].sum())
    seconds = time.process_time() - start
    lengths = np.asarray(corpus.lengths) + 1
    return seconds * float(lengths.sum()) / float(lengths[chosen].sum())


@pytest.mark.parametrize("cycles", [True, False], ids=["cycles used", "every step computed"])
def test_judging_an_lstm_on_the_largest_list(benchmark, trained, cycles, monkeypatch):
    task, model = trained
    if not cycles:
        monkeypatch.setattr(prefix_walk, "WORTHWHILE", 1 << 40)
    language, corpus = task.judging.language, task.judging.test.corpus
    judge.new_tally(language, corpus.select([0, 1]), BlissSettings())
    seconds = []

    def judge_all():
        start = time.process_time()
        _, scores = judge.judge_list(language, model, corpus, BlissSettings(**SETTINGS))
        seconds.append(time.process_time() - start)
        return {score.measure: score.value for score in scores}

    scores = benchmark.pedantic(judge_all, rounds=3, warmup_rounds=1)
    nodes = PrefixTree.from_corpus(corpus).n_nodes
    operations = nodes * (2 * 4 * WIDTH * (WIDTH + 3) + 2 * 3 * WIDTH)
    limit = operations / matrix_product_rate(prefix_walk.ROWS)
    plain = per_string_seconds(task, model, every=200)
    walk = float(np.median(seconds))
    benchmark.extra_info.update(
        {
            "M_det": scores["M_det"],
            "prefixes": nodes,
            "cpu seconds": round(walk, 2),
            "arithmetic limit, seconds": round(limit, 2),
            "times the limit": round(walk / limit, 2),
            "per string in plain torch, seconds": round(plain, 1),
            "times faster than per string": round(plain / walk, 1),
            "peak memory, MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
    )
    print(dict(benchmark.extra_info))
