"""Drawing MLRegTest's data sets, beside pynini and beside the published generator.

The peers do alike: for each length, intersect automata, weight the arcs of the acyclic result by numbers of paths, let
pynini draw paths, and draw again until enough different words are there; border pairs are paths of (language) . (one
edit) . (complement). They are measured at 1/50 of Large (2,000 strings a set), at which they and wug draw equally many.

``PyniniGenerator`` below is a lean one. The published generator, ``src/pathogen.py``, runs from a clone of
github.com/heinz-jeffrey/subregular-learning whose folder the environment variable SUBREGULAR_LEARNING names; its
constant random seed, with which newer pynini releases draw the same words for ever, is replaced by a counter.
"""

import itertools
import math
import os
import resource
import runpy
import sys
from pathlib import Path

import pytest

from wug.languages.automata import DFA, complement
from wug.languages.subregular import DataSets, Plan, RegularLanguage, Set, language_names, write_data_sets

LANGUAGES = ["04.04.SL.2.1.0", "16.07.TLTT.4.2.3", "64.64.PT.4.1.3", "64.64.SP.6.1.8"]
ONE_FIFTIETH = Plan(sizes={"Fiftieth": 2_000})


@pytest.fixture(scope="module", autouse=True)
def compiled():
    DataSets(RegularLanguage.named("04.04.SL.2.1.0"), seed=1, largest="Small").strings("SA", "Small")


