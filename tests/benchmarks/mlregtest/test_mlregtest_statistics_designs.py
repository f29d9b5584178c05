"""Blocks and treatments out of observations: the paper's design, and parts of it by the two rules."""

import math
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.benchmarks.mlregtest.observations import checked
from wug.benchmarks.mlregtest.paper_tables.correlations import language_name
from wug.benchmarks.mlregtest.statistics.analysis import analyse, paper_blocks
from wug.benchmarks.mlregtest.statistics.designs import design, language_means, n_cells
from wug.benchmarks.mlregtest.statistics.factors import FACTORS, GROUPS, LANGUAGE, LEVELS, LOGIC, ORDER, WITHIN
from wug.benchmarks.mlregtest.statistics.friedman import friedman_test
from wug.benchmarks.mlregtest.statistics.intervals import half_width
from wug.errors import InputError
from wug.languages.subregular import class_names, language_names

LANGUAGES = language_names("SL", alphabet_size=4, k=2)[:3] + language_names("Zp", alphabet_size=4)[:2]


def design_of(observations, *factors):
    return design(language_means(observations), *factors)


def analysis_of(observations, *factors):
    return analyse(language_means(observations), *factors)


@pytest.mark.parametrize(
    ("factor", "blocks"),
    [
        ("train_size", 768),
        ("class", 144),
        ("test_type", 576),
        ("alph", 768),
        ("nn_type", 576),
        ("logic", 144),
        ("order", 144),
    ],
)
def test_the_papers_design_has_its_blocks(observations, factor, blocks):
    made = design_of(observations, factor)
    assert made.values.shape == (blocks, len(LEVELS[factor]))
    assert made.levels == LEVELS[factor]
    assert paper_blocks(factor) == blocks
    assert (made.n_dropped, made.n_languages, made.reduced) == (0, 1800, "")


def test_it_has_2304_cells(observations):
    assert n_cells(language_means(observations)) == 2304 == math.prod(len(LEVELS[factor]) for factor in FACTORS)


def test_values_are_means_over_the_languages_of_a_cell(observations):
    made = design_of(observations, "class")
    # blocks are sorted: 16 comes before 4 and 64, Large before Mid, gru first, LA first
    first = observations.filter(alph=16, train_size="Large", nn_type="gru", test_type="LA")
    for level in ("SL", "TLTT", "Reg"):
        expected = first.filter(pl.col("class") == level)["accuracy"].mean()
        assert made.values[0, made.levels.index(level)] == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("factor", ["logic", "order"])
def test_in_a_group_every_language_counts_the_same(observations, factor):
    made = design_of(observations, factor)
    first = observations.filter(alph=16, train_size="Large", nn_type="gru", test_type="LA")
    for group, classes in GROUPS[factor].items():
        expected = first.filter(pl.col("class").is_in(classes))["accuracy"].mean()
        assert made.values[0, made.levels.index(group)] == pytest.approx(expected, abs=1e-11)


def test_groups_part_the_classes():
    for groups in (LOGIC, ORDER):
        assert sorted(name for classes in groups.values() for name in classes) == sorted(class_names())


def test_two_factors_can_be_one_treatment(observations):
    made = design_of(observations, "nn_type", "test_type")
    assert made.levels[:2] == ("srn × SR", "srn × LR")
    assert made.values.shape == (144, 16)
    one = design_of(observations, "test_type")
    for test in LEVELS["test_type"]:
        margin = np.mean([made.means[f"{network} × {test}"] for network in LEVELS["nn_type"]])
        assert margin == pytest.approx(one.means[test])


def test_trials_of_one_language_count_as_one(make_observations):
    once = make_observations(np.random.default_rng(1), languages=LANGUAGES)
    moved = once.with_columns(pl.col("accuracy") + 0.01, trial=pl.col("trial") + "/2")
    one_moved = moved.filter(k=2, i=0)
    twice = design_of(pl.concat([once, one_moved]), "test_type")
    half = once.with_columns(
        accuracy=pl.when((pl.col("k") == 2) & (pl.col("i") == 0))
        .then(pl.col("accuracy") + 0.005)
        .otherwise(pl.col("accuracy"))
    )
    assert twice.values == pytest.approx(design_of(half, "test_type").values, abs=1e-11)
    assert len(twice.trials("SR")) == len(set(once["trial"])) + len(set(one_moved["trial"]))


