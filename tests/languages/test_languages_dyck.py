import hashlib
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wug.errors import InputError
from wug.languages.dyck import DyckLanguage
from wug.languages.protocol import Language
from wug.sequences import Corpus

PARTNER = {"(": ")", "[": "]", "{": "}", "<": ">"}
GOLDEN = Path(__file__).parents[2] / "../shared/data/index_b/golden_nets.json"


def is_balanced(text: str) -> bool:
    """The independent definition: pairs can be struck out until nothing is left."""
    while (shorter := text.replace("()", "").replace("[]", "").replace("{}", "").replace("<>", "")) != text:
        text = shorter
    return not text


def all_strings(alphabet: str, length: int) -> list[str]:
    return ["".join(symbols) for n in range(length + 1) for symbols in itertools.product(alphabet, repeat=n)]


def corpus(language: DyckLanguage, strings: list[str]) -> Corpus:
    return Corpus.from_strings(strings, language.vocabulary)


def all_of_length(language: DyckLanguage, length: int) -> Iterator[Corpus]:
    """Every string of one length over four symbols, in portions that differ in their first symbols."""
    tail = min(length, 10)
    numbers = np.arange(4**tail)
    endings = np.stack([(numbers >> 2 * t) % 4 + 1 for t in range(tail)], axis=1)
    for beginning in itertools.product(range(1, 5), repeat=length - tail):
        tokens = np.empty((len(numbers), length), dtype=np.uint8)
        tokens[:, : length - tail], tokens[:, length - tail :] = beginning, endings
        yield Corpus(tokens.ravel(), np.arange(len(numbers) + 1) * length, language.vocabulary)


def sha256(strings: Corpus) -> str:
    """The hash that the golden values use: of strings wrapped in the boundary, joined by newlines."""
    return hashlib.sha256("\n".join(f"#{text}#" for text in strings.texts()).encode()).hexdigest()


@pytest.fixture(scope="module")
def golden():
    if not GOLDEN.exists():
        pytest.skip("needs ../shared/data/index_b/golden_nets.json beside the checkout")
    return json.loads(GOLDEN.read_text())["golden_values"]


def test_it_is_a_language():
    assert isinstance(DyckLanguage(2), Language)
    assert DyckLanguage(2).name == "Dyck-2"
    assert DyckLanguage(2).vocabulary.symbols == ("#", "(", ")", "[", "]")
    assert DyckLanguage(5).vocabulary.symbols[-2:] == ("(5", ")5")


@pytest.mark.parametrize(("k", "length"), [(1, 12), (2, 8), (3, 6)])
def test_membership_count_and_list_of_all_short_strings(k, length):
    language = DyckLanguage(k)
    alphabet = "".join(language.vocabulary.symbols[1:])
    strings = all_strings(alphabet, length)
    balanced = [is_balanced(text) for text in strings]
    assert language.contains(corpus(language, strings)).tolist() == balanced
    members = sorted(
        (text for text, member in zip(strings, balanced, strict=True) if member), key=lambda t: (len(t), t)
    )
    assert Counter(map(len, members)) == {n: language.count(n) for n in range(0, length + 1, 2)}
    assert [language.count(n) for n in (-2, 1, 3)] == [0, 0, 0]
    assert list(language.first_strings(len(members)).texts()) == members
    for n in range(0, length + 1, 2):
        assert language.last_string(n).text(0) == max(text for text in members if len(text) == n)


def test_membership_of_dyck_2_among_all_strings_of_length_12():
    language = DyckLanguage(2)
    listed = language.first_strings(sum(language.count(n) for n in range(13)))
    longest = listed.select(listed.lengths == 12)
    assert language.contains(longest).all()
    texts = set(longest.texts())
    assert all(map(is_balanced, texts))
    # The independent definition has Catalan(6) 2^6 members (OEIS A151374), the ones listed: there are no others.
    assert len(texts) == 132 * 64
    assert sum(int(language.contains(strings).sum()) for strings in all_of_length(language, 12)) == 132 * 64


