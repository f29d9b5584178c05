import pytest

from wug.errors import InputError
from wug.languages.counting_notation import parse


@pytest.mark.parametrize(
    ("notation", "shortest"),
    [
        ("a^n b^n", "a^n b^n"),
        ("  a^(n)   b^( n + m ) ", "a^n b^(n+m)"),
        ("a^(n+n) b^1 c^2", "a^(2n) b c^2"),
        ("a^(1+2n+1) b", "a^(2n+2) b"),
        ("0^n 1^(2 n)", "0^n 1^(2n)"),
    ],
)
def test_shortest_form(notation, shortest):
    assert " ".join(map(str, parse(notation))) == shortest


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("", "at least one block"),
        ("a^nb^n", "cannot read 'a\\^nb\\^n'"),
        ("a^n b^2n", "cannot read 'b\\^2n'"),
        ("a^n #^n", "the boundary # cannot be a symbol"),
        ("a^N", "cannot read"),
        ("a^n b^(n-1)", "cannot read the exponent 'n-1'"),
        ("a^n b^()", "cannot read the exponent ''"),
        ("a^n b^(n+)", "cannot read the exponent"),
        ("a^n b^(nm)", "cannot read the exponent 'nm'"),
        ("a^0 b", "must be 1 to 1000000, not 0"),
        ("a^n b^(0n)", "must be 1 to 1000000, not 0"),
        ("a^99999999", "must be 1 to 1000000"),
        ("a^(n+m) b^n", "two new parameters, m and n"),
        ("a^n a^m", "a\\^n and a\\^m .* must be written as one"),
    ],
)
def test_what_is_refused(notation, message):
    with pytest.raises(InputError, match=message):
        parse(notation)
