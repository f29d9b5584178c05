import csv
import gzip
import itertools

import numpy as np
import pytest
from automata_worlds import all_dfas, dfas, ends, language, memberships, shared_dfas, shared_file, words
from hypothesis import given, settings

from wug.errors import InputError
from wug.languages.automata.building import all_words, empty_language, from_table, from_words
from wug.languages.automata.counting import completions, count, counts
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import (
    is_empty,
    is_finite,
    is_universal,
    live_states,
    longest_length,
    n_trimmed_states,
    shortest_accepted,
    shortest_rejected,
)


def test_facts_of_all_small_dfas() -> None:
    everything = words("ab", 5)
    for dfa in itertools.chain.from_iterable(all_dfas(n_states) for n_states in (1, 2, 3)):
        accepted = [word for word, accepted in zip(everything, memberships(dfa, everything), strict=True) if accepted]
        # With 3 states, a word of 3 letters or more can be pumped down below 3 letters and up from 3 to 5 letters.
        short = [word for word in accepted if len(word) < 3]
        assert is_empty(dfa) == (not short)
        assert is_universal(dfa) == (len([word for word in everything if len(word) < 3]) == len(short))
        longest = max(map(len, accepted), default=-1)
        assert is_finite(dfa) == (longest < 3)
        assert longest_length(dfa) == (longest if longest < 3 else None)
        first = shortest_accepted(dfa)
        assert first == (tuple(accepted[0]) if accepted else None)
        rejected = [word for word in everything if word not in set(accepted)]
        assert shortest_rejected(dfa) == (tuple(rejected[0]) if rejected else None)
        reached = set(ends(dfa, everything))
        live = {state for state in range(dfa.n_states) if any(memberships(dfa, everything, state))}
        assert set(np.flatnonzero(live_states(dfa)).tolist()) == live
        assert n_trimmed_states(dfa) == len(live & reached)


@settings(deadline=None, max_examples=60)
@given(dfas(alphabet="abc", max_states=8))
def test_counts_are_the_numbers_of_enumerated_words(dfa: DFA) -> None:
    accepted = language(dfa, 5)
    assert counts(dfa, 5) == [sum(len(word) == n for word in accepted) for n in range(6)]


def test_counts_of_known_languages() -> None:
    assert count(all_words("abcdefgh"), 64) == 8**64
    assert counts(empty_language("ab"), 3) == [0, 0, 0, 0]
    no_aa = from_table([[1, 0], [2, 0], [2, 2]], [0, 1], "ab")
    fibonacci = [1, 2]
    while len(fibonacci) <= 300:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert counts(no_aa, 300) == fibonacci
    assert counts(from_words(["ab", "ba", "b"], "ab"), 3) == [0, 1, 2, 0]
    with pytest.raises(InputError, match="at least 0"):
        count(no_aa, -1)


def test_completions_count_from_every_state() -> None:
    dfa = from_table([[1, 0], [2, 0], [2, 2]], [0, 1], "ab")
    vectors = list(itertools.islice(completions(dfa), 4))
    for length, vector in enumerate(vectors):
        for state in range(3):
            longest = [word for word in words("ab", length) if len(word) == length]
            assert vector[state] == sum(memberships(dfa, longest, state))


@pytest.mark.golden
def test_counts_and_shortest_words_of_the_benchmark() -> None:
    automata = shared_dfas()
    with gzip.open(shared_file("word_counts.csv.gz"), "rt", encoding="utf-8") as rows:
        published = {row.pop("name"): row for row in csv.DictReader(rows)}
    for name, row in published.items():
        exact = counts(automata[name], 50)
        assert {key: exact[int(key.removeprefix("pos_"))] for key in row} == {k: int(v) for k, v in row.items()}, name
    with shared_file("languages.csv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            dfa = automata[row["name"]]
            accepted, rejected = shortest_accepted(dfa), shortest_rejected(dfa)
            assert accepted is not None
            assert rejected is not None
            assert len(accepted) == int(row["shortest_positive"])
            assert len(rejected) == int(row["shortest_negative"])
            assert n_trimmed_states(dfa) == int(row["states_trim"])
