"""How fast formal languages draw strings and answer; figures are per call, symbols per call stand in ``extra_info``."""

import numpy as np
import pytest

from wug.languages.counting import CountingLanguage
from wug.languages.dyck import DyckLanguage
from wug.sequences import Corpus, PrefixTree

LANGUAGES = [CountingLanguage("a^n b^n"), CountingLanguage("a^n b^m c^(n+m)"), DyckLanguage(1), DyckLanguage(2)]
DRAWS = 200_000


def note_speed(benchmark, n_symbols: int) -> None:
    benchmark.extra_info["symbols"] = n_symbols
    if benchmark.stats is not None:
        benchmark.extra_info["symbols_per_second"] = n_symbols / benchmark.stats.stats.median


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_sample(benchmark, language):
    language.sample(1, rng=np.random.default_rng(0))
    drawn = benchmark(lambda: language.sample(DRAWS, rng=np.random.default_rng(0)))
    note_speed(benchmark, drawn.n_symbols + len(drawn))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@pytest.mark.parametrize("answer", ["next_symbols", "contains"])
def test_answers(benchmark, language, answer):
    drawn = language.sample(DRAWS, rng=np.random.default_rng(0))
    getattr(language, answer)(drawn)
    benchmark(getattr(language, answer), drawn)
    note_speed(benchmark, drawn.n_symbols + len(drawn))


@pytest.fixture(scope="module")
def longest_test_list() -> Corpus:
    """The largest list of bliss for a^n b^n: 10,000 strings of up to 20,040 symbols."""
    language = CountingLanguage("a^n b^n")
    return language.first_strings(10_000, after=language.strings([[20]]))


def test_next_symbols_of_the_longest_test_list(benchmark, longest_test_list):
    benchmark(CountingLanguage("a^n b^n").next_symbols, longest_test_list)
    note_speed(benchmark, longest_test_list.n_symbols + len(longest_test_list))


def test_prefix_tree_of_the_longest_test_list(benchmark, longest_test_list):
    benchmark(PrefixTree.from_corpus, longest_test_list)
    note_speed(benchmark, longest_test_list.n_symbols)


def test_unique_strings_of_a_sample(benchmark):
    drawn = DyckLanguage(2).sample(DRAWS, rng=np.random.default_rng(0))
    benchmark(drawn.unique)
    note_speed(benchmark, drawn.n_symbols)


def test_list_of_long_dyck_strings(benchmark):
    language = DyckLanguage(2)
    start = Corpus.from_strings(["[([()])([])[[([]())()][([()[]])]]][[()]]"], language.vocabulary)
    listed = benchmark(lambda: language.first_strings(10_000, after=start))
    note_speed(benchmark, listed.n_symbols)


def test_uniform_dyck_strings(benchmark):
    language = DyckLanguage(2)
    drawn = benchmark(lambda: language.uniform(1000, 1000, rng=np.random.default_rng(0)))
    note_speed(benchmark, drawn.n_symbols)