@pytest.mark.parametrize("name", LANGUAGES)
def test_large_sets_of_one_language(benchmark, tmp_path, name):
    """600,000 strings, drawn and written as text."""
    result = benchmark.pedantic(write_data_sets, ([name], tmp_path), {"seed": 1, "sizes": ["Large"]}, rounds=3)
    assert len(result) == 7
    benchmark.extra_info["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def test_small_sets_of_every_twentieth_language(benchmark, tmp_path):
    """90 of the 1,800 languages, drawn and written as text."""
    names = language_names()[::20]
    result = benchmark.pedantic(write_data_sets, (names, tmp_path), {"seed": 1, "sizes": ["Small"]}, rounds=1)
    assert len(result) == 90 * 7


def test_compile_all_languages(benchmark):
    """All 1,800 automata, from formulas to canonical hashes."""
    hashes = benchmark.pedantic(lambda: [RegularLanguage.named(name).sha256 for name in language_names()], rounds=1)
    assert len(hashes) == 1800


@pytest.mark.parametrize("name", LANGUAGES[:2])
def test_one_fiftieth_of_large(benchmark, name):
    language = RegularLanguage.named(name)
    sets = benchmark.pedantic(DataSets, (language, 1, ONE_FIFTIETH), rounds=3)
    assert len(sets.strings("LA", "Fiftieth").corpus) == 2_000


@pytest.mark.parametrize("name", LANGUAGES[:2])
def test_one_fiftieth_of_large_with_pynini(benchmark, name):
    pynini = pytest.importorskip("pynini", reason="pynini, the peer, is not installed")
    peer = PyniniGenerator(pynini, RegularLanguage.named(name).dfa)
    words = benchmark.pedantic(peer.all_sets, (ONE_FIFTIETH,), rounds=1)
    assert words == 6 * 2_000


@pytest.mark.parametrize("name", LANGUAGES[:2])
def test_one_fiftieth_of_large_with_the_published_generator(benchmark, tmp_path, monkeypatch, name):
    pynini = pytest.importorskip("pynini", reason="pynini, the peer, is not installed")
    clone = os.environ.get("SUBREGULAR_LEARNING")
    if clone is None:
        pytest.skip("the environment variable SUBREGULAR_LEARNING names no clone of the published generator")
    draw, seeds = pynini.randgen, itertools.count(1)
    monkeypatch.setattr(pynini, "randgen", lambda *args, **more: draw(*args, **{**more, "seed": next(seeds)}))
    monkeypatch.setattr(sys, "argv", ["pathogen", "-b", "20", name])
    (tmp_path / "src").symlink_to(Path(clone).resolve() / "src")
    monkeypatch.chdir(tmp_path)
    generator = runpy.run_path("src/pathogen.py")
    benchmark.pedantic(generator["main"], rounds=1)
    assert (tmp_path / "data_gen" / "Large" / f"{name}_TestLA.txt").read_text().count("\n") == 2_000


class PyniniGenerator:
    """Draws data sets with pynini; letters are labels from 1."""

    def __init__(self, pynini, dfa: DFA) -> None:
        self.pynini = pynini
        self.n_letters = len(dfa.alphabet)
        self.seed = 0
        self.inside, self.outside = self.acceptor(dfa), self.acceptor(complement(dfa))
        letters = self.union((label, label) for label in self.labels)
        edits = self.union((x, y) for x in (0, *self.labels) for y in (0, *self.labels) if x != y)
        edit_once = pynini.closure(letters) + edits + pynini.closure(letters)
        self.letter = letters
        self.border = (self.inside @ edit_once.optimize() @ self.outside).optimize()

    @property
    def labels(self):
        return range(1, self.n_letters + 1)

    def acceptor(self, dfa: DFA):
        machine = self.pynini.Fst()
        machine.add_states(dfa.n_states)
        machine.set_start(dfa.start)
        for state, row in enumerate(dfa.transitions.tolist()):
            if dfa.accepting[state]:
                machine.set_final(state)
            for label, target in enumerate(row, start=1):
                machine.add_arc(state, self.pynini.Arc(label, label, 0, target))
        return machine.optimize()

    def union(self, pairs):
        machine = self.pynini.Fst()
        machine.add_states(2)
        machine.set_start(0)
        machine.set_final(1)
        for x, y in pairs:
            machine.add_arc(0, self.pynini.Arc(x, y, 0, 1))
        return machine

    def all_sets(self, plan: Plan) -> int:
        """Draw the six sets of a plan's only size; return the number of words."""
        per_short = plan.per_length(Set.TRAIN, "Fiftieth")
        per_long = plan.per_length(Set.LR, "Fiftieth")
        n_words = 0
        used = {}
        for length in plan.short_lengths:
            for machine in (self.inside, self.outside):
                seen = set()
                for is_unique in (False, True, True):
                    drawn = self.words(machine, length, per_short, seen, is_unique)
                    seen |= set(drawn)
                    n_words += len(drawn)
                used.setdefault(length, set()).update(seen)
        for length in plan.long_lengths:
            for machine in (self.inside, self.outside):
                n_words += len(self.words(machine, length, per_long, set(), True))
        for lengths, number in ((plan.short_lengths, per_short), (plan.long_lengths, per_long)):
            taken = set()
            for length in lengths:
                near = set().union(taken, *(used.get(near, set()) for near in (length - 1, length, length + 1)))
                pairs = self.pairs(length, number, near)
                taken.update(word for pair in pairs for word in pair)
                n_words += 2 * len(pairs)
        return n_words

    def words(self, machine, length, number, seen, is_unique):
        paths = self.weighted(self.pynini.intersect(machine, self.letter**length))
        found = {} if is_unique else []
        while len(found) < number:
            for word, _ in self.draw(paths, number - len(found)):
                if not is_unique:
                    found.append(word)
                elif word not in seen:
                    found[word] = True
        return list(found)

    def pairs(self, length, number, seen):
        paths = self.weighted((self.letter**length).optimize() @ self.border)
        found, words = [], set(seen)
        while len(found) < number:
            for x, y in self.draw(paths, number - len(found)):
                if x not in words and y not in words:
                    words |= {x, y}
                    found.append((x, y))
        return found

    def draw(self, machine, number):
        self.seed += 1
        drawn = self.pynini.randgen(machine, npath=number, seed=self.seed, select="log_prob", weighted=False)
        paths = drawn.paths()
        while not paths.done():
            yield tuple(x for x in paths.ilabels() if x), tuple(y for y in paths.olabels() if y)
            paths.next()

    def weighted(self, machine):
        """Return the acyclic machine with arc weights that make every path equally likely."""
        pynini = self.pynini
        machine = machine.optimize().topsort()
        ways = [0] * machine.num_states()
        is_final = [float(machine.final(state)) == 0 for state in machine.states()]
        result = pynini.Fst("log")
        result.add_states(machine.num_states())
        result.set_start(machine.start())
        for state in reversed(range(machine.num_states())):
            arcs = list(machine.arcs(state))
            ways[state] = is_final[state] + sum(ways[arc.nextstate] for arc in arcs)
            if is_final[state]:
                result.set_final(state, pynini.Weight("log", math.log(ways[state])))
            for arc in arcs:
                weight = pynini.Weight("log", math.log(ways[state]) - math.log(ways[arc.nextstate]))
                result.add_arc(state, pynini.Arc(arc.ilabel, arc.olabel, weight, arc.nextstate))
        return result
