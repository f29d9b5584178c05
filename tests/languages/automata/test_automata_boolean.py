import itertools

import numpy as np
import pytest
from automata_worlds import all_dfas, dfas, in_language, memberships, words
from hypothesis import given, settings

from wug.errors import InputError
from wug.languages.automata import boolean
from wug.languages.automata.boolean import (
    complement,
    difference,
    intersection,
    product,
    symmetric_difference,
    union,
)
from wug.languages.automata.building import from_table, from_words
from wug.languages.automata.canonical_form import canonical_text
from wug.languages.automata.comparison import (
    equivalent,
    included,
    shortest_difference,
    shortest_excluded,
)
from wug.languages.automata.dfa import DFA
from wug.languages.automata.rational import star

WORDS = words("ab", 5)
"""In order. A word in one language with 2 states and not in another with 3 needs at most 2 * 3 - 1 letters."""


def small_languages(n_states: int) -> dict[str, DFA]:
    return {canonical_text(dfa): dfa for dfa in all_dfas(n_states)}


def test_combinations_comparisons_and_witnesses_of_all_small_languages() -> None:
    lefts = list(small_languages(2).values())
    rights = list(small_languages(3).values())
    member = {id(dfa): np.array(memberships(dfa, WORDS)) for dfa in [*lefts, *rights]}
    for left, right in itertools.product(lefts, rights):
        one, other = member[id(left)], member[id(right)]
        differing = np.flatnonzero(one != other)
        assert equivalent(left, right) == (differing.size == 0)
        witness = shortest_difference(left, right)
        assert ("".join(witness) if witness is not None else None) == (WORDS[differing[0]] if differing.size else None)
        excluded = np.flatnonzero(one & ~other)
        assert included(left, right) == (excluded.size == 0)
        witness = shortest_excluded(left, right)
        assert ("".join(witness) if witness is not None else None) == (WORDS[excluded[0]] if excluded.size else None)
    for left, right in itertools.product(lefts, rights[::10]):
        one, other = member[id(left)], member[id(right)]
        assert memberships(intersection(left, right), WORDS) == (one & other).tolist()
        assert memberships(union(left, right), WORDS) == (one | other).tolist()
        assert memberships(difference(left, right), WORDS) == (one & ~other).tolist()
        assert memberships(symmetric_difference(left, right), WORDS) == (one ^ other).tolist()


def test_complement_of_all_small_languages() -> None:
    for dfa in small_languages(3).values():
        assert memberships(complement(dfa), WORDS) == [not accepted for accepted in memberships(dfa, WORDS)]


@settings(deadline=None, max_examples=60)
@given(dfas(), dfas(), dfas())
def test_boolean_laws(a: DFA, b: DFA, c: DFA) -> None:
    assert equivalent(complement(union(a, b)), intersection(complement(a), complement(b)))
    assert equivalent(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)))
    assert equivalent(symmetric_difference(a, b), union(difference(a, b), difference(b, a)))
    assert shortest_difference(complement(complement(a)), a) is None


def test_product_keeps_reachable_pairs_only() -> None:
    mod = [from_table([[(i + 1) % n] for i in range(n)], [0], "a") for n in (4, 6)]
    assert product(mod[0], mod[1], np.logical_and).n_states == 12


def test_large_product_matches_arithmetic() -> None:
    one, other = (from_table([[(i + 1) % n, i] for i in range(n)], [0], "ab") for n in (97, 101))
    both = intersection(one, other)
    assert both.n_states == 97 * 101
    assert in_language(both, "a" * 97 * 101)
    assert not in_language(both, "a" * 97)


def test_different_alphabets_are_refused() -> None:
    with pytest.raises(InputError, match="one alphabet, got a b and b a"):
        union(from_table([[0, 0]], [], "ab"), from_table([[0, 0]], [], "ba"))


def test_more_letters_than_a_table_starts_with() -> None:
    alphabet = [f"s{number}" for number in range(300)]
    one = from_table([[(q + letter) % 7 for letter in range(300)] for q in range(7)], [0], alphabet)
    other = from_table([[(q + letter) % 5 for letter in range(300)] for q in range(5)], [0], alphabet)
    both = intersection(one, other)
    assert both.n_states == 35
    assert both.accepting.sum() == 1
    assert star(from_words([["s299", "s0"]], alphabet)).n_states == 3


def test_combinations_that_grow_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (from_table([[(i + 1) % n] for i in range(n)], [0], "a") for n in (40, 41))
    monkeypatch.setattr(boolean, "MAX_PAIRS", 1639)
    with pytest.raises(InputError, match="combining 40 and 41 states gave more than 1639 pairs"):
        union(one, other)
    monkeypatch.setattr(boolean, "MAX_PAIRS", 1640)
    assert union(one, other).n_states == 1640
