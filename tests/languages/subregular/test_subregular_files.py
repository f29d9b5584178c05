"""Data sets as files."""

import hashlib
import json
from itertools import pairwise

import polars as pl
import pytest

from wug.errors import InputError
from wug.languages.subregular.files import write_data_sets
from wug.languages.subregular.languages import RegularLanguage
from wug.languages.subregular.plan import Plan

LANGUAGE = RegularLanguage.named("64.64.coSP.2.1.3")
TAGS = ["Dev", "TestLA", "TestLR", "TestSA", "TestSR", "Train"]


def test_folders_and_files_are_named_as_published(tmp_path):
    seen = []
    written = write_data_sets([LANGUAGE.name], tmp_path, seed=1, sizes=["Mid", "Small"], progress=seen.append)
    for size in ("Small", "Mid"):
        assert sorted(path.name for path in (tmp_path / size).iterdir()) == [
            f"64.64.coSP.2.1.3_{tag}.txt" for tag in TAGS
        ]
    assert not (tmp_path / "Large").exists()
    assert sorted(written) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert seen == [LANGUAGE.name]


def test_text_is_word_tab_label(tmp_path):
    write_data_sets([LANGUAGE], tmp_path, seed=1, sizes=["Small"])
    lines = (tmp_path / "Small/64.64.coSP.2.1.3_Train.txt").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    words, labels = zip(*(line.split("\t") for line in lines), strict=True)
    assert set(labels) == {"TRUE", "FALSE"}
    # the complement's labels are exchanged, so each length begins with the words outside it
    assert labels[:50] == ("FALSE",) * 50
    assert set("".join(words)) <= set(LANGUAGE.alphabet)
    assert [LANGUAGE.accepts(word) for word in words] == [label == "TRUE" for label in labels]


def test_the_manifest_describes_every_file(tmp_path):
    write_data_sets([LANGUAGE], tmp_path, seed=1, sizes=["Small"])
    manifest = json.loads((tmp_path / "manifests/Small/64.64.coSP.2.1.3.json").read_text(encoding="utf-8"))
    assert manifest["sha256"] == LANGUAGE.sha256
    assert (manifest["seed"], manifest["complement_of"], manifest["shortages"]) == (1, "64.64.SP.2.1.3", [])
    for of, record in manifest["sets"].items():
        content = (tmp_path / "Small" / record["file"]).read_bytes()
        assert record["sha256"] == hashlib.sha256(content).hexdigest()
        assert record["strings"] == content.count(b"\n") == 1000
        assert sum(record["lengths"]["TRUE"].values()) == sum(record["lengths"]["FALSE"].values()) == 500
        assert ("border_pairs" in record) == (of in ("SA", "LA"))


def test_border_pairs_are_counted_by_edit(tmp_path):
    language = RegularLanguage.named("04.04.SL.2.1.0")
    write_data_sets([language], tmp_path, seed=1, sizes=["Small"])
    manifest = json.loads((tmp_path / "manifests/Small/04.04.SL.2.1.0.json").read_text(encoding="utf-8"))
    lines = (tmp_path / "Small/04.04.SL.2.1.0_TestSA.txt").read_text(encoding="utf-8").splitlines()
    longer = []
    for block in range(10):
        rows = [line.split("\t")[0] for line in lines[100 * block : 100 * (block + 1)]]
        longer += [len(y) - len(x) for x, y in zip(rows[:50], rows[50:], strict=True)]
    statistics = manifest["sets"]["SA"]["border_pairs"]
    assert statistics["pairs"] == 500
    assert statistics["edits"] == {
        "substitution": longer.count(0), "deletion": longer.count(-1), "insertion": longer.count(1)
    }  # fmt: skip
    assert min(statistics["edits"].values()) > 0
    assert statistics["mean_length_false_minus_true"] == pytest.approx(sum(longer) / 500)


def test_parquet_holds_the_same_strings_and_the_pairs(tmp_path):
    write_data_sets([LANGUAGE], tmp_path, seed=1, sizes=["Small"])
    write_data_sets([LANGUAGE], tmp_path, seed=1, sizes=["Small"], file_format="parquet")
    for tag in TAGS:
        frame = pl.read_parquet(tmp_path / f"Small/64.64.coSP.2.1.3_{tag}.parquet")
        labels = frame["label"].cast(pl.Int8).to_list()
        lines = [f"{word}\t{('FALSE', 'TRUE')[label]}" for word, label in zip(frame["string"], labels, strict=True)]
        assert lines == (tmp_path / f"Small/64.64.coSP.2.1.3_{tag}.txt").read_text(encoding="utf-8").splitlines()
        if tag in ("TestSA", "TestLA"):
            assert frame.group_by("pair").agg(pl.len(), pl.col("label").sum()).select(
                "len", "label"
            ).unique().rows() == [(2, 1)]
        else:
            assert frame["pair"].null_count() == 1000


def test_letters_of_several_characters_have_blanks_between_them(tmp_path):
    language = RegularLanguage.from_pattern("affricates", "not ['tsch''tsch']", ["tsch", "a", "é"])
    write_data_sets([language], tmp_path, seed=1, plan=Plan({"A": 12}, (4,), (5,)))
    lines = (tmp_path / "A/affricates_Train.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split("\t")[0].split(" ") for line in lines]
    assert all(len(word) == 4 and set(word) <= {"tsch", "a", "é"} for word in words)
    assert [not any(pair == ("tsch", "tsch") for pair in pairwise(word)) for word in words] == [
        line.endswith("\tTRUE") for line in lines
    ]


def test_files_without_strings_are_empty(tmp_path):
    language = RegularLanguage.from_pattern("one word", "/a*b/", "ab")
    plan = Plan({"A": 2}, (1,), (3,), on_shortage="all")
    for file_format in ("txt", "parquet"):
        write_data_sets([language], tmp_path, seed=1, plan=plan, file_format=file_format)
    sets = {path.name: text for path in (tmp_path / "A").glob("*.txt") if not (text := path.read_bytes())}
    assert set(sets) == {"one word_Dev.txt", "one word_TestSA.txt", "one word_TestSR.txt"}
    assert pl.read_parquet(tmp_path / "A/one word_Dev.parquet").height == 0
    manifest = json.loads((tmp_path / "manifests/A/one word.json").read_text(encoding="utf-8"))
    assert {"sets": ["Dev"], "length": 1, "label": "TRUE", "requested": 1, "available": 0} in manifest["shortages"]


def test_unknown_sizes_formats_and_orders_are_refused_before_anything_is_written(tmp_path):
    for wrong, message in [
        ({"sizes": ["Tiny"]}, "unknown size 'Tiny'"),
        ({"sizes": []}, "no size is asked for; there are: Small, Mid, Large"),
        ({"file_format": "csv"}, "unknown format 'csv'"),
        ({"order": "random"}, "unknown order 'random'"),
    ]:
        with pytest.raises(InputError, match=message):
            write_data_sets([LANGUAGE], tmp_path / "out", seed=1, **wrong)
    with pytest.raises(InputError, match="unknown MLRegTest language"):
        write_data_sets([LANGUAGE, "64.64.coSP.2.1.33"], tmp_path / "out", seed=1)
    with pytest.raises(InputError, match="'a/b' cannot be"):
        write_data_sets([RegularLanguage.from_dfa("a/b", LANGUAGE.dfa)], tmp_path / "out", seed=1)
    assert not (tmp_path / "out").exists()
