"""The measures at both ends, against published values and against plain definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.benchmarks.bliss import judge
from wug.benchmarks.bliss.benchmark import BENCHMARK
from wug.benchmarks.bliss.measures import Tie
from wug.benchmarks.bliss.settings import BlissSettings
from wug.benchmarks.bliss.tasks import NOTATION, bliss_language
from wug.errors import InputError, TrialError
from wug.learners.baselines import Baseline, TableModel
from wug.learners.protocols import Coverage
from wug.sequences import Corpus

COUNTING = [task for task in NOTATION if not task.startswith("dyck")]

# Pooled M_det of a predictor that repeats the last symbol, b = 1, 2, 4, 10 (independently computed, six digits).
REPEAT_LAST = {
    "anbn": [0.998093, 0.999022, 0.999505, 0.999801],
    "anbncn": [0.998086, 0.999020, 0.999505, 0.999801],
    "anbncndn": [0.998086, 0.999020, 0.999505, 0.999801],
    "anbmcnm": [0.987554, 0.989304, 0.990714, 0.992908],
}


def scores_of(task: str, learner: str, **given) -> dict[str, object]:
    resolved = BENCHMARK.resolve(task, given)
    built = BENCHMARK.build(task, resolved, 1)
    name, _, rule = learner.partition(":")
    scores = BENCHMARK.judge(built, Baseline(name, rule).fit(built.data, 1), resolved)
    return {score.measure: score.value for score in scores if not score.item}


@pytest.mark.parametrize("task", COUNTING)
@pytest.mark.parametrize(("place", "b"), [(0, 1), (1, 2), (2, 4)])
@pytest.mark.golden
def test_repeating_the_last_symbol(task, place, b):
    scores = scores_of(task, "repeat-last", b=b, up_to=0)
    assert round(scores["M_det"], 6) == REPEAT_LAST[task][place]
    assert scores["success"] is (task != "anbmcnm")
    assert scores["success_string"] is False
    assert scores["M_det"] == scores["repeat_last_M_det"]


@pytest.mark.golden
def test_repeating_the_last_symbol_reaches_b_10_on_a_million_strings_worth_of_symbols():
    scores = scores_of("anbn", "repeat-last", b=10, up_to=0)
    assert round(scores["M_det"], 6) == REPEAT_LAST["anbn"][3]
    assert (scores["errors"], scores["steps"]) == (10_000, 50_205_000)
    assert (scores["success"], scores["success_string"]) == (True, False)
    assert round(scores_of("anbmcnm", "repeat-last", b=10, up_to=0)["M_det"], 6) == REPEAT_LAST["anbmcnm"][3]


@pytest.mark.parametrize("task", NOTATION)
def test_the_oracle_is_at_the_upper_end(task):
    scores = scores_of(task, "oracle", train=100, b=0.2, up_to=100)
    assert scores["M_cat" if task.startswith("dyck") else "M_det"] == 1.0
    assert scores["accepted_strings"] == scores["strings"] == scores["strings_judged"] == 200
    assert all(scores[name] is True for name in ("success", "success_string", "success_strict"))
    assert scores["M_prob"] == 1.0
    assert scores["kl_bits"] == 0.0
    assert scores["accepted_up_to"] == scores["M_prob_up_to"] == scores["reach_limit"]
    assert scores["training_bits"] == scores["training_optimal_bits"]


@pytest.mark.parametrize(
    ("task", "size", "bits"),
    [
        ("anbn", 100, 309.029304),
        ("anbn", 1000, 3016.194502),
        ("anbncn", 250, 750.703900),
        ("anbncndn", 500, 1483.912312),
        ("anbmcnm", 1000, 5959.319613),
        ("dyck1", 500, 1164.656710),
        ("dyck2", 1000, 3291.387280),
    ],
)
@pytest.mark.golden
def test_optimal_bits_of_the_training_samples(task, size, bits):
    scores = scores_of(task, "oracle", train=size, b=0.01, up_to=0)
    data = BENCHMARK.build(task, BENCHMARK.resolve(task, {"train": size}), 1).data
    symbols = int(((np.asarray(data.training.lengths) + 1) * data.multiplicities).sum())
    assert scores["training_optimal_bits"] * symbols == pytest.approx(bits, abs=1e-6)


@pytest.mark.golden
def test_bits_of_the_true_distribution_on_the_first_thousand_strings():
    language = bliss_language("anbncndn")
    corpus = language.language.first_strings(1000)
    tally = judge.new_tally(language, corpus, BlissSettings())
    from wug.learners.baselines import exact_model

    exact_model(language.language).predict(corpus, tally)
    assert tally.target_nats.sum() / np.log(2) == pytest.approx(258766.265, abs=1e-3)


@pytest.mark.parametrize("task", NOTATION)
def test_uniform_guessing_is_zero_of_m_prob_and_log_v_bits(task):
    scores = scores_of(task, "uniform", train=100, b=0.2)
    classes = bliss_language(task).language.vocabulary.size
    assert scores["bits_per_symbol"] == pytest.approx(np.log2(classes), abs=1e-12)
    assert scores["M_prob"] == pytest.approx(0.0, abs=1e-12)
    assert scores["success"] is False
    assert scores["accepted_up_to"] == 0


def test_a_tie_is_wrong_unless_the_lowest_class_wins():
    """A uniform predictor then 'predicts' the end symbol, class 0: right exactly at the end of each string."""
    assert scores_of("anbn", "uniform", train=100, b=0.1, up_to=0)["errors"] == sum(range(21, 121))
    lowest = scores_of("anbn", "uniform", train=100, b=0.1, up_to=0, tie=Tie.LOWEST)
    assert lowest["steps"] - lowest["errors"] == 100


@pytest.mark.parametrize("learner", ["repeat-last", "constant"])
def test_an_infinite_divergence_fails_by_name(learner):
    resolved = BENCHMARK.resolve("anbn", {"train": 100, "b": 0.1})
    built = BENCHMARK.build("anbn", resolved, 1)
    scores = {s.measure: s for s in BENCHMARK.judge(built, Baseline(learner).fit(built.data, 1), resolved)}
    for measure in ("M_prob", "kl_bits", "bits_per_symbol"):
        assert scores[measure].value is None
        assert "a^21 b^21" in scores[measure].note


def test_the_constant_learner_says_the_majority_symbol():
    built = BENCHMARK.build("anbmcnm", BENCHMARK.resolve("anbmcnm", {}), 1)
    probabilities = judge.probabilities_along(
        Baseline("constant").fit(built.data, 1), built.judging.test.corpus.select([0])
    )
    assert (probabilities.argmax(axis=1) == built.data.vocabulary.classes["c"]).all()


def test_not_a_number_is_wrong_and_fails_the_trial_by_name():
    resolved = BENCHMARK.resolve("anbn", {"train": 100, "b": 0.1})
    built = BENCHMARK.build("anbn", resolved, 1)
    with pytest.raises(TrialError, match=r"not a number at position 0 of #a\^21 b\^21#") as caught:
        BENCHMARK.judge(built, Baseline("nan").fit(built.data, 1), resolved)
    scores = {score.measure: score.value for score in caught.value.scores}
    assert scores["M_det"] == 0.0
    assert scores["success"] is False
    assert scores["M_prob"] is None


def test_probabilities_that_do_not_sum_to_one_are_named():
    resolved = BENCHMARK.resolve("anbn", {"train": 100, "b": 0.1})
    built = BENCHMARK.build("anbn", resolved, 1)
    rows = lambda corpus: (np.zeros(corpus.n_symbols + len(corpus), dtype=np.uint8), np.full((1, 3), 0.5))  # noqa: E731
    with pytest.raises(TrialError, match="do not sum to one at position 0"):
        BENCHMARK.judge(built, TableModel(built.data.vocabulary, rows), resolved)


@pytest.mark.parametrize(("eps", "expected"), [("0.005", True), ("0", False)])
def test_m_cat_at_zero_asks_for_exact_zeros(eps, expected):
    """The true distribution mixed with a thousandth of the uniform one: a softmax can do no better."""
    resolved = BENCHMARK.resolve("dyck2", {"train": 100, "b": 0.1, "eps": eps, "up_to": 0})
    built = BENCHMARK.build("dyck2", resolved, 1)
    language = bliss_language("dyck2").language

    def choose(corpus):
        answer = language.next_symbols(corpus)
        return answer.situations, 0.999 * answer.probabilities + 0.001 / language.vocabulary.size

    scores = {s.measure: s.value for s in BENCHMARK.judge(built, TableModel(language.vocabulary, choose), resolved)}
    assert scores["success"] is expected
    assert scores["success_strict"] is False
    assert scores["M_cat"] == (1.0 if expected else 0.0)


class RandomModel:
    """Random predictions, one row a position, for comparison with the plain definitions below."""

    def __init__(self, vocabulary, seed: int) -> None:
        self.vocabulary, self.seed = vocabulary, seed

    def rows(self, corpus: Corpus) -> np.ndarray:
        rng = np.random.default_rng(self.seed)
        rows = rng.dirichlet(np.full(self.vocabulary.size, 0.3), size=corpus.n_symbols + len(corpus))
        rows[rng.random(len(rows)) < 0.2] = 1 / self.vocabulary.size
        return rows

    def predict(self, corpus: Corpus, observer, *, operations=np.inf) -> Coverage:
        rows = self.rows(corpus)
        lengths = np.asarray(corpus.lengths) + 1
        strings = np.repeat(np.arange(len(corpus)), lengths)
        positions = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        with np.errstate(divide="ignore"):
            observer.observe(strings, positions, positions + 1, np.log(rows))
        return Coverage(len(corpus), 0.0)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from([*NOTATION, "a^n b^(2n)"]), st.integers(0, 10**6), st.sampled_from(["0", "0.005", "0.2"]))
def test_equal_to_the_plain_definitions(task, seed, eps):
    language = bliss_language(task)
    corpus = language.language.first_strings(12)
    model = RandomModel(language.language.vocabulary, seed)
    tally = judge.new_tally(language, corpus, BlissSettings(eps=eps))
    model.predict(corpus, tally)
    truth = language.language.next_symbols(corpus)
    rows, row = model.rows(corpus), 0
    for i, string in enumerate(corpus):
        det = det_steps = cat = 0
        nats = divergence = 0.0
        targets = [*map(int, string), corpus.vocabulary.end]
        for position, target in enumerate(targets):
            p, q = truth.probabilities[truth.situations[row]], rows[row]
            row += 1
            if (p > 0).sum() == 1 and position > 0:
                det_steps += 1
                det += not (q[target] == q.max() and (q == q.max()).sum() == 1)
            cat += not all((q[c] > float(eps)) == (p[c] > 0) for c in range(len(p)))
            nats -= np.log(q[target])
            divergence += sum(p[c] * np.log(p[c] / q[c]) for c in range(len(p)) if p[c] > 0)
        assert (tally.deterministic_errors[i], tally.deterministic_steps[i]) == (det, det_steps)
        assert tally.categorical_errors[i] == cat
        assert tally.target_nats[i] == pytest.approx(nats)
        assert tally.divergence_nats[i] == pytest.approx(divergence)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**9), st.integers(0, 10**9), st.fractions(0, 1, max_denominator=10**6))
def test_margins_are_compared_exactly(errors, extra, epsilon):
    steps = errors + extra
    assert judge.within(errors, steps, epsilon) == (steps == 0 or Fraction(errors, steps) <= epsilon)


@pytest.mark.parametrize("aggregate", ["pooled", "string"])
@pytest.mark.parametrize("learner", ["oracle", "repeat-last", "uniform"])
@pytest.mark.parametrize("task", ["anbn", "anbmcnm", "dyck1"])
def test_a_verdict_that_comes_early_is_the_same(task, learner, aggregate):
    common = {"train": 100, "b": 0.3, "aggregate": aggregate}
    whole, early = (scores_of(task, learner, verdict_only=only, **common) for only in (False, True))
    assert early["success"] == whole["success"]


def test_verdict_only_stops_and_says_so():
    resolved = BENCHMARK.resolve("anbn", {"train": 100, "b": 1, "verdict_only": True})
    built = BENCHMARK.build("anbn", resolved, 1)
    scores = {s.measure: s for s in BENCHMARK.judge(built, Baseline("uniform").fit(built.data, 1), resolved)}
    assert scores["strings_judged"].value < 1000
    assert "verdict only" in scores["success"].note
    assert "M_det" not in scores


def test_sizes_follow_from_each_other():
    assert BENCHMARK.resolve("anbn", {"train": 250})["b"] == 4.0
    assert BENCHMARK.resolve("anbn", {"b": 10})["train"] == 100
    assert BENCHMARK.resolve("anbn", {})["train"] == 1000
    assert BlissSettings(train=300).test_strings == 3333


@pytest.mark.parametrize(
    ("given_settings", "words"),
    [
        ({"trian": 100}, "did you mean 'train'"),
        ({"train": 0}, "greater than or equal to 1"),
        ({"train": "many"}, "train"),
        ({"b": -1}, "greater than 0"),
        ({"eps": 2}, "from 0 to 1"),
        ({"eps": "a little"}, "from 0 to 1"),
        ({"aggregate": "mean"}, "'pooled' or 'string'"),
    ],
)
def test_wrong_settings_get_one_sentence(given_settings, words):
    with pytest.raises(InputError, match=words) as caught:
        BENCHMARK.resolve("anbn", given_settings)
    assert "\n" not in str(caught.value)
