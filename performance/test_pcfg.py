"""How fast grammars draw strings and answer; figures are per call, symbols per call stand in ``extra_info``."""

import numpy as np
import pytest

from wug.languages.pcfg import PCFG
from wug.sequences import Corpus

DYCK_1 = PCFG.from_text('S -> "(" S ")" S [0.3] | [0.7]', name="Dyck-1")
ANBN = PCFG.from_text('S -> "a" X "b" [1]  X -> "a" X "b" [0.7] | [0.3]', name="a^n b^n")
AMBIGUOUS = PCFG.from_text('S -> S S [0.45] | "a" [0.3] | "b" [0.25]', name="every bracketing")
GRAMMARS = [DYCK_1, ANBN, AMBIGUOUS]
DRAWS = 100_000


def note_speed(benchmark, n_symbols: int) -> None:
    benchmark.extra_info["symbols"] = n_symbols
    if benchmark.stats is not None:
        benchmark.extra_info["symbols_per_second"] = n_symbols / benchmark.stats.stats.median


@pytest.mark.parametrize("language", GRAMMARS, ids=lambda language: language.name)
def test_sample(benchmark, language):
    language.sample(1, rng=np.random.default_rng(0))
    drawn = benchmark(lambda: language.sample(DRAWS, rng=np.random.default_rng(0)))
    note_speed(benchmark, drawn.n_symbols + len(drawn))


@pytest.mark.parametrize("language", [DYCK_1, ANBN], ids=lambda language: language.name)
def test_next_symbols_of_a_sample(benchmark, language):
    """Many short strings, most prefixes shared."""
    drawn = language.sample(DRAWS, rng=np.random.default_rng(0))
    language.next_symbols(drawn)
    benchmark(language.next_symbols, drawn)
    note_speed(benchmark, drawn.n_symbols + len(drawn))


@pytest.mark.parametrize("text", ["()" * 1000, "(" * 1000 + ")" * 1000], ids=["side-by-side", "nested"])
def test_next_symbols_of_a_long_string(benchmark, text):
    """2,000 symbols, hence 2,001 prefixes, none of them shared."""
    corpus = Corpus.from_strings([text], DYCK_1.vocabulary)
    DYCK_1.next_symbols(corpus)
    benchmark(DYCK_1.next_symbols, corpus)
    note_speed(benchmark, len(text) + 1)


def test_probability_of_a_highly_ambiguous_string(benchmark):
    """200 symbols have more bracketings than 10 ** 116; work grows with the cube of the length."""
    corpus = Corpus.from_strings(["ab" * 100], AMBIGUOUS.vocabulary)
    AMBIGUOUS.string_log2_probability(corpus)
    benchmark(AMBIGUOUS.string_log2_probability, corpus)
    note_speed(benchmark, 200)


@pytest.mark.parametrize(("language", "size"), [(DYCK_1, 10_000), (ANBN, 500)], ids=["Dyck-1", "a^n b^n"])
def test_first_strings(benchmark, language, size):
    language.first_strings(1)
    listed = benchmark(language.first_strings, size)
    note_speed(benchmark, listed.n_symbols + len(listed))
