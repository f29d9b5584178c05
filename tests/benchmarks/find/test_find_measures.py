"""FPA, description lengths and kinds of answers, at known values and against their definitions."""

import csv
import doctest
import importlib
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from wug.benchmarks.find.encoding import Encoding, vocabulary
from wug.benchmarks.find.measures import (
    Answer,
    Kinds,
    agrees,
    answers_of,
    blocks_of,
    mean_of,
    pair_nats,
    paired_difference,
    wilson,
)
from wug.benchmarks.find.tasks import (
    Pair,
    add_or_multiply_task,
    composition_task,
    count_task,
    hierarchical_task,
    odd_one_out_task,
    rival_rules,
)
from wug.errors import TrialError
from wug.learners.exact_transducers import EndlessTransducer, UniformTransducer, known_answers
from wug.learners.protocols import Outputs
from wug.sequences import Corpus

RERUNS = Path(__file__).parents[3] / "../shared/data/find/rerun.csv"
MODULES = ["encoding", "measures.agreement", "measures.description_length", "measures.statistics"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(f"wug.benchmarks.find.{name}")).failed == 0


# --- vocabularies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "sizes"),
    [
        (count_task(40), (8, 8)),
        (add_or_multiply_task(20), (8, 8)),
        (hierarchical_task(4), (8, 8)),
        (composition_task(40, 36), (48, 48)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_vocabularies_have_the_published_sizes(task, sizes):
    encoding = Encoding.of(task, 8)
    assert (encoding.source.size, encoding.target.size) == sizes
    for vocabulary_ in (encoding.source, encoding.target):
        assert vocabulary_.symbols[:4] == ("<s>", "<pad>", "</s>", "<unk>")
        assert vocabulary_.start == vocabulary_.end == 2


@pytest.mark.parametrize(("multiple", "size"), [(1, 6), (4, 8), (6, 6), (7, 7)])
def test_vocabularies_are_filled_up_to_a_multiple(multiple, size):
    assert vocabulary(("a", "b"), multiple).size == size


# --- orders and blocks ------------------------------------------------------------------------------------------------


def test_the_order_of_a_seed_is_that_of_the_published_code():
    lines = [(str(line),) for line in range(1, 21)]
    orders = {seed: [int(block[0][0]) for block in blocks_of(lines, 1, seed)] for seed in (1, 2)}
    assert orders[1] == [12, 6, 18, 20, 10, 1, 17, 2, 16, 7, 11, 14, 15, 13, 8, 4, 9, 3, 19, 5]
    assert orders[2][:5] == [8, 7, 18, 9, 20]


def test_the_order_of_a_hold_out_does_not_depend_on_what_is_in_it():
    one, other = count_task(40), count_task(30)
    places = [[task.hold_out.index(block[0]) for block in blocks_of(task.hold_out, 1, seed=5)] for task in (one, other)]
    assert places[0] == places[1]


@given(st.integers(1, 30), st.integers(0, 12), st.integers(0, 100))
@settings(deadline=None, max_examples=60)
def test_blocks_partition_the_hold_out(n, size, seed):
    hold_out = [(str(place),) for place in range(n)]
    blocks = blocks_of(hold_out, size, seed)
    assert sorted(x for block in blocks for x in block) == sorted(hold_out)
    assert all(len(block) == (size or n) for block in blocks[:-1])
    assert len(blocks) == math.ceil(n / (size or n))


# --- code lengths -----------------------------------------------------------------------------------------------------


def uniform_nats(task, rule):
    encoding = Encoding.of(task, 8)
    model = UniformTransducer(encoding.source, encoding.target)
    return sum(pair_nats(model, encoding, [Pair(x, task.answers(rule)[x]) for x in task.hold_out]))


@pytest.mark.parametrize(
    ("task", "rule", "tokens", "nats"),
    [
        (count_task(40), "mem", 20 * 41, 1705.1),
        (count_task(40), "count", 820, 1705.1),
        (add_or_multiply_task(20), "mem", 6 * 41, 511.5),
        (add_or_multiply_task(20), "add", 246, 511.5),
        (add_or_multiply_task(20), "mul", 246, 511.5),
        (hierarchical_task(4), "hierar", 16 * 2, 66.54),
        (hierarchical_task(4), "linear", 16 * 2, 66.54),
    ],
)
def test_lengths_under_a_uniform_predictor_over_eight_classes(task, rule, tokens, nats):
    found = uniform_nats(task, rule)
    assert found == pytest.approx(tokens * math.log(8))
    assert found == pytest.approx(nats, abs=0.05)


def test_the_empty_output_costs_its_end_symbol():
    task = count_task(10)
    encoding = Encoding.of(task, 8)
    model = UniformTransducer(encoding.source, encoding.target)
    assert pair_nats(model, encoding, [Pair((), ())]) == pytest.approx([math.log(8)])


@dataclass
class Odd:
    """A model whose log probabilities are given."""

    values: list[float]

    def log_probabilities(self, sources, targets):
        return np.array(self.values)


@pytest.mark.parametrize("value", [math.nan, 0.1, math.inf])
def test_log_probabilities_that_are_none_name_the_pair(value):
    encoding = Encoding.of(count_task(3), 8)
    pairs = [Pair(("a",), ("b",)), Pair(("a",) * 4, ("b",) * 4)]
    with pytest.raises(TrialError, match=re.escape(f"output 'b^4' of 'a^4' the log probability {value}")):
        pair_nats(Odd([-1.0, value]), encoding, pairs)
    assert pair_nats(Odd([-1.0, -math.inf]), encoding, pairs) == [1.0, math.inf]
    assert pair_nats(Odd([-1.0, 1e-6]), encoding, pairs) == [1.0, 0.0]


def test_as_many_log_probabilities_as_pairs():
    with pytest.raises(TrialError, match="shape"):
        pair_nats(Odd([-1.0]), Encoding.of(count_task(3), 8), [Pair(("a",), ("b",))] * 2)


# --- agreement and kinds ----------------------------------------------------------------------------------------------


def ask(task, model, **options):
    return answers_of(model, Encoding.of(task, 8), task.probes, **{"max_length": 200, "min_length": 0, **options})


def follower(task, answer):
    encoding = Encoding.of(task, 8)
    return known_answers(encoding.source, encoding.target, answer)


def test_perfect_agreement_needs_every_answer():
    task = count_task(10)
    answers = ask(task, follower(task, task.rules["count"]))
    assert agrees(answers, task.answers("count"), task.probes)
    assert not agrees(answers, task.answers("mem"), task.probes)
    longest = task.probes[-1]
    answers[longest] = Answer(answers[longest].output, terminated=False)
    assert not agrees(answers, task.answers("count"), task.probes)
    assert agrees(answers, task.answers("count"), task.probes[:-1])


def test_an_empty_answer_is_impossible_with_a_least_length_of_one():
    task = count_task(10)
    model = follower(task, task.rules["count"])
    assert not agrees(ask(task, model, min_length=1), task.answers("count"), task.probes)
    assert agrees(ask(task, model, min_length=1), task.answers("count"), task.probes[1:])


def test_an_answer_is_cut_at_the_greatest_length():
    task = count_task(40)
    answers = ask(task, follower(task, task.rules["count"]), max_length=45)
    assert [len(answer.output) for answer in answers.values() if not answer.terminated] == [45] * 5


def test_answers_are_one_for_each_input():
    task = count_task(3)
    encoding = Encoding.of(task, 8)

    class Short:
        def transduce(self, sources, *, max_length, min_length):
            return Outputs(Corpus.from_arrays([[4]], encoding.target), np.array([True]))

    class Foreign:
        def transduce(self, sources, *, max_length, min_length):
            return Outputs(sources, np.ones(len(sources), dtype=bool))

    composition = composition_task(40, 6)
    for task_, model, reason in ((task, Short(), "gave 1 outputs"), (composition, Foreign(), "vocabulary")):
        with pytest.raises(TrialError, match=reason):
            ask(task_, model)


def test_kinds_of_answers():
    task = add_or_multiply_task(5)
    kinds = Kinds(task, task.probes, {})
    trained = task.probes.index(("a",) * 5)
    assert kinds.of(trained, Answer(("b",) * 10)) == ("add", "mul", "mem")
    assert kinds.of(0, Answer(("b",) * 4)) == ("mul",)
    assert kinds.of(0, Answer(("b",) * 3)) == ("other",)
    assert kinds.of(0, Answer(("b",) * 4, terminated=False)) == ("not-terminated",)
    assert kinds.names == ("add", "mul", "mem", "other", "not-terminated")


def test_rivals_that_probes_cannot_tell_from_a_candidate_are_that_candidate():
    task = hierarchical_task(4)
    rivals = rival_rules(task)
    assert Kinds(task, task.probes, rivals).same_as["rarest"] == "hierar"
    off_centre = odd_one_out_task(4)
    assert Kinds(off_centre, off_centre.probes, rival_rules(off_centre)).same_as["rarest"] == "oddone"
    apart = Kinds(task, off_centre.probes, rivals)
    assert "rarest" in apart.outputs
    assert apart.same_as["middle"] == "hierar"


def test_the_output_of_a_trained_composite_is_a_kind_of_its_own():
    task = composition_task(40, 6)
    kinds = Kinds(task, task.probes, {})
    assert kinds.of(0, Answer(("b3",) * 3)) == ("mem_func",)
    assert kinds.of(0, Answer(("b7",) * 3)) == ("comp",)
    assert kinds.of(0, Answer(("b8",) * 3)) == ("other",)


def test_a_model_that_never_ends_agrees_with_nothing():
    task = count_task(40)
    encoding = Encoding.of(task, 8)
    answers = ask(task, EndlessTransducer(encoding.source, encoding.target, symbol=4))
    assert {len(answer.output) for answer in answers.values()} == {200}
    kinds = Kinds(task, task.probes, {})
    assert {kinds.of(place, answers[x]) for place, x in enumerate(task.probes)} == {("not-terminated",)}


# --- statistics -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (0, 20), (13, 20), (99, 100), (100, 100), (1, 3)])
def test_wilson_s_interval_holds_the_shares_that_the_score_test_does_not_reject(successes, trials):
    """Its ends are where |share - p| equals 1.96 standard errors under p, which a root finder finds as well."""
    interval, share, z = wilson(successes, trials), successes / trials, 1.959963984540054

    def excess(p):
        return abs(share - p) - z * math.sqrt(p * (1 - p) / trials)

    low = 0.0 if successes == 0 else brentq(excess, 1e-12, share - 1e-12)
    high = 1.0 if successes == trials else brentq(excess, share + 1e-12, 1 - 1e-12)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-6)
    assert share in interval


@pytest.mark.golden
def test_wilson_s_interval_of_the_measured_reruns():
    if not RERUNS.exists():
        pytest.skip("the shared data are not beside this checkout")
    rows = [row for row in csv.DictReader(RERUNS.open()) if row["sem_or_ci"].startswith("wilson95")]
    assert len(rows) >= 6
    for row in rows:
        successes, trials = map(int, row["value"].split("/"))
        interval = wilson(successes, trials)
        assert f"{interval.low:.2f}-{interval.high:.2f}" == row["sem_or_ci"].split()[1]


def test_means_and_paired_differences():
    assert mean_of([4.0]).error is None
    assert mean_of([4.0]).interval is None
    estimate = mean_of([1.0, 2.0, 4.0, 5.0])
    assert (estimate.mean, estimate.error) == pytest.approx((3.0, math.sqrt(10 / 3) / 2))
    assert paired_difference([1.0, 2.0, 3.0], [2.0, 3.0, 4.0]) == mean_of([-1.0] * 3)
    assert 3.0 in estimate.interval
    assert not estimate.interval.overlaps(mean_of([9.0, 9.0]).interval)
