"""String extension learners against their definitions, and on characteristic samples of published languages."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_samples import class_sample, local_sample, of_words, piecewise_sample

from wug.errors import InputError
from wug.languages.automata import (
    DFA,
    accepts_corpus,
    complement,
    equivalent,
    from_formula,
    lift,
    minimise,
    shortest_rejected,
)
from wug.languages.automata.letters import merge_letters
from wug.languages.subregular import DataSets, LanguageName, RegularLanguage, language_names
from wug.learners.protocols import Classification
from wug.learners.symbolic.signatures import block_sequences, counted_windows, explore_classes
from wug.learners.symbolic.strictly_local import StrictlyLocal, TierStrictlyLocal
from wug.learners.symbolic.strictly_piecewise import StrictlyPiecewise
from wug.learners.symbolic.strings import Strings
from wug.learners.symbolic.subsequences import SubsequenceSearch, SubsequenceSet
from wug.learners.symbolic.testable import (
    LocallyTestable,
    PiecewiseLocallyTestable,
    PiecewiseTestable,
    ThresholdTestable,
)
from wug.learners.symbolic.tiers import learn_tier
from wug.sequences import Corpus, Vocabulary

SHORT = {2: 7, 3: 5}
"""How long strings are that a language is compared on, for each size of alphabet."""


def all_words(n_letters):
    return [word for length in range(SHORT[n_letters] + 1) for word in product(range(n_letters), repeat=length)]


def factors(word, k):
    """The factors of width k between the boundaries; the whole where it is shorter."""
    text = ("<", *word, ">")
    return Counter(text[i : i + k] for i in range(max(1, len(text) - k + 1)))


def local_factors(word, k):
    return set(factors(word, k)) - ({("<",), (">",)} if k == 1 else set())


def subsequences(word, k):
    return {chosen for length in range(k + 1) for chosen in combinations(word, length)}


def block_tuples(word, k, blocks):
    text = ("<", *word, ">")

    def behind(start, more):
        yield ()
        if more:
            for first in range(start, len(text)):
                for end in range(first + 1, min(first + k, len(text)) + 1):
                    for rest in behind(end, more - 1):
                        yield (text[first:end], *rest)

    return frozenset(behind(0, blocks))


def capped(word, k, t):
    return frozenset((factor, min(times, t)) for factor, times in factors(word, k).items())


@st.composite
def samples(draw, longest=5):
    n_letters = draw(st.integers(2, 3))
    word = st.lists(st.integers(0, n_letters - 1), max_size=longest).map(tuple)
    return n_letters, draw(st.lists(word, max_size=8))


def learnt(learner, sample, n_letters, *, label=True):
    """Return which words are accepted, by the model and by its automaton, which must agree."""
    alphabet = "abc"[:n_letters]
    model = learner.fit(of_words(sample, alphabet, label=label), 0)
    words = all_words(n_letters)
    corpus = of_words(words, alphabet).training
    answers = model.classify(corpus) == 1
    assert np.array_equal(answers, accepts_corpus(model.to_dfa(), corpus))
    return dict(zip(words, answers.tolist(), strict=True))


@settings(deadline=None, max_examples=60)
@given(samples(), st.integers(1, 4))
def test_strictly_local_is_the_set_of_factors_seen(sample, k):
    n_letters, words = sample
    grammar = set().union(*(local_factors(word, k) for word in words))
    expected = {word: bool(words) and local_factors(word, k) <= grammar for word in all_words(n_letters)}
    assert learnt(StrictlyLocal(k), words, n_letters) == expected
    outside = learnt(StrictlyLocal(k, complement=True), words, n_letters, label=False)
    assert outside == {word: not inside for word, inside in expected.items()}


@settings(deadline=None, max_examples=60)
@given(samples(), st.integers(1, 3))
def test_strictly_piecewise_is_the_set_of_subsequences_seen(sample, k):
    n_letters, words = sample
    grammar = set().union(*(subsequences(word, k) for word in words))
    expected = {word: bool(words) and subsequences(word, k) <= grammar for word in all_words(n_letters)}
    assert learnt(StrictlyPiecewise(k), words, n_letters) == expected
    outside = learnt(StrictlyPiecewise(k, complement=True), words, n_letters, label=False)
    assert outside == {word: not inside for word, inside in expected.items()}


@settings(deadline=None, max_examples=60)
@given(samples(), st.integers(1, 4))
def test_subsequences_are_found_in_bits_and_by_search(sample, k):
    n_letters, words = sample
    alphabet = tuple("abc"[:n_letters])
    seen = Strings.examples(of_words(words, alphabet), in_language=True)
    asked = Strings.of(of_words(all_words(n_letters), alphabet).training, alphabet)
    by_search = SubsequenceSearch(seen, k).hold_all_of(asked)
    assert np.array_equal(by_search, SubsequenceSet.of(seen, k).hold_all_of(asked))


def test_many_letters_and_a_large_k_make_a_search():
    language = RegularLanguage.named("64.64.SP.6.1.0")
    strings = DataSets(language, seed=1, largest="Small").strings("Train", "Small")
    data = Classification(language.vocabulary, strings.corpus, strings.labels)
    model = StrictlyPiecewise(6).fit(data, 0)
    assert isinstance(model.subsequences, SubsequenceSearch)
    assert np.array_equal(model.classify(strings.corpus) == 1, strings.labels)
    with pytest.raises(InputError, match="of 64 letters there are too many subsequences of 6"):
        model.to_dfa()


@settings(deadline=None, max_examples=40)
@given(samples(), st.integers(1, 3), st.integers(1, 3), st.sampled_from([1, 2]))
def test_testable_classes_are_sets_of_what_was_seen(sample, k, t, blocks):
    n_letters, words = sample
    definitions = [
        (LocallyTestable(k), lambda word: capped(word, k, 1)),
        (ThresholdTestable(k, t), lambda word: capped(word, k, t)),
        (PiecewiseTestable(k), lambda word: subsequences(word, k)),
        (PiecewiseLocallyTestable(k, blocks), lambda word: block_tuples(word, k, blocks)),
    ]
    for learner, shown in definitions:
        model = learner.fit(of_words(words, "abc"[:n_letters]), 0)
        everything = all_words(n_letters)
        answers = model.classify(of_words(everything, "abc"[:n_letters]).training) == 1
        seen = {frozenset(shown(word)) for word in words}
        assert answers.tolist() == [frozenset(shown(word)) in seen for word in everything], learner


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        (counted_windows(2, 1), lambda word: capped(word, 2, 1)),
        (counted_windows(3, 2), lambda word: capped(word, 3, 2)),
        (block_sequences(1, 3, with_ends=False), lambda word: frozenset(subsequences(word, 3))),
        (block_sequences(2, 2, with_ends=True), lambda word: block_tuples(word, 2, 2)),
        (block_sequences(1, 3, with_ends=True), lambda word: block_tuples(word, 1, 3)),
        (block_sequences(3, 3, with_ends=True), lambda word: block_tuples(word, 3, 3)),
    ],
)
def test_signatures_tell_apart_exactly_what_shows_different_things(signature, shown):
    words = all_words(2)
    data = of_words(words, "ab").training
    prints = list(map(bytes, signature(Strings.of(data, ("a", "b")))))
    assert len(set(zip(prints, map(shown, words), strict=True))) == len(set(prints)) == len(set(map(shown, words)))


# Karandikar, Kufleitner and Schnoebelen 2015, "On the index of Simon's congruence for piecewise testability", Table 1
@pytest.mark.parametrize(
    ("k", "n_letters", "index"),
    [(1, 4, 16), (2, 1, 3), (2, 2, 16), (2, 3, 152), (2, 4, 2326), (3, 2, 68), (3, 3, 5312)],
)
def test_simons_congruence_has_the_published_index(k, n_letters, index):
    transitions, signatures = explore_classes(block_sequences(1, k, with_ends=False), tuple("abcd"[:n_letters]))
    assert len(signatures) == len(transitions) == index


def random_language(signature, alphabet, rng):
    """Return the DFA of a random union of classes."""
    transitions, signatures = explore_classes(signature, alphabet)
    return DFA(transitions, rng.random(len(signatures)) < rng.random(), alphabet)


@pytest.mark.parametrize(
    ("learner", "signature", "n_letters"),
    [
        (LocallyTestable(1), counted_windows(1, 1), 3),
        (LocallyTestable(2), counted_windows(2, 1), 3),
        (LocallyTestable(3), counted_windows(3, 1), 2),
        (ThresholdTestable(2, 2), counted_windows(2, 2), 2),
        (ThresholdTestable(2, 3), counted_windows(2, 3), 2),
        (PiecewiseTestable(2), block_sequences(1, 2, with_ends=False), 3),
        (PiecewiseTestable(3), block_sequences(1, 3, with_ends=False), 2),
        (PiecewiseLocallyTestable(2, 2), block_sequences(2, 2, with_ends=True), 2),
        (PiecewiseLocallyTestable(1, 3), block_sequences(1, 3, with_ends=True), 2),
    ],
)
def test_every_language_of_a_testable_class_is_learnt_from_a_word_of_each_class(learner, signature, n_letters):
    rng = np.random.default_rng(1)
    for _ in range(5):
        target = random_language(signature, tuple("abc"[:n_letters]), rng)
        assert equivalent(learner.fit(class_sample(target, signature), 0).to_dfa(), minimise(target))


@settings(deadline=None, max_examples=60)
@given(samples(longest=6), st.integers(1, 3), st.integers(0, 2))
def test_every_local_language_is_learnt_with_its_tier(sample, k, n_neutral):
    """The language is what some sample teaches; neutral letters are put around the alphabet's own."""
    n_letters, words = sample
    own = "abc"[:n_letters]
    target = StrictlyLocal(k).fit(of_words(words, own), 0).to_dfa()
    alphabet = (*"xy"[:n_neutral], *own)
    lifted = minimise(lift(target, alphabet))
    assert equivalent(StrictlyLocal(k).fit(local_sample(target, k), 0).to_dfa(), target)
    for label in (True, False):
        data = local_sample(lifted, k, label=label, tier=True)
        learner = TierStrictlyLocal(k, complement=not label)
        assert equivalent(learner.fit(data, 0).to_dfa(), lifted if label else complement(lifted))


