import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wug.errors import InputError
from wug.languages.counting import CountingLanguage
from wug.languages.protocol import Language
from wug.sequences import Corpus, Vocabulary

# Each language again, as plain Python: how many parameters it has and the string for their values.
DEFINITIONS = {
    "a^n b^n": (1, lambda n: "a" * n + "b" * n),
    "a^n b^n c^n": (1, lambda n: "a" * n + "b" * n + "c" * n),
    "a^n b^n c^n d^n": (1, lambda n: "a" * n + "b" * n + "c" * n + "d" * n),
    "a^n b^m c^(n+m)": (2, lambda n, m: "a" * n + "b" * m + "c" * (n + m)),
    "a^n b^(2n)": (1, lambda n: "a" * n + "b" * 2 * n),
    "a^(2n) b^n": (1, lambda n: "a" * 2 * n + "b" * n),
    "a^n b^m a^n b^m": (2, lambda n, m: ("a" * n + "b" * m) * 2),
    "a b^n": (1, lambda n: "a" + "b" * n),
    "a^(2n+1) b^n": (1, lambda n: "a" * (2 * n + 1) + "b" * n),
    "a^n b^(n+3m+2) a^m": (2, lambda n, m: "a" * n + "b" * (n + 3 * m + 2) + "a" * m),
    "a^2 b": (0, lambda: "aab"),
}
NOTATIONS = list(DEFINITIONS)


def members_up_to(notation: str, largest: int) -> dict[str, tuple[int, ...]]:
    """All strings whose parameters are at most ``largest``, with these parameters."""
    n_parameters, write = DEFINITIONS[notation]
    return {write(*values): values for values in itertools.product(range(1, largest + 1), repeat=n_parameters)}


def all_strings(alphabet: str, length: int) -> list[str]:
    return ["".join(symbols) for n in range(length + 1) for symbols in itertools.product(alphabet, repeat=n)]


def all_of_length(language: CountingLanguage, length: int) -> Iterator[Corpus]:
    """Every string of one length over four symbols, in portions that differ in their first symbols."""
    tail = min(length, 10)
    numbers = np.arange(4**tail)
    endings = np.stack([(numbers >> 2 * t) % 4 + 1 for t in range(tail)], axis=1)
    for beginning in itertools.product(range(1, 5), repeat=length - tail):
        tokens = np.empty((len(numbers), length), dtype=np.uint8)
        tokens[:, : length - tail], tokens[:, length - tail :] = beginning, endings
        yield Corpus(tokens.ravel(), np.arange(len(numbers) + 1) * length, language.vocabulary)


def corpus(language: CountingLanguage, strings: list[str]) -> Corpus:
    return Corpus.from_strings(strings, language.vocabulary)


def bits_of_strings(language, strings: Corpus):
    """Add up the bits of the symbols that come, from the exact distributions."""
    answers = language.next_symbols(strings)
    targets = np.insert(strings.tokens, strings.offsets[1:], language.vocabulary.end)
    bits = -np.log2(answers.probabilities[answers.situations, targets])
    return np.array([part.sum() for part in np.split(bits, np.cumsum(strings.lengths + 1)[:-1])])


def test_it_is_a_language():
    language = CountingLanguage("a^n b^n")
    assert isinstance(language, Language)
    assert language.name == "a^n b^n"
    assert language.vocabulary == Vocabulary(("#", "a", "b"))
    assert CountingLanguage("b^n a^n b").vocabulary.symbols == ("#", "b", "a")


@pytest.mark.parametrize("notation", NOTATIONS)
def test_all_strings_up_to_length_12(notation):
    language = CountingLanguage(notation)
    alphabet = "".join(language.vocabulary.symbols[1:])
    length = {2: 12, 3: 12, 4: 8}[len(alphabet)]
    strings = all_strings(alphabet, length)
    members = members_up_to(notation, 12)
    expected = [text in members for text in strings]
    whole = corpus(language, strings)
    assert language.contains(whole).tolist() == expected
    short = {text: values for text, values in members.items() if len(text) <= length}
    assert Counter(map(len, short)) == {n: language.count(n) for n in range(-1, length + 1) if language.count(n)}
    in_order = sorted(short, key=lambda text: (len(text), short[text]))
    assert list(language.first_strings(len(short)).texts()) == in_order
    found = whole.select(np.array(expected))
    assert list(map(tuple, language.parameters_of(found).tolist())) == [short[text] for text in found.texts()]


