"""syntaxgym without a language model: making and checking suites, what surprisals make of them, the regressions."""

import numpy as np
import pytest

from wug.benchmarks.syntaxgym.own_suites import own_suites
from wug.benchmarks.syntaxgym.published.mixed_model import MixedModel
from wug.benchmarks.syntaxgym.scores import SuiteSet, evaluate_suite, scores_of
from wug.benchmarks.syntaxgym.surprisal.word_models import word_spans
from wug.learners.protocols import ScoredText


@pytest.fixture(scope="module")
def suites():
    return own_suites(24, seed=1)


def test_make_and_check_our_own_suites(benchmark):
    """34 suites of 24 items, every sentence parsed."""
    made = benchmark.pedantic(own_suites, (24,), {"seed": 1}, rounds=3)
    assert len(made) == 34


def test_score_all_suites(benchmark, suites):
    """34 suites of 24 items from surprisals of words: alignment, formulas, chance levels, bootstrap."""

    def scored(item, condition):
        sentence = item.sentence(condition)
        starts, stops = np.array(word_spans(sentence.text)).T
        words = tuple(sentence.text.split())
        return sentence, ScoredText(words, starts, stops, np.array([float(len(word)) for word in words]))

    def score():
        return scores_of([evaluate_suite(suite, scored) for suite in suites], SuiteSet.PAPER, 1, "")

    assert benchmark.pedantic(score, rounds=3)


def test_fit_a_mixed_model_of_the_papers_size(benchmark):
    """1,271 rows, 31 suites with six correlated effects, 41 instances, 29 parameters; two random starts."""
    rng = np.random.default_rng(1)
    groups, units = np.repeat(np.arange(31), 41), np.tile(np.arange(41), 31)
    fixed = np.column_stack([np.ones(41), rng.normal(size=41), np.eye(5)[rng.integers(5, size=41)][:, 1:]])[units]
    y = (
        (fixed * rng.normal(0, 0.2, (31, 6))[groups]).sum(axis=1)
        + rng.normal(0, 0.1, 41)[units]
        + rng.normal(0, 0.2, 1271)
    )
    model = MixedModel(y, fixed, fixed, groups, units)
    assert benchmark.pedantic(lambda: model.fit(rng=np.random.default_rng(1)), rounds=3).n_parameters == 29
