"""Witnesses: the strings are where they are said to be, and they break the criterion."""

import re

import pytest
from automata_worlds import dfas, in_language, runs_to
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_classes import small_world

from wug.languages.automata.classes import Classification, Witness, classify
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formulas import from_formula
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.regex import from_regex


def check_all(dfa: DFA, classification: Classification) -> None:
    assert set(classification.witness) == {key for key, holds in classification.classes.items() if not holds}
    for key, witness in classification.witness.items():
        assert all(in_language(dfa, string) for string in witness.accepted), (key, witness)
        assert not any(in_language(dfa, string) for string in witness.rejected), (key, witness)
        assert witness.accepted or witness.rejected or key == "Zp"
        check_equation(dfa, witness)


def acts(dfa: DFA, word: str) -> list[int]:
    return [runs_to(dfa, word, state) for state in range(dfa.n_states)]


def check_equation(dfa: DFA, witness: Witness) -> None:
    """If the criterion is an equation, its idempotents are, its words are not empty and its sides act differently."""
    if " = " not in witness.criterion:
        return
    for name in ("e", "f"):
        if name in witness.words:
            assert acts(dfa, 2 * witness.words[name]) == acts(dfa, witness.words[name])
    if "idempotent" in witness.criterion:
        assert all(word for name, word in witness.words.items() if len(name) == 1)
    left, right = witness.criterion.split(" for ")[0].split(" if ")[0].split(" = ")
    sides = [expand(dfa, side, witness) for side in (left, right)]
    assert acts(dfa, sides[0]) != acts(dfa, sides[1]), witness
    strings = {witness.words["before"] + side + witness.words["after"] for side in sides}
    assert strings == {*witness.accepted, *witness.rejected}


def expand(dfa: DFA, side: str, witness: Witness) -> str:
    """Spell out a side such as ``(xy)^ω x``."""
    text = ""
    for factor, letter, power in re.findall(r"(?:\(([a-z]+)\)|([a-z]))(\^ω)?", side.replace(" ", "")):
        word = "".join(witness.words[name] for name in factor or letter)
        if power:
            word = next(word * n for n in range(1, 1000) if acts(dfa, word * n) == acts(dfa, word * 2 * n))
        text += word
    return text


def test_all_languages_of_three_states_and_two_letters() -> None:
    for dfa in small_world(3):
        check_all(dfa, classify(dfa))


@settings(deadline=None, max_examples=50)
@given(st.one_of(dfas("a", 5), dfas("abc", 4)), st.booleans())
def test_random_languages(dfa: DFA, shortcuts: bool) -> None:
    dfa = minimise(dfa)
    check_all(dfa, classify(dfa, shortcuts=shortcuts))


@pytest.mark.parametrize(
    ("dfa", "key"),
    [
        (from_regex("c+xd+zc+yd+", "cdxyz"), "LTT"),
        (from_regex("(e+af+b)*e+af+de+(cf+de+)*", "abcdef"), "PLT"),
        (from_formula("{a,b,c}: not [ab ~ ba]", "abcd"), "TLTT"),
        (from_formula("{a,b}: occ>=2(aa)", "abcd"), "TLT"),
        (from_formula("#a mod 6 in {0}", "ab"), "Zp"),
    ],
)
def test_languages_that_just_miss_a_class(dfa: DFA, key: str) -> None:
    classification = classify(dfa)
    assert not classification.classes[key]
    check_all(dfa, classification)


def test_suffix_substitution_fails_at_every_width() -> None:
    dfa = from_formula("occ>=2(a) -> [bb]", "abc")
    for key in ("SL", "coSL"):
        words = classify(dfa).witness[key].words
        inside = key == "SL"
        for width in range(1, 5):
            x = words["x"] * width
            assert in_language(dfa, words["u"] + x + words["v"]) == inside
            assert in_language(dfa, words["r"] + x + words["s"]) == inside
            assert in_language(dfa, words["u"] + x + words["s"]) != inside


def test_deleting_one_letter_leaves_a_language_that_is_not_strictly_piecewise() -> None:
    witness = classify(from_formula("not [ab]", "abc")).witness["SP"]
    assert witness.words == {"u": "a", "a": "c", "v": "b"}
    assert (witness.accepted, witness.rejected) == (("acb",), ("ab",))


@pytest.mark.parametrize("formula", ["[ab]", "<ab> xor ^b", "not [ba ~ c]", "#a mod 3 in {1}"])
def test_piecewise_witness_holds_for_large_powers(formula: str) -> None:
    dfa = from_formula(formula, "abc")
    witness = classify(dfa).witness["PT"]
    w = witness.words
    for n in range(3, 6):
        turns = n * (w["x"] + w["y"])
        if "xv" in witness.criterion:
            pair = w["u"] + turns + w["x"] + w["v"], w["u"] + turns + w["v"]
        else:
            pair = w["u"] + w["x"] + turns + w["v"], w["u"] + w["y"] + turns + w["v"]
        assert in_language(dfa, pair[0]) != in_language(dfa, pair[1])


def test_letters_of_several_characters_are_spelt_with_blanks() -> None:
    dfa = from_formula("not ['sch'a]", ["sch", "a", "t"])
    assert classify(dfa).witness["SP"].rejected == ("sch a",)
