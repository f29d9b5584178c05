"""Sizes, classes and parameters of all 1,800 languages, the random automata and the separating examples."""

import csv
import gzip
import json

import pytest
from automata_worlds import shared_dfas, shared_file

from wug.languages.automata.canonical_form import sha256
from wug.languages.automata.classes import Classification, classify
from wug.languages.automata.monoid import syntactic_monoid

pytestmark = pytest.mark.golden

OTHER_NAMES = {"DD1": "PLT", "TDD1": "TPLT"}


def languages() -> dict[str, dict[str, str]]:
    with shared_file("languages.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def memberships() -> dict[str, dict[str, bool]]:
    with shared_file("class_membership_wide.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["id"]: {OTHER_NAMES.get(key, key): value == "1" for key, value in row.items() if key != "id"}
        for row in rows
    }


@pytest.fixture(scope="module")
def classifications() -> dict[str, Classification]:
    dfas = shared_dfas() | shared_dfas("random_dfas.jsonl.gz")
    return {name: classify(dfa) for name, dfa in dfas.items()}


def test_memberships(classifications: dict[str, Classification]) -> None:
    expected = memberships()
    assert len(expected) == 1800 + 120 + 13
    assert {len(classes) for classes in expected.values()} == {42}
    differences = [
        (name, key)
        for name, classes in expected.items()
        for key, member in classes.items()
        if classifications[name].classes[key] != member
    ]
    assert differences == []


def test_every_language_represents_its_class(classifications: dict[str, Classification]) -> None:
    for name, row in languages().items():
        assert classifications[name].represents == row["class"], name


def test_sizes_and_parameters(classifications: dict[str, Classification]) -> None:
    for name, row in languages().items():
        classification = classifications[name]
        sizes = (classification.states, classification.states_trim, classification.monoid)
        assert sizes == (int(row["states_complete"]), int(row["states_trim"]), int(row["syntactic_monoid"])), name
        assert "".join(classification.salient) == row["salient_symbols"], name
        if row["min_k"]:
            assert classification.k[row["class"]] == int(row["min_k"]), name
        if row["class"] in ("LT", "TLT", "Zp"):
            assert classification.k[row["class"]] == int(row["k"]), name


def test_semigroups_and_j_classes() -> None:
    rows = languages()
    for name, dfa in shared_dfas().items():
        monoid = syntactic_monoid(dfa)
        sizes = (monoid.semigroup_size, int(monoid.green.j.max()) + 1, len(monoid.letters.actions))
        row = rows[name]
        # the table counts the neutral letters' action as one of the distinct actions
        distinct = int(row["distinct_letter_actions"]) - monoid.has_neutral_letter
        assert sizes == (int(row["syntactic_semigroup"]), int(row["j_classes"]), distinct), name


def test_random_automata_and_examples(classifications: dict[str, Classification]) -> None:
    with gzip.open(shared_file("random_dfas.jsonl.gz"), "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    for record in records:
        classification = classifications[record["name"]]
        assert (classification.monoid, sha256(classification.dfa)) == (record["syntactic_monoid"], record["sha256"])
        for key in ("SL", "coSL", "TSL", "TcoSL"):
            assert classification.k.get(key, 0) == record[f"{key}_k"], (record["name"], key)
        for key in ("SP", "coSP"):
            assert classification.k.get(key) == record[f"{key}_k"], (record["name"], key)


def test_criteria_without_shortcuts(classifications: dict[str, Classification]) -> None:
    """As published, over all idempotents, for one language of each structure whose monoid is small."""
    rows = languages()
    chosen = {row["structure"]: name for name, row in rows.items() if int(row["syntactic_monoid"]) <= 547}
    assert len(chosen) > 700
    for name in chosen.values():
        classification = classifications[name]
        assert classify(classification.dfa, shortcuts=False).classes == classification.classes, name
