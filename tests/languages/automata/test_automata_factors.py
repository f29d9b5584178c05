import re

import pytest
from automata_worlds import language, words
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.factors import with_blocks, with_count, with_occurrences, with_prefix, with_suffix
from wug.languages.automata.minimisation import minimise

ALL = words("ab", 7)
SHORT = st.text("ab", max_size=4)


def matching(condition) -> set[str]:
    return {word for word in ALL if condition(word)}


@settings(deadline=None, max_examples=60)
@given(st.lists(SHORT, max_size=3))
def test_blocks_in_order_without_overlap(blocks: list[str]) -> None:
    pattern = re.compile(".*" + ".*".join(blocks) + ".*")
    assert language(with_blocks(blocks, "ab"), 7) == matching(pattern.fullmatch)


@settings(deadline=None, max_examples=30)
@given(SHORT)
def test_prefix_and_suffix(word: str) -> None:
    assert language(with_prefix(word, "ab"), 7) == matching(lambda w: w.startswith(word))
    assert language(with_suffix(word, "ab"), 7) == matching(lambda w: w.endswith(word))


@settings(deadline=None, max_examples=60)
@given(st.text("ab", min_size=1, max_size=4), st.integers(0, 4))
def test_occurrences_may_overlap(factor: str, at_least: int) -> None:
    def places(word: str) -> int:
        return sum(word.startswith(factor, start) for start in range(len(word)))

    assert language(with_occurrences(factor, at_least, "ab"), 7) == matching(lambda w: places(w) >= at_least)


@pytest.mark.parametrize("modulus", [1, 2, 3, 5])
@pytest.mark.parametrize("remainders", [[0], [0, 1], [], [2]])
def test_modular_counts(modulus: int, remainders: list[int]) -> None:
    if max(remainders, default=0) >= modulus:
        with pytest.raises(InputError, match=f"modulo {modulus} must be one of"):
            with_count("b", modulus, remainders, "ab")
    else:
        accepted = language(with_count("b", modulus, remainders, "ab"), 7)
        assert accepted == matching(lambda w: w.count("b") % modulus in remainders)


@pytest.mark.parametrize(
    "dfa",
    [
        with_blocks(["abab", "ba"], "abc"),
        with_prefix("aab", "abc"),
        with_suffix("abaab", "abc"),
        with_occurrences("aa", 3, "abc"),
    ],
)
def test_results_are_minimal(dfa: DFA) -> None:
    assert minimise(dfa).n_states == dfa.n_states


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: with_blocks(["ax"], "ab"), "'x' is not in the alphabet a b"),
        (lambda: with_occurrences("", 1, "ab"), "non-empty"),
        (lambda: with_occurrences("a", -1, "ab"), "at least 0, got -1"),
        (lambda: with_count("a", 0, [], "ab"), "modulus must be at least 1, got 0"),
    ],
)
def test_wrong_arguments_are_refused(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
