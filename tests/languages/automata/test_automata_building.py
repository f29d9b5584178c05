import numpy as np
import pytest
from automata_worlds import language, words

from wug.errors import InputError
from wug.languages.automata.building import all_words, empty_language, from_table, from_transitions, from_words
from wug.languages.automata.facts import is_empty, is_universal


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1]], [0], "ab"), "state 0 goes by 'b' to 1, which is none of 0..0"),
        (([[0]], [0], "ab"), "2 columns, got shape"),
        (([[0.5]], [0], "a"), "whole numbers"),
        (([[0, 0]], [3], "ab"), "accepting state 3 is none of 0..0"),
        (([[0, 0]], [[0]], "ab"), "list of states or of truth values"),
        (([[0, 0]], np.array([True, False]), "ab"), "1 truth values"),
        (([[0, 0]], [0], "aa"), "'a' is there twice"),
        (([[0, 0]], [0], ["a", ""]), "one is empty"),
        (([[0, 0]], [0], "ab", 1), "start state must be one of 0..0, got 1"),
        (([], [], "ab"), "at least one row"),
    ],
)
def test_wrong_tables_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_table(*arguments)


def test_transitions_get_a_dead_state_only_where_arcs_are_missing() -> None:
    complete = from_transitions([("even", "a", "odd"), ("odd", "a", "even")], ["even"], "even")
    assert complete.n_states == 2
    partial = from_transitions([(1, "a", 2), (2, "b", 1)], [2, 1], 1, "abc")
    assert partial.n_states == 3
    assert language(partial, 4) == {word for word in words("abc", 4) if word == "abab"[: len(word)]}


def test_transitions_must_be_deterministic_and_within_the_alphabet() -> None:
    with pytest.raises(InputError, match="state 1 has two arcs by 'a'"):
        from_transitions([(1, "a", 1), (1, "a", 2)], [1], 1)
    with pytest.raises(InputError, match="leaves the alphabet a b"):
        from_transitions([(1, "c", 1)], [1], 1, "ab")
    assert from_transitions([(1, "a", 1), (1, "a", 1)], [1], 1).n_states == 1


def test_start_without_arcs_and_accepting_states_without_arcs() -> None:
    dfa = from_transitions([], ["s"], "s", "ab")
    assert language(dfa, 2) == {""}
    assert language(from_transitions([], ["elsewhere"], "s", "ab"), 2) == set()


def test_finite_languages() -> None:
    chosen = {"", "ab", "ba", "bab"}
    assert language(from_words(chosen, "ab"), 5) == chosen
    assert language(from_words([], "ab"), 2) == set()
    with pytest.raises(InputError, match="'x' in the word 'ax'"):
        from_words(["ax"], "ab")


def test_simplest_languages() -> None:
    assert is_empty(empty_language("ab"))
    assert is_universal(all_words("ab"))
