"""The n-gram transducer, against counts by hand and its definition."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.learners.protocols import Transduction
from wug.learners.registry import build_learner, parse_learner
from wug.learners.symbolic import ngram_transducer
from wug.learners.symbolic.ngram_transducer import NGramTransducerLearner
from wug.sequences import Corpus, Vocabulary

SOURCES = Vocabulary(("<s>", "<pad>", "</s>", "a", "b"), start=2, end=2)
TARGETS = Vocabulary(("<s>", "<pad>", "</s>", "x", "y", "z"), start=2, end=2)


def fit(*pairs, **options):
    sources, targets = zip(*pairs, strict=True)
    data = Transduction(SOURCES, TARGETS, Corpus.from_strings(sources, SOURCES), Corpus.from_strings(targets, TARGETS))
    return NGramTransducerLearner(**options).fit(data, 1)


def probability(model, source, target):
    values = model.log_probabilities(Corpus.from_strings([source], SOURCES), Corpus.from_strings([target], TARGETS))
    return math.exp(values[0])


def answer(model, source, **options):
    outputs = model.transduce(Corpus.from_strings([source], SOURCES), **options)
    return outputs.targets.text(0), bool(outputs.terminated[0])


def test_examples_in_docstrings():
    assert doctest.testmod(ngram_transducer).failed == 0


def test_a_bigram_counts_by_hand():
    model = fit(("a a a", "x x x"), n=2, smoothing=0.5)
    first, again, end = 1.5 / (1 + 3), 2.5 / (3 + 3), 1.5 / (3 + 3)
    assert probability(model, "b", "x x x") == pytest.approx(first * again**2 * end)
    assert probability(model, "a", "x") == pytest.approx(first * end)
    assert probability(model, "a", "y") == pytest.approx(0.5 / 4 / 6)
    assert answer(model, "a", max_length=5) == ("x x x x x", False)


def test_a_trigram_sees_the_last_symbol_of_the_source():
    model = fit(("a", "x"), ("b", "y"), n=3, smoothing=0.1)
    assert answer(model, "b a") == ("x", True)
    assert answer(model, "a b") == ("y", True)
    assert answer(fit(("a", "x"), ("b", "y"), n=2), "b")[0] == "x"


def test_a_unigram_knows_frequencies_alone():
    model = fit(("a", "x x"), ("b", ""), n=1, smoothing=1.0)
    assert probability(model, "a", "") == pytest.approx(3 / 10)
    assert probability(model, "b", "x") == pytest.approx(9 / 100)
    assert answer(model, "a", max_length=2) == ("x x", False)
    assert answer(model, "a", min_length=1, max_length=2) == ("x x", False)


def test_the_padding_symbol_is_no_answer():
    assert answer(fit(("a", "x"), n=3), "b b", max_length=1) == ("<s>", False)
    no_start = Vocabulary(("<pad>", "</s>", "x"), start=1, end=1)
    data = Transduction(SOURCES, no_start, Corpus.from_strings(["a"], SOURCES), Corpus.from_strings(["x"], no_start))
    outputs = NGramTransducerLearner(n=3).fit(data, 1).transduce(Corpus.from_strings(["b"], SOURCES), max_length=1)
    assert outputs.targets.text(0) == "x"


@given(
    st.lists(st.tuples(st.text("ab", max_size=3), st.text("xyz", max_size=3)), min_size=1, max_size=4),
    st.integers(1, 4),
)
@settings(deadline=None, max_examples=40)
def test_probabilities_are_those_of_the_definition(pairs, n):
    model = fit(*((" ".join(source), " ".join(target)) for source, target in pairs), n=n)
    for source, target in pairs:
        symbols = [*target, "</s>"]
        expected = sum(_next(model, source, symbols[:place])[TARGETS.classes[s]] for place, s in enumerate(symbols))
        assert math.log(probability(model, " ".join(source), " ".join(target))) == pytest.approx(expected)
    counted = sum(counts.sum() for counts in model.counts.values())
    assert counted == sum(len(target) + 1 for _, target in pairs)


def _next(model, source, target):
    """Return the log probabilities of what follows, by the definition of the context."""
    written = [-1] * model.n + [-2 - SOURCES.classes[s] for s in source] + [-1] + [TARGETS.classes[s] for s in target]
    context = tuple(written[len(written) - model.n + 1 :])
    counts = model.counts.get(context, np.zeros(TARGETS.size)) + model.smoothing
    return np.log(counts / counts.sum())


@pytest.mark.parametrize(("options", "reason"), [({"n": 0}, "'n'"), ({"smoothing": 0.0}, "'smoothing'")])
def test_options_that_make_no_chain(options, reason):
    with pytest.raises(InputError, match=reason):
        fit(("a", "x"), **options)


def test_it_is_found_by_its_name():
    learner = build_learner(parse_learner("n-gram-s2s", {"n": "2"}))
    assert (learner.n, learner.settings) == (2, {"transduction"})