def test_four_symbols_from_length_9_to_12():
    language = CountingLanguage("a^n b^n c^n d^n")
    found = []
    for length in range(9, 13):
        for strings in all_of_length(language, length):
            found += strings.select(language.contains(strings)).texts()
    assert found == ["aaabbbcccddd"]
    assert [language.count(length) for length in range(9, 13)] == [0, 0, 0, 1]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_next_symbols_against_all_continuations(notation):
    language = CountingLanguage(notation)
    longest = 12
    # Values up to 45 leave out strings with a probability of less than 0.7 ** 45 * 2 = 2e-7.
    following: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for text, values in members_up_to(notation, 45).items():
        probability = math.prod(0.3 * 0.7 ** (value - 1) for value in values)
        for position in range(min(len(text), longest) + 1):
            following[text[:position]][(text + "#")[position]] += probability
    prefixes = [prefix for prefix in following if len(prefix) <= longest]
    answers = language.next_symbols(corpus(language, prefixes))
    ends = np.cumsum([len(prefix) + 1 for prefix in prefixes]) - 1
    for prefix, place in zip(prefixes, ends, strict=True):
        total = sum(following[prefix].values())
        distribution = answers.probabilities[answers.situations[place]]
        expected = [following[prefix].get(symbol, 0) / total for symbol in language.vocabulary.symbols]
        assert (distribution > 0).tolist() == (np.array(expected) > 0).tolist(), prefix
        assert distribution == pytest.approx(expected, abs=1e-3), prefix
        assert answers.determined[answers.situations[place]] == (len(following[prefix]) == 1)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_strings_that_are_no_prefix_are_named(notation):
    language = CountingLanguage(notation)
    alphabet = "".join(language.vocabulary.symbols[1:])
    prefixes = {text[:n] for text in members_up_to(notation, 12) for n in range(len(text) + 1)}
    for text in all_strings(alphabet, 6 if len(alphabet) < 4 else 4):
        if text in prefixes:
            assert len(language.next_symbols(corpus(language, [text])).situations) == len(text) + 1
            continue
        position = next(n for n in range(1, len(text) + 1) if text[:n] not in prefixes)
        message = re.escape(f"string 2 is no prefix of a string of {notation}: see position {position}")
        with pytest.raises(InputError, match=message + "$"):
            language.next_symbols(corpus(language, ["", text]))


def test_worked_mask_of_the_paper():
    language = CountingLanguage("a^n b^n")
    answers = language.next_symbols(corpus(language, ["aaabbb"]))
    # The first step is determined too; the paper's mask leaves it out.
    assert answers.determined[answers.situations].astype(int).tolist() == [1, 0, 0, 0, 1, 1, 1]
    assert answers.situations.dtype == np.uint8


def test_an_even_number_of_symbols_must_be_completed():
    language = CountingLanguage("a^(2n) b^n")
    answers = language.next_symbols(corpus(language, ["aaaab"]))
    assert answers.determined[answers.situations].astype(int).tolist() == [1, 1, 0, 1, 0, 1]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("notation", "bits", "symbols", "per_symbol"),
    [
        ("a^n b^n", 2.937636, 7.6667, 0.383170),
        ("a^n b^n c^n", 2.937636, 11, 0.267058),
        ("a^n b^n c^n d^n", 2.937636, 14.3333, 0.204951),
        ("a^n b^m c^(n+m)", 5.875273, 14.3333, 0.409903),
    ],
)
def test_optimal_cross_entropy(notation, bits, symbols, per_symbol):
    language = CountingLanguage(notation)
    assert language.entropy_bits == pytest.approx(bits, abs=1e-6)
    assert language.expected_symbols == pytest.approx(symbols, abs=1e-4)
    assert language.entropy_bits / language.expected_symbols == pytest.approx(per_symbol, abs=1e-6)


@pytest.mark.golden
@pytest.mark.parametrize("notation", ["a^n b^n", "a^n b^n c^n", "a^n b^n c^n d^n"])
def test_bits_of_the_first_thousand_strings(notation):
    language = CountingLanguage(notation)
    assert bits_of_strings(language, language.first_strings(1000)).sum() == pytest.approx(258766.265, abs=1e-3)


@pytest.mark.golden
@pytest.mark.parametrize(
    ("size", "bits", "symbols", "distinct"), [(100, 285.358938, 1051, 13), (1000, 2952.902002, 11089, 19)]
)
def test_bits_of_the_published_training_samples(size, bits, symbols, distinct):
    language = CountingLanguage("a^n b^n c^n")
    values = np.random.RandomState(100).geometric(p=0.3, size=size)
    strings = language.strings(values[:, None])
    assert bits_of_strings(language, strings).sum() == pytest.approx(bits, abs=1e-6)
    assert strings.n_symbols + len(strings) == symbols
    assert len(strings.unique()[0]) == distinct