@pytest.mark.parametrize(("k", "length"), [(1, 6), (2, 4)])
def test_next_symbols_are_those_that_lead_to_a_member(k, length):
    language = DyckLanguage(k)
    alphabet = "".join(language.vocabulary.symbols[1:])
    members = {text for text in all_strings(alphabet, 2 * length) if len(text) % 2 == 0 and is_balanced(text)}
    prefixes = sorted({text[:n] for text in members for n in range(length + 1)})
    answers = language.next_symbols(corpus(language, prefixes))
    place = -1
    for prefix in prefixes:
        place += len(prefix) + 1
        # Every prefix of up to n symbols has a completion of up to 2n symbols, but for an opening at the very end.
        possible = {text[len(prefix)] for text in members if text.startswith(prefix) and len(text) > len(prefix)}
        possible |= set(alphabet[::2]) | ({"#"} if prefix in members else set())
        distribution = answers.probabilities[answers.situations[place]]
        assert {language.vocabulary.symbols[c] for c in np.flatnonzero(distribution)} == possible
        assert distribution.sum() == pytest.approx(1)
        assert distribution[1::2] == pytest.approx(0.3 / k)


def test_worked_masks_of_the_paper():
    language = DyckLanguage(1)
    answers = language.next_symbols(corpus(language, ["(())()"]))
    rows = ["".join(map(str, answers.valid[situation].astype(int))) for situation in answers.situations]
    assert rows == ["110", "011", "011", "011", "110", "011", "110"]


@pytest.mark.parametrize(("text", "position"), [(")", 1), ("([)", 3), ("()]", 3)])
def test_a_string_that_is_no_prefix_is_named(text, position):
    language = DyckLanguage(2)
    with pytest.raises(InputError, match=f"string 2 is no prefix of a string of Dyck-2: see position {position}"):
        language.next_symbols(corpus(language, ["((", text]))


@pytest.mark.golden
@pytest.mark.parametrize(("k", "bits", "per_symbol"), [(1, 2.203227, 0.881291), (2, 2.953227, 1.181291)])
def test_optimal_cross_entropy(k, bits, per_symbol):
    language = DyckLanguage(k)
    assert language.entropy_bits == pytest.approx(bits, abs=1e-6)
    assert language.expected_symbols == pytest.approx(2.5)
    assert language.entropy_bits / language.expected_symbols == pytest.approx(per_symbol, abs=1e-6)


def test_bits_of_a_string_are_those_of_its_pairs():
    language = DyckLanguage(2)
    strings = language.first_strings(500)
    bits = bits_of_strings(language, strings)
    n_pairs = strings.lengths // 2
    assert bits == pytest.approx(n_pairs * (1 - math.log2(0.3)) - (n_pairs + 1) * math.log2(0.7))


def bits_of_strings(language, strings: Corpus):
    """Add up the bits of the symbols that come, from the exact distributions."""
    answers = language.next_symbols(strings)
    ends = np.cumsum(strings.lengths + 1)
    targets = np.insert(strings.tokens, strings.offsets[1:], language.vocabulary.end)
    bits = -np.log2(answers.probabilities[answers.situations, targets])
    return np.array([part.sum() for part in np.split(bits, ends[:-1])])


def test_expectations_are_infinite_from_one_half_on():
    language = DyckLanguage(1, open_probability=0.5)
    assert language.entropy_bits == math.inf
    assert language.expected_symbols == math.inf
    with pytest.raises(InputError, match=r"below 0\.5"):
        language.sample(1, rng=np.random.default_rng(1))


def test_sampled_frequencies_follow_the_exact_probabilities():
    language = DyckLanguage(2)
    size = 200_000
    drawn, multiplicities = language.sample(size, rng=np.random.default_rng(1)).unique()
    listed = language.first_strings(sum(language.count(n) for n in range(9)))
    exact = 2 ** -bits_of_strings(language, listed)
    counts = dict(zip(drawn.texts(), multiplicities.tolist(), strict=True))
    observed = [counts.get(text, 0) for text in listed.texts()]
    observed.append(size - sum(observed))
    expected = np.append(exact, 1 - exact.sum()) * size
    assert stats.chisquare(observed, expected).pvalue > 0.001


@pytest.mark.parametrize(("k", "length"), [(1, 10), (2, 6), (3, 4), (2, 0)])
def test_uniform_draws_are_equally_likely(k, length):
    language = DyckLanguage(k)
    size = 100 * language.count(length)
    drawn, multiplicities = language.uniform(length, size, rng=np.random.default_rng(1)).unique()
    assert language.contains(drawn).all()
    assert set(drawn.lengths.tolist()) == {length}
    assert len(drawn) == language.count(length)
    assert len(drawn) == 1 or stats.chisquare(multiplicities).pvalue > 0.001


def test_uniform_draws_may_be_long():
    language = DyckLanguage(3)
    drawn = language.uniform(10_000, 3, rng=np.random.default_rng(1))
    assert language.contains(drawn).all()
    with pytest.raises(InputError, match="must be even"):
        language.uniform(7, 1, rng=np.random.default_rng(1))


