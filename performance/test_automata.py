"""How fast automata are compiled, minimised, combined and counted; peers are measured in the same run where installed.

``coSP`` stands for the largest automaton of MLRegTest, ``64.64.coSP.6.1.8``: 613 states, 64 letters.
"""

import numpy as np
import pytest

from wug.languages import automata
from wug.languages.automata import DFA

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZáàǎéèěóòǒúùǔ"
COSP = "<(ab)^3> or <(ba)^3> or <(bc)^3> or <(cd)^3> or <d^6>"
EVEN_E = "#g mod 2 in {0}"


@pytest.fixture(scope="module")
def cosp() -> DFA:
    return automata.from_formula(COSP, LETTERS)


@pytest.fixture(scope="module")
def redundant() -> DFA:
    """An automaton of 20,000 states and 4 letters: four copies of one of 5,000 states, in turns, that act alike."""
    rng = np.random.default_rng(1)
    table = rng.integers(0, 5_000, (5_000, 4))
    copies = np.concatenate([table + 5_000 * ((copy + 1) % 4) for copy in range(4)])
    return automata.from_table(copies, np.tile(rng.random(5_000) < 0.5, 4), "abcd")


def test_compile_the_largest_formula(benchmark):
    assert benchmark(automata.from_formula, COSP, LETTERS).n_states == 613


def test_compile_a_regular_expression(benchmark):
    assert benchmark(automata.from_regex, "(.*ab.*){3} & ~(.*c[^d]{4,8}) & (..)*", "abcdef").n_states == 70


def test_minimise_random_states(benchmark, redundant):
    assert benchmark(automata.minimise, redundant).n_states < 5_000


def test_hash_the_largest(benchmark, cosp):
    assert len(benchmark(automata.sha256, cosp)) == 64


def test_product_of_the_largest(benchmark, cosp):
    even = automata.from_formula(EVEN_E, LETTERS)
    assert benchmark(automata.intersection, cosp, even).n_states == 2 * 613


def test_counts_up_to_64_letters(benchmark, cosp):
    assert len(benchmark(automata.counts, cosp, 64)) == 65


def test_membership_of_a_million_words(benchmark, cosp):
    rng = np.random.default_rng(2)
    letters = np.array(list(LETTERS))
    words = ["".join(row) for row in letters[rng.integers(0, 64, (1_000_000, 20))]]
    benchmark.pedantic(automata.accepts_words, (cosp, words), rounds=3)
    benchmark.extra_info["words"] = len(words)


def test_minimise_random_states_in_pynini(benchmark, redundant):
    pynini = pytest.importorskip("pynini", reason="pynini, the peer, is not installed")
    machine = pynini.Fst()
    for _ in range(redundant.n_states):
        machine.add_state()
    machine.set_start(0)
    for state, (accepts, row) in enumerate(
        zip(redundant.accepting.tolist(), redundant.transitions.tolist(), strict=True)
    ):
        if accepts:
            machine.set_final(state)
        for label, target in enumerate(row, start=1):
            machine.add_arc(state, pynini.Arc(label, label, 0, target))
    result = benchmark.pedantic(lambda: machine.copy().minimize(), rounds=3)
    assert result.num_states() == automata.minimise(redundant).n_states


def test_minimise_random_states_in_automata_lib(benchmark, redundant):
    peer = pytest.importorskip("automata.fa.dfa", reason="automata-lib, the peer, is not installed")
    machine = peer.DFA(
        states=set(range(redundant.n_states)),
        input_symbols=set(redundant.alphabet),
        transitions={
            state: dict(zip(redundant.alphabet, row, strict=True))
            for state, row in enumerate(redundant.transitions.tolist())
        },
        initial_state=0,
        final_states=set(np.flatnonzero(redundant.accepting).tolist()),
    )
    result = benchmark.pedantic(lambda: machine.minify(retain_names=False), rounds=1)
    assert len(result.states) == automata.minimise(redundant).n_states