def test_same_languages_rule(make_observations):
    rng = np.random.default_rng(2)
    everywhere = make_observations(rng, networks=("gru",), languages=LANGUAGES)
    some = make_observations(rng, networks=("lstm",), languages=LANGUAGES[:1] + LANGUAGES[3:])
    made = design_of(pl.concat([everywhere, some]), "nn_type")
    expected = everywhere.filter(~((pl.col("class") == "SL") & pl.col("i").is_in([1, 2])))
    assert made.means["gru"] == pytest.approx(
        expected.group_by("class", "train_size", "test_type").agg(pl.col("accuracy").mean())["accuracy"].mean()
    )
    assert made.reduced == "3 of 5 languages were seen at every level"
    assert made.n_dropped == 0


def test_complete_blocks_rule(make_observations):
    rng = np.random.default_rng(3)
    everywhere = make_observations(rng, networks=("gru",), languages=LANGUAGES)
    some = make_observations(rng, networks=("lstm",), sizes=("Small",), languages=LANGUAGES)
    made = design_of(pl.concat([everywhere, some]), "nn_type")
    assert made.n_blocks == 1 * 2 * 1 * 4  # alphabets, classes, sizes, kinds of set
    assert made.n_dropped == 2 * 2 * 4
    assert made.reduced == "16 of 24 blocks lack a level"
    of_class = design_of(pl.concat([everywhere, some.filter(pl.col("class") == "SL")]), "class")
    assert (of_class.n_blocks, of_class.n_dropped) == (12, 4)


def test_nothing_in_common_is_no_test(make_observations):
    rng = np.random.default_rng(4)
    one = make_observations(rng, networks=("gru",), languages=LANGUAGES[:1])
    other = make_observations(rng, networks=("lstm",), languages=LANGUAGES[3:4])
    analysis = analysis_of(pl.concat([one, other]), "nn_type")
    assert analysis.friedman is None
    assert analysis.design.means == {}
    assert analysis.p_value("gru", "lstm") is None
    assert analysis.mean_rank("gru") is None
    assert analysis_of(one, "nn_type").friedman is None  # one level alone


def test_no_observations_are_no_design(observations):
    made = design_of(observations.clear(), "class")
    assert (made.levels, made.n_blocks, made.n_languages, made.is_testable) == ((), 0, 0, False)


def test_learners_beyond_the_papers_come_last(make_observations):
    rows = make_observations(np.random.default_rng(5), networks=("n-gram", "gru", "constant"), languages=LANGUAGES)
    assert design_of(rows, "nn_type").levels == ("gru", "constant", "n-gram")


parts = st.lists(
    st.sampled_from(list(product(LANGUAGES, ("gru", "lstm"), ("Small", "Mid")))), min_size=1, max_size=20, unique=True
)


@given(parts, st.randoms(use_true_random=False), st.sampled_from([*FACTORS, "logic", "order"]))
@settings(deadline=None, max_examples=25)
def test_designs_of_any_part(make_observations_of, trials, random, factor):
    rows = make_observations_of(trials)
    made = design_of(rows, factor)
    assert np.isfinite(made.values).all()
    assert made.values.shape == (made.n_blocks, len(made.levels))
    assert made.n_blocks + made.n_dropped == rows.select([f for f in FACTORS if f != _replaced(factor)]).n_unique()
    # the order of the rows does not matter
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=random.randint(0, 2**31))
    assert (design_of(shuffled, factor).values == made.values).all()
    if made.is_testable:
        assert friedman_test(made.values).n_blocks == made.n_blocks
    for level in made.levels if factor in WITHIN else ():
        languages = made.rows.filter(level=level).select(*LANGUAGE, *(f for f in WITHIN if f != factor))
        assert set(languages.iter_rows()) == set(made.rows.select(languages.columns).iter_rows())


