import re

import pytest
from automata_worlds import language, words
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.canonical_form import canonical_text
from wug.languages.automata.facts import is_empty, is_universal
from wug.languages.automata.regex import from_regex

LONGEST = 7
ALL = words("ab", LONGEST)

leaves = st.sampled_from(["a", "b", "[ab]", "[^a]", ".", "[^ab]", "()"])


def classical(parts):
    return st.one_of(
        st.builds("({}|{})".format, parts, parts),
        st.builds("{}{}".format, parts, parts),
        st.builds("({})*".format, parts),
        st.builds("({})+".format, parts),
        st.builds("({})?".format, parts),
        st.builds("({}){{{}}}".format, parts, st.integers(0, 3)),
        st.builds("({}){{{},}}".format, parts, st.integers(0, 3)),
        st.builds("({}){{{},{}}}".format, parts, st.integers(0, 2), st.integers(2, 3)),
        st.builds("({}){{,{}}}".format, parts, st.integers(0, 3)),
    )


@settings(deadline=None, max_examples=100)
@given(st.recursive(leaves, classical, max_leaves=6))
def test_classical_expressions_mean_what_pythons_re_says(text: str) -> None:
    reference = re.compile(text)
    assert language(from_regex(text, "ab"), LONGEST) == {word for word in ALL if reference.fullmatch(word)}


def joined(left: set[str], right: set[str]) -> set[str]:
    return {u + v for u in left for v in right if len(u + v) <= 5}


def iterated(words_of: set[str]) -> set[str]:
    result = {""}
    while True:
        more = result | joined(result, words_of)
        if more == result:
            return result
        result = more


class Described:
    """An expression and the set of its words of up to 5 letters, by plain set operations."""

    everything = frozenset(words("ab", 5))

    def __init__(self, text: str, accepted: set[str]) -> None:
        self.text, self.accepted = text, accepted

    def __repr__(self) -> str:
        return self.text


extended = st.recursive(
    st.sampled_from(
        [Described("a", {"a"}), Described("b", {"b"}), Described("()", {""}), Described("[]", set())],
    ),
    lambda parts: st.one_of(
        st.builds(lambda r, s: Described(f"({r}|{s})", r.accepted | s.accepted), parts, parts),
        st.builds(lambda r, s: Described(f"({r}&{s})", r.accepted & s.accepted), parts, parts),
        st.builds(lambda r, s: Described(f"({r})({s})", joined(r.accepted, s.accepted)), parts, parts),
        st.builds(lambda r: Described(f"({r})*", iterated(r.accepted)), parts),
        st.builds(lambda r: Described(f"~({r})", Described.everything - r.accepted), parts),
    ),
    max_leaves=7,
)


@settings(deadline=None, max_examples=100)
@given(extended)
def test_intersection_and_complement_anywhere(expression: Described) -> None:
    assert language(from_regex(expression.text, "ab"), 5) == expression.accepted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a|b&a", "a|(b&a)"),
        ("ab&a*b|b", "((ab)&((a*)b))|b"),
        ("~ab", "(~a)b"),
        ("~a*", "~(a*)"),
        ("~~a", "a"),
        ("ab{2}", "abb"),
        ("a{2}{3}", "a{6}"),
        ("[a-c]", "a|b|c"),
        ("[^a-c]", "d"),
        ("[^]", "."),
        ("[ca-bd]", "."),
        ("[]", "a&b"),
        (" a b\n| c ", "ab|c"),
        ("'a'b", "ab"),
        ("[a'b']", "a|b"),
        (r"\a\b", "ab"),
    ],
)
def test_binding_and_notation(one: str, other: str) -> None:
    assert canonical_text(from_regex(one, "abcd")) == canonical_text(from_regex(other, "abcd"))


def test_simplest_languages() -> None:
    assert is_empty(from_regex("[]", "ab"))
    assert is_universal(from_regex("~[]", "ab"))
    assert is_universal(from_regex(".*", "ab"))
    assert language(from_regex("()", "ab"), 3) == {""}


def test_long_letters_special_letters_and_blanks() -> None:
    assert language(from_regex(r"\*+", "*a"), 3) == {"*", "**", "***"}
    assert language(from_regex(r"a\ a", "a "), 3) == {"a a"}
    assert from_regex("'tsch'* a", ["tsch", "a"]).n_states == 3


def test_ranges_follow_the_alphabets_order() -> None:
    assert language(from_regex("[c-a]", "cba"), 1) == {"a", "b", "c"}


def test_large_alphabets_are_expanded_at_the_end() -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    dfa = from_regex(".*ab[^c]*", alphabet)
    assert dfa.alphabet == tuple(alphabet)
    assert canonical_text(from_regex(".*ab[^c]*", "abcd")) != canonical_text(dfa)
    assert dfa.transitions[:, 3:].tolist() == [[row[3]] * 23 for row in dfa.transitions.tolist()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: expected an expression, found the end"),
        ("(a", r"column 3: expected '\)', found the end"),
        ("a|", "column 3: expected an expression, found the end"),
        ("a)b", r"column 2: '\)' has no place here"),
        ("ab\n*|*", r"column 6: expected an expression, found '\*'"),
        ("[a-", "column 4: expected a letter, found the end"),
        ("a{3", "column 4: expected ',' or '}', found the end"),
        ("a{x}", "column 3: expected a number or ',', found 'x'"),
        ("a{4,2}", "column 3: 4 repetitions at least is more than 2 at most"),
        ("a{99999999999}", "column 3: 99999999999 repetitions are more than 10000"),
        ("abx", "column 3: 'x' is not in the alphabet a b c"),
        ("[c-a]", "column 4: 'a' comes before 'c' in the alphabet"),
        ("((a{1000}){1000})", "needs more than 20000 states"),
        ("~" * 5000 + "a", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_column(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_regex(text, "abc")
