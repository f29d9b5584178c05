"""How often a learner is fitted, with what, and which models code which blocks."""

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from wug.benchmarks.find.encoding import Encoding, read_symbols
from wug.benchmarks.find.fitting import fit_seeds
from wug.benchmarks.find.measures import blocks_of
from wug.benchmarks.find.tasks import add_or_multiply_task, composition_task, count_task, hierarchical_task
from wug.errors import InputError, TrialError


@dataclass
class Recorder:
    """A learner whose model codes each output with as many nats as it had training pairs."""

    settings: frozenset = frozenset({"transduction"})
    trainings: list = field(default_factory=list)

    def fit(self, data, seed, *, state=None, on_epoch=None):
        pairs = list(zip(read_symbols(data.sources), read_symbols(data.targets), strict=True))
        self.trainings.append((seed, pairs, state))
        return Recorded(pairs, {"network": None, "optimiser": {"step": len(self.trainings)}})


@dataclass
class Recorded:
    pairs: list
    state: dict

    def log_probabilities(self, sources, targets):
        return np.full(len(sources), -float(len(self.pairs)))


@dataclass
class Replicas(Recorder):
    replicas: int = 3
    calls: list = field(default_factory=list)

    def fit_together(self, data, seeds):
        self.calls.append(len(data))
        return [self.fit(one, seed) for one, seed in zip(data, seeds, strict=True)]


def fit(task, learner, seeds=(1,), rules=None, block_size=None, carry=False):
    encoding = Encoding.of(task, 8)
    return fit_seeds(
        task,
        encoding,
        learner,
        encoding.data(task.training),
        seeds,
        list(task.rules) if rules is None else rules,
        block_size=task.block_size if block_size is None else block_size,
        carry=carry,
    )


@pytest.mark.parametrize(
    ("task", "needed"),
    [
        (count_task(40), 1 + 2 * 19),
        (add_or_multiply_task(20), 1 + 3 * 5),
        (hierarchical_task(4), 1 + 2 * 3),
        (composition_task(40, 6), 1 + 2 * 33),
        (composition_task(40, 24), 1 + 2 * 15),
        (composition_task(40, 36), 1 + 2 * 3),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_rules_share_the_first_training_and_need_none_on_the_last_block(task, needed):
    learner = Recorder()
    fit(task, learner)
    assert len(learner.trainings) == needed


def test_agreement_alone_needs_one_training():
    learner = Recorder()
    (one,) = fit(count_task(40), learner, rules=[])
    assert len(learner.trainings) == 1
    assert one.lengths == {}


def test_every_block_is_coded_by_the_model_of_the_blocks_before():
    task = count_task(10)
    learner = Recorder()
    (one,) = fit(task, learner, seeds=(4,))
    for rule in ("mem", "count"):
        assert one.lengths[rule].block_nats == tuple(float(1 + number) for number in range(20))
        assert one.lengths[rule].total_nats == sum(range(1, 21))
        assert one.lengths[rule].blocks == tuple(blocks_of(task.hold_out, 1, 4))
    order = [block[0] for block in blocks_of(task.hold_out, 1, 4)]
    for seed, pairs, state in learner.trainings:
        assert (seed, state) == (4, None)
        sources = [source for source, _ in pairs]
        assert sources == [task.training[0].source, *order[: len(pairs) - 1]]
        known = [rule for rule in task.rules if all(task.answers(rule)[x] == y for x, y in pairs)]
        assert known


def test_rules_that_answer_the_first_blocks_alike_share_their_trainings():
    task = hierarchical_task(4)  # its rules agree on uniform strings
    learner = Recorder()
    fit(task, learner, block_size=1)
    n_alike = 0
    for (source,) in blocks_of(task.hold_out, 1, 1):
        if task.answers("hierar")[source] != task.answers("linear")[source]:
            break
        n_alike += 1
    assert len(learner.trainings) == 1 + n_alike + 2 * (15 - n_alike)


def test_one_block_of_all_is_the_hold_out_s_cross_entropy():
    learner = Recorder()
    (one,) = fit(count_task(40), learner, block_size=0)
    assert len(learner.trainings) == 1
    assert one.lengths["mem"].block_nats == (20.0,)


def test_seeds_have_orders_of_their_own():
    one, other = fit(count_task(40), Recorder(), seeds=(1, 2))
    assert (one.seed, other.seed) == (1, 2)
    assert one.lengths["mem"].blocks != other.lengths["mem"].blocks
    assert one.lengths["mem"].blocks == one.lengths["count"].blocks


def test_replicas_give_what_training_alone_gives():
    task = add_or_multiply_task(5)
    alone, together = Recorder(), Replicas()
    assert [(one.seed, one.lengths) for one in fit(task, alone, seeds=(1, 2, 3))] == [
        (one.seed, one.lengths) for one in fit(task, together, seeds=(1, 2, 3))
    ]
    assert together.calls == [24, 24]
    assert Counter(map(str, alone.trainings)) == Counter(map(str, together.trainings))


def test_a_learner_of_one_replica_is_fitted_one_at_a_time():
    learner = Replicas(replicas=1)
    fit(add_or_multiply_task(5), learner)
    assert learner.calls == []


def test_a_replica_that_fails_fails_the_trial():
    @dataclass
    class Failing(Replicas):
        def fit_together(self, data, seeds):
            return [*super().fit_together(data[:-1], seeds[:-1]), TrialError("the loss is not finite")]

    with pytest.raises(TrialError, match="not finite"):
        fit(add_or_multiply_task(5), Failing())


@pytest.mark.parametrize("learner", [Recorder(), Replicas()])
def test_a_carried_optimiser_goes_on_along_the_blocks_of_each_rule(learner):
    task = hierarchical_task(4)
    fit(task, learner, carry=True)
    trainings = learner.trainings
    assert len(trainings) == 7
    assert trainings[0][2] is None
    for number, (_, pairs, state) in enumerate(trainings[1:], 1):
        (parent,) = (n for n, (_, before, _) in enumerate(trainings[:number]) if before == pairs[: len(pairs) - 4])
        assert state == {"optimiser": {"step": parent + 1}}


def test_only_a_learner_with_a_state_can_carry_it():
    class Stateless(Recorder):
        def fit(self, data, seed, *, state=None, on_epoch=None):
            model = super().fit(data, seed)
            del model.state
            return model

    with pytest.raises(InputError, match="optimizer_state=fresh"):
        fit(hierarchical_task(4), Stateless(), carry=True)
    assert len(fit(hierarchical_task(4), Stateless(), carry=True, block_size=0)) == 1


def test_the_first_impossible_output_is_named():
    class Impossible(Recorder):
        def fit(self, data, seed, *, state=None, on_epoch=None):
            model = super().fit(data, seed)
            model.log_probabilities = lambda sources, targets: np.where(targets.lengths == 45, -math.inf, -1.0)
            return model

    (one,) = fit(count_task(40), Impossible())
    assert one.lengths["count"].total_nats == math.inf
    assert one.lengths["count"].impossible() == ("a",) * 45
    assert one.lengths["mem"].impossible() is None