def _replaced(factor):
    return "class" if factor in GROUPS else factor


@pytest.fixture(scope="module")
def make_observations_of(make_observations):
    whole = make_observations(np.random.default_rng(6), languages=LANGUAGES)
    name = language_name()

    def of(trials):
        wanted = pl.DataFrame(trials, schema=["language", "nn_type", "train_size"], orient="row")
        return whole.with_columns(language=name).join(wanted, on=wanted.columns, how="semi").drop("language")

    return of


def test_the_interval_of_one_cell_is_the_classical_one(make_observations):
    names = language_names("PT", alphabet_size=4)
    rows = make_observations(np.random.default_rng(7), ("gru",), ("Small",), ("SR",), names)
    made = design_of(rows, "test_type")
    values = rows["accuracy"].to_numpy()
    expected = 1.959964 * values.std(ddof=1) / math.sqrt(len(values))
    assert half_width(made, "SR") == pytest.approx(expected)


def test_intervals_take_a_languages_observations_together(make_observations):
    names = language_names("PT", alphabet_size=4)
    once = make_observations(np.random.default_rng(8), ("gru",), ("Small",), ("SR",), names)
    copies = [once.with_columns(test_type=pl.lit(test)) for test in ("SR", "LR", "SA", "LA")]
    made = design_of(pl.concat(copies), "nn_type")
    assert half_width(made, "gru") == pytest.approx(half_width(design_of(once, "nn_type"), "gru"))


def test_intervals_cover(make_observations):
    """Means of samples of languages lie within the interval around the whole about 19 times in 20."""
    rng = np.random.default_rng(9)
    names = language_names("LTT", alphabet_size=4) + language_names("SP", alphabet_size=4)
    whole = make_observations(rng, ("gru",), ("Small",), languages=names)
    hits = 0
    for _ in range(200):
        accuracy = rng.normal(0.8, 0.05, len(names))
        drawn = whole.with_columns(accuracy=pl.Series(np.repeat(accuracy, 4)))
        made = design_of(drawn, "nn_type")
        hits += abs(made.means["gru"] - 0.8) <= half_width(made, "gru")
    assert 178 <= hits <= 199


def test_one_language_alone_has_no_interval(make_observations):
    made = design_of(make_observations(np.random.default_rng(10), languages=LANGUAGES[2:4]), "test_type")
    assert half_width(made, "SR") is None


# --- what is no observation ------------------------------------------------------------------------------------------


def test_optional_columns_are_added(observations):
    full = checked(observations.drop("trial", "auc"))
    assert full["trial"].null_count() == len(full) == full["auc"].null_count()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda frame: frame.drop("class"), "observations: there is no column class"),
        (lambda frame: frame.with_columns(accuracy=pl.lit(1.2)), "row 1: accuracy is from 0 to 1, not 1.2"),
        (lambda frame: frame.with_columns(accuracy=pl.lit(float("nan"))), "row 1: accuracy is from 0 to 1, not nan"),
        (lambda frame: frame.with_columns(brier=pl.lit(-0.5)), "row 1: brier is from 0 to 1, not -0.5"),
        (lambda frame: frame.with_columns(accuracy=pl.lit(None)), "row 1: accuracy is empty"),
        (lambda frame: frame.with_columns(test_type=pl.lit("XR")), "row 1: test_type 'XR' is none of SR, LR, SA, LA"),
        (
            lambda frame: frame.with_columns(train_size=pl.lit("small")),
            "train_size 'small' is none of Small, Mid, Large",
        ),
        (lambda frame: frame.with_columns(alph=pl.lit(5)), "row 1: alph is 4, 16 or 64, not 5"),
        (lambda frame: frame.with_columns(k=pl.lit("two")), "observations: .*k"),
    ],
)
def test_what_is_no_observation_is_refused_with_its_row(observations, change, sentence):
    with pytest.raises(InputError, match=sentence):
        checked(change(observations.head(3)))
