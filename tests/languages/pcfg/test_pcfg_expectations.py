import math

import numpy as np
import pytest
from hypothesis import given, settings
from pcfg_oracle import Oracle, grammars, rules_of
from scipy import stats

from wug.errors import InputError
from wug.languages.pcfg import PCFG
from wug.languages.pcfg.expectations import expected_expansions
from wug.sequences import Corpus

TOY_ENGLISH = """
    S  -> NP VP [1]
    NP -> "dog" [3/4] | "dog" RC [1/4]
    RC -> NP "sees" [1]
    VP -> "sees" NP [0.34] | "sleeps" [0.33] | "says" S [0.33]
"""


def test_by_hand():
    """x, y, z, v: how often S, NP, RC, VP are expanded; x = 1 + 0.33 v, v = x, z = y / 4, y = x + z + 0.34 v."""
    language = PCFG.from_text(TOY_ENGLISH)
    x = 1 / 0.67
    y = 1.34 * x / 0.75
    assert expected_expansions(language.grammar) == pytest.approx([x, y, y / 4, x])
    assert language.expected_symbols == pytest.approx(1 + y + y / 4 + x)
    choice = -sum(p * math.log2(p) for p in (0.34, 0.33, 0.33))
    assert language.derivation_entropy_bits == pytest.approx(x * choice + y * (2 - 0.75 * math.log2(3)))
    assert language.entropy_bits == language.derivation_entropy_bits


@settings(deadline=None, max_examples=40)
@given(grammars(recursive=False))
def test_finite_languages_by_summing_up(language):
    """Length and, if unambiguous, entropy over all strings of languages with few; none is longer than 3 * 3 * 3."""
    strings = language.first_strings(sum(language.count(length) for length in range(28)))
    log2_probabilities = language.string_log2_probability(strings)
    probabilities = 2.0**log2_probabilities
    assert probabilities.sum() == pytest.approx(1)
    assert language.expected_symbols == pytest.approx((probabilities * (strings.lengths + 1)).sum())
    entropy = -(probabilities * log2_probabilities).sum()
    if language.ambiguity.ambiguity.value == "unambiguous":
        assert language.entropy_bits == pytest.approx(entropy)
    else:
        assert language.derivation_entropy_bits >= entropy * (1 - 1e-12)


def test_nearly_critical_grammars_are_exact():
    """With probability p of two subtrees 1 / (1 - 2p) expansions are expected."""
    language = PCFG.from_text('S -> S S [499999999/1000000000] | "a" [500000001/1000000000]')
    assert expected_expansions(language.grammar) == pytest.approx([5e8], rel=1e-14)
    assert language.expected_symbols == pytest.approx(5e8 * 0.500000001 + 1, rel=1e-14)


def test_critical_grammars_are_infinite():
    growing = PCFG.from_text('S -> S S [1/2] | "a" [1/2]', name="critical")
    assert growing.expected_symbols == math.inf
    assert growing.derivation_entropy_bits == math.inf
    with pytest.raises(InputError, match=r"critical cannot be sampled: the expected length .* is infinite"):
        growing.sample(1, rng=np.random.default_rng(0))
    behind = PCFG.from_text('S -> "b" X [1]  X -> "(" X ")" X [1/2] | Y [1/2]  Y -> [1]')
    assert expected_expansions(behind.grammar).tolist() == [1, math.inf, math.inf]
    assert (behind.expected_symbols, behind.entropy_bits) == (math.inf, math.inf)
    silent = PCFG.from_text("S -> X [1]  X -> X X [1/2] | [1/2]")
    assert silent.expected_symbols == 1


def test_an_ambiguous_grammar_has_no_exact_entropy():
    language = PCFG.from_text('S -> S S [0.3] | "a" [0.7]', name="ambiguous")
    with pytest.raises(InputError, match=r"ambiguous: no exact entropy, since the grammar is ambiguous \('aaa' has 2"):
        _ = language.entropy_bits
    palindromes = PCFG.from_text('S -> "a" S "a" [0.3] | "b" S "b" [0.3] | [0.4]', name="palindromes")
    with pytest.raises(InputError, match=r"palindromes: no exact entropy, .* could not be proved unambiguous"):
        _ = palindromes.entropy_bits
    estimate = palindromes.estimate_entropy_bits(20_000, rng=np.random.default_rng(3))
    assert abs(estimate.bits - palindromes.derivation_entropy_bits) < 4 * estimate.standard_error_bits < 0.1
    with pytest.raises(InputError, match="at least 2 strings, not 1"):
        palindromes.estimate_entropy_bits(1, rng=np.random.default_rng(3))


def test_samples_have_the_right_frequencies():
    language = PCFG.from_text('S -> S S [0.25] | "a" A [0.3] | "b" [0.35] | [0.1]  A -> S [0.5] | "c" [0.5]')
    drawn, multiplicities = language.sample(20_000, rng=np.random.default_rng(11)).unique()
    oracle = Oracle(rules_of(language))
    probabilities = np.array([oracle.string(text) if len(text) <= 2 else 0 for text in drawn.texts()])
    is_known = 20_000 * probabilities >= 5
    observed = np.append(multiplicities[is_known], multiplicities[~is_known].sum())
    expected = 20_000 * np.append(probabilities[is_known], 1 - probabilities[is_known].sum())
    assert is_known.sum() >= 8
    assert stats.chisquare(observed, expected).pvalue > 0.001


def test_samples_are_of_the_generator_alone():
    language = PCFG.from_text(TOY_ENGLISH)
    one, again, other = (language.sample(50, rng=np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert list(one.texts()) == list(again.texts()) != list(other.texts())
    assert language.contains(one).all()
    with pytest.raises(InputError, match="at least 0, not -1"):
        language.sample(-1, rng=np.random.default_rng(0))


def test_deep_derivations():
    """About a million open brackets, nested."""
    language = PCFG.from_text('S -> "(" S ")" [999999/1000000] | [1/1000000]')
    drawn = language.sample(4, rng=np.random.default_rng(2))
    assert drawn.lengths.max() > 1_000_000
    opening = language.vocabulary.classes["("]
    for string in drawn:
        half = len(string) // 2
        assert (string[:half] == opening).all()
        assert (string[half:] != opening).all()


def test_many_words():
    words = [f"w{i}" for i in range(5000)]
    rules = " | ".join(f'"{word}" S [{i + 1}/25005000]' for i, word in enumerate(words))
    language = PCFG.from_text(f"S -> {rules} | [1/2]")
    drawn = language.sample(2000, rng=np.random.default_rng(1))
    assert drawn.tokens.dtype == np.uint16
    assert abs(drawn.n_symbols / 2000 - 1) < 0.15
    answers = language.next_symbols(drawn)
    assert answers.probabilities[:, language.vocabulary.end] == pytest.approx(0.5)
    assert language.next_symbols(Corpus.from_strings([""], language.vocabulary)).probabilities[
        0, 5000
    ] == pytest.approx(5000 / 25005000)
