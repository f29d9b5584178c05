"""The rules of the data sets, their determinism, their law, and what happens when words run out."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from dataset_checks import check_data_sets, lines_of
from scipy.stats import chisquare

from wug.errors import InputError
from wug.languages.subregular.datasets import DataSets
from wug.languages.subregular.files import text_lines
from wug.languages.subregular.languages import RegularLanguage
from wug.languages.subregular.names import class_names, language_names
from wug.languages.subregular.plan import Plan, Set

SPREAD = [
    name
    for class_ in class_names()
    for name in np.array(language_names(class_))[[0, len(language_names(class_)) // 2, -1]]
]
"""48 languages: the first, the middle and the last of each class."""


def text_of(sets, of, size):
    return text_lines(sets.strings(of, size))


@pytest.mark.parametrize("name", SPREAD)
def test_small_sets_keep_every_rule(name):
    check_data_sets(DataSets(RegularLanguage.named(name), seed=3, largest="Small"))


@pytest.mark.parametrize("name", ["04.04.SL.2.1.0", "64.11.TPLT.4.2.7"])
def test_all_sizes_keep_every_rule(name):
    check_data_sets(DataSets(RegularLanguage.named(name), seed=3))


@pytest.mark.slow
@pytest.mark.parametrize("name", SPREAD)
def test_all_sizes_of_48_languages_keep_every_rule(name):
    check_data_sets(DataSets(RegularLanguage.named(name), seed=4))


@pytest.mark.slow
@pytest.mark.parametrize("class_", class_names())
def test_small_sets_of_all_languages_keep_every_rule(class_):
    for name in language_names(class_):
        check_data_sets(DataSets(RegularLanguage.named(name), seed=5, largest="Small"))


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "of", "size", "digest"),
    [
        ("04.04.SL.2.1.0", "Train", "Small", "5e0a43427ac243e012baceba6b5678b26a97ef82e3503dcf2c047f313c0ad09c"),
        ("16.07.TLTT.4.2.3", "SR", "Mid", "31fe44d20d8374eb669abc23e54c51375b17766cebd7769b0ada4313a6c2ae21"),
        ("64.64.PT.4.1.3", "SA", "Small", "8e8aeb3cdb408492ede17934cac0153f2f040a398b79c40acc061163c44f0f87"),
        ("64.06.TcoSL.2.1.5", "LA", "Mid", "163a52eda4bc95531cbc0a322cf6038bab95a06dfb0f1082d559a13e605f6f13"),
    ],
)
def test_files_are_the_same_bytes_everywhere(name, of, size, digest):
    sets = DataSets(RegularLanguage.named(name), seed=1, largest=size)
    assert hashlib.sha256(text_of(sets, of, size)).hexdigest() == digest


def test_a_size_does_not_depend_on_larger_ones():
    language = RegularLanguage.named("16.16.LT.4.1.2")
    alone, with_mid = DataSets(language, 7, largest="Small"), DataSets(language, 7, largest="Mid")
    for of in Set:
        assert text_of(alone, of, "Small") == text_of(with_mid, of, "Small")


def test_seeds_and_languages_give_different_sets():
    language, other = RegularLanguage.named("16.16.LT.4.1.2"), RegularLanguage.named("16.16.LT.4.1.3")
    texts = [
        text_of(DataSets(which, seed, largest="Small"), "SR", "Small")
        for which, seed in ((language, 1), (language, 2), (other, 1))
    ]
    assert len(set(texts)) == 3


def test_complements_have_their_partners_strings_with_labels_exchanged():
    language = RegularLanguage.named("04.03.TcoSL.4.1.7")
    own, partner = (DataSets(which, 1, largest="Small") for which in (language, language.complement_of))
    for of in Set:
        exchanged = (
            text_of(partner, of, "Small").replace(b"TRUE", b"?").replace(b"FALSE", b"TRUE").replace(b"?", b"FALSE")
        )
        assert text_of(own, of, "Small") == exchanged


def test_shuffling_keeps_the_strings_and_the_pairs():
    sets = DataSets(RegularLanguage.named("04.04.SP.4.1.3"), 1, largest="Small")
    plain, shuffled = sets.strings("SA", "Small"), sets.strings("SA", "Small", "shuffled")
    records = [
        list(zip(strings.corpus.texts(), strings.labels.tolist(), strings.pairs.tolist(), strict=True))
        for strings in (plain, shuffled)
    ]
    assert records[0] != records[1]
    assert sorted(records[0]) == sorted(records[1])


def tiny(n, **more):
    """Return a plan with one short and one long length and n strings."""
    return Plan(sizes={"A": n, "B": 2 * n}, short_lengths=(4,), long_lengths=(6,), **more)


def test_own_sizes_and_lengths():
    sets = DataSets(RegularLanguage.named("04.04.SL.2.1.0"), 1, tiny(12))
    check_data_sets(sets)
    assert len(sets.strings("LA", "B").corpus) == 24
    lengths = sets.strings("LR", "A").corpus.lengths
    assert set(lengths.tolist()) == {6}


def test_every_word_and_pair_is_equally_likely_in_every_set():
    # over many seeds, in both sizes: Train draws freely, the others without repetition, B after A
    language = RegularLanguage.named("04.04.SL.2.1.0")
    found = {(of, label): Counter() for of in (Set.TRAIN, Set.DEV, Set.SR, Set.LR) for label in (True, False)}
    for seed in range(250):
        sets = DataSets(language, seed, tiny(8))
        for of, label in found:
            found[of, label].update(word for word, own in lines_of(sets, of, "B") if own == label)
    n_words = {(4, True): 216, (4, False): 40, (6, True): 3105, (6, False): 991}
    for (of, label), counts in found.items():
        n = n_words[6 if of.is_long else 4, label]
        assert counts.total() == 250 * 8
        observed = [*counts.values(), *[0] * (n - len(counts))]
        assert chisquare(observed).pvalue > 1e-4


def test_the_last_words_are_found():
    # 40 words without the language's, all of them needed but one
    sets = DataSets(RegularLanguage.named("04.04.SL.2.1.0"), 1, Plan({"A": 26}, (4,), (6,)))
    check_data_sets(sets)


def test_too_few_words_are_refused_with_both_numbers():
    language = RegularLanguage.from_pattern("one word", "/a*b/", "ab")
    with pytest.raises(
        InputError,
        match="one word: size A needs 30 different TRUE strings of length 4 for Train, Dev, SR, and there are 1;",
    ):
        DataSets(language, 1, Plan({"A": 20}, (4,), (6,)))
    # 16 words of each label, but only the 10 with exactly three a's are at the border, and Train and Dev take some
    three = RegularLanguage.from_pattern("three", "occ>=3(a)", "ab")
    with pytest.raises(
        InputError, match="three: size A needs 5 disjoint border pairs of length 5 for SA, and there are"
    ):
        DataSets(three, 1, Plan({"A": 10}, (5,), (9,)))


def test_too_few_words_are_taken_on_request_and_reported():
    language = RegularLanguage.from_pattern("one word", "/a*b/", "ab")
    sets = DataSets(language, 1, Plan({"A": 20}, (4,), (6,), on_shortage="all"))
    train, dev = sets.strings("Train", "A"), sets.strings("Dev", "A")
    assert list(train.corpus.select(train.labels).texts()) == ["aaab"] * 10
    assert not dev.labels.any()
    assert len(dev.corpus) == len(set(dev.corpus.texts())) < 10
    by_set = {(*shortage.sets, shortage.length, shortage.accepted): shortage for shortage in sets.shortages}
    assert (by_set[Set.DEV, 4, True].requested, by_set[Set.DEV, 4, True].available) == (10, 0)
    assert by_set[Set.LA, 6, True].available == 1
    assert (Set.TRAIN, 4, True) not in by_set


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(sizes={}), "at least one size"),
        (Plan(sizes={"A": 30}), "size A: 30 strings cannot be shared equally among 2 labels and 10 short lengths"),
        (Plan(sizes={"A": 100}), "2 labels and 20 long lengths; take a multiple of 40"),
        (Plan(sizes={"A": 2000, "B": 2000}), "sizes must ascend, but A has 2,000 strings and B 2,000"),
        (Plan(short_lengths=(5, 5)), "the short lengths must be one or more ascending numbers"),
        (Plan(weighting="path"), "unknown weighting 'path'; did you mean 'paths'"),
        (Plan(on_shortage="some"), "unknown rule on shortage 'some'"),
    ],
)
def test_impossible_plans_are_refused(plan, message):
    with pytest.raises(InputError, match=message):
        DataSets(RegularLanguage.named("04.04.SL.2.1.0"), 1, plan)


def test_unknown_sets_and_sizes_are_refused():
    sets = DataSets(RegularLanguage.named("04.04.SL.2.1.0"), 1, largest="Small")
    with pytest.raises(InputError, match="unknown data set 'Tran'; did you mean 'Train'"):
        sets.strings("Tran", "Small")
    with pytest.raises(InputError, match="unknown size 'Mid'; known: Small"):
        sets.strings("Train", "Mid")
    with pytest.raises(InputError, match="unknown size 'Smal'; did you mean 'Small'"):
        DataSets(RegularLanguage.named("04.04.SL.2.1.0"), 1, largest="Smal")
