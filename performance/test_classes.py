"""How long class decisions take: the largest languages of MLRegTest, a median one, all 1,800, random automata.

All decisions means every class of ``CLASSES`` with its parameter, minimisation included; witnesses are spelt out on
demand. ``64.64.Reg.0.0.9`` has the largest syntactic monoid (4,229 elements), ``64.64.coSP.6.1.8`` the largest
automaton (613 states); ``16.16.LTT.4.3.0`` is a median language (13 states, monoid of 52).
"""

import resource

import numpy as np
import pytest

from wug.languages.automata.classes import CLASSES, classify
from wug.languages.automata.dfa import DFA
from wug.languages.automata.monoid import syntactic_monoid
from wug.languages.subregular import RegularLanguage, language_names

LANGUAGES = ("16.16.LTT.4.3.0", "64.64.Reg.0.0.9", "64.64.coSP.6.1.8")


def dfa_of(name: str) -> DFA:
    return RegularLanguage.named(name).dfa


@pytest.fixture(scope="module", autouse=True)
def compiled():
    for name in ("04.04.SL.2.1.0", "04.04.LTT.2.3.0", "04.03.TPLT.2.2.1"):
        assert classify(dfa_of(name)).witness


@pytest.mark.parametrize("name", LANGUAGES)
def test_all_decisions(benchmark, name):
    assert benchmark(classify, dfa_of(name)).represents == name.split(".")[2]


@pytest.mark.parametrize("name", LANGUAGES)
def test_all_witnesses(benchmark, name):
    dfa = dfa_of(name)
    assert benchmark(lambda: classify(dfa).witness)


def test_monoid_with_table_and_green_relations(benchmark):
    def build():
        monoid = syntactic_monoid(dfa)
        return monoid.table, monoid.green, monoid.omega

    dfa = dfa_of("64.64.Reg.0.0.9")
    table, _, _ = benchmark(build)
    benchmark.extra_info["peak MiB of the process"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    assert table.shape == (4229, 4229)


def test_all_1800_languages(benchmark):
    dfas = [dfa_of(name) for name in language_names()]
    classes = benchmark.pedantic(lambda: [classify(dfa).classes for dfa in dfas], rounds=1)
    assert len(classes) == 1800


def test_strictly_local_alone_on_random_automata(benchmark):
    rng = np.random.default_rng(1)
    dfas = [DFA(rng.integers(0, 20, (20, 8), np.int32), rng.random(20) < 0.5, tuple("abcdefgh")) for _ in range(1000)]
    decide = CLASSES["SL"].decide
    assert sum(benchmark(lambda: [bool(decide(dfa)) for dfa in dfas])) < 1000