def test_deep_samples_need_no_recursion():
    language = DyckLanguage(1, open_probability=0.4999)
    drawn = language.sample(500, rng=np.random.default_rng(3))
    assert language.contains(drawn).all()
    assert drawn.lengths.max() > 10_000


def test_samples_of_the_same_seed_are_equal_and_begin_alike():
    language = DyckLanguage(2)
    short, long = (language.sample(size, rng=np.random.default_rng(5)) for size in (100, 1000))
    assert long.select(slice(100)).sha256() == short.sha256()


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 5), st.integers(0, 300), st.integers(1, 60))
def test_a_list_goes_on_behind_any_of_its_strings(k, place, size):
    language = DyckLanguage(k)
    whole = list(language.first_strings(place + 1 + size).texts())
    after = Corpus.from_strings([whole[place]], language.vocabulary)
    assert list(language.first_strings(size, after=after).texts()) == whole[place + 1 :]


def test_four_pairs_are_ordered_as_text():
    texts = list(DyckLanguage(4).first_strings(5).texts())
    assert texts == ["", "()", "<>", "[]", "{}"]


def test_five_pairs_are_numbered():
    language = DyckLanguage(5)
    assert list(language.first_strings(4).texts()) == ["", "(1 )1", "(2 )2", "(3 )3"]
    assert language.contains(Corpus.from_strings(["(1 (5 )5 )1", "(1 (5 )1 )5"], language.vocabulary)).tolist() == [
        1,
        0,
    ]


def test_lists_of_long_strings_start_anywhere():
    language = DyckLanguage(2)
    start = "[([()])([])[[([]())()][([()[]])]]][[()]]"
    listed = language.first_strings(10_000, after=corpus(language, [start]))
    texts = list(listed.texts())
    assert texts[0] > start
    assert all(one < other for one, other in itertools.pairwise(texts))
    assert set(listed.lengths.tolist()) == {40}
    assert language.contains(listed).all()


@pytest.mark.golden
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("training_size", [1000, 500, 250, 100])
def test_exhaustive_lists(golden, k, training_size):
    language = DyckLanguage(k)
    size = 10**6 // training_size
    for rule, expected in golden["dyck_exhaustive_test_sets"][f"dyck_{k}"][str(training_size)].items():
        if rule == "after":
            # The golden list starts behind the largest training string, which is the one before its first string.
            listed = [expected["first"].strip("#")]
            first = corpus(language, listed)
            strings = Corpus.concatenate([first, language.first_strings(size - 1, after=first)])
        else:
            longest = len(expected["first"]) - 4
            strings = language.first_strings(size, after=language.last_string(longest))
        assert f"#{strings.text(0)}#" == expected["first"]
        assert f"#{strings.text(size - 1)}#" == expected["last"]
        assert sha256(strings) == expected["sha256_of_newline_joined_strings"]


@pytest.mark.golden
@pytest.mark.parametrize("k", [1, 2])
def test_published_lists(golden, k):
    expected = golden["published_test_files"][f"dyck_{k}"]
    strings = DyckLanguage(k).bounded_derivations(expected["strings"])
    assert sha256(strings) == expected["sha256_of_newline_joined_strings"]
    assert strings.lengths.max() == expected["longest"]


def test_bounded_derivations_of_a_small_size():
    # S(2) holds () and the empty string, S(3) first (())() and (()).
    assert list(DyckLanguage(1).bounded_derivations(4).texts()) == ["", "()", "(())", "(())()"]
    assert len(DyckLanguage(1).bounded_derivations(0)) == 0


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: DyckLanguage(0), "at least one pair"),
        (lambda: DyckLanguage(1, open_probability=1.0), "open_probability must be between 0 and 1"),
        (lambda: DyckLanguage(1).first_strings(-1), "must be at least 0"),
        (lambda: DyckLanguage(1).first_strings(1, after=corpus(DyckLanguage(1), ["(("])), "is not in Dyck-1"),
        (
            lambda: DyckLanguage(1).first_strings(1, after=corpus(DyckLanguage(1), ["()", ""])),
            "after one string, not 2",
        ),
        (lambda: DyckLanguage(1).contains(corpus(DyckLanguage(2), ["()"])), "does not suit Dyck-1"),
        (lambda: DyckLanguage(1).last_string(3), "must be even"),
    ],
)
def test_wrong_requests_are_explained(action, message):
    with pytest.raises(InputError, match=message):
        action()
