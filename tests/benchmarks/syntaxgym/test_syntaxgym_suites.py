"""Suites: both dialects and CSV, round trips, what is forgiven and what is refused."""

import json
from fractions import Fraction

import pytest

from wug.benchmarks.syntaxgym.suites import (
    Dialect,
    Findings,
    Item,
    chance,
    check_suite,
    parse_formula,
    read_suite,
    read_suites,
    write_suite,
)
from wug.errors import InputError, WugWarning

BLANKS = {
    "npz_ambig": 256,
    "npz_ambig_mod": 352,
    "npz_obj": 347,
    "npz_obj_mod": 447,
    "subordination_pp-pp": 8,
    "fgd-embed3": 2,
    "fgd-embed4": 4,
}
"""Cells with blanks at an end, in the published bracket dialect."""
CHANCE = {"center": "1/2", "cleft": "1/2", "nn": "1/2", "mvrr": "7/24", "npz": "7/24", "npi": "5/24"}
"""By the first part of a suite's name; 1/4 elsewhere."""


def value(cell):
    """A value that tells cells apart, a multiple of a hundredth."""
    return (len(cell.condition) % 7 + cell.region * 3 % 5) / 4


@pytest.mark.golden
def test_the_published_suites_are_read_and_written_in_both_dialects(published, tmp_path):
    n_items = n_sentences = 0
    for file in sorted((published / "suites_parenthesised").glob("*.json")):
        suite = read_suite(file, strict=True)
        findings = Findings()
        twin = check_suite(published / "suites_master" / file.name, findings)
        assert len(findings.sentences) == BLANKS.get(suite.name, 0)
        assert twin.items == suite.items
        for one, other in zip(suite.predictions, twin.predictions, strict=True):
            assert one.evaluate(value) == other.evaluate(value)
        for name, dialect in (
            ("a.json", Dialect.BRACKETS),
            ("b.json", Dialect.PARENTHESES),
            ("c.csv", Dialect.BRACKETS),
        ):
            write_suite(suite, tmp_path / name, dialect)
            again = read_suite(tmp_path / name, strict=True)
            assert (again.name, again.regions, again.items) == (suite.name, suite.regions, suite.items)
            assert [str(one) for one in again.predictions] == [str(one) for one in suite.predictions]
        level = chance(suite.predictions[:1], suite).value
        assert level == Fraction(CHANCE.get(suite.name.replace("-", "_").split("_")[0], "1/4"))
        n_items += len(suite.items)
        n_sentences += sum(1 for _ in suite.sentences())
    assert (n_items, n_sentences) == (842, 3304)


def test_regions_of_a_sentence_are_joined_by_one_space():
    sentence = Item(1, {"c": ("", "As he", "", "ran", ", she", "")}).sentence("c")
    assert sentence.text == "As he ran , she"
    assert [sentence.text[start:stop] for start, stop in sentence.spans] == ["", "As he", "", "ran", ", she", ""]
    assert sentence.is_empty(1)


def test_conditions_in_another_order_are_found_by_name(tiny):
    assert tiny.conditions == ("match", "mismatch")
    assert tiny.items[1].sentence("match").text == "The pilots are old"
    assert tiny.needed_regions == {"match": {2}, "mismatch": {2}}


def document():
    regions = [{"region_number": 1, "content": "a"}, {"region_number": 2, "content": "b"}]
    return {
        "meta": {"name": "s", "metric": "sum"},
        "region_meta": {"1": "first", "2": "second"},
        "predictions": [{"type": "formula", "formula": "(1;%x%) < (2;%x%)"}],
        "items": [{"item_number": 1, "conditions": [{"condition_name": "x", "regions": regions}]}],
    }


def spoil(path, change):
    made = document()
    change(made)
    path.write_text(json.dumps(made))
    return path


def first_regions(made):
    return made["items"][0]["conditions"][0]["regions"]


