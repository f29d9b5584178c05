"""Automata extracted from classifiers: exact where theory says so, repeatable, within limits."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_samples import letter_vocabulary

from wug.errors import InputError, TrialError
from wug.languages.automata import DFA, accepts_corpus, equivalent, from_formula, minimise
from wug.languages.subregular import DataSets, RegularLanguage
from wug.learners.protocols import Classification
from wug.learners.symbolic.extraction import Ending, Limits, extract_automaton
from wug.learners.symbolic.membership_queries import BATCH, MembershipQueries, Words
from wug.learners.symbolic.ngrams import NGram
from wug.sequences import Corpus, Vocabulary


@dataclass
class Known:
    """A classifier that answers by an automaton and keeps what it was asked."""

    dfa: DFA
    vocabulary: Vocabulary = None
    asked: list = field(default_factory=list)

    def __post_init__(self):
        self.vocabulary = self.vocabulary or letter_vocabulary(self.dfa.alphabet)

    def classify(self, corpus):
        self.asked.append(list(corpus.texts()))
        return np.where(accepts_corpus(self.dfa, corpus), 0.9, 0.5)


def extract(model, *, seed=1, samples=None, **limits):
    return extract_automaton(
        model, rng=np.random.default_rng(seed), limits=replace(Limits(), **limits), samples=samples
    )


@st.composite
def automata(draw):
    n_states, n_letters = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    states = st.integers(0, n_states - 1)
    table = draw(
        st.lists(st.lists(states, min_size=n_letters, max_size=n_letters), min_size=n_states, max_size=n_states)
    )
    accepting = draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states))
    return minimise(DFA(np.array(table, dtype=np.int32), np.array(accepting), tuple("abc"[:n_letters])))


@settings(deadline=None, max_examples=60)
@given(automata())
def test_a_complete_conformance_test_makes_the_automaton_exact(target):
    """Nothing is drawn at random, and the target has at most four states more than the first hypothesis."""
    found = extract(Known(target), random_words=0, extra_states=4, conformance_words=100_000)
    assert equivalent(found.dfa, target)
    assert found.dfa.n_states == target.n_states
    assert found.ending == Ending.AGREES


@settings(deadline=None, max_examples=30)
@given(automata(), st.integers(0, 3))
def test_the_same_generator_gives_the_same_extraction(target, seed):
    models = Known(target), Known(target)
    one, other = (extract(model, seed=seed, random_words=20, conformance_words=10, extra_states=0) for model in models)
    assert models[0].asked == models[1].asked
    assert equivalent(one.dfa, other.dfa)
    assert (one.queries, one.hypotheses, one.ending) == (other.queries, other.hypotheses, other.ending)


def test_each_word_is_asked_once_and_many_at_a_time():
    model = Known(from_formula("<abc> or [ccc]", "abcd"))
    found = extract(model)
    words = [word for batch in model.asked for word in batch]
    assert len(words) == len(set(words)) == found.queries
    assert max(map(len, model.asked)) <= BATCH
    assert len(model.asked) < found.queries / 20


def test_published_languages_are_extracted_from_exact_models():
    for name in ("04.04.SL.4.1.3", "04.04.PT.2.1.6", "04.04.Zp.5.1.8", "16.04.TLTT.2.3.1"):
        language = RegularLanguage.named(name)
        found = extract(Known(language.dfa))
        assert equivalent(found.dfa, language.dfa), name


def test_given_strings_show_what_random_words_miss():
    target = from_formula("not [abcdefgh]", "abcdefghijklmnop")
    assert extract(Known(target), random_words=100, conformance_words=100).dfa.n_states == 1
    samples = Corpus.from_strings(["ponabcdefghi"], letter_vocabulary(target.alphabet))
    assert equivalent(extract(Known(target), samples=samples, random_words=100, conformance_words=100).dfa, target)


def test_limits_end_the_extraction_with_the_last_automaton_within_them():
    target = from_formula("#a mod 7 in {0}", "ab")
    small = extract(Known(target), states=3)
    assert small.ending == Ending.STATES
    assert small.dfa.n_states <= 3
    model = Known(target)
    few = extract(model, queries=30, random_words=10)
    assert few.ending == Ending.QUERIES
    assert sum(map(len, model.asked)) == few.queries <= 30
    with pytest.raises(InputError, match="the limit 'queries' must allow for a first automaton, which 2 does not"):
        extract(Known(target), queries=2)


@pytest.mark.parametrize(("name", "value"), [("states", 1), ("queries", 0), ("random_words", -1), ("extra_states", -1)])
def test_limits_that_make_no_sense_are_refused(name, value):
    with pytest.raises(InputError, match=f"the limit '{name}' must be"):
        extract(Known(from_formula("[a]", "ab")), **{name: value})


def test_a_word_without_a_probability_is_named():
    class Broken(Known):
        def classify(self, corpus):
            return np.where([text == "ba" for text in corpus.texts()], np.nan, 1.0)

    with pytest.raises(TrialError, match="the model gives 'ba' the probability nan"):
        extract(Broken(from_formula("[a]", "ab")), extra_states=3)


def test_an_n_gram_model_becomes_an_automaton_that_agrees_with_it():
    language = RegularLanguage.named("04.04.SL.2.1.0")
    sets = DataSets(language, seed=1, largest="Small")
    train, test = sets.strings("Train", "Small"), sets.strings("SR", "Small")
    model = NGram(2).fit(Classification(language.vocabulary, train.corpus, train.labels), 0)
    found = extract(model, samples=train.corpus, states=60, queries=200_000)
    agreement = (accepts_corpus(found.dfa, test.corpus) == (model.classify(test.corpus) > 0.5)).mean()
    assert agreement > 0.9


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from(["jump", "a", "to"]), max_size=4)))
def test_words_and_strings_translate_back_and_forth(written):
    vocabulary = Vocabulary(("jump", "<", "a", "to", ">"), start=1, end=4)
    corpus = Corpus.from_strings([" ".join(one) for one in written], vocabulary)
    words = Words(vocabulary)
    assert list(words.corpus(words.from_corpus(corpus)).texts()) == list(corpus.texts())


def test_letters_beyond_the_surrogates_are_words_too():
    n_letters = 60_000
    vocabulary = Vocabulary(("#", *map(str, range(n_letters))))
    corpus = Corpus.from_strings([f"{n_letters - 1} 0 55296", ""], vocabulary)
    words = Words(vocabulary)
    assert len(set(words.letters)) == n_letters
    assert list(words.corpus(words.from_corpus(corpus)).texts()) == list(corpus.texts())


def test_one_half_is_not_in_the_language():
    target = from_formula("[a]", "ab")
    assert MembershipQueries(Known(target), budget=10).ask(["", "\0"]) == [False, True]


@dataclass
class UnlikeOnShortWords(Known):
    """Answers by an automaton, but for words of fewer than four letters, where it follows no rule."""

    def classify(self, corpus):
        known = super().classify(corpus)
        odd = np.array([len(text) % 2 == hash_of(text) % 2 for text in corpus.texts()])
        return np.where(corpus.lengths < 4, odd.astype(float), known)


def hash_of(text):
    return sum((place + 3) * ord(letter) for place, letter in enumerate(text)) // 7


def test_the_coarse_automaton_is_what_the_samples_show():
    target = minimise(from_formula("not [aa]", "abc"))
    model = UnlikeOnShortWords(target)
    rng = np.random.default_rng(3)
    samples = Corpus.from_arrays([rng.integers(1, 4, length) for length in rng.integers(8, 12, 200)], model.vocabulary)
    found = extract(model, samples=samples)
    assert found.dfa.n_states > found.coarse.n_states
    agreement = (accepts_corpus(found.coarse, samples) == (model.classify(samples) > 0.5)).mean()
    assert agreement >= 0.99
    assert extract(model, samples=samples, coarse_share=0.0).coarse.n_states <= found.coarse.n_states
    assert extract(model).coarse is None
    with pytest.raises(InputError, match="'coarse_share' must be from 0 to 1"):
        extract(model, coarse_share=2.0)
