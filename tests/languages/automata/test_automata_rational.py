import itertools

import numpy as np
import pytest
from automata_worlds import all_dfas, dfas, language, words
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.alphabets import expand, extend, lift, models, project, restrict
from wug.languages.automata.boolean import complement
from wug.languages.automata.building import all_words, from_table, from_words
from wug.languages.automata.canonical_form import canonical_text
from wug.languages.automata.comparison import equivalent
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, arc_array, determinise
from wug.languages.automata.quotients import left_quotient, residual, right_quotient
from wug.languages.automata.rational import concatenation, power, reversal, star

LONGEST = 5
ALL = words("ab", LONGEST)


def joined(left: set[str], right: set[str]) -> set[str]:
    return {u + v for u in left for v in right if len(u + v) <= LONGEST}


@settings(deadline=None, max_examples=60)
@given(dfas(max_states=4), dfas(max_states=4))
def test_concatenation_star_and_reversal_by_plain_sets(left: DFA, right: DFA) -> None:
    one, other = language(left, LONGEST), language(right, LONGEST)
    assert language(concatenation(left, right), LONGEST) == joined(one, other)
    assert language(reversal(left), LONGEST) == {word[::-1] for word in one}
    iterated = {""}
    for _ in range(LONGEST):
        iterated |= joined(iterated, one)
    assert language(star(left), LONGEST) == iterated
    for exponent in range(4):
        repeated = {""}
        for _ in range(exponent):
            repeated = joined(repeated, one)
        assert language(power(left, exponent), LONGEST) == repeated


@settings(deadline=None, max_examples=40)
@given(dfas(max_states=4), dfas(max_states=4), dfas(max_states=3))
def test_rational_laws(a: DFA, b: DFA, c: DFA) -> None:
    assert equivalent(concatenation(concatenation(a, b), c), concatenation(a, concatenation(b, c)))
    assert equivalent(star(star(a)), star(a))
    assert equivalent(reversal(reversal(a)), a)
    assert equivalent(reversal(concatenation(a, b)), concatenation(reversal(b), reversal(a)))
    assert equivalent(reversal(complement(a)), complement(reversal(a)))


def test_brzozowskis_minimisation_agrees_with_hopcrofts() -> None:
    for dfa in itertools.chain(all_dfas(1), all_dfas(2)):
        assert canonical_text(reversal(reversal(dfa))) == canonical_text(minimise(dfa))


def test_powers_below_zero_are_refused() -> None:
    with pytest.raises(InputError, match="at least 0, got -1"):
        power(all_words("ab"), -1)


def test_concatenation_needs_one_alphabet() -> None:
    with pytest.raises(InputError, match="one alphabet, got a b and a c"):
        concatenation(all_words("ab"), all_words("ac"))


@st.composite
def nfas(draw: st.DrawFn) -> NFA:
    n_states = draw(st.integers(1, 5))
    state = st.integers(0, n_states - 1)
    arcs = draw(st.lists(st.tuples(state, st.integers(-1, 1), state), max_size=12))
    starts = draw(st.lists(state, max_size=2))
    accepting = draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states))
    return NFA(arc_array(arcs), np.array(starts, dtype=np.int32), np.array(accepting), ("a", "b"))


def silently_closed(states: set[int], arcs: list[list[int]]) -> set[int]:
    while True:
        more = states | {target for source, column, target in arcs if column == -1 and source in states}
        if more == states:
            return states
        states = more


@settings(deadline=None, max_examples=100)
@given(nfas())
def test_subset_construction_follows_all_paths(nfa: NFA) -> None:
    arcs = nfa.arcs.tolist()
    accepted = set()
    for word in ALL:
        states = silently_closed(set(nfa.starts.tolist()), arcs)
        for letter in word:
            reached = {t for s, column, t in arcs if s in states and column == "ab".index(letter)}
            states = silently_closed(reached, arcs)
        if any(nfa.accepting[state] for state in states):
            accepted.add(word)
    assert language(determinise(nfa), LONGEST) == accepted


def nth_letter_from_the_end(n: int) -> NFA:
    arcs = [(0, 0, 0), (0, 1, 0), (0, 0, 1)] + [(q, letter, q + 1) for q in range(1, n) for letter in (0, 1)]
    return NFA(arc_array(arcs), np.array([0], dtype=np.int32), np.arange(n + 1) == n, ("a", "b"))