HOSTILE = {
    "a region is missing": (lambda d: first_regions(d).pop(), "item 1, x: region 2 (second) is missing"),
    "a region twice": (lambda d: first_regions(d).append(first_regions(d)[0]), "region 1 is there twice"),
    "a strange region": (lambda d: first_regions(d)[0].update(region_number=7), "item 1, x: region 7 is not one"),
    "no condition": (lambda d: d["predictions"][0].update(formula="(1;%y%) < 1"), "position 1: no condition 'y'"),
    "no such region": (lambda d: d["predictions"][0].update(formula="1 < (9;%x%)"), "position 5: no region 9"),
    "bad formula": (lambda d: d["predictions"][0].update(formula="1 < 2 <"), "prediction 0: position 7"),
    "other prediction": (lambda d: d["predictions"][0].update(type="lambda"), "its type must be 'formula'"),
    "metric": (lambda d: d["meta"].update(metric="all"), "the metric must be one of sum"),
    "name": (lambda d: d["meta"].update(name="../s"), "the suite's name"),
    "type": (lambda d: d["items"][0].update(item_number="1"), "must be a whole number"),
    "twice": (lambda d: d["items"].append(d["items"][0]), "item 1 is there twice"),
    "no items": (lambda d: d["items"].clear(), "the suite has no items"),
    "no predictions": (lambda d: d["predictions"].clear(), "the suite has no predictions"),
    "region_meta": (lambda d: d["region_meta"].update({"4": "z"}), "region_meta has no region 3"),
    "meta": (lambda d: d.pop("meta"), "the file has no 'meta'"),
    "empty": (lambda d: [region.update(content="") for region in first_regions(d)], "all regions are empty"),
    "condition lacking": (
        lambda d: d["items"].append({"item_number": 2, "conditions": []}),
        "item 2 lacks condition 'x'",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_suite_gives_one_sentence(case, tmp_path):
    change, message = HOSTILE[case]
    with pytest.raises(InputError) as caught:
        read_suite(spoil(tmp_path / "s.json", change))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "not JSON: Expecting property name"),
        (b"[" * 100_000, "lists within lists"),
        (b"[]", "must be an object"),
    ],
)
def test_what_is_no_suite_gives_one_sentence(content, message, tmp_path):
    (tmp_path / "s.json").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_suite(tmp_path / "s.json")


def test_blanks_are_forgiven_with_a_warning_or_refused(tmp_path):
    path = spoil(tmp_path / "s.json", lambda d: first_regions(d)[0].update(content=" a"))
    with pytest.warns(WugWarning, match="begins or ends with a space"):
        assert read_suite(path).items[0].conditions["x"] == ("a", "b")
    with pytest.raises(InputError, match=r"item 1, x, region 1 \(first\)"):
        read_suite(path, strict=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no header"),
        ("a,b\n", "line 1: the header must be"),
        ("item_number,condition_name,r\n1,x,a\n", "# name,NAME"),
        ("# name,s\nitem_number,condition_name,r\n1,x\n", "line 3: 2 columns where the header has 3"),
        ("# name,s\nitem_number,condition_name,r\none,x,a\n", "line 3: item_number must be a number"),
    ],
)
def test_a_hostile_table_gives_one_sentence(text, message, tmp_path):
    (tmp_path / "s.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_suite(tmp_path / "s.csv")


def test_a_folder_gives_its_suites_in_order(tmp_path, tiny):
    spoil(tmp_path / "s.json", lambda d: None)
    assert [suite.name for suite in read_suites(tmp_path)] == ["s", "tiny"]
    spoil(tmp_path / "t.json", lambda d: None)
    with pytest.raises(InputError, match="another suite with the name 's'"):
        read_suites(tmp_path)


@pytest.mark.parametrize(
    ("text", "low", "high", "level"),
    [
        ("(1;%x%) < (2;%x%)", "1/2", "1/2", "1/2"),
        ("(1;%x%) < (2;%x%) & (1;%y%) < (2;%x%)", "1/3", "1/3", "1/3"),
        ("(1;%x%) < (2;%x%) | (1;%y%) < (2;%y%)", "3/4", "3/4", "3/4"),
        ("(1;%x%) - (2;%x%) > (1;%y%) - (2;%y%) & (1;%x%) > (1;%y%) & (1;%x%) > (2;%x%)", "1/4", "1/3", "7/24"),
        ("(1;%x%) < 3", "0", "1", None),
        ("(1;%x%) = (2;%x%)", "0", "0", "0"),
        ("(1;%x%) + (2;%x%) > 0", "1", "1", "1"),
        ("1.0005 = 1", "1", "1", "1"),
    ],
)
def test_chance_is_counted_or_bounded(text, low, high, level, tiny):
    found = chance([parse_formula(text)], tiny)
    assert (found.low, found.high) == (Fraction(low), Fraction(high))
    assert found.value == (None if level is None else Fraction(level))


def test_chance_of_a_formula_of_a_thousand_terms_is_bounded(tiny):
    cells = [f"({region};%{condition}%)" for region in (1, 2, 3) for condition in ("match", "mismatch")]
    many = " & ".join(f"{cells[place % 6]} + {place + 1} > {cells[place % 5]}" for place in range(1000))
    found = chance([parse_formula(many)], tiny)
    assert (found.low, found.high, found.value) == (0, 1, None)
