from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.formats import abbadingo
from wug.languages.automata.formats.abbadingo import LabelledStrings
from wug.sequences import Corpus, Vocabulary

BITS = Vocabulary(("#", "0", "1"))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from([1, 0, -1]), st.text("01", max_size=5))))
def test_strings_survive(labelled: list[tuple[int, str]]) -> None:
    labels = np.array([label for label, _ in labelled], dtype=np.int8)
    strings = Corpus.from_strings([string for _, string in labelled], BITS)
    again = abbadingo.from_text(abbadingo.to_text(LabelledStrings(strings, labels)))
    assert again.labels.tolist() == labels.tolist()
    assert list(again.strings.texts()) == list(strings.texts())
    assert again.strings.vocabulary == BITS


def test_files_and_their_text(tmp_path: Path) -> None:
    labelled = LabelledStrings(Corpus.from_strings(["011", ""], BITS), np.array([1, 0], dtype=np.int8))
    abbadingo.write(labelled, tmp_path / "x.dat")
    assert (tmp_path / "x.dat").read_text() == "2 2\n1 3 0 1 1\n0 0\n"
    assert list(abbadingo.read(tmp_path / "x.dat").strings.texts()) == ["011", ""]


def test_named_symbols_are_sorted_and_the_boundary_is_none_of_them() -> None:
    labelled = abbadingo.from_text("2 3\n1 2 b #\n-1 1 a\n")
    assert labelled.strings.vocabulary.symbols == ("##", "#", "a", "b")
    assert list(labelled.strings.texts()) == ["b #", "a"]
    vocabulary = Vocabulary(("END", "b", "a", "#"))
    assert abbadingo.from_text("1 3\n1 2 b #\n", vocabulary=vocabulary).strings.tokens.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected the number of strings and the number of symbols"),
        ("\n2\n", "line 2: expected the number of strings"),
        ("1 999999999\n1 0\n", "line 1: 999999999 symbols are more than 1000000"),
        ("1 2\n2 1 0\n", "line 2: a label must be 1, 0 or -1, got '2'"),
        ("1 2\n\n1\n", "line 3: the line announces no symbols and has 0"),
        ("1 2\n1 3 0 1\n", "line 2: the line announces 3 symbols and has 2"),
        ("2 2\n1 1 0\n", "line 1: 2 strings are announced, the file has 1"),
        ("1 1\n1 2 a b\n", "line 1: 1 symbols are announced, the file uses 2"),
    ],
)
def test_wrong_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        abbadingo.from_text(text)


def test_symbols_outside_the_vocabulary_are_refused() -> None:
    for symbol in ("x", "#"):
        with pytest.raises(InputError, match=f"line 2: '{symbol}' is not a symbol of the vocabulary"):
            abbadingo.from_text(f"1 2\n1 1 {symbol}\n", vocabulary=BITS)


def test_labels_and_strings_must_be_as_many() -> None:
    with pytest.raises(InputError, match="got 1 labels and 2 strings"):
        abbadingo.to_text(LabelledStrings(Corpus.from_strings(["0", "1"], BITS), np.array([1], dtype=np.int8)))
