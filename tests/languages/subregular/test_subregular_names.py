"""The names of MLRegTest's languages and what they spell."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from wug.errors import InputError
from wug.languages.subregular.names import LanguageName, class_names, factors_frame, language_names

SHARED = Path(__file__).parents[3] / "../shared/data/mlregtest"

# Languages per class, as in section 3 of the paper.
PER_CLASS = {
    **dict.fromkeys(["SL", "coSL", "SP", "coSP", "LT", "PT", "PLT"], 90),
    **dict.fromkeys(["TSL", "TcoSL", "TLT", "TPLT"], 150),
    **dict.fromkeys(["SF", "Zp", "Reg"], 30),
    "LTT": 180,
    "TLTT": 300,
}


def test_there_are_1800_different_names_in_order():
    names = language_names()
    assert len(names) == len(set(names)) == 1800
    assert list(names) == sorted(names)


def test_classes_have_as_many_languages_as_the_paper_says():
    assert set(class_names()) == set(PER_CLASS)
    assert {class_: len(language_names(class_)) for class_ in class_names()} == PER_CLASS


def test_thresholds_are_spread_as_the_paper_says():
    assert [len(language_names("LTT", j=j)) for j in (2, 3, 5)] == [90, 60, 30]
    assert [len(language_names("TLTT", j=j)) for j in (2, 3, 5)] == [150, 100, 50]


def test_names_are_those_of_the_shared_table():
    if not SHARED.exists():
        pytest.skip("the shared ground truth is not beside this checkout")
    with (SHARED / "languages.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == list(language_names())
    frame = factors_frame()
    for column in ("alphabet_size", "tier_size", "k", "j", "i"):
        assert frame[column].to_list() == [int(row[column]) for row in rows]
    assert frame["class"].to_list() == [row["class"] for row in rows]
    assert [partner or "" for partner in frame["complement_of"]] == [row["complement_of"] for row in rows]


def test_a_name_spells_its_factors():
    name = LanguageName.parse("16.07.TLTT.4.2.3")
    assert name == LanguageName(16, 7, "TLTT", 4, 2, 3)
    assert str(name) == "16.07.TLTT.4.2.3"
    assert all(str(LanguageName.parse(text)) == text for text in language_names())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("04.04.SL.2.1.10", "unknown MLRegTest language '04.04.SL.2.1.10'; did you mean"),
        ("04.02.TSL.2.1.0", "unknown MLRegTest language '04.02.TSL.2.1.0'; did you mean"),
        ("SL", "is named AA.TT.Class.k.j.i, for example 16.07.TLTT.4.2.3, not 'SL'"),
    ],
)
def test_unknown_names_are_refused(name, message):
    with pytest.raises(InputError, match=message.replace(".", r"\.").replace("?", r"\?")):
        LanguageName.parse(name)


def test_unknown_classes_are_refused():
    with pytest.raises(InputError, match="unknown class 'TSLL'; did you mean 'TSL'"):
        language_names("TSLL")
    assert language_names("SL", k=3) == ()


def test_listing_names_loads_neither_numba_nor_polars():
    program = (
        "import sys; from wug.languages.subregular.names import language_names; language_names('TLT');"
        "print([module for module in ('numba', 'numpy', 'polars', 'torch', 'matplotlib') if module in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