@settings(deadline=None, max_examples=60)
@given(samples(longest=6), st.integers(1, 3), st.integers(0, 2))
def test_every_piecewise_language_is_learnt(sample, k, n_neutral):
    n_letters, words = sample
    own = "abc"[:n_letters]
    target = StrictlyPiecewise(k).fit(of_words(words, own), 0).to_dfa()
    lifted = minimise(lift(target, (*"xy"[:n_neutral], *own)))
    assert equivalent(StrictlyPiecewise(k).fit(piecewise_sample(lifted, k), 0).to_dfa(), lifted)


def test_a_tier_is_what_cannot_be_inserted_and_deleted():
    target = from_formula("{a,b}: not [ab]", "abc")
    sample = Strings.examples(local_sample(target, 2, tier=True), in_language=True)
    assert learn_tier(sample, 2) == ("a", "b")
    assert learn_tier(Strings.examples(of_words([], "abc"), in_language=True), 2) == ()


def test_a_tier_can_be_given():
    data = of_words([(0, 2, 0), (2, 2)], "abc")
    model = TierStrictlyLocal(2, tier="ba").fit(data, 0)
    assert model.windows.alphabet == ("a", "b")
    assert shortest_rejected(model.to_dfa()) == ("b",)
    for learner in (LocallyTestable(2, "ab"), ThresholdTestable(2, 2, "ab"), PiecewiseTestable(2, "ab")):
        answers = learner.fit(data, 0).classify(Corpus.from_strings(["caac", "", "a"], data.vocabulary))
        assert answers.tolist() == [1.0, 1.0, 0.0]


