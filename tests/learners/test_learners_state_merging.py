"""State merging against AALpy's, and against what its authors prove."""

import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_samples import of_words

from wug.errors import InputError, TrialError
from wug.languages.automata import DFA, equivalent, from_formula, minimise
from wug.languages.subregular import DataSets, RegularLanguage
from wug.learners.protocols import Classification
from wug.learners.symbolic.state_merging import EDSM, RPNI
from wug.sequences import Corpus

LETTERS = "abc"


def labelled(words, labels):
    data = of_words(words, LETTERS)
    return Classification(data.vocabulary, data.training, np.array(labels, dtype=np.bool_))


@st.composite
def samples(draw):
    words = draw(st.lists(st.lists(st.integers(0, 2), max_size=6).map(tuple), min_size=1, max_size=25, unique=True))
    return words, draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))


def evidence(partition):
    """EDSM's score of a merge in AALpy: labels that agree."""
    from aalpy.learning_algs.general_passive.GsmNode import unknown_output

    merged = Counter(
        id(result)
        for node, result in partition.items()
        if unknown_output not in (result.get_prefix_output(), node.get_prefix_output())
    )
    return sum(merged.values()) - len(merged)


def by_aalpy(words, labels, *, weighs, first_only):
    from aalpy.learning_algs import run_GSM
    from aalpy.learning_algs.general_passive.GsmNode import GsmNode
    from aalpy.learning_algs.general_passive.ScoreFunctionsGSM import SimpleScoreCalculation

    score = SimpleScoreCalculation(GsmNode.deterministic_compatible, evidence) if weighs else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that states have no label or no transition
        machine = run_GSM(
            list(zip(words, labels, strict=True)),
            output_behavior="moore",
            transition_behavior="deterministic",
            score_calc=score,
            node_order="short-lex",
            consider_only_min_blue=first_only,
            data_format="labeled_sequences",
        )
    number = {state: index for index, state in enumerate(machine.states)}
    dead = len(number)
    table = np.full((dead + 1, len(LETTERS)), dead, dtype=np.int32)
    for state, index in number.items():
        for column, target in state.transitions.items():
            table[index, column] = number[target]
    accepting = np.array([*(state.output is True for state in machine.states), False])
    return minimise(DFA(table, accepting, tuple(LETTERS), number[machine.initial_state]))


@settings(deadline=None, max_examples=100)
@given(samples())
def test_rpni_merges_as_aalpy_does(sample):
    words, labels = sample
    assert equivalent(RPNI().fit(labelled(words, labels), 0).dfa, by_aalpy(*sample, weighs=False, first_only=True))


@settings(deadline=None, max_examples=100)
@given(samples())
def test_edsm_merges_as_aalpy_does(sample):
    words, labels = sample
    data = labelled(words, labels)
    assert equivalent(EDSM(window=1).fit(data, 0).dfa, by_aalpy(*sample, weighs=True, first_only=True))
    assert equivalent(EDSM().fit(data, 0).dfa, by_aalpy(*sample, weighs=True, first_only=False))


@settings(deadline=None, max_examples=100)
@given(samples(), st.integers(0, 3))
def test_automata_agree_with_every_label_whatever_the_order(sample, window):
    words, labels = sample
    data, backwards = labelled(words, labels), labelled(words[::-1], labels[::-1])
    for learner in (RPNI(), EDSM(window)):
        model = learner.fit(data, 0)
        assert np.array_equal(model.classify(data.training) == 1, data.labels)
        assert equivalent(model.to_dfa(), learner.fit(backwards, 0).to_dfa())


@pytest.mark.parametrize("formula", ["not [ab]", "<ab> or c$", "#a mod 3 in {1}", "^a and #b mod 2 in {0}", "[aa]"])
def test_languages_are_identified_from_all_short_words(formula):
    target = from_formula(formula, LETTERS)
    words = [()]
    for _ in range(6):
        words += [(*word, column) for word in words if len(word) == len(words[-1]) for column in range(3)]
    corpus = of_words(words, LETTERS).training
    labels = RegularLanguage.from_dfa("target", target).contains(corpus)
    for learner in (RPNI(), EDSM(1), EDSM()):
        assert equivalent(learner.fit(Classification(corpus.vocabulary, corpus, labels), 0).to_dfa(), target)


def test_what_no_training_string_leads_to_is_rejected():
    model = RPNI().fit(labelled([(0,), (0, 1)], [True, False]), 0)
    answers = model.classify(Corpus.from_strings(["a", "ab", "c", "ac"], model.vocabulary))
    assert answers.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert not RPNI().fit(labelled([], []), 0).dfa.accepting.any()


def test_contradicting_labels_are_refused():
    with pytest.raises(TrialError, match="labelled both as in the language and as outside it"):
        RPNI().fit(labelled([(0,), (1,), (0,)], [True, True, False]), 0)
    with pytest.raises(InputError, match="option 'window' must be 0 or more, not -1"):
        EDSM(-1).fit(labelled([(0,)], [True]), 0)


def test_small_training_data_of_a_published_language_are_merged():
    language = RegularLanguage.named("16.16.SL.4.1.1")
    strings = DataSets(language, seed=1, largest="Small").strings("Train", "Small")
    data = Classification(language.vocabulary, strings.corpus, strings.labels)
    for learner in (RPNI(), EDSM(10)):
        model = learner.fit(data, 0)
        assert np.array_equal(model.classify(strings.corpus) == 1, strings.labels)
        assert model.dfa.n_states < 50
