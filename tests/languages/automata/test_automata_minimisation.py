import csv
import gzip
import hashlib
import itertools
import json
from collections import defaultdict

import numpy as np
import pytest
from automata_worlds import all_dfas, dfas, ends, memberships, shared_dfas, shared_file, words
from hypothesis import given, settings

from wug.languages.automata.building import from_table
from wug.languages.automata.canonical_form import canonical, canonical_text, sha256
from wug.languages.automata.comparison import equivalent
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise, reachable

WORDS = words("ab", 4)
"""Two different languages with up to 3 states each differ on a word of at most 3 + 3 - 2 letters."""


def signature(dfa: DFA, state: int) -> tuple[bool, ...]:
    return tuple(memberships(dfa, WORDS, state))


def test_all_dfas_up_to_three_states_have_one_minimal_form_per_language() -> None:
    texts_of = defaultdict(set)
    for dfa in itertools.chain.from_iterable(all_dfas(n_states) for n_states in (1, 2, 3)):
        residuals = {signature(dfa, state) for state in set(ends(dfa, WORDS))}
        minimal = minimise(dfa)
        assert minimal.n_states == len(residuals)
        language = signature(dfa, 0)
        assert signature(minimal, 0) == language
        texts_of[language].add(canonical_text(dfa))
    assert all(len(texts) == 1 for texts in texts_of.values())
    assert len(set.union(*texts_of.values())) == len(texts_of)


@settings(deadline=None, max_examples=100)
@given(dfas(alphabet="abc", max_states=9))
def test_minimal_form_keeps_the_language_and_is_a_fixed_point(dfa: DFA) -> None:
    minimal = minimise(dfa)
    asked = words("abc", 5)
    assert memberships(dfa, asked) == memberships(minimal, asked)
    assert np.array_equal(minimise(minimal).transitions, minimal.transitions)
    assert equivalent(dfa, minimal)
    assert equivalent(reachable(dfa), dfa)


def moore_classes(dfa: DFA) -> int:
    """Return the number of classes of reachable states, by Moore's refinement in plain Python."""
    reached = {dfa.start}
    while True:
        more = reached | {int(target) for state in reached for target in dfa.transitions[state]}
        if more == reached:
            break
        reached = more
    label = {state: int(dfa.accepting[state]) for state in reached}
    while True:
        keys = {q: (label[q], *(label[int(target)] for target in dfa.transitions[q])) for q in reached}
        names = {key: index for index, key in enumerate(sorted(set(keys.values())))}
        if len(names) == len(set(label.values())):
            return len(names)
        label = {q: names[keys[q]] for q in reached}


def test_large_random_dfas_have_as_many_classes_as_moores_refinement_finds() -> None:
    rng = np.random.default_rng(7)
    for n_states, n_letters in [(200, 2), (300, 1), (150, 8)]:
        for _ in range(20):
            table = rng.integers(0, n_states, (n_states, n_letters))
            table[rng.integers(0, n_states, n_states // 2)] = table[0]
            dfa = from_table(table, rng.random(n_states) < 0.05, "abcdefgh"[:n_letters])
            assert minimise(dfa).n_states == moore_classes(dfa)


def test_canonical_numbering_is_breadth_first_in_letter_order() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        minimal = canonical(from_table(rng.integers(0, 30, (30, 3)), rng.random(30) < 0.5, "abc"))
        seen = list(dict.fromkeys([0, *minimal.transitions.ravel().tolist()]))
        assert seen == list(range(minimal.n_states))


@pytest.mark.parametrize(
    ("table", "accepting", "text"),
    [
        ([[1, 0, 0, 0], [2, 0, 0, 0], [2, 2, 2, 2]], [0, 1], "3 4\n1 1 0 0 0\n1 2 0 0 0\n0 2 2 2 2\n"),
        ([[1, 0, 0, 0], [2, 0, 0, 0], [2, 2, 2, 2]], [2], "3 4\n0 1 0 0 0\n0 2 0 0 0\n1 2 2 2 2\n"),
    ],
)
def test_canonical_text_of_the_specification(table: list[list[int]], accepting: list[int], text: str) -> None:
    assert canonical_text(from_table(table, accepting, "abcd")) == text


def test_hash_of_the_specification() -> None:
    dfa = from_table([[1, 0, 0, 0], [2, 0, 0, 0], [2, 2, 2, 2]], [0, 1], "abcd")
    assert sha256(dfa) == "a0f36a412bf4e79f627bb745ec41647ee83009c17200930f74c3cdd29cc60210"


def test_languages_without_letters() -> None:
    assert canonical_text(from_table(np.empty((2, 0), dtype=np.int32), [0], "", 0)) == "1 0\n1\n"


@pytest.mark.golden
def test_hashes_of_all_languages_of_the_benchmark() -> None:
    automata = shared_dfas()
    with shared_file("languages.csv").open(encoding="utf-8") as rows:
        published = {row["name"]: row["sha256"] for row in csv.DictReader(rows)}
    hashes = {name: sha256(dfa) for name, dfa in automata.items()}
    assert hashes == published
    together = "".join(hashes[name] + "\n" for name in sorted(hashes))
    expected = "a6eed30b8a1a55c9cc96f76cc61865688e6ffec4e7d8fdb61d79d0ccba7c1809"
    assert hashlib.sha256(together.encode()).hexdigest() == expected


@pytest.mark.golden
def test_hashes_of_random_automata_and_separating_examples() -> None:
    with gzip.open(shared_file("random_dfas.jsonl.gz"), "rt", encoding="utf-8") as lines:
        published = {record["name"]: record["sha256"] for record in map(json.loads, lines)}
    assert {name: sha256(dfa) for name, dfa in shared_dfas("random_dfas.jsonl.gz").items()} == published
