import subprocess
import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.sequences import Corpus, Vocabulary

LETTERS = Vocabulary(("#", "a", "b"))
GREEK = Vocabulary(("#", "α", "b", "𝛽"))
WORDS = Vocabulary(("<s>", "</s>", "jump", "twice"), start=0, end=1)

lists = st.lists(st.text("ab", max_size=6), max_size=20)


def written(alphabet: list[str], separator: str):
    return st.lists(st.lists(st.sampled_from(alphabet), max_size=5).map(separator.join), max_size=8)


ANY_CORPUS = st.one_of(
    written(["a", "b"], "").map(lambda strings: Corpus.from_strings(strings, LETTERS)),
    written(["α", "b", "𝛽"], "").map(lambda strings: Corpus.from_strings(strings, GREEK)),
    written(["jump", "twice"], " ").map(lambda strings: Corpus.from_strings(strings, WORDS)),
)


def same(one: Corpus, other: Corpus) -> bool:
    return one.sha256() == other.sha256() and list(one.texts()) == list(other.texts())


@settings(deadline=None)
@given(lists)
def test_strings_come_back(strings):
    corpus = Corpus.from_strings(iter(strings), LETTERS)
    assert list(corpus.texts()) == strings
    assert len(corpus) == len(strings)
    assert corpus.n_symbols == sum(map(len, strings))
    assert corpus.lengths.tolist() == list(map(len, strings))
    assert same(corpus, Corpus.from_arrays(list(corpus), LETTERS))


def test_one_string_is_a_view():
    corpus = Corpus.from_strings(["ab", "", "b"], LETTERS)
    assert np.shares_memory(corpus[0], corpus.tokens)
    assert corpus[-1].tolist() == [2]
    assert corpus.text(1) == ""
    with pytest.raises(IndexError):
        corpus[3]


@settings(deadline=None)
@given(lists.filter(bool), st.data())
def test_select(strings, data):
    corpus = Corpus.from_strings(strings, LETTERS)
    chosen = data.draw(st.lists(st.integers(-len(strings), len(strings) - 1)))
    assert list(corpus.select(chosen).texts()) == [strings[i] for i in chosen]
    mask = np.array([len(string) > 2 for string in strings])
    assert list(corpus.select(mask).texts()) == [string for string in strings if len(string) > 2]
    assert list(corpus.select(slice(1, None, 2)).texts()) == strings[1::2]


@settings(deadline=None)
@given(lists)
def test_unique_counts_in_order_of_first_occurrence(strings):
    unique, multiplicities = Corpus.from_strings(strings, LETTERS).unique()
    expected = Counter(strings)
    assert list(unique.texts()) == list(expected)
    assert multiplicities.tolist() == list(expected.values())


def test_unique_of_many_strings():
    rng = np.random.default_rng(1)
    lengths = rng.integers(0, 9, size=50_000)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    corpus = Corpus(rng.integers(1, 3, size=offsets[-1]), offsets, LETTERS)
    unique, multiplicities = corpus.unique()
    assert dict(zip(unique.texts(), multiplicities.tolist(), strict=True)) == Counter(corpus.texts())


@settings(deadline=None)
@given(lists, lists)
def test_concatenate(one, other):
    parts = [Corpus.from_strings(strings, LETTERS) for strings in (one, other)]
    assert list(Corpus.concatenate(parts).texts()) == one + other


@settings(deadline=None, max_examples=60)
@given(ANY_CORPUS, st.booleans())
def test_text_files_round_trip(tmp_path_factory, corpus, boundary):
    path = tmp_path_factory.mktemp("text") / "strings.txt"
    corpus.write_text(path, boundary)
    assert same(Corpus.read_text(path, corpus.vocabulary, boundary), corpus)
    assert [file.name for file in path.parent.iterdir()] == ["strings.txt"]


@settings(deadline=None, max_examples=40)
@given(ANY_CORPUS)
def test_parquet_files_round_trip(tmp_path_factory, corpus):
    path = tmp_path_factory.mktemp("parquet") / "strings.parquet"
    corpus.write_parquet(path)
    assert same(Corpus.read_parquet(path, corpus.vocabulary), corpus)
    assert pl.read_parquet(path)["string"].to_list() == list(corpus.texts())


def test_text_files_are_wrapped_in_the_boundary(tmp_path):
    path = tmp_path / "strings.txt"
    Corpus.from_strings(["aabb", ""], LETTERS).write_text(path)
    assert path.read_text() == "#aabb#\n##\n"
    Corpus.from_strings(["jump twice", ""], WORDS).write_text(path)
    assert path.read_text() == "<s> jump twice </s>\n<s> </s>\n"


