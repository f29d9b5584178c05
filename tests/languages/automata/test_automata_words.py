"""Uniform words of an automaton against plain enumeration."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from wug.languages.automata.dfa import DFA
from wug.languages.automata.words import LetterClasses, WordSampler

NO_AA = DFA(
    np.array([[1, 0, 0, 0], [2, 0, 0, 0], [2, 2, 2, 2]], dtype=np.int32), np.array([True, True, False]), tuple("abcd")
)
"""The language 04.04.SL.2.1.0: no two a's in a row."""


def random_dfa(seed, n_states=5, n_letters=3):
    rng = np.random.default_rng(seed)
    transitions = rng.integers(0, n_states, size=(n_states, n_letters), dtype=np.int32)
    transitions[:, -1] = transitions[:, 0] if seed % 2 else np.arange(n_states)  # alike, or neutral
    return DFA(transitions, rng.random(n_states) < 0.5, tuple("abcdefgh"[:n_letters]), int(rng.integers(n_states)))


def accepted(dfa, word):
    state = dfa.start
    for letter in word:
        state = dfa.transitions[state, letter]
    return bool(dfa.accepting[state])


@pytest.mark.parametrize("seed", range(20))
def test_counts_equal_enumeration(seed):
    dfa = random_dfa(seed)
    sampler = WordSampler(dfa, 6)
    for length in range(7):
        words = product(range(3), repeat=length)
        assert sampler.count(length) == sum(accepted(dfa, word) for word in words)


def test_counts_of_a_known_language():
    # words over abcd without aa: c(n) = 3 c(n-1) + 3 c(n-2)
    counts = [1, 4]
    while len(counts) <= 60:
        counts.append(3 * counts[-1] + 3 * counts[-2])
    sampler = WordSampler(NO_AA, 60)
    assert [sampler.count(length) for length in range(61)] == counts


@pytest.mark.parametrize("seed", range(6))
def test_every_word_is_equally_likely(seed):
    dfa = random_dfa(seed)
    sampler = WordSampler(dfa, 30)
    length = next(n for n in (5, 4, 6, 3) if sampler.count(n))
    words = [word for word in product(range(3), repeat=length) if accepted(dfa, word)]
    drawn = sampler.sample(200 * len(words), length, rng=np.random.default_rng(seed))
    found = dict.fromkeys(words, 0)
    for word in map(tuple, drawn.tolist()):
        found[word] += 1
    assert chisquare(list(found.values())).pvalue > 1e-4


def test_words_without_aa_are_uniform_at_length_five():
    sampler = WordSampler(NO_AA, 5)
    drawn = sampler.sample(40 * 819, 5, rng=np.random.default_rng(5))
    _, counts = np.unique(drawn @ 4 ** np.arange(5), return_counts=True)
    assert len(counts) == sampler.count(5) == 819
    assert chisquare(counts).pvalue > 1e-4


def test_equal_generators_give_equal_words_whatever_the_chunks():
    sampler = WordSampler(NO_AA, 29)
    one = sampler.sample(10_000, 29, rng=np.random.default_rng(3))
    again = sampler.sample(10_000, 29, rng=np.random.default_rng(3))
    assert (one == again).all()


def test_letter_classes_partition_the_letters():
    classes = LetterClasses.of(NO_AA)
    assert classes.letters.tolist() == [0, 1, 2, 3]
    assert classes.sizes.tolist() == [1, 3]
    assert classes.actions.tolist() == [[1, 2, 2], [0, 0, 2]]
