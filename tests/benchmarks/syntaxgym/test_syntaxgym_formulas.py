"""The formula language: what holds, how it groups, what is refused and where."""

import pytest

from wug.benchmarks.syntaxgym.suites import Cell, parse_formula
from wug.errors import InputError

VALUES = {"a": 3.0, "b": 4.0}


def holds(text: str) -> bool:
    return parse_formula(text).evaluate(lambda cell: VALUES[cell.condition]).holds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[(1;%a%) < (1;%b%)]", True),
        ("( 3 ;% a % ) < (*;%b%)", True),
        ("1 < 2 | 1 > 2 & 1 > 2", False),
        ("1 < 2 | (1 > 2 & 1 > 2)", True),
        ("3 - 1 - 1 = 1", True),
        ("3 -1=2", True),
        ("-1 < 2e0", True),
        ("3.0009 = 3", True),
        ("3.0012 = 3", False),
        ("(1;%a%) > (2;%a%)", False),
    ],
)
def test_formulas_hold_as_specified(text, expected):
    assert holds(text) is expected
    assert holds(str(parse_formula(text))) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 < 3 < 2", "position 7: comparisons do not chain"),
        ("1 <= 2", "position 4: unexpected '='"),
        ("1 != 2", "position 3: unexpected '!'"),
        ("2 * 3 > 5", "position 3: unexpected '*'"),
        ("~(1;%a%)", "position 1: unexpected '~'"),
        ("((1;%a b%) < 3)", "position 4"),
        ("[(1;%a%) < 3)", "position 13: unexpected ')'"),
        ("(1;%a%)", "this one is a number"),
        ("1 + 1", "this one is a number"),
        ("(1 < 2) + 1 > 2", "position 9: '+' takes numbers"),
        ("1 < 2 & 3", "position 7: '&' joins comparisons"),
        ("(0;%a%) < 1", "regions are counted from 1"),
        ("1e999 > 1", "position 1: the number 1e999 is too large"),
        ("1 < 2 &", "ends too early"),
        ("", "ends too early"),
    ],
)
def test_what_is_no_formula_is_refused_with_the_position(text, message):
    with pytest.raises(InputError) as caught:
        parse_formula(text)
    assert message in str(caught.value)


def test_and_beside_or_is_noticed():
    assert parse_formula("1 < 2 | 1 > 2 & 1 > 2").mixes_and_or
    assert not parse_formula("(1 < 2 | 1 > 2) & 1 > 2").mixes_and_or


def test_long_and_deep_formulas_are_fine():
    long = parse_formula("+".join(["(1;%a%)"] * 2000) + " > 5999")
    assert long.evaluate(lambda cell: 3.0).holds
    assert long.cells == (Cell(1, "a"),)
    assert parse_formula("(" * 2000 + "1" + ")" * 2000 + " < 2").evaluate(lambda cell: 0.0).holds
    assert parse_formula(str(long)).evaluate(lambda cell: 3.0).holds


def test_a_tie_does_not_hold_and_is_told():
    formula = parse_formula("(1;%a%) - (1;%b%) < 0.1 - 0.3 & 1 < 2")
    evaluation = formula.evaluate({Cell(1, "a"): 0.1, Cell(1, "b"): 0.1 + 0.2}.__getitem__)
    assert not evaluation.holds
    assert evaluation.is_tied
    assert [comparison.margin_bits for comparison in evaluation.comparisons] == pytest.approx([0, 1])


def test_nothing_holds_of_values_that_are_not_finite():
    formula = parse_formula("(1;%a%) < 1 | (1;%a%) > 1 | (1;%a%) = 1")
    assert not formula.evaluate(lambda cell: float("nan")).holds
