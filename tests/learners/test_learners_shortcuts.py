"""The n-gram classifier and the shortcut baselines against their definitions."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_samples import of_words

from wug.errors import InputError
from wug.learners.protocols import Classification
from wug.learners.symbolic.ngrams import NGram
from wug.learners.symbolic.shortcuts import LengthOnly, LetterBag
from wug.sequences import Corpus

WORDS = st.lists(st.lists(st.integers(0, 1), max_size=5).map(tuple), max_size=8)


def labelled(inside, outside):
    data = of_words([*inside, *outside], "ab")
    return Classification(data.vocabulary, data.training, np.arange(len(data.labels)) < len(inside))


def log_probability(word, words, n, smoothing):
    """The Markov chain of order n - 1 with add-smoothing, by counting in a list."""

    def windows(one):
        padded = [*["<"] * (n - 1), *one, ">"]
        return [tuple(padded[i : i + n]) for i in range(len(padded) - n + 1)]

    seen = [window for one in words for window in windows(one)]
    total = 0.0
    for window in windows(word):
        times, context = seen.count(window), sum(other[:-1] == window[:-1] for other in seen)
        total += log((times + smoothing) / (context + 3 * smoothing))
    return total


@settings(deadline=None, max_examples=60)
@given(WORDS, WORDS, WORDS, st.integers(1, 3), st.sampled_from([0.5, 1.0]))
def test_n_grams_follow_bayes_rule(inside, outside, asked, n, smoothing):
    model = NGram(n, smoothing).fit(labelled(inside, outside), 0)
    answers = model.classify(of_words(asked, "ab").training)
    for word, answer in zip(asked, answers.tolist(), strict=True):
        odds = log((len(inside) + smoothing) / (len(outside) + smoothing))
        odds += log_probability(word, inside, n, smoothing) - log_probability(word, outside, n, smoothing)
        assert answer == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-12)


def test_an_answer_does_not_depend_on_its_neighbours():
    rng = np.random.default_rng(1)
    words = [tuple(rng.integers(0, 2, size=rng.integers(0, 40)).tolist()) for _ in range(200)]
    corpus = of_words(words, "ab").training
    for learner in (NGram(2), LetterBag(), LengthOnly()):
        model = learner.fit(labelled(words[:50], words[50:100]), 0)
        whole = model.classify(corpus)
        assert whole.tolist() == [float(model.classify(corpus.select([i]))[0]) for i in range(len(words))]


@settings(deadline=None, max_examples=60)
@given(WORDS, WORDS, WORDS)
def test_length_alone_decides_by_majority(inside, outside, asked):
    model = LengthOnly().fit(labelled(inside, outside), 0)
    for word, answer in zip(asked, model.classify(of_words(asked, "ab").training).tolist(), strict=True):
        surplus = sum(len(w) == len(word) for w in inside) - sum(len(w) == len(word) for w in outside)
        assert answer == (surplus > 0 or (surplus == 0 and len(inside) >= len(outside)))


@settings(deadline=None, max_examples=40)
@given(WORDS, WORDS, st.sampled_from([0.1, 1.0, 10.0]))
def test_a_bag_of_letters_has_the_best_weights(inside, outside, penalty):
    data = labelled(inside, outside)
    model = LetterBag(penalty).fit(data, 0)
    counts = np.array([[word.count(0), word.count(1), 1] for word in [*inside, *outside]]).reshape(-1, 3)
    gradient = counts.T @ (model.classify(data.training) - data.labels) + penalty * model.weights
    assert np.abs(gradient).max() < 1e-7


def test_a_bag_of_letters_learns_what_letters_tell():
    words = [tuple(map(int, format(i, "05b"))) for i in range(32)]
    data = of_words(words, "ab")
    labels = np.array([word.count(1) >= 3 for word in words])
    model = LetterBag(0.01).fit(Classification(data.vocabulary, data.training, labels), 0)
    assert np.array_equal(model.classify(data.training) > 0.5, labels)


def test_without_training_strings_nothing_is_known():
    empty = labelled([], [])
    corpus = Corpus.from_strings(["", "ab"], empty.vocabulary)
    assert NGram().fit(empty, 0).classify(corpus).tolist() == [0.5, 0.5]
    assert LetterBag().fit(empty, 0).classify(corpus).tolist() == [0.5, 0.5]
    assert LengthOnly().fit(empty, 0).classify(corpus).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (NGram(0), "option 'n' must be 1 or more, not 0"),
        (NGram(2, 0.0), "option 'smoothing' must be above 0, not 0.0"),
        (LetterBag(-1.0), "option 'penalty' must be above 0, not -1.0"),
    ],
)
def test_options_that_make_no_sense_are_refused(learner, message):
    with pytest.raises(InputError, match=message):
        learner.fit(labelled([(0,)], []), 0)
