"""Fits a learner as often as the measures need, no two trainings alike, and as many at once as it can.

One training on T serves the agreement with all rules and the first block of every description length. Rules that
answer a block alike share the trainings up to there. Unless the optimiser's state is carried over, trainings do not
depend on each other, so a learner that trains replicas gets those of all seeds, rules and blocks together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wug.benchmarks.find.encoding import Encoding
from wug.benchmarks.find.measures import CodeLengths, blocks_of, pair_nats
from wug.benchmarks.find.tasks import FindTask, Pair, Symbols
from wug.errors import InputError
from wug.learners.protocols import Learner, Transducer, Transduction

GROUPS_AT_ONCE = 8
"""A learner of replicas is given so many times as many trainings as it does at once, to group them by their sizes."""

Blocks = tuple[tuple[Symbols, ...], ...]
"""Held-out inputs, block by block."""


@dataclass(frozen=True)
class SeedFit:
    """What one seed gave."""

    seed: int
    model: Transducer
    """The model of the training pairs alone."""
    lengths: Mapping[str, CodeLengths] = field(default_factory=dict)
    """The code lengths by rule, for the rules that were asked."""


@dataclass(eq=False)
class _Training:
    """One training, and which blocks are coded by its model."""

    seed: int
    pairs: tuple[Pair, ...]
    parent: "_Training | None" = None
    """The training on one block fewer."""
    codes: list[tuple[str, int]] = field(default_factory=list)
    """(rule, number of the block that comes next) pairs."""
    state: Any = None
    """The optimiser's state after it, as long as later blocks need it."""


def fit_seeds(
    task: FindTask,
    encoding: Encoding,
    learner: Learner,
    data: Transduction,
    seeds: Sequence[int],
    rules: Sequence[str],
    *,
    block_size: int,
    carry: bool,
) -> list[SeedFit]:
    """Return for each seed the model of T and the code lengths of rules.

    ``data`` is T as the learner sees it. With ``carry`` the optimiser goes on with the state that the training on one
    block fewer left, as in the published code; the weights start anew all the same.
    """
    blocks: dict[int, Blocks] = {seed: tuple(blocks_of(task.hold_out, block_size, seed)) for seed in seeds}
    levels = _plan(task, seeds, rules, blocks)
    models: dict[int, Transducer] = {}
    nats: dict[tuple[int, str, int], tuple[float, ...]] = {}
    for training, model in (_carried if carry else _independent)(levels, learner, encoding, data):
        if training.parent is None:
            models[training.seed] = model
        inputs = blocks[training.seed]
        pairs = [Pair(x, task.answers(rule)[x]) for rule, number in training.codes for x in inputs[number]]
        values = iter(pair_nats(model, encoding, pairs) if pairs else ())
        for rule, number in training.codes:
            nats[training.seed, rule, number] = tuple(next(values) for _ in inputs[number])
    return [
        SeedFit(
            seed,
            models[seed],
            {
                rule: CodeLengths(blocks[seed], tuple(nats[seed, rule, number] for number in range(len(blocks[seed]))))
                for rule in rules
            },
        )
        for seed in seeds
    ]


def _plan(
    task: FindTask, seeds: Sequence[int], rules: Sequence[str], blocks: Mapping[int, Blocks]
) -> list[list[_Training]]:
    """Return the trainings by number of blocks that they have seen; none is needed on the last one."""
    first = {seed: _Training(seed, task.training) for seed in seeds}
    levels = [list(first.values())]
    latest = {(seed, rule): first[seed] for seed in seeds for rule in rules}
    n_blocks = max(map(len, blocks.values())) if rules else 0
    for number in range(n_blocks):
        following: dict[tuple[int, tuple[Pair, ...]], _Training] = {}
        for (seed, rule), training in latest.items():
            training.codes.append((rule, number))
            seen = training.pairs + tuple(Pair(x, task.answers(rule)[x]) for x in blocks[seed][number])
            latest[seed, rule] = following.setdefault((seed, seen), _Training(seed, seen, training))
        if number + 1 < n_blocks:
            levels.append(list(following.values()))
    return levels


def _data(training: _Training, encoding: Encoding, data: Transduction) -> Transduction:
    return data if training.parent is None else encoding.data(training.pairs, data.oracles)


def _independent(
    levels: Sequence[Sequence[_Training]], learner: Learner, encoding: Encoding, data: Transduction
) -> Iterator[tuple[_Training, Transducer]]:
    """Yield each training with its model; several at once where the learner trains replicas."""
    trainings = [training for level in levels for training in level]
    replicas = getattr(learner, "replicas", 1) if hasattr(learner, "fit_together") else 1
    if replicas == 1:
        for training in trainings:
            yield training, learner.fit(_data(training, encoding, data), training.seed)
        return
    together: Any = learner
    for first in range(0, len(trainings), replicas * GROUPS_AT_ONCE):
        group = trainings[first : first + replicas * GROUPS_AT_ONCE]
        models = together.fit_together(
            [_data(training, encoding, data) for training in group], [training.seed for training in group]
        )
        for training, model in zip(group, models, strict=True):
            if isinstance(model, BaseException):
                raise model
            yield training, model


def _carried(
    levels: Sequence[Sequence[_Training]], learner: Learner, encoding: Encoding, data: Transduction
) -> Iterator[tuple[_Training, Transducer]]:
    """Yield each training with its model; the optimiser's state goes from level to level."""
    for number, level in enumerate(levels):
        for training in level:
            state = training.parent.state if training.parent is not None else None
            model = learner.fit(_data(training, encoding, data), training.seed, state=state)
            if number + 1 < len(levels):
                training.state = _optimiser_state(model)
            yield training, model
        for training in level:
            if training.parent is not None:
                training.parent.state = None


def _optimiser_state(model: Any) -> dict[str, Any]:
    """Return what a further training needs to go on with the optimiser but not with the weights."""
    state = getattr(model, "state", None)
    if not isinstance(state, Mapping) or "optimiser" not in state:
        raise InputError(
            "optimizer_state=carry needs a learner whose models keep their optimiser's state; use optimizer_state=fresh"
        )
    return {"optimiser": state["optimiser"]}
