import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from wug.cli.main import app
from wug.errors import InputError
from wug.languages.automata.classes import CLASSES, COVERS
from wug.languages.automata.formats import json_lines
from wug.languages.automata.regex import from_regex

pytestmark = pytest.mark.journey


def classify(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["classify", *arguments])


def output(*arguments: str) -> str:
    result = classify(*arguments)
    assert result.exception is None, result.exception
    return result.stdout


def record(*arguments: str) -> dict:
    return json.loads(output(*arguments, "--json"))


def test_json_has_these_keys_and_no_others() -> None:
    found = record("04.04.SL.2.1.0")
    assert list(found) == ["name", "sha256", "states", "states_trim", "monoid", "classes", "k", "witness"]
    assert found["name"] == "04.04.SL.2.1.0"
    assert found["sha256"] == "a0f36a412bf4e79f627bb745ec41647ee83009c17200930f74c3cdd29cc60210"
    assert (found["states"], found["states_trim"], found["monoid"]) == (3, 2, 6)
    assert list(found["classes"]) == list(CLASSES)
    assert set(found["classes"].values()) == {True, False}
    assert found["k"]["SL"] == 2
    assert set(found["witness"]) == {key for key, holds in found["classes"].items() if not holds}
    assert list(found["witness"]["SP"]) == ["criterion", "words", "accepted", "rejected"]
    assert (found["witness"]["SP"]["accepted"], found["witness"]["SP"]["rejected"]) == (["aba"], ["aa"])


def test_name_formula_regex_and_file_give_the_same_language(tmp_path: Path) -> None:
    dfa = from_regex("~(.*aa.*)", "abcd")
    json_lines.write({"no-aa": dfa}, tmp_path / "no-aa.jsonl")
    named = record("04.04.SL.2.1.0")
    others = [
        record("--factors", "not [aa]"),
        record("--factors", "not [aa]", "--alphabet", "a,b,c,d"),
        record("--regex", "~(.*aa.*)", "--alphabet", "abcd"),
        record(str(tmp_path / "no-aa.jsonl")),
    ]
    assert [other.pop("name") for other in others] == ["not [aa]", "not [aa]", "~(.*aa.*)", "no-aa"]
    del named["name"]
    assert all(other == named for other in others)


@pytest.mark.parametrize(("formula", "n_letters"), [("[ad]", 4), ("[ae]", 16), ("{a,z}: [az]", 64)])
def test_formula_without_alphabet_takes_the_smallest_that_will_do(formula: str, n_letters: int) -> None:
    first_line = output("--factors", formula).splitlines()[0]
    letters = first_line.removeprefix(f"{formula}, over ")
    assert f"({n_letters})" in letters or len(letters.split()) == n_letters


def test_lattice_marks_the_classes_that_hold_the_language() -> None:
    text = output("04.03.TLT.4.1.0")
    classes = record("04.03.TLT.4.1.0")["classes"]
    marks = {key: mark == "●" for mark, key in re.findall("([●○]) ([A-Za-z]+)", text)}
    assert marks == {key: classes[key] for key in COVERS}
    assert "● TLT k=4" in text
    assert "represents TLT" in text


def test_text_shows_grammar_and_reasons_of_the_closest_classes() -> None:
    text = output("--factors", "{a,b}: not [aa] and not b$", "--alphabet", "abc")
    assert "TSL: {a,b}: not b$ and not [aa]" in text
    assert re.findall("^not ([A-Za-z0-9]+) ", text, re.MULTILINE) == ["TcoSL", "PLT"]


def test_all_shows_every_class_and_every_reason() -> None:
    text = output("--regex", "(ab)*", "--alphabet", "ab", "--all")
    held = {key for key, holds in record("--regex", "(ab)*", "--alphabet", "ab")["classes"].items() if holds}
    assert set(re.findall("^not ([A-Za-z0-9_]+) ", text, re.MULTILINE)) == set(CLASSES) - held
    assert set(re.findall("[●○] ([A-Za-z0-9_]+)", text)) == set(CLASSES)


def test_long_alphabets_and_grammars_are_cut_short() -> None:
    text = output("64.64.SL.2.1.4")
    assert "over a b c d e f g h i j … ù ǔ (64)" in text
    assert re.search(r"^SL: none of /\(\)/, \^b, .* and 53 more$", text, re.MULTILINE)


def test_file_of_several_automata(tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    json_lines.write({"ab-star": from_regex("(ab)*", "ab"), "even": from_regex("(b|ab*a)*", "ab")}, file)
    assert [line.split() for line in output(str(file)).splitlines()[1:]] == [
        ["ab-star", "3", "6", "SL", "SL"],
        ["even", "2", "2", "Zp", "Zp"],
    ]
    records = [json.loads(line) for line in output(str(file), "--json").splitlines()]
    assert [found["name"] for found in records] == ["ab-star", "even"]


def test_picture_shows_the_classes(tmp_path: Path) -> None:
    file = tmp_path / "classes.svg"
    output("--factors", "not <ab> and not <cd>", "--picture", str(file))
    space = {"svg": "http://www.w3.org/2000/svg"}
    picture = ET.parse(file).getroot()
    held = {
        group.find("svg:text", space).text
        for group in picture.findall("svg:g", space)
        if "in" in group.get("class").split()
    }
    assert held == {"SP", "PT", "PLT", "TPLT", "SF", "Reg"}
    assert picture.find("svg:desc", space).text.startswith("not <ab> and not <cd> belongs to SP, PT, ")
    framed = [g for g in picture.findall("svg:g", space) if g.get("class") == "in represented"]
    assert [group.find("svg:title", space).text for group in framed] == ["strictly piecewise"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "takes one of"),
        (["04.04.SL.2.1.0", "--factors", "[a]"], "takes one of"),
        (["--regex", "a*"], "--regex needs the letters"),
        (["--regex", "a*", "--alphabet", "aa"], "'a' is there twice"),
        (["04.04.SL.2.1.0", "--alphabet", "ab"], "has an alphabet of its own"),
        (["04.04.SL.3.1.0"], "04.04.SL"),
        (["absent.jff"], "there is no file absent.jff"),
        (["--factors", "[a"], "column 3"),
        (["--factors", "[щ]"], "щ"),
        (["04.04.SL.6.1.0", "--limit", "5"], "more than the limit of 5 elements"),
    ],
)
def test_wrong_requests_get_a_sentence(arguments: list[str], sentence: str) -> None:
    error = classify(*arguments).exception
    assert isinstance(error, InputError)
    assert sentence in str(error)


def test_picture_of_several_languages_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    json_lines.write({"one": from_regex("a", "a"), "two": from_regex("aa", "a")}, file)
    assert "draws one language" in str(classify(str(file), "--picture", str(tmp_path / "x.svg")).exception)
    assert "cannot be written" in str(classify("04.04.SL.2.1.0", "--picture", str(tmp_path)).exception)
