"""Random grammars against sums over all derivations."""

import numpy as np
import pytest
from hypothesis import given, settings
from pcfg_oracle import Oracle, all_strings, grammars, rules_of

from wug.errors import InputError
from wug.languages.pcfg import PCFG
from wug.sequences import Corpus


@settings(deadline=None, max_examples=40)
@given(grammars())
def test_strings_and_prefixes(language):
    alphabet = "".join(language.vocabulary.symbols[1:])
    texts = all_strings(alphabet, 3)
    corpus = Corpus.from_strings(texts, language.vocabulary)
    oracle = Oracle(rules_of(language))
    whole, prefix = language.string_log2_probability(corpus), language.prefix_log2_probability(corpus)
    np.testing.assert_allclose(2.0**whole, [oracle.string(text) for text in texts], rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(2.0**prefix, [oracle.prefix(text) for text in texts], rtol=1e-9, atol=1e-300)
    assert (language.contains(corpus) == (whole > -np.inf)).all()


@settings(deadline=None, max_examples=60)
@given(grammars())
def test_next_symbols_are_ratios_of_prefixes(language):
    alphabet = "".join(language.vocabulary.symbols[1:])
    corpus = Corpus.from_strings(all_strings(alphabet, 4), language.vocabulary)
    log2_prefix = dict(zip(corpus.texts(), language.prefix_log2_probability(corpus), strict=True))
    log2_whole = dict(zip(corpus.texts(), language.string_log2_probability(corpus), strict=True))
    viable = corpus.select(language.prefix_log2_probability(corpus) > -np.inf)
    answers = language.next_symbols(viable)
    np.testing.assert_allclose(answers.probabilities.sum(axis=1), 1)
    assert len(np.unique(answers.probabilities, axis=0)) == len(answers.probabilities)
    for string, text in enumerate(viable.texts()):
        first = viable.offsets[string] + string
        for t in range(min(len(text), 3) + 1):
            row = answers.probabilities[answers.situations[first + t]]
            weights = [log2_whole[text[:t]], *(log2_prefix[text[:t] + symbol] for symbol in alphabet)]
            np.testing.assert_allclose(row, 2.0 ** (np.array(weights) - log2_prefix[text[:t]]), rtol=1e-9)
            assert ((row > 0) == (np.array(weights) > -np.inf)).all()


@settings(deadline=None, max_examples=60)
@given(grammars())
def test_what_is_no_prefix_is_refused_by_name(language):
    alphabet = "".join(language.vocabulary.symbols[1:])
    corpus = Corpus.from_strings(all_strings(alphabet, 3), language.vocabulary)
    dead = np.flatnonzero(language.prefix_log2_probability(corpus) == -np.inf)
    if len(dead) == 0:
        language.next_symbols(corpus)
        return
    text = corpus.text(dead[0])
    prefixes = Corpus.from_strings([text[:t] for t in range(len(text) + 1)], language.vocabulary)
    position = int(np.argmin(language.prefix_log2_probability(prefixes) > -np.inf))
    with pytest.raises(InputError, match=rf"string {dead[0] + 1} is no prefix .* position {position}"):
        language.next_symbols(corpus)


@settings(deadline=None, max_examples=30)
@given(grammars())
def test_answers_do_not_depend_on_the_other_strings(language):
    alphabet = "".join(language.vocabulary.symbols[1:])
    corpus = Corpus.from_strings(all_strings(alphabet, 5), language.vocabulary)
    viable = corpus.select(language.prefix_log2_probability(corpus) > -np.inf)
    together = language.next_symbols(viable)
    for string in range(0, len(viable), 7):
        alone = language.next_symbols(viable.select([string]))
        first = viable.offsets[string] + string
        among = together.situations[first : first + viable.lengths[string] + 1]
        assert (alone.probabilities[alone.situations] == together.probabilities[among]).all()


def test_what_falls_below_floats_stays_possible():
    language = PCFG.from_text('S -> A "c" [1/2] | B "d" [1/2]  A -> "a" A [0.9] | [0.1]  B -> "a" B [1/100] | [99/100]')
    long = Corpus.from_strings(["a" * 3000 + "d"], language.vocabulary)
    answers = language.next_symbols(long)
    before_d, last = answers.probabilities[answers.situations[-2:]]
    assert language.vocabulary.symbols == ("#", "c", "d", "a")
    np.testing.assert_allclose(before_d, [0, 0.1, 2.2250738585072014e-308, 0.9], rtol=1e-12)
    assert list(last) == [1, 0, 0, 0]
    expected = np.log2(0.5) + 3000 * np.log2(0.01) + np.log2(0.99)
    np.testing.assert_allclose(language.string_log2_probability(long), expected, rtol=1e-14)


def test_a_tiny_probability_is_exact():
    language = PCFG.from_text('S -> A [1e-30] | "b" S [0.5] | "c" [0.5]  A -> B [1e-30] | "d" [1]  B -> "a" [1]')
    corpus = Corpus.from_strings(["a", "d", "ba"], language.vocabulary)
    np.testing.assert_allclose(2.0 ** language.string_log2_probability(corpus), [1e-60, 1e-30, 5e-61], rtol=1e-12)


def test_a_critical_grammar_is_exact():
    """Catalan numbers: n letters have C(n - 1) derivations of probability 2^-(2n - 1)."""
    language = PCFG.from_text('S -> S S [0.5] | "a" [0.5]')
    corpus = Corpus.from_strings(["a", "aa", "aaa", "aaaa"], language.vocabulary)
    expected = [1 / 2, 1 / 8, 2 / 32, 5 / 128]
    np.testing.assert_allclose(2.0 ** language.string_log2_probability(corpus), expected, rtol=1e-14)
    rest = 1 - np.cumsum([0, *expected[:-1]])
    np.testing.assert_allclose(2.0 ** language.prefix_log2_probability(corpus), rest, rtol=1e-14)


def test_a_class_that_no_rule_writes_never_comes():
    from wug.sequences import Vocabulary

    vocabulary = Vocabulary(("<", "b", "a", ">", "c"), start=0, end=3)
    language = PCFG.from_text('S -> "a" S [0.25] | "b" [0.75]', vocabulary=vocabulary)
    answers = language.next_symbols(Corpus.from_strings(["ab"], vocabulary))
    np.testing.assert_allclose(answers.probabilities, [[0, 0.75, 0.25, 0, 0], [0, 0, 0, 1, 0]])
    assert answers.situations.tolist() == [0, 0, 1]
    assert language.contains(Corpus.from_strings(["ab", "ac", "a", ""], vocabulary)).tolist() == [
        True,
        False,
        False,
        False,
    ]
    with pytest.raises(InputError, match="string 1 is no prefix"):
        language.next_symbols(Corpus.from_strings(["ac"], vocabulary))


def test_other_vocabularies_are_refused():
    language = PCFG.from_text('S -> "a" [1]')
    other = Corpus.from_strings(["a"], PCFG.from_text('S -> "b" "a" [1]').vocabulary)
    for question in (language.next_symbols, language.contains, language.prefix_log2_probability):
        with pytest.raises(InputError, match="does not suit grammar"):
            question(other)


def test_no_strings():
    language = PCFG.from_text('S -> "a" [1]')
    empty = Corpus.from_strings([], language.vocabulary)
    answers = language.next_symbols(empty)
    assert (answers.situations.shape, answers.probabilities.shape) == ((0,), (0, 2))
    assert language.contains(empty).shape == (0,)
