"""Writing patterns out for given parameters."""

import pytest

from wug.errors import InputError
from wug.languages.subregular.notation import write_out

SHORTHANDS = {"OCP(m,k)": "AND_{i<m}(not [s_i^k])", "START(k)": "^a^(k-1)", "FIXED()": "[ab]"}
VALUES = {"k": 4, "j": 3, "B": 2}


@pytest.mark.parametrize(
    ("pattern", "formula"),
    [
        ("[a^k]", "[a^4]"),
        ("[(ab)^(k/2) ~ c]", "[(ab)^2 ~ c]"),
        ("b^(k-1)$", "b^3$"),
        ("^a^(k-1) and not ^k", "^a^3 and not ^k"),
        ("[s_0 s_(0+1) ~ s_B]", "[ab ~ c]"),
        ("occ>=j(a^k)", "occ>=3(a^4)"),
        ("not j x [ab]", "not 3 x [ab]"),
        ("j x OCP(1,2)", "3 x ((not [a^2]))"),
        ("#s_B mod j in {0,2}", "#c mod 3 in {0,2}"),
        ("OR_{i<3}([s_i])", "([a] or [b] or [c])"),
        ("AND_{i=0,2..<B+2}([(s_i s_(i+1))^2])", "([(ab)^2] and [(cd)^2])"),
        ("[SEQ_{i<j}(aa ~ bb)]", "[aa ~ bb ~ aa ~ bb ~ aa ~ bb]"),
        ("CAT_{i<B}(s_i)$", "ab$"),
        ("[b CAT_{i<j-3}(~ c)]", "[b ]"),
        ("OCP(B,k) xor FIXED()", "((not [a^4] and not [b^4])) xor ([ab])"),
        ("START(k) or START(2)", "(^a^3) or (^a^1)"),
        ("{a,b}: /(a|b)*/", "{a,b}: /(a|b)*/"),
    ],
)
def test_patterns_are_written_out(pattern, formula):
    assert write_out(pattern, VALUES, "abcd", SHORTHANDS) == formula


def test_letters_are_quoted_where_the_notation_needs_it():
    assert write_out("[s_0 s_1 s_2]", {}, ["tsch", "~", "x"], {}) == r"['tsch'\~x]"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("[a^q]", "unknown parameter 'q'; known: B, j, k"),
        ("[a^(k+)]", r"'\(k\+\)' is no expression over B, j, k"),
        ("[a^(k/0)]", "division by zero"),
        ("[s_7]", "there is no letter s_7; letters go up to s_3"),
        ("OCB(1,k)", "unknown shorthand 'OCB'; did you mean 'OCP'"),
        ("OCP(1)", "OCP takes 2 arguments, not 1"),
        ("AND_{i<0}([a])", "ranges over no number at all"),
        ("AND_{i=2,0..<4}([a])", "must ascend"),
        ("AND_{i<2}([a]", "a bracket is not closed"),
    ],
)
def test_what_cannot_be_written_out_is_said(pattern, message):
    with pytest.raises(InputError, match=message):
        write_out(pattern, VALUES, "abcd", SHORTHANDS)


def test_expressions_only_calculate():
    with pytest.raises(InputError, match="no expression"):
        write_out("[a^(k.real)]", VALUES, "abcd", {})
