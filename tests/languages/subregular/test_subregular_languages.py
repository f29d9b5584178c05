"""The 1,800 languages against published hashes, published facts and plain definitions."""

import csv
import gzip
import re
from itertools import product
from pathlib import Path

import pytest

from wug.errors import InputError
from wug.languages.automata.counting import counts
from wug.languages.automata.formulas import from_formula
from wug.languages.automata.words import WordSampler
from wug.languages.subregular.hashes import HASH_OF_HASHES, hash_of_hashes, published_hashes
from wug.languages.subregular.languages import RegularLanguage
from wug.languages.subregular.names import language_names

SHARED = Path(__file__).parents[3] / "../shared/data/mlregtest"


def shared(name):
    if not SHARED.exists():
        pytest.skip("the shared ground truth is not beside this checkout")
    return SHARED / name


@pytest.fixture(scope="module")
def languages():
    return {name: RegularLanguage.named(name) for name in language_names()}


@pytest.mark.golden
def test_all_1800_automata_have_the_published_hashes(languages):
    hashes = {name: language.sha256 for name, language in languages.items()}
    wrong = [name for name, digest in hashes.items() if published_hashes()[name] != digest]
    assert wrong == []
    assert hash_of_hashes(hashes) == HASH_OF_HASHES


@pytest.mark.golden
def test_all_1800_hashes_are_the_shared_ones():
    with shared("languages.csv").open(encoding="utf-8") as file:
        assert {row["name"]: row["sha256"] for row in csv.DictReader(file)} == dict(published_hashes())


@pytest.mark.golden
def test_all_word_counts_are_the_shared_ones(languages):
    with gzip.open(shared("word_counts.csv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1800
    for row in rows:
        words = WordSampler(languages[row["name"]].dfa, 50)
        lengths = [int(column.removeprefix("pos_")) for column in row if column != "name"]
        assert [words.count(length) for length in lengths] == [int(row[f"pos_{length}"]) for length in lengths]


@pytest.mark.golden
def test_sizes_are_those_of_table_1(languages):
    # states without the dead one: min 2, max 613, median 11, mean 23.453
    sizes = []
    for language in languages.values():
        dfa = language.dfa
        is_dead = [
            set(row) == {state} and not dfa.accepting[state] for state, row in enumerate(dfa.transitions.tolist())
        ]
        sizes.append(dfa.n_states - sum(is_dead))
    sizes.sort()
    assert (sizes[0], sizes[-1], (sizes[899] + sizes[900]) / 2) == (2, 613, 11)
    assert sum(sizes) / 1800 == pytest.approx(23.453, abs=0.0005)


def test_formulas_are_printed_in_the_papers_notation(languages):
    written = {name: str(languages[name].formula) for name in languages}
    assert written["04.04.SL.6.1.1"] == "not [ababab]"
    assert written["04.04.coSL.2.1.0"] == "[aa]"
    assert written["16.07.TSL.4.1.4"] == "{a,b,c,d,e,f,g}: ^aaa and not [a^4]"
    assert written["04.04.SP.2.1.0"] == "not (<ab> or <cd>)"
    assert written["04.04.PLT.6.3.1"] == "not [a^6 ~ b ~ b]"
    assert written["16.16.SF.0.0.0"] == "a$ · not [bcde]"
    assert written["16.16.Zp.2.1.0"] == "#e mod 2 in {0}"


@pytest.mark.parametrize("name", language_names()[::90])
def test_a_printed_formula_defines_the_language(languages, name):
    language = languages[name]
    assert (from_formula(str(language.formula), language.alphabet).transitions == language.dfa.transitions).all()


def is_subsequence(needle, word):
    letters = iter(word)
    return all(letter in letters for letter in needle)


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("04.04.SL.2.1.5", lambda w: w.startswith("a") and "ab" not in w),
        ("04.04.SL.4.1.9", lambda w: w.startswith("aaa") and w.endswith("bbb")),
        ("04.03.TSL.2.1.2", lambda w: not re.search("ab|ba", w.replace("d", ""))),
        ("04.04.coSP.2.1.6", lambda w: any(is_subsequence(v, w) for v in ("ab", "bc", "cd", "dd"))),
        ("04.04.PT.2.1.0", lambda w: not is_subsequence("ab", w) or is_subsequence("cd", w)),
        ("04.04.LT.2.1.4", lambda w: ("aa" not in w) != ("ab" not in w and "ba" not in w)),
        ("04.03.TLTT.2.3.0", lambda w: len(re.findall("(?=aa)", w.replace("d", ""))) >= 3),
        ("04.04.LTT.2.2.1", lambda w: not re.search("ab.*ab", w)),
        ("04.04.PLT.2.2.3", lambda w: "bb" in w or bool(re.search("c.*aa", w))),
        ("04.04.SF.0.0.1", lambda w: bool(re.search("ab[^c]*$", w))),
        ("04.04.SF.0.0.2", lambda w: bool(re.fullmatch("(a|b)(a(ab)*b)*", re.sub("[cd]", "", w)))),
        ("04.04.Zp.5.1.9", lambda w: w.count("c") % 5 in (0, 1, 2)),
        ("04.04.Reg.0.0.7", lambda w: w.count("c") % 2 == 0 and not re.search("aa.*bb", w)),
    ],
)
def test_languages_are_what_their_definitions_say(languages, name, definition):
    words = ["".join(letters) for length in range(8) for letters in product("abcd", repeat=length)]
    accepted = set(filter(definition, words))
    language = languages[name]
    n_accepted = [sum(len(word) == length for word in accepted) for length in range(8)]
    assert counts(language.dfa, 7) == n_accepted
    assert all(language.accepts(word) for word in sorted(accepted)[::7])
    assert 0 < len(accepted) < len(words)


def test_complements_know_their_partner(languages):
    language = languages["16.07.TcoSL.4.1.3"]
    assert language.complement_of.name == "16.07.TSL.4.1.3"
    assert languages["16.07.TSL.4.1.3"].complement_of is None
    assert (language.dfa.accepting == ~language.complement_of.dfa.accepting).all()


def test_own_patterns_with_parameters_tier_and_shorthands():
    harmony = RegularLanguage.from_pattern(
        "harmony", "DISAGREE(k) or [s_2]", ["i", "u", "tsch"], {"k": 2}, tier=["i", "u", "tsch"],
        shorthands={"DISAGREE(k)": "not [(s_0 s_1)^(k/2)]"},
    )  # fmt: skip
    assert str(harmony.formula) == "{i,u,'tsch'}: not [iu] or ['tsch']"
    assert harmony.accepts("i u tsch")
    assert not harmony.accepts("i i u")


def test_languages_from_automata_are_canonical():
    dfa = RegularLanguage.named("04.04.SL.2.1.0").dfa
    copy = RegularLanguage.from_dfa("copy", dfa)
    assert copy.sha256 == published_hashes()["04.04.SL.2.1.0"]
    assert copy.formula is None


def test_what_cannot_be_a_language_is_refused():
    with pytest.raises(InputError, match=r"unknown MLRegTest language '04\.04\.SL\.2\.1\.11'"):
        RegularLanguage.named("04.04.SL.2.1.11")
    with pytest.raises(InputError, match=r"column 7: expected .* found the end"):
        RegularLanguage.from_pattern("broken", "not [a", "ab")
    with pytest.raises(InputError, match="names 'c', which is not among the letters"):
        _ = RegularLanguage.from_pattern("off the alphabet", "[c]", "ab").dfa
    with pytest.raises(InputError, match="needs a formula or an automaton"):
        _ = RegularLanguage("nothing", ("a",)).dfa