@pytest.mark.parametrize(
    ("content", "boundary", "strings"),
    [
        ("#ab#\r\n##\r\n", True, ["ab", ""]),
        ("#ab#", True, ["ab"]),
        ("", True, []),
        ("", False, []),
        ("ab\n\nb\n", False, ["ab", "", "b"]),
        ("\r\nb", False, ["", "b"]),
    ],
)
def test_line_ends(tmp_path, content, boundary, strings):
    path = tmp_path / "strings.txt"
    path.write_bytes(content.encode())
    assert list(Corpus.read_text(path, LETTERS, boundary).texts()) == strings


@pytest.mark.parametrize(
    ("vocabulary", "content", "message"),
    [
        (LETTERS, b"#ab#\nab#\n", "line 2: a string must begin with '#' and end with '#'"),
        (LETTERS, b"#\n", "line 1: a string must begin"),
        (LETTERS, b"#ab#\n\n", "line 2: a string must begin"),
        (LETTERS, b"#a#\n#axb#\n", "line 2: unknown symbol 'x' at position 2; known symbols: # a b"),
        (LETTERS, "#a#\n#a\u4e00#\n".encode(), "line 2: unknown symbol '\u4e00' at position 2"),
        (LETTERS, b"#ab#\n#a#b#\n", "line 2: the start or end symbol '#' stands inside the string, at position 2"),
        (LETTERS, b"#ab#\n#\xff#\n", "line 2: not UTF-8"),
        (WORDS, b"<s> jump </s>\njump\n", "line 2: a string must begin with '<s>' and end with '</s>'"),
        (WORDS, b"<s> </s>\n<s> jump run </s>\n", "line 2: unknown symbol 'run' at position 2"),
        (WORDS, b"<s> jump <s> </s>\n", "line 1: the start or end symbol '<s>' stands inside"),
    ],
)
def test_errors_name_file_and_line(tmp_path, vocabulary, content, message):
    path = tmp_path / "strings.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"strings.txt, {message}"):
        Corpus.read_text(path, vocabulary)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pl.Series("string", ["a", "ac"]), "row 2: unknown symbol 'c' at position 2"),
        (pl.Series("string", ["a", None]), "row 2: no string in column 'string'"),
        (pl.Series("string", [1, 2]), "must hold strings, not Int64"),
        (pl.Series("text", ["a"]), "no column 'string'; there are: text"),
    ],
)
def test_errors_name_file_and_row(tmp_path, column, message):
    path = tmp_path / "strings.parquet"
    column.to_frame().write_parquet(path)
    with pytest.raises(InputError, match=f"strings.parquet.*{message}"):
        Corpus.read_parquet(path, LETTERS)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"missing\.txt: cannot be read"):
        Corpus.read_text(tmp_path / "missing.txt", LETTERS)
    with pytest.raises(InputError, match=r"missing\.parquet: cannot be read"):
        Corpus.read_parquet(tmp_path / "missing.parquet", LETTERS)


def test_the_hash_tells_contents_apart():
    corpora = [
        Corpus.from_strings(["ab"], LETTERS),
        Corpus.from_strings(["a", "b"], LETTERS),
        Corpus.from_strings(["ab", ""], LETTERS),
        Corpus.from_strings(["ab"], Vocabulary(("#", "a", "b", "c"))),
        Corpus.from_strings([], LETTERS),
    ]
    assert len({corpus.sha256() for corpus in corpora}) == len(corpora)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: Corpus.from_strings(["ab", "", "axb"], LETTERS), "string 3: unknown symbol 'x' at position 2"),
        (lambda: Corpus.from_strings(["ab", "#ab#"], LETTERS), "string 2: the start or end symbol '#' stands inside"),
        (lambda: Corpus.from_strings(["jump run"], WORDS), "string 1: unknown symbol 'run' at position 2"),
        (lambda: Corpus.from_arrays([[1], [1, 3]], LETTERS), r"string 2: no class 3 \(position 2\)"),
        (lambda: Corpus.from_arrays([[-1]], LETTERS), "string 1: no class -1"),
        (lambda: Corpus.from_arrays([[0.5]], LETTERS), "must be integers, not float64"),
        (lambda: Corpus(np.array([1, 2]), np.array([0, 1]), LETTERS), "must rise from 0 to the number of tokens"),
        (lambda: Corpus(np.array([1, 2]), np.array([0, 3, 2]), LETTERS), "must rise from 0"),
        (lambda: Corpus(np.array([1]), np.array([], dtype=int), LETTERS), "one offset more than strings"),
        (lambda: Corpus.concatenate([]), "at least one corpus"),
        (
            lambda: Corpus.concatenate([Corpus.from_strings([], LETTERS), Corpus.from_strings([], GREEK)]),
            "the same vocabulary",
        ),
    ],
)
def test_wrong_requests_are_explained(action, message):
    with pytest.raises(InputError, match=message):
        action()


def test_importing_stays_light():
    code = "import sys, wug.sequences; print(sorted({'numba', 'polars', 'torch'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