def test_models_read_letters_by_their_names():
    data = of_words([(0, 0, 1)], "ab")
    other = Corpus.from_strings(["aab", "ba"], Vocabulary(("b", "<", "a", ">"), start=1, end=3))
    for learner in (StrictlyLocal(2), StrictlyPiecewise(2), PiecewiseTestable(2)):
        assert learner.fit(data, 0).classify(other).tolist() == [1.0, 0.0]
    unknown = Corpus.from_strings(["ab", "ac"], Vocabulary(("#", "a", "b", "c")))
    with pytest.raises(InputError, match=r"string 2 has 'c' at position 2.*alphabet a b"):
        StrictlyLocal(2).fit(data, 0).classify(unknown)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (StrictlyLocal(0), "option 'k' must be 1 or more, not 0"),
        (StrictlyLocal(60), "option 'k' can be at most 38 over 2 letters, not 60"),
        (TierStrictlyLocal(2, "#a"), "the tier '#a' must consist of letters, but '#'"),
        (TierStrictlyLocal(2, "ac"), "unknown symbol 'c' at position 2"),
        (StrictlyPiecewise(0), "option 'k' must be 1 or more, not 0"),
        (ThresholdTestable(2, 0), "option 't' must be 1 or more, not 0"),
        (PiecewiseTestable(0), "option 'k' must be 1 or more, not 0"),
        (PiecewiseLocallyTestable(2, 0), "option 'blocks' must be 1 or more, not 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(learner, message):
    with pytest.raises(InputError) as caught:
        learner.fit(of_words([(0,)], "ab"), 0)
    assert message in str(caught.value)


def test_automata_that_would_be_too_large_are_refused():
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    data = of_words([range(len(letters))], letters)
    for learner in (LocallyTestable(3), StrictlyPiecewise(2)):
        with pytest.raises(InputError, match="the automaton is too large"):
            learner.fit(data, 0).to_dfa()


def published_learner(language):
    """Return the learner of the language's class, what it is shown of the language, and on which tier."""
    factors = language.factors
    is_complement = factors.class_ in ("coSL", "TcoSL", "coSP")
    described = complement(language.dfa) if is_complement else language.dfa
    match factors.class_.removeprefix("co"):
        case "SP":
            sample = piecewise_sample(described, factors.k, label=not is_complement)
            return StrictlyPiecewise(factors.k, is_complement), sample
        case "SL":
            sample = local_sample(described, factors.k, label=not is_complement)
            return StrictlyLocal(factors.k, is_complement), sample
        case _:
            sample = local_sample(described, factors.k, label=not is_complement, tier=True)
            return TierStrictlyLocal(factors.k, None, is_complement), sample


def published(classes, fits):
    return [name for class_ in classes for name in language_names(class_) if fits(LanguageName.parse(name))]


STRICT = ("SL", "coSL", "TSL", "TcoSL", "SP", "coSP")


def is_quick(factors):
    return factors.alphabet_size**factors.k <= 5000


@pytest.mark.golden
@pytest.mark.parametrize("class_", STRICT)
def test_published_strict_languages_are_learnt(class_):
    names = published([class_], is_quick)
    assert len(names) >= 40
    for name in names:
        language = RegularLanguage.named(name)
        learner, sample = published_learner(language)
        assert equivalent(learner.fit(sample, 0).to_dfa(), language.dfa), name


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", published(STRICT, lambda factors: factors.alphabet_size <= 16 and not is_quick(factors))
)
def test_published_strict_languages_with_many_factors_are_learnt(name):
    language = RegularLanguage.named(name)
    learner, sample = published_learner(language)
    assert equivalent(learner.fit(sample, 0).to_dfa(), language.dfa)


