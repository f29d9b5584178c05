"""The grammars of BLISS (Lan, Chemla, Katzir 2023) against closed forms, published files and other implementations."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from wug.languages.counting import CountingLanguage
from wug.languages.dyck import DyckLanguage
from wug.languages.pcfg import PCFG
from wug.languages.protocol import Language
from wug.sequences import Corpus

GRAMMARS = {
    "an_bn": 'S -> "a" X "b" [1]\nX -> "a" X "b" [0.7] | [0.3]',
    "an_bm_c_n_plus_m": """
        S -> "a" X "c" [1]
        X -> "a" X "c" [0.7] | Y [0.3]
        Y -> "b" Z "c" [1]
        Z -> "b" Z "c" [0.7] | [0.3]
    """,
    "dyck_1": 'S -> "(" S ")" S [0.3] | [0.7]',
    "dyck_2": 'S -> "(" S ")" S [0.15] | "[" S "]" S [0.15] | [0.7]',
}
PEERS = {
    "an_bn": CountingLanguage("a^n b^n"),
    "an_bm_c_n_plus_m": CountingLanguage("a^n b^m c^(n+m)"),
    "dyck_1": DyckLanguage(1),
    "dyck_2": DyckLanguage(2),
}
ENTROPY = 0.881290899230692  # of a choice between 0.3 and 0.7
NAMES = list(GRAMMARS)


def language(name: str) -> PCFG:
    return PCFG.from_text(GRAMMARS[name], name=name, vocabulary=PEERS[name].vocabulary)


@pytest.fixture(scope="module")
def golden():
    path = Path(__file__).parents[3] / "../shared/data/index_b/golden_nets.json"
    if not path.exists():
        pytest.skip("the folder shared with the published figures is not beside the checkout")
    return json.loads(path.read_text())["golden_values"]


def sha256(corpus: Corpus) -> str:
    return hashlib.sha256("\n".join(f"#{text}#" for text in corpus.texts()).encode()).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_language(name):
    assert isinstance(language(name), Language)


@pytest.mark.parametrize(
    ("name", "bits", "symbols"),
    [
        ("an_bn", ENTROPY / 0.3, 2 / 0.3 + 1),
        ("an_bm_c_n_plus_m", 2 * ENTROPY / 0.3, 4 / 0.3 + 1),
        ("dyck_1", ENTROPY / 0.4, 2.5),
        ("dyck_2", (ENTROPY + 0.3) / 0.4, 2.5),
    ],
)
def test_closed_forms(name, bits, symbols):
    assert language(name).entropy_bits == pytest.approx(bits, rel=1e-12)
    assert language(name).expected_symbols == pytest.approx(symbols, rel=1e-12)


def test_bits_of_strings():
    bits_more, bits_end = -np.log2(0.7), -np.log2(0.3)
    anbn, addition, dyck_1, dyck_2 = map(language, NAMES)
    for n in (1, 2, 30, 700):
        corpus = Corpus.from_strings(["a" * n + "b" * n], anbn.vocabulary)
        assert -anbn.string_log2_probability(corpus)[0] == pytest.approx((n - 1) * bits_more + bits_end, rel=1e-13)
        corpus = Corpus.from_strings(["a" * n + "b" * 3 + "c" * (n + 3)], addition.vocabulary)
        assert -addition.string_log2_probability(corpus)[0] == pytest.approx((n + 1) * bits_more + 2 * bits_end)
        for text in ("()" * n, "(" * n + ")" * n):
            bits = n * bits_end + (n + 1) * bits_more
            corpus = Corpus.from_strings([text], dyck_1.vocabulary)
            assert -dyck_1.string_log2_probability(corpus)[0] == pytest.approx(bits, rel=1e-13)
            corpus = Corpus.from_strings([text.replace("(", "[").replace(")", "]")], dyck_2.vocabulary)
            assert -dyck_2.string_log2_probability(corpus)[0] == pytest.approx(bits + n, rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_next_symbols_agree_with_the_other_implementation(name):
    mine, peer = language(name), PEERS[name]
    corpus = Corpus.concatenate([peer.sample(300, rng=np.random.default_rng(1)), peer.first_strings(200)])
    answers, expected = mine.next_symbols(corpus), peer.next_symbols(corpus)
    probabilities = expected.probabilities[expected.situations]
    np.testing.assert_allclose(answers.probabilities[answers.situations], probabilities, rtol=1e-12)
    assert (answers.valid[answers.situations] == (probabilities > 0)).all()
    assert (answers.determined[answers.situations] == expected.determined[expected.situations]).all()
    assert mine.contains(corpus).all()


def test_a_long_string_of_dyck_1():
    mine, peer = language("dyck_1"), PEERS["dyck_1"]
    half = 1000
    texts = ["()" * half, "(" * half + ")" * half, "(()" * (half // 2) + ")" * (half // 2)]
    corpus = Corpus.from_strings(texts, mine.vocabulary)
    answers, expected = mine.next_symbols(corpus), peer.next_symbols(corpus)
    np.testing.assert_allclose(
        answers.probabilities[answers.situations], expected.probabilities[expected.situations], rtol=1e-11
    )


@pytest.mark.parametrize("name", NAMES)
def test_counts_and_order_agree_with_the_other_implementation(name):
    mine, peer = language(name), PEERS[name]
    lengths = range(0, 40, 2) if name.startswith("dyck") else range(40)
    assert [mine.count(length) for length in lengths] == [peer.count(length) for length in lengths]
    if name in ("an_bn", "dyck_1"):  # where the peer's order is that of the classes
        assert list(mine.first_strings(60).texts()) == list(peer.first_strings(60).texts())


@pytest.mark.golden
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", ["100", "250", "500", "1000"])
def test_published_training_samples(name, size, golden):
    """The original draws with NumPy's legacy generator and seed 100, then sorts by length."""
    rng = np.random.Generator(np.random.RandomState(100)._bit_generator)
    drawn = language(name).sample(int(size), rng=rng)
    in_order = drawn.select(np.argsort(drawn.lengths, kind="stable"))
    published = golden["training_sets_p0_3_seed100"][name][size]
    assert sha256(in_order) == published["sha256_of_newline_joined_strings"]


@pytest.mark.golden
@pytest.mark.parametrize("name", ["dyck_1", "dyck_2"])
@pytest.mark.parametrize("size", ["100", "250", "500", "1000"])
def test_complete_lists_behind_the_training_samples(name, size, golden):
    mine = language(name)
    rng = np.random.Generator(np.random.RandomState(100)._bit_generator)
    drawn = mine.sample(int(size), rng=rng)
    longest = [text for text in drawn.texts() if len(text) == drawn.lengths.max()]
    last = Corpus.from_strings([max(longest)], mine.vocabulary)
    listed = mine.first_strings(1_000_000 // int(size), after=last)
    published = golden["dyck_exhaustive_test_sets"][name][size]["after"]
    assert sha256(listed) == published["sha256_of_newline_joined_strings"]


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_the_right_frequencies(name):
    mine = language(name)
    drawn, multiplicities = mine.sample(20_000, rng=np.random.default_rng(7)).unique()
    expected = 20_000 * 2.0 ** mine.string_log2_probability(drawn)
    is_common = expected >= 5
    observed = np.append(multiplicities[is_common], multiplicities[~is_common].sum())
    expected = np.append(expected[is_common], 20_000 - expected[is_common].sum())
    assert stats.chisquare(observed, expected).pvalue > 0.001
