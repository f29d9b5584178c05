import pytest
from automata_worlds import dfas
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_classes import small_world

from wug.languages.automata.classes import classify
from wug.languages.automata.comparison import equivalent
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formulas import compile_formula, from_formula, parse_formula
from wug.languages.automata.regex import from_regex

STRICT = {"SL", "coSL", "TSL", "TcoSL", "SP", "coSP"}


def check(dfa: DFA) -> None:
    classification = classify(dfa)
    held = {key for key in STRICT if classification.classes[key]}
    assert held <= set(classification.grammar)
    for key, grammar in classification.grammar.items():
        assert grammar.formula is not None
        assert equivalent(compile_formula(grammar.formula, dfa.alphabet), dfa), key
        assert parse_formula(str(grammar.formula)) == grammar.formula


def test_grammars_define_their_languages() -> None:
    for dfa in small_world(3):
        check(dfa)


@settings(deadline=None, max_examples=60)
@given(st.one_of(dfas("a", 5), dfas("abc", 4)))
def test_grammars_of_random_languages(dfa: DFA) -> None:
    check(dfa)


@pytest.mark.parametrize(
    ("formula", "key", "expected"),
    [
        ("not [aa] and not [ab] and not [aab]", "SL", "not [aa] and not [ab]"),
        ("^a and not [bb] and c$", "SL", "not /()/ and not ^b and not ^c and not a$ and not b$ and not [bb]"),
        ("{a,b}: not [aa] and a$", "TSL", "{a,b}: not /()/ and not b$ and not [aa]"),
        ("[ab] or ^a", "coSL", "^a or [ab]"),
        ("not <ab> and not <bcc> and not <bcca>", "SP", "not <ab> and not <bcc>"),
        ("<abc> or [c]", "coSP", "[c]"),
        ("#b mod 3 in {0,2}", "Zp", "#b mod 3 in {0,2}"),
        ("[]", "SL", "[]"),
        ("not []", "coSP", "not []"),
    ],
)
def test_grammars_hold_minimal_literals_only(formula: str, key: str, expected: str) -> None:
    assert str(classify(from_formula(formula, "abc")).grammar[key].formula) == expected


def test_finite_language_is_written_with_whole_words() -> None:
    dfa = from_regex("ab|'sch'", ["a", "b", "sch"])
    check(dfa)
    assert str(classify(dfa).grammar["coSL"].formula) == "/'sch'/ or /ab/"


def test_long_grammar_stops_and_says_so() -> None:
    letters = [chr(0x4E00 + i) for i in range(40)]
    forbidden = " and ".join(f"not [{first}{second}]" for first in letters[:30] for second in letters)
    grammar = classify(from_formula(forbidden, letters)).grammar["SL"]
    assert (grammar.is_complete, grammar.formula, len(grammar.literals)) == (False, None, 1000)