def published_testable(language):
    """Return the learner of the language's class and one word of each class of strings in the language."""
    factors = language.factors
    salient = merge_letters(language.dfa).action_of >= 0
    tier = None if salient.all() else "".join(a for a, is_on in zip(language.alphabet, salient, strict=True) if is_on)
    match factors.class_.removeprefix("T"):
        case "LT":
            learner, signature = LocallyTestable(factors.k, tier), counted_windows(factors.k, 1)
        case "LTT":
            learner, signature = ThresholdTestable(factors.k, factors.j, tier), counted_windows(factors.k, factors.j)
        case "PT":
            learner, signature = PiecewiseTestable(factors.k, tier), block_sequences(1, factors.k, with_ends=False)
    return learner, class_sample(language.dfa, signature, tier=tier)


FEW_CLASSES = ["04.04.PT.2.1", "16.16.PT.2.1", "04.03.TLT.2.1"]
MANY_CLASSES = ["04.04.LT.2.1", "16.04.TLT.2.1", "04.03.TLTT.2.2", "04.03.TLTT.2.3"]
"""Languages with more classes of strings than these cannot be learnt from positive strings of any practical number."""


@pytest.mark.golden
@pytest.mark.parametrize(
    "name",
    [
        *(f"{group}.{i}" for group in FEW_CLASSES for i in range(10)),
        *(pytest.param(f"{group}.{i}", marks=pytest.mark.slow) for group in MANY_CLASSES for i in range(10)),
    ],
)
def test_published_testable_languages_are_learnt(name):
    language = RegularLanguage.named(name)
    learner, sample = published_testable(language)
    assert equivalent(learner.fit(sample, 0).to_dfa(), language.dfa)
