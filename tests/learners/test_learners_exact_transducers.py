"""Baselines for transduction: what they answer and how probable they find each target."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError, TrialError
from wug.learners import exact_transducers
from wug.learners.exact_transducers import FiniteTransducer, greedy, known_answers
from wug.learners.protocols import Transduction
from wug.learners.registry import build_learner, parse_learner
from wug.sequences import Corpus, Vocabulary

SOURCES = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "a", "b"), start=2, end=2)
TARGETS = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "x", "y", "z", "filler"), start=2, end=2)
ASKED = Corpus.from_strings(["a", "", "b b"], SOURCES)


def pairs(*written):
    sources, targets = zip(*written, strict=True)
    return Transduction(
        SOURCES,
        TARGETS,
        Corpus.from_strings(sources, SOURCES),
        Corpus.from_strings(targets, TARGETS),
        oracles={
            "double": lambda: known_answers(SOURCES, TARGETS, lambda source: ("x",) * 2 * len(source)),
            "fixed": lambda: known_answers(SOURCES, TARGETS, lambda _: ("x", "y")),
        },
    )


DATA = pairs(("a", "x x"), ("b", "x x"), ("a b", "y"), ("b a", "x z"))


def model(name, data=DATA):
    return build_learner(parse_learner(name)).fit(data, 1)


def answers(name, **options):
    outputs = model(name).transduce(ASKED, **options)
    return [(text, bool(ended)) for text, ended in zip(outputs.targets.texts(), outputs.terminated, strict=True)]


def nats(name, targets):
    return model(name).log_probabilities(ASKED, Corpus.from_strings(targets, TARGETS)).tolist()


def test_examples_in_docstrings():
    assert doctest.testmod(exact_transducers).failed == 0


def test_the_oracle_follows_the_rule_that_is_named():
    assert answers("oracle:double") == [("x x", True), ("", True), ("x x x x", True)]
    assert answers("oracle:fixed") == [("x y", True)] * 3
    assert nats("oracle:double", ["x x", "x", "x x x x"]) == [0, -math.inf, 0]
    with pytest.raises(InputError, match="oracle:double, oracle:fixed"):
        model("oracle")


def test_an_answer_that_does_not_fit_into_the_length_is_not_terminated():
    assert answers("oracle:double", max_length=3) == [("x x", True), ("", True), ("x x x", False)]
    assert answers("oracle:double", max_length=4)[2] == ("x x x x", True)


def test_the_end_is_not_taken_before_the_least_length():
    assert answers("oracle:double", min_length=1)[1] == ("<s>", True)
    assert answers("oracle:double", min_length=3)[0] == ("x x <s>", True)


def test_uniform_gives_every_class_the_same_probability_and_never_ends():
    assert nats("uniform", ["", "x", "x y z"]) == pytest.approx([-math.log(8), -2 * math.log(8), -4 * math.log(8)])
    assert answers("uniform", max_length=3) == [("<s> <s> <s>", False)] * 3


def test_constant_answers_with_the_most_frequent_target():
    assert answers("constant") == [("x x", True)] * 3
    assert nats("constant", ["x x", "y", "x"]) == [0, -math.inf, -math.inf]


def test_ignore_source_knows_the_targets_shares():
    assert nats("ignore-source", ["x x", "y", "x z"]) == pytest.approx([math.log(0.5), math.log(0.25), math.log(0.25)])
    assert nats("ignore-source", ["x", "z", ""]) == [-math.inf] * 3
    assert answers("ignore-source") == [("x x", True)] * 3


def test_never_end_writes_the_most_frequent_symbol():
    assert answers("never-end", max_length=4) == [("x x x x", False)] * 3
    assert nats("never-end", ["x", "", "x x"]) == [-math.inf] * 3


def test_nan_has_no_probabilities_and_no_answers():
    assert np.isnan(nats("nan", ["x", "", "y"])).all()
    with pytest.raises(TrialError, match="not numbers"):
        answers("nan")


DISTRIBUTIONS = st.dictionaries(
    st.lists(st.integers(3, 5), max_size=3).map(tuple), st.integers(1, 6), min_size=1, max_size=5
)


def conditional(distribution, prefix):
    """Return the masses of the next symbol (2 for the end) after a prefix, by definition."""
    masses = {}
    for target, p in distribution.items():
        if target[: len(prefix)] == prefix:
            symbol = target[len(prefix)] if len(target) > len(prefix) else 2
            masses[symbol] = masses.get(symbol, 0) + p
    return masses


@given(DISTRIBUTIONS)
@settings(deadline=None, max_examples=80)
def test_greedy_takes_the_most_probable_symbol_at_each_step(distribution):
    answer, ended = greedy(distribution, 2, max_length=10, min_length=0)
    assert ended
    for step in range(len(answer) + 1):
        masses = conditional(distribution, tuple(answer[:step]))
        best = max(masses.values())
        if step == len(answer):
            assert [symbol for symbol, mass in masses.items() if mass == best] == [2]
        else:
            assert answer[step] == min(s for s, mass in masses.items() if mass == best and s != 2)


@given(DISTRIBUTIONS)
@settings(deadline=None, max_examples=40)
def test_probabilities_of_all_targets_sum_to_one(distribution):
    total = sum(distribution.values())
    finite = FiniteTransducer(SOURCES, TARGETS, lambda _: {target: p / total for target, p in distribution.items()})
    targets = Corpus.from_arrays([np.array(target, dtype=np.int64) for target in distribution], TARGETS)
    sources = Corpus.from_strings(["a"] * len(targets), SOURCES)
    assert np.exp(finite.log_probabilities(sources, targets)).sum() == pytest.approx(1)
