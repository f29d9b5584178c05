"""A regular language as a distribution, against enumeration of its words."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from automata_worlds import dfas, in_language
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from wug.errors import InputError
from wug.languages.automata.building import from_table
from wug.languages.automata.uniform import UniformLanguage
from wug.languages.protocol import Language
from wug.sequences import Corpus

NO_AA = from_table([[1, 0, 0], [2, 0, 0], [2, 2, 2]], [0, 1], "abc")


def words_of(dfa, length):
    written = map("".join, product(dfa.alphabet, repeat=length))
    return [word for word in written if in_language(dfa, word)]


@st.composite
def uniform_languages(draw):
    dfa = draw(dfas("abc", 5))
    lengths = draw(st.sets(st.integers(0, 4), min_size=1))
    inhabited = {length for length in lengths if words_of(dfa, length)}
    if not inhabited:
        dfa, inhabited = NO_AA, lengths
    return UniformLanguage("drawn", dfa, inhabited)


@settings(deadline=None, max_examples=60)
@given(uniform_languages())
def test_strings_come_in_order_and_resume_behind_any(language):
    expected = [word for length in language.lengths for word in words_of(language.dfa, length)]
    assert list(language.first_strings(len(expected)).texts()) == expected
    assert [language.count(length) for length in range(5)] == [
        sum(len(word) == length for word in expected) for length in range(5)
    ]
    for index, word in enumerate(expected):
        after = Corpus.from_strings([word], language.vocabulary)
        n_left = min(3, len(expected) - index - 1)
        assert list(language.first_strings(n_left, after=after).texts()) == expected[index + 1 : index + 1 + n_left]
    with pytest.raises(InputError, match=f"has {len(expected)} strings, fewer than"):
        language.first_strings(len(expected) + 1)


@settings(deadline=None, max_examples=60)
@given(uniform_languages())
def test_next_symbols_multiply_to_the_probability_of_each_string(language):
    n_lengths = len(language.lengths)
    strings = language.first_strings(sum(map(language.count, language.lengths)))
    answers = language.next_symbols(strings)
    assert np.allclose(answers.probabilities.sum(axis=1), 1)
    nats = 0.0
    for index, string in enumerate(strings):
        first = strings.offsets[index] + index
        rows = answers.probabilities[answers.situations[first : first + len(string) + 1]]
        classes = [*string.tolist(), language.vocabulary.end]
        probability = math.prod(row[token] for row, token in zip(rows, classes, strict=True))
        assert probability == pytest.approx(1 / n_lengths / language.count(len(string)))
        nats -= probability * math.log(probability)
    assert language.entropy_bits == pytest.approx(nats / math.log(2))


def test_draws_follow_the_distribution():
    language = UniformLanguage("no aa", NO_AA, [0, 2, 3])
    drawn = Counter(language.sample(30_000, rng=np.random.default_rng(2)).texts())
    expected = {word: 10_000 / language.count(n) for n in (0, 2, 3) for word in words_of(NO_AA, n)}
    assert set(drawn) == set(expected)
    assert chisquare([drawn[word] for word in expected], list(expected.values())).pvalue > 1e-4
    assert language.expected_symbols == pytest.approx(5 / 3 + 1)


def test_membership_looks_at_word_and_length():
    language = UniformLanguage("no aa", NO_AA, [2, 3])
    corpus = Corpus.from_strings(["ab", "aa", "a", "aba", "abab"], language.vocabulary)
    assert language.contains(corpus).tolist() == [True, False, False, True, False]
    assert isinstance(language, Language)


def test_wrong_requests_are_explained():
    with pytest.raises(InputError, match="no word of length 1"):
        UniformLanguage("only abc", from_table([[1], [2], [0]], [0], "a"), [3, 1])
    with pytest.raises(InputError, match="one or more numbers"):
        UniformLanguage("no aa", NO_AA, [])
    language = UniformLanguage("no aa", NO_AA, [2, 3])
    with pytest.raises(InputError, match="string 2: no string of no aa begins with its first 2 symbols"):
        language.next_symbols(Corpus.from_strings(["ab", "baa", "aab"], language.vocabulary).select([0, 2]))
