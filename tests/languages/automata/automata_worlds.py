"""Small worlds of automata for the tests, and plain Python definitions to hold the package against."""

import gzip
import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from wug.languages.automata.building import from_table
from wug.languages.automata.dfa import DFA

SHARED = Path(__file__).parents[3] / "../shared/data/mlregtest"


def shared_file(name: str) -> Path:
    """Return a file of the shared ground truth; skips the test where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the shared ground truth {name} is not beside this checkout")
    return path


def shared_dfas(name: str = "dfas.jsonl.gz") -> dict[str, DFA]:
    with gzip.open(shared_file(name), "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {record["name"]: from_table(record["delta"], record["accept"], record["alphabet"]) for record in records}


def all_dfas(n_states: int, alphabet: str = "ab") -> Iterator[DFA]:
    """Yield every DFA with this many states that starts in state 0."""
    n_letters = len(alphabet)
    for targets in itertools.product(range(n_states), repeat=n_states * n_letters):
        table = np.array(targets, dtype=np.int32).reshape(n_states, n_letters)
        for flags in itertools.product([False, True], repeat=n_states):
            yield DFA(table, np.array(flags), tuple(alphabet))


def words(alphabet: str, longest: int) -> list[str]:
    """Return all words up to a length, by length, then alphabet order."""
    return ["".join(word) for n in range(longest + 1) for word in itertools.product(alphabet, repeat=n)]


def runs_to(dfa: DFA, word: str, state: int | None = None) -> int:
    """Return where the word leads, letter by letter."""
    return ends(dfa, [word], state)[0]


def ends(dfa: DFA, asked: Iterable[str], state: int | None = None) -> list[int]:
    """Return where each word leads, letter by letter."""
    column = {letter: index for index, letter in enumerate(dfa.alphabet)}
    table = dfa.transitions.tolist()
    reached = []
    for word in asked:
        here = dfa.start if state is None else state
        for letter in word:
            here = table[here][column[letter]]
        reached.append(here)
    return reached


def in_language(dfa: DFA, word: str) -> bool:
    return bool(dfa.accepting[runs_to(dfa, word)])


def memberships(dfa: DFA, asked: Iterable[str], state: int | None = None) -> list[bool]:
    """Return whether each word leads to acceptance, from the start or from another state."""
    accepting = dfa.accepting.tolist()
    return [accepting[end] for end in ends(dfa, asked, state)]


def language(dfa: DFA, longest: int) -> set[str]:
    asked = words("".join(dfa.alphabet), longest)
    return {word for word, accepted in zip(asked, memberships(dfa, asked), strict=True) if accepted}


@st.composite
def dfas(draw: st.DrawFn, alphabet: str = "ab", max_states: int = 6) -> DFA:
    n_states = draw(st.integers(1, max_states))
    state = st.integers(0, n_states - 1)
    row = st.lists(state, min_size=len(alphabet), max_size=len(alphabet))
    table = draw(st.lists(row, min_size=n_states, max_size=n_states))
    accepting = draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states))
    return from_table(table, np.array(accepting), alphabet, draw(state))
