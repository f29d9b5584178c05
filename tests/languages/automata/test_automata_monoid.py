import itertools

import numpy as np
import pytest
from automata_worlds import all_dfas, dfas
from hypothesis import given, settings
from plain_classes import PlainMonoid

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.letters import merge_letters
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.monoid import syntactic_monoid, transition_monoid
from wug.languages.automata.regex import from_regex


def act(dfa: DFA, word: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the word leads from each state."""
    states = np.arange(dfa.n_states)
    for column in word:
        states = dfa.transitions[states, column]
    return tuple(states.tolist())


@settings(deadline=None, max_examples=60)
@given(dfas("abc", 4))
def test_elements_are_numbered_by_their_shortlex_words(dfa: DFA) -> None:
    dfa = minimise(dfa)
    monoid = syntactic_monoid(dfa)
    words = [monoid.word(element) for element in range(len(monoid))]
    assert words == sorted(words, key=lambda word: (len(word), word))
    assert [act(dfa, word) for word in words] == [tuple(row) for row in monoid.elements.tolist()]
    first: dict[tuple[int, ...], tuple[int, ...]] = {}
    for length in range(4):
        for word in itertools.product(range(3), repeat=length):
            first.setdefault(act(dfa, word), word)
    for action, word in first.items():
        assert words[monoid.element(word)] == word
        assert tuple(monoid.elements[monoid.element(word)].tolist()) == action


@settings(deadline=None, max_examples=60)
@given(dfas("abc", 4))
def test_table_and_cayley_graphs_multiply_transformations(dfa: DFA) -> None:
    monoid = syntactic_monoid(dfa)
    elements = monoid.elements
    chosen = np.unique(np.linspace(0, len(monoid) - 1, 40).astype(int))
    for x in chosen:
        for y in chosen:
            assert (elements[monoid.table[x, y]] == elements[y][elements[x]]).all()
        for action, transformation in enumerate(monoid.letters.actions):
            assert (elements[monoid.right[x, action]] == transformation[elements[x]]).all()
            assert (elements[monoid.left[x, action]] == elements[x][transformation]).all()
        assert monoid.is_idempotent[monoid.omega[x]]


def test_green_relations_are_equality_of_ideals() -> None:
    for dfa in itertools.islice(all_dfas(3), 0, None, 97):
        monoid = syntactic_monoid(dfa)
        table, everything = monoid.table, np.arange(len(monoid))
        right = [frozenset(table[x].tolist()) for x in everything]
        left = [frozenset(table[:, x].tolist()) for x in everything]
        both = [frozenset(table[table[:, x]].ravel().tolist()) for x in everything]
        for labels, ideals in (
            (monoid.green.r, right),
            (monoid.green.l, left),
            (monoid.green.j, both),
            (monoid.green.h, list(zip(right, left, strict=True))),
        ):
            assert labels.tolist() == [list(dict.fromkeys(ideals)).index(ideal) for ideal in ideals]
        regular = [bool((table[table[x], x] == x).any()) for x in everything]
        assert monoid.is_regular.tolist() == regular


def test_size_and_semigroup_agree_with_a_plain_closure() -> None:
    for dfa in itertools.islice(all_dfas(3), 0, None, 41):
        dfa = minimise(dfa)
        monoid, plain = syntactic_monoid(dfa), PlainMonoid(dfa)
        assert len(monoid) == len(plain.monoid)
        assert monoid.semigroup_size == len(plain.semigroup)
        assert len(monoid) - monoid.tier_start == len(plain.tier)


def test_identity_of_the_semigroup_has_a_non_empty_word() -> None:
    even_a = syntactic_monoid(from_regex("(b|c|a(b|c)*a)*", "abc"))
    assert (even_a.semigroup_start, even_a.tier_start) == (0, 0)
    assert (even_a.word(0), even_a.unit_word(tier=False), even_a.unit_word(tier=True)) == ((), (1,), (0, 0))
    some_a = syntactic_monoid(from_regex("(a|b)*a(a|b)*", "ab"))
    assert (some_a.semigroup_start, some_a.tier_start) == (0, 1)
    no_unit = syntactic_monoid(from_regex("(a|b)*a", "ab"))
    assert (no_unit.semigroup_start, no_unit.semigroup_size) == (1, 2)


def test_language_decides_not_its_automaton() -> None:
    """Both of these accept words with an a; the second has a state too many."""
    small = DFA(np.array([[1, 0], [1, 1]], np.int32), np.array([False, True]), ("a", "b"))
    large = DFA(np.array([[1, 0], [2, 1], [1, 2]], np.int32), np.array([False, True, True]), ("a", "b"))
    assert len(syntactic_monoid(large)) == len(syntactic_monoid(small)) == 2
    assert len(transition_monoid(large)) == 3


def test_letters_are_merged_by_action() -> None:
    letters = merge_letters(from_regex("(d|e)*(b|c)a*", "abcde"))
    assert letters.action_of.tolist() == [0, 1, 1, 2, 2]
    assert letters.representatives.tolist() == [0, 1, 3]
    assert merge_letters(from_regex("(a|b)*a(a|b)*", "ab")).action_of.tolist() == [0, -1]


def full_transformation_monoid(n_states: int) -> DFA:
    """A cycle, a transposition and a merger generate all n^n transformations (Howie 1995, exercise 1.6)."""
    cycle = [*range(1, n_states), 0]
    swap = [1, 0, *range(2, n_states)]
    merge = [0, 0, *range(2, n_states)]
    accepting = np.arange(n_states) == 0
    return DFA(np.array([cycle, swap, merge], np.int32).T.copy(), accepting, ("a", "b", "c"))


def test_full_transformation_monoid() -> None:
    monoid = syntactic_monoid(full_transformation_monoid(5))
    assert len(monoid) == 5**5
    assert monoid.green.j.max() + 1 == 5  # by rank


def test_limit_refuses_with_the_size_reached() -> None:
    dfa = full_transformation_monoid(5)
    with pytest.raises(InputError, match=r"5 states\) has more than the limit of 3,124 elements"):
        syntactic_monoid(dfa, limit=3124)
    assert len(syntactic_monoid(dfa, limit=3125)) == 3125
    with pytest.raises(InputError, match="between 1 and 65,535, got 70,000"):
        syntactic_monoid(dfa, limit=70_000)
