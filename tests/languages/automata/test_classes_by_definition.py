"""Every decision against the plain criterion over the whole monoid."""

import pytest
from automata_worlds import dfas
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_classes import plain_classes, small_world

from wug.languages.automata.classes import classify
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formulas import from_formula
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.monoid import syntactic_monoid
from wug.languages.automata.regex import from_regex


@pytest.fixture(scope="module")
def world() -> list[tuple[DFA, dict[str, bool]]]:
    """All languages of three states and two letters, with what the plain criteria say."""
    return [(dfa, plain_classes(dfa)) for dfa in small_world(3)]


@pytest.mark.parametrize("shortcuts", [True, False])
def test_all_languages_of_three_states_and_two_letters(world: list[tuple[DFA, dict]], shortcuts: bool) -> None:
    assert len(world) == 1054
    for dfa, plain in world:
        decided = classify(dfa, shortcuts=shortcuts).classes
        assert {key: decided[key] for key in plain} == plain, dfa


@settings(deadline=None, max_examples=60)
@given(st.one_of(dfas("a", 5), dfas("ab", 5), dfas("abc", 4)))
def test_random_languages(dfa: DFA) -> None:
    assume(len(syntactic_monoid(dfa)) <= 60)
    plain = plain_classes(minimise(dfa))
    for shortcuts in (True, False):
        decided = classify(dfa, shortcuts=shortcuts).classes
        assert {key: decided[key] for key in plain} == plain


@pytest.mark.parametrize(
    ("regex", "alphabet", "larger", "smaller"),
    [
        ("c+xd+zc+yd+", "cdxyz", "LAcom", "LTT"),
        ("(e+af+b)*e+af+de+(cf+de+)*", "abcdef", "PLT_LJ", "PLT"),
    ],
)
@pytest.mark.parametrize("shortcuts", [True, False])
def test_classes_that_tools_confuse_are_told_apart(
    regex: str, alphabet: str, larger: str, smaller: str, shortcuts: bool
) -> None:
    """The languages are those of the benchmark's specification that separate a class from its approximation."""
    dfa = from_regex(regex, alphabet)
    decided = classify(dfa, shortcuts=shortcuts).classes
    assert decided[larger]
    assert not decided[smaller]
    plain = plain_classes(dfa)
    assert {key: decided[key] for key in plain} == plain


def test_letter_that_is_neutral_in_non_empty_words_only_is_salient() -> None:
    """In {ε} ∪ Σ*bΣ* the letter a changes nothing but the start; it belongs to the tier."""
    classification = classify(from_regex("()|(a|b)*b(a|b)*", "ab"))
    assert classification.salient == ("a", "b")
    assert not any(classification.classes[key] for key in ("TD", "TK", "TGD"))


def test_known_inclusions_hold(world: list[tuple[DFA, dict[str, bool]]]) -> None:
    """Inclusions that no decision uses: strict classes in PLT, betweenness between FO2 and first order, and others."""
    inclusions = [
        ("SL", "SPL"), ("SP", "SPL"), ("coSL", "coSPL"), ("coSP", "coSPL"), ("SPL", "PLT"), ("coSPL", "PLT"),
        ("TSL", "TSPL"), ("SPL", "TSPL"), ("TSPL", "TPLT"), ("TcoSL", "TcoSPL"), ("TcoSPL", "TPLT"),
        ("LT", "GLT"), ("GLT", "FO2B"), ("PT", "GPT"), ("GPT", "FO2B"), ("LDA", "FO2B"), ("DA", "FO2B"), ("FO2B", "SF"),
        ("TD", "MTD"), ("TK", "MTK"), ("MTN", "Acom"), ("PT", "DA"), ("DA", "LDA"), ("LDA", "SF"), ("GD", "LT"),
    ]  # fmt: skip
    for dfa, _ in world:
        classes = classify(dfa, shortcuts=False).classes
        assert [pair for pair in inclusions if classes[pair[0]] and not classes[pair[1]]] == []


@pytest.mark.parametrize(
    ("formula", "key"),
    [
        ("not [b ~ cc]", "SPL"),
        ("not [aa ~ b ~ b]", "SPL"),
        ("[abab ~ c]", "coSPL"),
        ("[bb] or [c ~ aa]", "coSPL"),
        ("{a,b,c}: not [b ~ cc]", "TSPL"),
        ("{a,b,c}: [ab ~ c]", "TcoSPL"),
    ],
)
def test_strict_counterparts_of_piecewise_local_classes(formula: str, key: str) -> None:
    classes = classify(from_formula(formula, "abcd")).classes
    strict = {other for other in ("SPL", "coSPL", "TSPL", "TcoSPL") if classes[other]}
    assert strict == {key} | ({"T" + key} if not key.startswith("T") else set())