def test_exponential_growth_is_exact_and_bounded() -> None:
    assert minimise(determinise(nth_letter_from_the_end(12))).n_states == 2**12
    assert minimise(determinise(nth_letter_from_the_end(12), max_subsets=2**12)).n_states == 2**12
    with pytest.raises(InputError, match="determinising 13 states gave more than 4095 sets of states"):
        determinise(nth_letter_from_the_end(12), max_subsets=2**12 - 1)


def test_wide_automata_use_several_words_of_bits() -> None:
    long_words = ["a" * 70 + "b" * n for n in range(60)]
    assert reversal(reversal(from_words(long_words, "ab"))).n_states == minimise(from_words(long_words, "ab")).n_states


@settings(deadline=None, max_examples=60)
@given(dfas(max_states=3), dfas(max_states=3))
def test_quotients_by_plain_sets(one: DFA, other: DFA) -> None:
    # If a pair of states can be reached or leads to acceptance at all, then by a word of at most 3 * 3 - 1 letters.
    accepted, parts = language(one, 10), language(other, 8)
    for word in words("ab", 2):
        assert (word in language(left_quotient(other, one), 2)) == any(part + word in accepted for part in parts)
        assert (word in language(right_quotient(one, other), 2)) == any(word + part in accepted for part in parts)
        rest = language(residual(one, word), 4)
        assert rest == {end for end in words("ab", 4) if word + end in accepted}


@settings(deadline=None, max_examples=40)
@given(dfas(alphabet="abc", max_states=5))
def test_changes_of_alphabet(dfa: DFA) -> None:
    accepted = language(dfa, LONGEST)
    assert language(restrict(dfa, "ca"), LONGEST) == {word for word in accepted if "b" not in word}
    larger = {word for word in words("abcd", 4) if word in accepted}
    assert language(extend(dfa, "dbac"), 4) == larger
    lifted = language(lift(dfa, "abcd"), 4)
    assert lifted == {word for word in words("abcd", 4) if word.replace("d", "") in accepted}
    assert expand(dfa, {"x": "b", "a": "a", "y": "b"}).transitions.tolist() == dfa.transitions[:, [1, 0, 1]].tolist()


@settings(deadline=None, max_examples=40)
@given(dfas(alphabet="abc", max_states=3))
def test_projection_by_plain_sets(dfa: DFA) -> None:
    # Of the b's between two other letters no more than 3 - 1 are needed.
    visible = {word.replace("b", "") for word in language(dfa, 8)}
    assert language(project(dfa, "ac"), 2) == {word for word in visible if len(word) <= 2}


@settings(deadline=None, max_examples=40)
@given(dfas(alphabet="abc", max_states=5))
def test_projection_undoes_lifting(dfa: DFA) -> None:
    assert equivalent(project(lift(dfa, "dabec"), "abc"), dfa)
    assert equivalent(restrict(extend(dfa, "dabec"), "abc"), dfa)


def test_projection_of_a_known_language() -> None:
    dfa = from_words(["abcb", "cca", "b"], "abc")
    assert language(project(dfa, "ca"), 4) == {"ac", "cca", ""}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda dfa: restrict(dfa, "ax"), "letter 'x' is not in the alphabet a b"),
        (lambda dfa: project(dfa, "x"), "letter 'x' is not in the alphabet a b"),
        (lambda dfa: extend(dfa, "bc"), "must contain every letter so far"),
        (lambda dfa: lift(dfa, "bc"), "must contain every letter so far"),
        (lambda dfa: residual(dfa, "abc"), "'c' at position 3"),
        (lambda dfa: left_quotient(dfa, all_words("ba")), "one alphabet"),
        (lambda dfa: right_quotient(dfa, all_words("ba")), "one alphabet"),
    ],
)
def test_foreign_letters_are_refused(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(from_table([[0, 0]], [], "ab"))


def test_letters_in_the_same_sets_share_a_model() -> None:
    assert models("abc", []) == {"a": "a", "b": "a", "c": "a"}
    assert models("abcd", ["ab", "bc"]) == {"a": "a", "b": "b", "c": "c", "d": "d"}
