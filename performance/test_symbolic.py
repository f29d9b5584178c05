"""How long learners without gradients take on MLRegTest's Small data (1,000 strings), beside AALpy where it has them.

``16.16.SL.4.1.1`` stands for a middling alphabet, ``64.64.PT.2.1.1`` for the largest. CPU seconds of one thread.
"""

import time
import warnings
from collections import Counter

import numpy as np
import pytest

from wug.benchmarks.mlregtest.tasks import ExactClassifier
from wug.languages.subregular import DataSets, RegularLanguage
from wug.learners.protocols import Classification
from wug.learners.registry import build_learner, parse_learner
from wug.learners.symbolic.extraction import extract_automaton

NAMES = ["04.04.SL.2.1.0", "16.16.SL.4.1.1", "64.64.PT.2.1.1"]


def small(name):
    language = RegularLanguage.named(name)
    strings = DataSets(language, seed=1, largest="Small").strings("Train", "Small")
    return Classification(language.vocabulary, strings.corpus, strings.labels)


def aalpy_seconds(data, weighs):
    """Return CPU seconds of AALpy's state merging; EDSM looks at the first candidate of each round alone."""
    gsm = pytest.importorskip("aalpy.learning_algs.general_passive.GsmNode")
    from aalpy.learning_algs import run_GSM
    from aalpy.learning_algs.general_passive.ScoreFunctionsGSM import SimpleScoreCalculation

    def evidence(partition):
        labelled = [pair for pair in partition.items() if pair[0].get_prefix_output() is not gsm.unknown_output]
        merged = Counter(id(result) for _, result in labelled)
        return len(labelled) - len(merged)

    words = [(tuple(string.tolist()), bool(label)) for string, label in zip(data.training, data.labels, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        run_GSM(
            words,
            output_behavior="moore",
            transition_behavior="deterministic",
            score_calc=SimpleScoreCalculation(gsm.GsmNode.deterministic_compatible, evidence) if weighs else None,
            node_order="short-lex",
            consider_only_min_blue=True,
            data_format="labeled_sequences",
        )
        return time.process_time() - start


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("learner", "options"), [("rpni", {}), ("edsm", {"window": 1})])
def test_state_merging(benchmark, name, learner, options):
    data = small(name)
    fitted = build_learner(parse_learner(learner, options))
    fitted.fit(data, 0)
    benchmark.pedantic(fitted.fit, (data, 0), rounds=5)
    peer = aalpy_seconds(data, weighs=learner == "edsm")
    print(f"\n{learner} {options} {name}: AALpy {peer:.2f} s, {peer / benchmark.stats['min']:.0f} times as long")


@pytest.mark.parametrize("name", NAMES)
def test_edsm_on_the_whole_fringe(benchmark, name):
    data = small(name)
    benchmark.pedantic(build_learner(parse_learner("edsm")).fit, (data, 0), rounds=1, warmup_rounds=1)


@pytest.mark.parametrize(
    ("name", "learner", "options"),
    [
        ("64.64.SL.6.1.3", "string-extension-sl", {"k": 6}),
        ("64.11.TSL.6.1.3", "string-extension-tsl", {"k": 6}),
        ("16.16.SP.6.1.0", "string-extension-sp", {"k": 6}),
        ("64.64.PT.6.1.0", "string-extension-pt", {"k": 6}),
        ("64.64.PLT.6.3.0", "string-extension-plt", {"k": 6, "blocks": 3}),
        ("64.64.PT.2.1.1", "n-gram", {"n": 4}),
    ],
)
def test_fit_and_classify_ten_thousand(benchmark, name, learner, options):
    language = RegularLanguage.named(name)
    data = small(name)
    strings = DataSets(language, seed=1, largest="Mid").strings("SA", "Mid").corpus
    fitted = build_learner(parse_learner(learner, options))

    def run():
        return fitted.fit(data, 0).classify(strings)

    assert benchmark.pedantic(run, rounds=3, warmup_rounds=1).shape == (10_000,)


def test_extraction_of_a_hundred_states(benchmark):
    language = RegularLanguage.named("16.16.coSP.4.1.8")
    model = ExactClassifier(language)
    found = benchmark.pedantic(
        lambda: extract_automaton(model, rng=np.random.default_rng(1)), rounds=1, warmup_rounds=1
    )
    print(f"\n{found.dfa.n_states} states, {found.queries:,} words, {found.ending}")
