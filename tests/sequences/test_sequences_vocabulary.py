import numpy as np
import pytest

from wug.errors import InputError
from wug.sequences import Vocabulary

LETTERS = Vocabulary(("#", "a", "b"))
WORDS = Vocabulary(("<s>", "</s>", "jump", "twice"), start=0, end=1)


def test_single_characters_are_written_together():
    assert LETTERS.encode("#aab#").tolist() == [0, 1, 1, 2, 0]
    assert LETTERS.decode([0, 1, 1, 2, 0]) == "#aab#"
    assert LETTERS.decode(LETTERS.encode("")) == ""


def test_longer_symbols_are_written_with_blanks():
    assert WORDS.encode(" jump  twice ").tolist() == [2, 3]
    assert WORDS.decode(np.array([2, 3])) == "jump twice"


@pytest.mark.parametrize(("size", "dtype"), [(256, "uint8"), (257, "uint16"), (65536, "uint16"), (65537, "int32")])
def test_the_smallest_dtype_is_used(size, dtype):
    vocabulary = Vocabulary(tuple(f"s{number}" for number in range(size)))
    assert vocabulary.dtype == dtype
    assert vocabulary.encode(f"s{size - 1} s0").tolist() == [size - 1, 0]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: LETTERS.encode("abcb"), "unknown symbol 'c' at position 3; known symbols: # a b"),
        (lambda: WORDS.encode("jump thrice"), "unknown symbol 'thrice' at position 2"),
        (lambda: LETTERS.decode([1, 3]), r"no class 3 \(position 2\); classes go from 0 to 2"),
        (lambda: LETTERS.decode([-1]), "no class -1"),
        (lambda: Vocabulary(()), "at least one symbol"),
        (lambda: Vocabulary(("#", "a", "#")), "'#' occurs twice"),
        (lambda: Vocabulary(("#", "a b")), "without blanks, not 'a b'"),
        (lambda: Vocabulary(("#", "")), "without blanks, not ''"),
        (lambda: Vocabulary(("#", "a"), start=2), "start symbol must be a class from 0 to 1, not 2"),
        (lambda: Vocabulary(("#", "a"), end=-1), "end symbol must be a class from 0 to 1, not -1"),
    ],
)
def test_wrong_requests_are_explained(action, message):
    with pytest.raises(InputError, match=message):
        action()
