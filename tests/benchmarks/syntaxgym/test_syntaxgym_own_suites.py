"""wug's own suites: every published type, checked items, the same from the same seed."""

from dataclasses import replace

import numpy as np
import pytest

from wug.benchmarks.syntaxgym.own_suites import english, find_fault, make_suite, own_suites, templates
from wug.benchmarks.syntaxgym.own_suites.template import Draw
from wug.benchmarks.syntaxgym.scores import SUITE_NAMES
from wug.benchmarks.syntaxgym.suites import chance, read_suite, write_suite
from wug.errors import InputError


def test_there_is_a_template_for_each_published_suite():
    assert set(templates()) == set(SUITE_NAMES)


def test_suites_are_valid_and_the_same_from_the_same_seed(tmp_path):
    for suite in own_suites(2, seed=3):
        write_suite(suite, tmp_path / "suite.json")
        again = read_suite(tmp_path / "suite.json", strict=True)
        assert (again.name, again.regions, again.items) == (suite.name, suite.regions, suite.items)
        assert suite.items[0].conditions != suite.items[1].conditions


def test_fewer_items_are_the_first_of_more_and_other_seeds_give_others():
    template = templates()["number_prep"]
    three = make_suite(template, 3, seed=1)
    assert make_suite(template, 2, seed=1).items == three.items[:2]
    assert make_suite(template, 3, seed=2).items != three.items


@pytest.mark.golden
def test_structure_and_chance_are_those_of_the_published_suites(published):
    for suite in own_suites(1, seed=1):
        original = read_suite(published / "suites_parenthesised" / f"{suite.name}.json")
        assert set(suite.conditions) == set(original.conditions)
        assert len(suite.regions) == len(original.regions)
        assert [one.cells for one in suite.predictions] == [one.cells for one in original.predictions]
        assert chance(suite.predictions[:1], suite) == chance(original.predictions[:1], original)


@pytest.mark.parametrize(
    ("text", "is_derived"),
    [
        ("The author next to the senators is good", True),
        ("The author next to the senators are good", False),
        ("The authors that the guard liked hurt themselves", True),
        ("The authors that the guard liked hurt himself", False),
        ("No author that liked the senators has ever been late", True),
        ("The author that liked no senators has ever been late", False),
        ("I know what our guard copied in the hall", True),
        ("I know what our guard copied the book in the hall", False),
        ("I know that our guard copied in the hall", False),
        ("What she did was clean the table", True),
        ("What she did was the table", False),
        ("As the doctor studied the book .", False),
        ("As the doctor studied the book , the guard slept in the hall .", True),
        ("The doctor studied the book , the guard slept in the hall .", False),
    ],
)
def test_the_grammar_derives_what_is_grammatical(text, is_derived):
    assert english().derives(text) is is_derived


def test_garden_paths_have_two_analyses_at_their_beginning():
    assert english().derives("The guard brought the soup from the hall", "S")
    assert english().derives("The guard brought the soup from the hall", "NP")
    assert not english().derives("The guard given the soup from the hall", "S")
    assert english().derives("While the guard hunted the pilot", "SUBCL")
    assert english().derives("While the guard hunted the pilot", "SUBCL_NP")
    assert not english().derives("While the guard slept the pilot", "SUBCL")


def test_faults_are_found():
    template = templates()["number_prep"]
    item = dict(make_suite(template, 1, seed=1).items[0].conditions)
    assert find_fault(template, item) == ""
    other = item | {"match_sing": (*item["match_sing"][:-1], "green")}
    assert "region 7 differs between conditions" in find_fault(template, other)
    swapped = item | {"match_sing": item["mismatch_sing"]}
    assert "match_sing should be derivable" in find_fault(template, swapped)
    centre = templates()["center_embed"]
    item = dict(make_suite(centre, 1, seed=1).items[0].conditions)
    assert "plaus should make sense" in find_fault(centre, {"plaus": item["implaus"], "implaus": item["plaus"]})
    closure = templates()["npz_ambig"]
    item = dict(make_suite(closure, 1, seed=1).items[0].conditions)
    assert "should" in find_fault(
        closure, item | {"unambig_comma": item["ambig_nocomma"], "ambig_nocomma": item["ambig_comma"]}
    )


def test_a_template_that_has_no_more_items_says_so():
    template = replace(
        templates()["cleft"], draw=lambda draw: templates()["cleft"].draw(Draw(np.random.default_rng(1)))
    )
    with pytest.raises(InputError, match="the template of cleft gave 1 different items, not 2"):
        make_suite(template, 2, seed=1)
