"""Training samples and test lists against the published ones."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from wug.benchmarks.bliss.tasks import (
    NOTATION,
    PUBLISHED_STRINGS,
    AdditionList,
    DyckList,
    bliss_language,
    following_strings,
    largest_string,
    probe_chunks,
    training_sample,
)
from wug.errors import InputError
from wug.sequences import Corpus

GOLDEN = Path(__file__).parents[3] / "../shared/data/index_b/golden_nets.json"
GOLDEN_NAMES = {
    "anbn": "an_bn",
    "anbncn": "an_bn_cn",
    "anbncndn": "an_bn_cn_dn",
    "anbmcnm": "an_bm_c_n_plus_m",
    "dyck1": "dyck_1",
    "dyck2": "dyck_2",
}
SIZES = {1000: 1, 500: 2, 250: 4, 100: 10}

# First draws of the published samples before sorting (taucompling/bliss, seed 100, p = 0.3).
FIRST_N = [3, 3, 2, 4, 2, 2, 6, 6, 2, 1, 5, 2]
FIRST_GEOMETRIC_N = [3, 1, 2, 6, 1, 1, 4, 5, 1, 3, 7, 1]
FIRST_DYCK_1 = ["", "()", "(())()", "(((())()()))", "()(()())()()", "()", "", ""]
FIRST_DYCK_2 = ["", "[]", "(())()", "[[([])[][]]]", "[]([]())()()", "()", "", ""]


def sha256(corpus: Corpus) -> str:
    return hashlib.sha256("\n".join(f"#{text}#" for text in corpus.texts()).encode()).hexdigest()


@pytest.fixture(scope="module")
def golden():
    if not GOLDEN.exists():
        pytest.skip("the shared golden values are not beside this checkout")
    return json.loads(GOLDEN.read_text())["golden_values"]


@pytest.mark.parametrize("task", NOTATION)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.golden
def test_training_samples_are_the_published_ones(task, size, golden):
    expected = golden["training_sets_p0_3_seed100"][GOLDEN_NAMES[task]][str(size)]
    assert sha256(training_sample(bliss_language(task), size, 100)) == expected["sha256_of_newline_joined_strings"]


def test_one_published_training_sample_by_its_hash():
    """SHA-256 of a^n b^n, 100 strings, in taucompling/bliss."""
    sample = training_sample(bliss_language("anbn"), 100, 100)
    assert sha256(sample) == "0ed32d5faa0de414d97c25da83442081a973814ae37b6171d42c305a4b363e54"


@pytest.mark.parametrize(
    ("task", "first"), [("anbn", FIRST_N), ("anbncn", FIRST_GEOMETRIC_N), ("anbncndn", FIRST_GEOMETRIC_N)]
)
def test_first_draws_of_counting_languages(task, first):
    language = bliss_language(task)
    assert sorted(language.sizes(training_sample(language, 12, 100))) == sorted(first)


@pytest.mark.parametrize(("task", "first"), [("dyck1", FIRST_DYCK_1), ("dyck2", FIRST_DYCK_2)])
def test_first_draws_of_dyck_languages(task, first):
    assert sorted(training_sample(bliss_language(task), 8, 100).texts()) == sorted(first)


@pytest.mark.parametrize("task", NOTATION)
def test_smaller_samples_are_contained_in_larger_ones(task):
    small, large = (list(training_sample(bliss_language(task), size, 5).texts()) for size in (50, 200))
    for text in set(small):
        assert small.count(text) <= large.count(text)


@pytest.mark.parametrize("task", ["anbn", "anbncn", "anbncndn"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.golden
def test_lists_of_one_parameter(task, size, golden):
    language = bliss_language(task)
    corpus = following_strings(language, training_sample(language, size, 100), 1000 * SIZES[size])
    expected = golden["index_test_sets"][GOLDEN_NAMES[task]][str(size)]
    sizes = language.sizes(corpus)
    assert (sizes[0], sizes[-1]) == (expected["first_n"], expected["last_n"])
    assert corpus.n_symbols + len(corpus) == expected["tokens"]


def test_the_papers_own_example():
    """Section 6: trained on 100 strings up to a^20 b^20, tested up to a^10020 b^10020."""
    language = bliss_language("anbn")
    training = training_sample(language, 100, 100)
    assert language.sizes(training).max() == 20
    sizes = language.sizes(following_strings(language, training, 10_000))
    assert np.array_equal(sizes, np.arange(21, 10_021))


@pytest.mark.parametrize("rule", [AdditionList.GRID, AdditionList.SEQUENTIAL])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.golden
def test_addition_lists(rule, size, golden):
    language = bliss_language("anbmcnm")
    corpus = following_strings(language, training_sample(language, size, 100), 1000 * SIZES[size], addition_list=rule)
    expected = golden["index_test_sets"]["an_bm_c_n_plus_m"][str(size)][rule.value]
    assert list(language.language.parameters_of(corpus)[-1]) == expected["last_pair"]
    assert corpus.n_symbols + len(corpus) == expected["tokens"]


def test_the_papers_addition_example():
    """Section 6: n up to 18 and m up to 20 in training, tested up to a^120 b^120 c^240."""
    language = bliss_language("anbmcnm")
    training = training_sample(language, 100, 100)
    assert tuple(language.language.parameters_of(training).max(axis=0)) == (18, 20)
    pairs = language.language.parameters_of(following_strings(language, training, 10_000))
    assert set(map(tuple, pairs)) == {(n, m) for n in range(21, 121) for m in range(21, 121)}
    assert (np.diff(pairs.sum(axis=1)) >= 0).all()


@pytest.mark.parametrize(("rule", "key"), [(DyckList.AFTER, "after"), (DyckList.LONGER, "longer")])
@pytest.mark.parametrize("task", ["dyck1", "dyck2"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.golden
def test_exhaustive_dyck_lists(task, size, rule, key, golden):
    language = bliss_language(task)
    corpus = following_strings(language, training_sample(language, size, 100), 1000 * SIZES[size], dyck_list=rule)
    expected = golden["dyck_exhaustive_test_sets"][GOLDEN_NAMES[task]][str(size)][key]
    assert sha256(corpus) == expected["sha256_of_newline_joined_strings"]


@pytest.mark.parametrize("task", NOTATION)
@pytest.mark.parametrize("dyck_list", [DyckList.AFTER, DyckList.LONGER, DyckList.SAMPLED])
def test_lists_share_no_string_with_the_sample_and_hold_none_twice(task, dyck_list):
    language = bliss_language(task)
    for seed in (1, 2):
        training = training_sample(language, 60, seed)
        for addition_list in (AdditionList.GRID, AdditionList.SEQUENTIAL):
            corpus = following_strings(
                language, training, 300, addition_list=addition_list, dyck_list=dyck_list, data_seed=seed
            )
            assert len(corpus) == 300
            assert len(set(corpus.texts())) == 300
            assert not set(corpus.texts()) & set(training.texts())
            assert language.language.contains(corpus).all()


def test_published_dyck_list_is_too_short_for_dyck_2():
    """Known defect of the published file: nothing in it is longer than the longest of 500 training strings."""
    language = bliss_language("dyck2")
    training = training_sample(language, 500, 100)
    with pytest.raises(InputError, match="0 strings longer"):
        following_strings(language, training, 2000, dyck_list=DyckList.PUBLISHED)


def test_published_dyck_list_of_dyck_1():
    language = bliss_language("dyck1")
    corpus = following_strings(language, training_sample(language, 100, 100), 10_000, dyck_list=DyckList.PUBLISHED)
    assert corpus.lengths.min() > 16
    assert len(corpus) == 10_000


def test_published_addition_list():
    """The file holds pairs of [1, 123] sorted by their sum, 15,000 of them, the last one (114, 117)."""
    language = bliss_language("anbmcnm")
    training = training_sample(language, 1000, 100)
    pairs = language.language.parameters_of(
        following_strings(language, training, 1000, addition_list=AdditionList.PUBLISHED)
    )
    assert tuple(pairs[0]) == (10, 19)
    with pytest.raises(InputError, match=r"has \d+ strings after"):
        following_strings(language, training, PUBLISHED_STRINGS, addition_list=AdditionList.PUBLISHED)


def test_largest_string_is_the_last_in_order():
    language = bliss_language("anbmcnm")
    training = Corpus.from_strings(["aabccc", "abbccc", "abcc"], language.language.vocabulary)
    assert list(largest_string(language, training).texts()) == ["aabccc"]


def test_probe_chunks_are_the_first_strings():
    language = bliss_language("anbn")
    chunks = list(probe_chunks(language, 300))
    assert [len(chunk) for chunk in chunks] == [64, 128, 108]
    assert np.array_equal(np.concatenate([language.sizes(chunk) for chunk in chunks]), np.arange(1, 301))


@pytest.mark.parametrize("task", ["a^n b^(2n)", "a^n b^m a^n b^m", "dyck3"])
def test_languages_beyond_the_papers_six(task):
    language = bliss_language(task)
    training = training_sample(language, 50, 100)
    corpus = following_strings(language, training, 100)
    assert language.language.contains(Corpus.concatenate([training, corpus])).all()


def test_an_unknown_task_names_the_nearest():
    with pytest.raises(InputError, match="'anbncn'"):
        bliss_language("anbncm")