@pytest.mark.golden
def test_sizes_of_the_published_test_lists():
    an_bn = CountingLanguage("a^n b^n")
    last_seen = an_bn.strings([[24]])
    listed = an_bn.first_strings(1000, after=last_seen)
    assert an_bn.parameters_of(listed)[[0, -1]].tolist() == [[25], [1024]]
    assert listed.n_symbols + len(listed) == 1_050_000
    addition = CountingLanguage("a^n b^m c^(n+m)")
    listed = addition.first_strings(10_000, after=addition.strings([[9, 20]]))
    assert addition.parameters_of(listed)[[0, -1]].tolist() == [[10, 19], [91, 54]]
    assert listed.n_symbols + len(listed) == 2_011_812


@pytest.mark.parametrize("notation", ["a^n b^n", "a^n b^m c^(n+m)", "a^(2n+1) b^n"])
def test_sampled_frequencies_follow_the_exact_probabilities(notation):
    language = CountingLanguage(notation)
    size = 100_000
    drawn, multiplicities = language.sample(size, rng=np.random.default_rng(1)).unique()
    expected = size * 2 ** -bits_of_strings(language, drawn)
    frequent = expected > 20
    observed = np.append(multiplicities[frequent], multiplicities[~frequent].sum())
    expected = np.append(expected[frequent], size - expected[frequent].sum())
    assert stats.chisquare(observed, expected).pvalue > 0.001


def test_samples_of_the_same_seed_are_equal_and_begin_alike():
    language = CountingLanguage("a^n b^m c^(n+m)")
    short, long = (language.sample(size, rng=np.random.default_rng(5)) for size in (100, 1000))
    assert long.select(slice(100)).sha256() == short.sha256()


@settings(deadline=None, max_examples=60)
@given(st.sampled_from([n for n in NOTATIONS if n != "a^2 b"]), st.integers(0, 200), st.integers(0, 50))
def test_a_list_goes_on_behind_any_of_its_strings(notation, place, size):
    language = CountingLanguage(notation)
    whole = language.first_strings(place + 1 + size)
    rest = language.first_strings(size, after=whole.select([place]))
    assert list(rest.texts()) == list(whole.texts())[place + 1 :]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_parameters_come_back_from_any_language(data):
    names = data.draw(st.lists(st.sampled_from("nmk"), min_size=1, max_size=6))
    blocks = []
    for place, name in enumerate(names):
        terms = [f"{data.draw(st.integers(1, 4))}{name}"]
        terms += [data.draw(st.sampled_from([*names[:place], "1", "3"]))] if data.draw(st.booleans()) else []
        blocks.append(f"{'abc'[place % 3]}^({'+'.join(terms)})")
    language = CountingLanguage(" ".join(blocks))
    shape = (5, len(language.parameters))
    values = np.array(data.draw(st.lists(st.integers(1, 9), min_size=math.prod(shape), max_size=math.prod(shape))))
    strings = language.strings(values.reshape(shape))
    assert language.contains(strings).all()
    assert language.parameters_of(strings).tolist() == values.reshape(shape).tolist()
    assert CountingLanguage(language.name).name == language.name
    bits = bits_of_strings(language, strings)
    assert bits == pytest.approx((values.reshape(shape) - 1).sum(axis=1) * -math.log2(0.7) - shape[1] * math.log2(0.3))


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: CountingLanguage("a^n b^n", continue_probability=1.0), "continue_probability must be between 0 and 1"),
        (lambda: CountingLanguage("a^n b^n").strings([[0]]), "at least 1, not 0"),
        (lambda: CountingLanguage("a^n b^n").strings([1, 2]), r"shape \(n_strings, 1\), not \(2,\)"),
        (lambda: CountingLanguage("a^n b^n").first_strings(-1), "must be at least 0"),
        (lambda: CountingLanguage("a^2 b").first_strings(2), "only 1 string from there on, not 2"),
        (lambda: CountingLanguage("a^n").contains(corpus(CountingLanguage("b^n"), ["b"])), "does not suit a\\^n"),
        (
            lambda: CountingLanguage("a^n b^n").parameters_of(corpus(CountingLanguage("a^n b^n"), ["ab", "b"])),
            "string 2 is not in",
        ),
        (
            lambda: CountingLanguage("a^n b^n").first_strings(1, after=corpus(CountingLanguage("a^n b^n"), ["b"])),
            "cannot start after 'b'",
        ),
    ],
)
def test_wrong_requests_are_explained(action, message):
    with pytest.raises(InputError, match=message):
        action()
