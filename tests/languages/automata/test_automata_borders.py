"""Border pairs against enumeration of all words and all their edits."""

import csv
import gzip
from collections import Counter
from itertools import product

import numpy as np
import pytest
from automata_worlds import shared_dfas, shared_file
from scipy.stats import chisquare

from wug.errors import InputError
from wug.languages.automata.borders import BorderSampler, Edit
from wug.languages.automata.dfa import DFA


def random_dfa(seed, n_states=5, n_letters=3):
    rng = np.random.default_rng(1000 + seed)
    transitions = rng.integers(0, n_states, size=(n_states, n_letters), dtype=np.int32)
    if seed % 3 == 0:
        transitions[:, -1] = transitions[:, 0]
    if seed % 3 == 1:
        transitions[:, -1] = np.arange(n_states)
    return DFA(transitions, rng.random(n_states) < 0.5, tuple("abc"[:n_letters]))


def accepted(dfa, word):
    state = dfa.start
    for letter in word:
        state = dfa.transitions[state, letter]
    return bool(dfa.accepting[state])


def alignments(word, n_letters, edit):
    """Yield every word that the edit makes of a word, once per place and letter."""
    for place in range(len(word) + (edit == Edit.INSERTION)):
        before, behind = word[:place], word[place:]
        if edit == Edit.DELETION:
            yield before + behind[1:]
        for letter in range(n_letters):
            if edit == Edit.INSERTION:
                yield (*before, letter, *behind)
            elif edit == Edit.SUBSTITUTION and letter != behind[0]:
                yield (*before, letter, *behind[1:])


def border(dfa, length, edit):
    """Return the multiset of (x, y) alignments of one edit."""
    n_letters = len(dfa.alphabet)
    return Counter(
        (x, y)
        for x in product(range(n_letters), repeat=length)
        if accepted(dfa, x)
        for y in alignments(x, n_letters, edit)
        if not accepted(dfa, y)
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("edit", list(Edit))
def test_counts_equal_enumeration(seed, edit):
    dfa = random_dfa(seed)
    pairs = BorderSampler(dfa, 6, edits=[edit])
    paths = BorderSampler(dfa, 6, edits=[edit], weighting="paths")
    for length in range(6):
        expected = border(dfa, length, edit)
        assert pairs.count(length) == len(expected)
        assert paths.count(length) == expected.total()


@pytest.mark.parametrize("weighting", ["pairs", "paths"])
@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6])
def test_every_pair_is_as_likely_as_its_weight(seed, weighting):
    dfa = random_dfa(seed)
    length = 4
    weights = sum((border(dfa, length, edit) for edit in Edit), Counter())
    if weighting == "pairs":
        weights = Counter(dict.fromkeys(weights, 1))
    sampler = BorderSampler(dfa, length, weighting=weighting)
    assert sampler.count(length) == weights.total()
    size = 60 * weights.total()
    drawn = sampler.sample(size, length, rng=np.random.default_rng(seed))
    found = Counter(
        (tuple(x), tuple(y[:n]))
        for x, y, n in zip(drawn.inside.tolist(), drawn.outside.tolist(), drawn.outside_lengths.tolist(), strict=True)
    )
    assert set(found) <= set(weights)
    observed = [found[pair] for pair in weights]
    assert chisquare(observed, [60 * weight for weight in weights.values()]).pvalue > 1e-4


def test_rows_are_filled_up_behind_the_word():
    drawn = BorderSampler(random_dfa(0), 8).sample(500, 8, rng=np.random.default_rng(0))
    inside_word = np.arange(9) < drawn.outside_lengths[:, None]
    assert (drawn.outside[~inside_word] == -1).all()
    assert (drawn.outside[inside_word] >= 0).all()
    assert set(drawn.outside_lengths.tolist()) == {7, 8, 9}


def test_empty_words_have_insertions_only():
    # {ε} over one letter: the border at length 0 is the pair (ε, a)
    dfa = DFA(np.array([[1], [1]], dtype=np.int32), np.array([True, False]), ("a",))
    sampler = BorderSampler(dfa, 1)
    assert (sampler.count(0), sampler.count(1)) == (1, 0)
    drawn = sampler.sample(2, 0, rng=np.random.default_rng(0))
    assert drawn.outside.tolist() == [[0], [0]]


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="unknown weighting 'path'; did you mean 'paths'"):
        BorderSampler(random_dfa(0), 3, weighting="path")
    with pytest.raises(InputError, match="unknown edit 'insert'; did you mean 'insertion'"):
        BorderSampler(random_dfa(0), 3, edits=["insert"])


@pytest.mark.golden
def test_counts_are_the_shared_ones():
    dfas = shared_dfas()
    with gzip.open(shared_file("border_counts.csv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[::11]
    samplers = {"pairs": list(Edit), "paths": [Edit.DELETION, Edit.INSERTION]}
    for row in rows:
        for weighting, edits in samplers.items():
            for edit in edits:
                sampler = BorderSampler(dfas[row["name"]], int(row["length"]), weighting=weighting, edits=[edit])
                assert sampler.count(int(row["length"])) == int(row[f"{weighting}_{edit}"])


def test_automata_too_large_for_pairs_are_refused():
    chain = np.minimum(np.arange(1, 10_002, dtype=np.int32), 10_000)[:, None]
    dfa = DFA(chain, np.arange(10_001) == 10_000, ("a",))
    with pytest.raises(InputError, match="at most 10,000 states, not 10,001"):
        BorderSampler(dfa, 3)
