"""The published results: reading, the mixed model, and every printed figure."""

import gzip

import numpy as np
import polars as pl
import pytest

from wug.benchmarks.syntaxgym.benchmark import BENCHMARK
from wug.benchmarks.syntaxgym.published.figures import Figure, printed_figures
from wug.benchmarks.syntaxgym.published.mixed_model import MixedModel
from wug.benchmarks.syntaxgym.published.regression import Design
from wug.benchmarks.syntaxgym.published.results import read_corrections, read_results
from wug.benchmarks.syntaxgym.scores import SuiteSet
from wug.errors import InputError, TrialError
from wug.learners.registry import build_learner, parse_learner


def by_name(scores):
    return {(score.measure, score.item): score.value for score in scores}


@pytest.mark.golden
def test_every_printed_figure_is_made_from_the_published_files(published):
    settings = BENCHMARK.resolve("published", {"results": published / "results"})
    task = BENCHMARK.build("published", settings, 1)
    model = BENCHMARK.fit(task, build_learner(parse_learner("oracle", {})), 1)
    found = by_name(BENCHMARK.judge(task, model, settings))
    assert found["figures_that_agree", ""] == found["figures_compared", ""] == len(printed_figures()) == 300
    aics = {"L + A": -589.90, "A": -580.71, "L": -573.59, "L*C + A*C": -673.72, "L + A*C": -654.08, "L*C + A": -622.70}
    assert {name: found["AIC", name] for name in aics} == pytest.approx(aics, abs=0.01)


@pytest.mark.golden
def test_accuracies_and_corrections_are_those_derived_elsewhere(published):
    results = read_results(published / "results")
    expected = pl.read_csv(published / "results" / "suite_accuracy.csv", infer_schema_length=None)
    assert len(results.accuracies) == len(expected)
    assert results.accuracies["n_correct"].sum() == expected["n_correct"].sum()
    corrected = read_corrections(published / "results", results)
    instances = corrected.accuracies.filter(pl.col("model") == "GPT-2").select("size", "seed").unique()
    assert sorted(instances["size"].to_list()) == ["lg", "lg", "md", "md", "sm", "xs"]


@pytest.mark.golden
def test_the_model_with_intercepts_alone_is_that_of_other_programs(published):
    """Reference: lme4 and statsmodels, which agree (ML, crossed intercepts of suite and instance)."""
    design = Design.of(read_results(published / "results").accuracies, SuiteSet.PAPER.names)
    ones = np.ones((len(design.y), 1))
    model = MixedModel(design.y, design.fixed("L + A"), ones, design.suites, design.instances)
    found = model.fit(rng=np.random.default_rng(1), n_starts=1)
    assert (found.log_likelihood, found.aic) == pytest.approx((45.99213, -73.98427), abs=1e-5)
    deviations = (found.unit_deviation, float(found.group_deviations[0]), found.residual_deviation)
    assert deviations == pytest.approx((0.07466, 0.25085, 0.21687), abs=1e-5)


def test_the_profiled_deviance_is_that_of_the_normal_distribution():
    rng = np.random.default_rng(5)
    groups, units = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    effects = np.column_stack([np.ones(12), rng.normal(size=12)])
    fixed, y = np.column_stack([np.ones(12), rng.normal(size=12)]), rng.normal(size=12)
    theta = np.array([0.8, -0.3, 0.5, 0.7])
    factor = np.array([[0.8, 0], [-0.3, 0.5]])
    by_group = np.zeros((12, 6))
    for row in range(12):
        by_group[row, 2 * groups[row] : 2 * groups[row] + 2] = effects[row] @ factor
    by_unit = 0.7 * np.eye(4)[units]
    covariance = np.eye(12) + by_group @ by_group.T + by_unit @ by_unit.T
    inverse = np.linalg.inv(covariance)
    beta = np.linalg.solve(fixed.T @ inverse @ fixed, fixed.T @ inverse @ y)
    residual = y - fixed @ beta
    variance = residual @ inverse @ residual / 12
    expected = np.linalg.slogdet(covariance)[1] + 12 * (1 + np.log(2 * np.pi * variance))
    assert MixedModel(y, fixed, effects, groups, units).deviance(theta) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "printed", "agrees"),
    [(0.31664, "0.3166", True), (0.31666, "0.3166", False), (6.896e-5, "6.90e-5", True), (-0.4765, "-0.476", True)],
)
def test_a_figure_agrees_when_it_rounds_to_what_is_printed(value, printed, agrees):
    assert Figure("m", "i", value, printed).agrees is agrees


HEADER = "model,suite,item,correct\n"


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    content = (HEADER + text).encode()
    (folder / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)


def test_ngrams_are_voted_on_by_more_than_half(tmp_path):
    rows = [f"ngram_bllip-xs_{seed},cleft,{item},{seed <= 2 + item}" for seed in (1, 2, 3, 4) for item in (0, 1)]
    write(tmp_path, "syntaxgym_results_ngram_bllip-xs.csv.gz", "\n".join(rows) + "\n")
    write(tmp_path, "syntaxgym_results_vanilla_bllip-xs.csv", "vanilla_bllip-xs_0111,cleft,0,True\n")
    found = read_results(tmp_path).accuracies
    assert found.rows() == [("LSTM", "xs", 111, "cleft", 1, 1), ("n-gram", "xs", 0, "cleft", 2, 1)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("vanilla_bllip-xs_0111,cleft,0,yes", "correct must be True or False, not 'yes'"),
        ("vanilla_bllip-xs_0111,cleft2,0,True", "there is no suite 'cleft2'"),
        ("word2vec_bllip-xs_0111,cleft,0,True", "'word2vec_bllip-xs_0111' of the results is none of the paper's"),
    ],
)
def test_files_that_are_no_results_are_refused(row, message, tmp_path):
    write(tmp_path, "syntaxgym_results_x.csv", row + "\n")
    with pytest.raises(InputError, match=message):
        read_results(tmp_path)


def test_without_files_one_sentence_says_where_they_are_published(tmp_path):
    with pytest.raises(InputError, match=r"published at github.com/cpllab/syntactic-generalization"):
        BENCHMARK.build("published", BENCHMARK.resolve("published", {"results": tmp_path}), 1)
    with pytest.raises(InputError, match=r"results=DIR; they are at github.com/cpllab/syntactic-generalization"):
        BENCHMARK.build("published", BENCHMARK.resolve("published", {}), 1)


@pytest.mark.golden
def test_a_number_that_has_moved_fails(published, monkeypatch):
    from wug.benchmarks.syntaxgym.published import judge

    moved = [Figure("SG-31", "LSTM XS", 0.3266, "0.3166"), Figure("AIC", "L", -573.59, "-573.59")]
    monkeypatch.setattr(judge, "recompute", lambda *arguments, **options: moved)
    with pytest.raises(
        TrialError, match=r"1 figures have moved; the first is 'SG-31' of LSTM XS: 0.3266, printed 0.3166"
    ):
        judge.judge_results(judge.Files.of(published / "results"), 1)
