import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wug.cli._settings import format_value, parse_assignments, parse_value
from wug.errors import InputError

scalars = st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@settings(deadline=None, max_examples=100)
@example(" \U00010000")
@example(["\x7f", "\x00", '"', "\\"])
@example(" \x7f")
@given(scalars | st.lists(scalars, max_size=3))
def test_a_value_that_was_written_is_read_back(value):
    read = parse_value(format_value(value))
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("text", ["a = 1\nb = 2", "1979-05-27", "10:00:00", "{a = 1}", "path/to/dir", "", "[1, x]"])
def test_what_is_no_plain_value_is_text(text):
    assert parse_value(text) == text


def test_the_last_value_counts_and_only_the_first_equals_sign_splits():
    assert parse_assignments(["a=1", "a=2", "rule=x=y"]) == {"a": 2, "rule": "x=y"}


@pytest.mark.parametrize("assignment", ["train", "=3", " = 3"])
def test_an_assignment_without_name_or_value_is_refused(assignment):
    with pytest.raises(InputError, match="NAME=VALUE"):
        parse_assignments([assignment])
