"""The sequence-to-sequence learners: the recipe, replicas, what they continue from, and what their models answer."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plain_transducers as plain
import pytest
import torch

from wug.errors import InputError, TrialError
from wug.learners.networks.classifiers.parameters import split_parameters
from wug.learners.networks.transducers.learners import (
    ConvolutionalTransducer,
    JointTransducer,
    JointTransducerWithoutCross,
    LSTMTransducer,
    LSTMTransducerWithAttention,
    TransformerTransducer,
)
from wug.learners.networks.transducers.model import NetworkTransducer
from wug.learners.networks.transducers.network import Sources
from wug.learners.protocols import EpochReport, Transduction
from wug.learners.training.optimisers import learning_rate_factor
from wug.sequences import Corpus, Vocabulary

SOURCE = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "a", "b"), start=2, end=2)
TARGET = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "c", "d"), start=2, end=2)


def pairs(*written: tuple[str, str]) -> Transduction:
    sources, targets = zip(*written, strict=True)
    return Transduction(SOURCE, TARGET, Corpus.from_strings(sources, SOURCE), Corpus.from_strings(targets, TARGET))


DATA = pairs(("a b", "c"), ("a", "d d"), ("b b a", "d"), ("", "c c d"))
SMALL: dict[str, Any] = {"embedding": 4, "width": 6, "epochs": 5, "dtype": "float64"}
LEARNERS = {
    "lstm": LSTMTransducer(**SMALL),
    "lstm with attention": LSTMTransducerWithAttention(**SMALL),
    "convolutional": ConvolutionalTransducer(**SMALL),
    "transformer": TransformerTransducer(**SMALL, heads=2),
    "joint": JointTransducer(**SMALL, heads=2),
    "joint without cross": JointTransducerWithoutCross(**SMALL, heads=2),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


def plainly(learner: Any) -> torch.nn.Module:
    sizes = SOURCE.size, TARGET.size, learner.embedding, learner.width
    match learner:
        case LSTMTransducer() | LSTMTransducerWithAttention():
            attention = isinstance(learner, LSTMTransducerWithAttention)
            return plain.PlainLSTM(*sizes, 1, attention, 0.0).double()
        case ConvolutionalTransducer():
            return plain.PlainConvolutional(*sizes, 3, 1, 1, 0.0).double()
    joint = not isinstance(learner, TransformerTransducer)
    cross = not isinstance(learner, JointTransducerWithoutCross)
    return plain.PlainTransformer(*sizes, learner.heads, 1, 1, 0.0, joint, cross).double()


def plain_copy(learner: Any, model: NetworkTransducer) -> torch.nn.Module:
    return plain.load(plainly(learner), split_parameters(model.network.parameters, model.values[None]))


def padded(data: Transduction) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Sources, what the decoder reads and what it is to predict, padded with PAD."""
    rows = [[*map(int, source), SOURCE.end] for source in data.sources]
    wanted = [[*map(int, target), TARGET.end] for target in data.targets]
    given = [[TARGET.start, *row[:-1]] for row in wanted]
    return tuple(  # type: ignore[return-value]
        torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in part], batch_first=True, padding_value=plain.PAD)
        for part in (rows, given, wanted)
    )


def plain_losses(module: torch.nn.Module, data: Transduction) -> torch.Tensor:
    """Cross-entropy of each pair."""
    sources, given, wanted = padded(data)
    logits = module(sources, given)
    losses = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=plain.PAD, reduction="none"
    )
    return losses.view_as(wanted).sum(dim=1)


def train_plainly(module: torch.nn.Module, data: Transduction, optimiser: Any, updates: int, clip: float) -> None:
    """Section 3.1 of the recipe, written out."""
    module.train()
    for update in range(updates):
        rate = 1e-5 + update * (1e-3 - 1e-5) / 4 if update < 4 else 1e-3 * math.sqrt(4 / update)
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.zero_grad()
        (plain_losses(module, data).sum() / len(data.sources)).backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), clip)
        optimiser.step()
    module.eval()


def adam(module: torch.nn.Module) -> torch.optim.Adam:
    return torch.optim.Adam(module.parameters(), betas=(0.9, 0.999), eps=1e-8)


@every_learner
@pytest.mark.parametrize("clip", [25.0, 0.05])
def test_training_is_the_recipe(learner: Any, clip: float) -> None:
    learner = replace(learner, dropout=0.0, warmup=4, clip_norm=clip)
    module = plain_copy(learner, replace(learner, epochs=0).fit(DATA, 1))
    train_plainly(module, DATA, adam(module), 12, clip)
    model = replace(learner, epochs=12).fit(DATA, 1)
    expected = -plain_losses(module, DATA).detach().numpy()
    np.testing.assert_allclose(model.log_probabilities(DATA.sources, DATA.targets), expected, atol=1e-9)


@every_learner
def test_an_optimiser_can_be_carried_to_other_data_without_the_weights(learner: Any) -> None:
    learner = replace(learner, dropout=0.0, warmup=4)
    more = pairs(("a b", "c"), ("b", "c c"), ("a a a", "d"))
    start = replace(learner, epochs=0).fit(DATA, 1)
    module = plain_copy(learner, start)
    optimiser = adam(module)
    train_plainly(module, DATA, optimiser, 6, 25.0)
    plain.load(module, split_parameters(start.network.parameters, start.values[None]))
    train_plainly(module, more, optimiser, 6, 25.0)
    state = replace(learner, epochs=6).fit(DATA, 1).state
    model = replace(learner, epochs=6).fit(more, 1, state={"optimiser": state["optimiser"]})
    expected = -plain_losses(module, more).detach().numpy()
    np.testing.assert_allclose(model.log_probabilities(more.sources, more.targets), expected, atol=1e-9)
    again = replace(learner, epochs=6).fit_together([more], [1], states=[{"optimiser": state["optimiser"]}])[0]
    assert torch.equal(again.values, model.values)


@pytest.mark.golden
def test_learning_rates_of_the_recipe() -> None:
    rates = [0.001 * learning_rate_factor("fairseq", 1000, update, 3000) for update in (0, 500, 1000, 2999)]
    assert rates == pytest.approx([1e-5, 5.05e-4, 1e-3, 5.774e-4], rel=1e-4)


@pytest.mark.golden
def test_defaults_are_the_papers() -> None:
    learner = LSTMTransducer()
    sizes = learner.embedding, learner.width, learner.encoder_layers, learner.decoder_layers, learner.dropout
    assert sizes == (16, 512, 1, 1, 0.5)
    training = learner._training
    assert (training.optimizer, training.learning_rate, training.warmup, training.schedule) == (
        "adam",
        1e-3,
        1000,
        "fairseq",
    )
    assert (training.epochs, training.batch_size, training.clip_norm, training.dtype) == (3000, "all", 25.0, "float32")
    assert TransformerTransducer().heads == 8
    assert ConvolutionalTransducer().kernel == 3


@every_learner
def test_equal_seeds_give_equal_models_and_others_do_not(learner: Any) -> None:
    learner = replace(learner, dtype="float32")
    torch.manual_seed(1)
    one = learner.fit(DATA, 1)
    torch.manual_seed(2)
    drawn = torch.rand(1)
    torch.manual_seed(2)
    same, other = learner.fit(DATA, 1), learner.fit(DATA, 2)
    assert torch.equal(torch.rand(1), drawn)
    assert torch.equal(one.values, same.values)
    assert not torch.equal(one.values, other.values)
    assert one.values.dtype == torch.float32


@every_learner
def test_together_is_as_alone(learner: Any) -> None:
    learner = replace(learner, replicas=3)
    data = [DATA, pairs(("a", "c"), ("b a b b", "d c d"), ("b", "c")), pairs(("a a", "c c c c"))]
    data = [data[place] for place in (0, 1, 2, 0, 1, 0)]
    together = learner.fit_together(data, range(6))
    for seed, model in enumerate(together):
        alone = learner.fit(data[seed], seed)
        torch.testing.assert_close(model.values, alone.values, atol=1e-9, rtol=0)
        assert model.training_loss_nats == pytest.approx(alone.training_loss_nats, abs=1e-9)


def test_groups_are_not_larger_than_asked_nor_filled_up_too_far() -> None:
    learner = replace(LEARNERS["transformer"], replicas=3)
    one, four = pairs(("a", "c")), DATA
    groups = groups_of(learner, [one, four, one, four, four, four, one])
    assert groups == [[0, 2, 6], [1, 3, 4], [5]]
    assert groups_of(replace(learner, batch_size=2), [DATA, pairs(*[("a", "c")] * 5), DATA]) == [[0, 2], [1]]


def groups_of(learner: Any, data: list[Transduction]) -> list[list[int]]:
    from wug.learners.networks.transducers.learners import _sample

    return learner._groups(data, [_sample(each, 1, None) for each in data])


def test_a_replica_that_fails_does_not_touch_the_others() -> None:
    learner = replace(LEARNERS["transformer"], replicas=3, epochs=150, learning_rate=0.01)
    states: list[Any] = [None, learner.fit(DATA, 9).state, None]
    states[1]["network"] = torch.full_like(states[1]["network"], math.nan)
    states[1].pop("optimiser")
    first, failed, last = learner.fit_together([DATA] * 3, [1, 2, 3], states=states)
    assert isinstance(failed, TrialError)
    assert str(failed) == "the training loss became nan in epoch 1 of 150"
    torch.testing.assert_close(first.values, learner.fit(DATA, 1).values, atol=1e-6, rtol=0)
    torch.testing.assert_close(last.values, learner.fit(DATA, 3).values, atol=1e-6, rtol=0)
    with pytest.raises(TrialError, match="became nan in epoch 1"):
        learner.fit(DATA, 1, state=states[1])
    (alone,) = learner.fit_together([DATA], [2], states=[states[1]])
    assert isinstance(alone, TrialError)


@pytest.mark.parametrize("optimizer", ["adam", "sgd", "nadam", "adagrad"])
def test_continuing_is_the_same_as_never_stopping(optimizer: Any) -> None:
    learner = replace(LEARNERS["lstm"], dropout=0.0, schedule="constant", warmup=0, optimizer=optimizer)
    whole = replace(learner, epochs=9).fit(DATA, 1)
    first = replace(learner, epochs=4).fit(DATA, 1)
    second = learner.fit(DATA, 99, state=first.state)
    torch.testing.assert_close(second.values, whole.values, atol=1e-12, rtol=0)


def test_every_epoch_is_reported_with_a_model_that_answers() -> None:
    learner = replace(LEARNERS["lstm"], dropout=0.0)
    reports: list[EpochReport] = []
    losses: list[float] = []

    def look(report: EpochReport) -> None:
        reports.append(report)
        values = report.model.log_probabilities(DATA.sources, DATA.targets)
        losses.append(-values.sum() / (DATA.targets.n_symbols + 4))

    model = learner.fit(DATA, 1, on_epoch=look)
    assert [(report.epoch, report.epochs) for report in reports] == [(epoch, 5) for epoch in range(1, 6)]
    # a pass's loss is that of the parameters before it
    assert [report.loss_nats for report in reports[1:]] == pytest.approx(losses[:-1], abs=1e-9)
    assert model.training_loss_nats == reports[-1].loss_nats
    assert torch.equal(model.values, learner.fit(DATA, 1).values)


@pytest.mark.parametrize("name", ["lstm", "transformer"])
def test_batches_draw_every_pair_once_a_pass(name: str) -> None:
    learner = replace(LEARNERS[name], batch_size=3, dropout=0.0, optimizer="sgd", schedule="constant", warmup=0)
    tiny = replace(learner, learning_rate=1e-6, epochs=1)
    start = replace(learner, epochs=0).fit(DATA, 1)
    moved = tiny.fit(DATA, 1).values - start.values
    # with so short steps two updates of 3 and 1 pairs add up to the gradients of the four, weighted 1/3 and 1
    steps = [
        replace(tiny, batch_size="all").fit(select(DATA, [pair]), 1, state={"network": start.values}).values
        - start.values
        for pair in range(4)
    ]
    options = [sum(steps[p] * (1.0 if p == last else 1 / 3) for p in range(4)) for last in range(4)]
    assert min(float((moved - option).abs().max()) for option in options) < 1e-3 * float(moved.abs().max())
    assert torch.equal(tiny.fit(DATA, 1).values, tiny.fit(DATA, 1).values)


def select(data: Transduction, rows: list[int]) -> Transduction:
    return replace(data, sources=data.sources.select(rows), targets=data.targets.select(rows))


def test_the_best_parameters_are_kept_where_asked_for() -> None:
    validation = pairs(("a b", "d d d"), ("b", "c"))
    data = replace(DATA, validation_sources=validation.sources, validation_targets=validation.targets)
    learner = replace(LEARNERS["lstm"], keep="best", epochs=30, learning_rate=0.1, warmup=0, schedule="constant")
    losses: list[float] = []
    start = -replace(learner, epochs=0).fit(data, 1).log_probabilities(validation.sources, validation.targets).mean()

    def look(report: EpochReport) -> None:
        losses.append(-report.model.log_probabilities(validation.sources, validation.targets).mean())

    best = learner.fit(data, 1, on_epoch=look)
    kept = -best.log_probabilities(validation.sources, validation.targets).mean()
    assert kept == pytest.approx(min([start, *losses]), abs=1e-9)
    assert min([start, *losses]) < losses[-1] - 0.01
    together = replace(learner, replicas=2).fit_together([data, data], [1, 2])[0]
    torch.testing.assert_close(together.values, best.values, atol=1e-6, rtol=0)


# --- answers ----------------------------------------------------------------------------------------------------------


@every_learner
def test_probabilities_are_those_of_the_plain_network(learner: Any) -> None:
    model = replace(learner, dtype="float32").fit(DATA, 3)
    module = plain_copy(learner, model)
    expected = -plain_losses(module, DATA).detach().numpy()
    found = model.log_probabilities(DATA.sources, DATA.targets)
    np.testing.assert_allclose(found, expected, atol=1e-10)
    for pair in range(4):
        alone = model.log_probabilities(DATA.sources.select([pair]), DATA.targets.select([pair]))
        assert alone[0] == pytest.approx(found[pair], abs=1e-12)


@every_learner
def test_answers_are_greedy(learner: Any) -> None:
    model = replace(learner, dtype="float32").fit(DATA, 5)
    module = plain_copy(learner, model)
    outputs = model.transduce(DATA.sources, max_length=7, min_length=2)
    for source, answer, terminated in zip(DATA.sources, outputs.targets, outputs.terminated, strict=True):
        expected: list[int] = []
        for step in range(8):
            sources = torch.tensor([[*map(int, source), SOURCE.end]])
            logits = module(sources, torch.tensor([[TARGET.start, *expected]]))[0, -1].detach()
            logits[TARGET.classes["<pad>"]] = -math.inf
            if step < 2:
                logits[TARGET.end] = -math.inf
            expected.append(int(logits.argmax()))
            if expected[-1] == TARGET.end:
                break
        assert terminated == (expected[-1] == TARGET.end)
        assert answer.tolist() == (expected[:-1] if terminated else expected[:7])
    alone = [model.transduce(DATA.sources.select([pair]), max_length=7, min_length=2) for pair in range(4)]
    assert [one.targets.text(0) for one in alone] == list(outputs.targets.texts())


class Scripted:
    """A network whose logits are given: (time, classes) for every source, the last row from there on."""

    parameters: list[Any] = []
    longest = None

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = torch.tensor(rows, dtype=torch.float64)

    def encode(self, parameters: Any, sources: Sources, dropout: Any) -> int:
        return sources.ids.shape[1]

    def decode(self, parameters: Any, memory: int, ids: torch.Tensor, past: Any, dropout: Any) -> Any:
        first = past or 0
        steps = torch.arange(first, first + ids.shape[2]).clamp(max=len(self.rows) - 1)
        return self.rows[steps].expand(1, memory, -1, -1).clone(), first + ids.shape[2]


def scripted(*rows: str) -> NetworkTransducer:
    """Rows name the symbols from the most to the least probable."""
    names = {"s": 0, "P": 1, "E": 2, "u": 3, "c": 4, "d": 5}
    scores = [[float(-row.index(name)) if name in row else -99.0 for name in names] for row in rows]
    return NetworkTransducer(SOURCE, TARGET, Scripted(scores), torch.zeros(0))


@pytest.mark.parametrize(
    ("rows", "limits", "answer", "terminated"),
    [
        (("cE", "dE", "Ec"), {}, "c d", True),
        (("PcE", "PE", "E"), {}, "c", True),  # padding is passed over
        (("Ec", "cE", "E"), {}, "", True),
        (("Ec", "Ed", "Ec", "cE"), {"min_length": 2, "max_length": 3}, "c d", True),
        (("su", "uE", "E"), {}, "<s> <unk>", True),  # these may be chosen
        (("c",), {"max_length": 4}, "c c c c", False),
        (("c", "c", "E"), {"max_length": 2}, "c c", True),
        (("c", "c", "c", "E"), {"max_length": 2}, "c c", False),
        (("E",), {"max_length": 0}, "", True),
        (("c",), {"max_length": 0}, "", False),
    ],
)
def test_decoding_rules(rows: tuple[str, ...], limits: dict[str, int], answer: str, terminated: bool) -> None:
    outputs = scripted(*rows).transduce(DATA.sources, **limits)
    assert list(outputs.targets.texts()) == [answer] * 4
    assert outputs.terminated.tolist() == [terminated] * 4


def test_two_hundred_symbols_are_the_limit() -> None:
    outputs = scripted("c").transduce(DATA.sources)
    assert outputs.targets.lengths.tolist() == [200] * 4
    assert not outputs.terminated.any()


def test_no_pairs_have_no_answers() -> None:
    model = replace(LEARNERS["lstm"], epochs=0).fit(DATA, 1)
    nothing = Corpus.from_strings([], SOURCE)
    assert len(model.transduce(nothing).targets) == 0
    assert model.log_probabilities(nothing, Corpus.from_strings([], TARGET)).shape == (0,)


def test_many_pairs_are_answered_in_batches() -> None:
    model = LEARNERS["transformer"].fit(DATA, 1)
    rng = np.random.default_rng(0)
    sources = Corpus.from_arrays([rng.integers(4, 6, rng.integers(0, 60)) for _ in range(200)], SOURCE)
    targets = Corpus.from_arrays([rng.integers(4, 6, rng.integers(0, 60)) for _ in range(200)], TARGET)
    found = model.log_probabilities(sources, targets)
    order = rng.permutation(200)
    np.testing.assert_allclose(
        model.log_probabilities(sources.select(order), targets.select(order)), found[order], atol=1e-10
    )
    for pair in (0, 77, 199):
        alone = model.log_probabilities(sources.select([pair]), targets.select([pair]))
        assert alone[0] == pytest.approx(found[pair], abs=1e-10)


@pytest.mark.parametrize("name", ["lstm", "lstm with attention", "convolutional", "transformer", "joint without cross"])
def test_learners_learn_their_pairs(name: str) -> None:
    sizes = {"embedding": 16, "width": 32, "epochs": 400, "warmup": 50, "learning_rate": 0.01, "dropout": 0.1}
    model = replace(LEARNERS[name], **sizes, dtype="float32").fit(DATA, 1)
    assert list(model.transduce(DATA.sources).targets.texts()) == list(DATA.targets.texts())
    assert model.log_probabilities(DATA.sources, DATA.targets).min() > -0.2


@every_learner
def test_models_can_be_saved_and_loaded(learner: Any, tmp_path: Path) -> None:
    model = learner.fit(DATA, 1)
    model.save(tmp_path)
    loaded = learner.load(tmp_path, DATA)
    assert torch.equal(loaded.values, model.values)
    expected = model.log_probabilities(DATA.sources, DATA.targets)
    np.testing.assert_array_equal(loaded.log_probabilities(DATA.sources, DATA.targets), expected)
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    learner = LEARNERS["lstm"]
    with pytest.raises(InputError, match=r"there is no file .*model\.safetensors"):
        learner.load(tmp_path, DATA)
    learner.fit(DATA, 1).save(tmp_path)
    with pytest.raises(InputError, match=r"it has \(24,\) for 'decoder_0_bias', not \(28,\)"):
        replace(learner, width=7).load(tmp_path, DATA)
    (tmp_path / "model.safetensors").write_bytes(b"no")
    with pytest.raises(InputError, match="cannot be read"):
        learner.load(tmp_path, DATA)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(InputError, match="no training pairs"):
        LEARNERS["lstm"].fit(select(DATA, []), 1)
    with pytest.raises(InputError, match=r"a multiple of its heads \(3\), not 4"):
        replace(LEARNERS["transformer"], heads=3).fit(DATA, 1)
    with pytest.raises(InputError, match="must be odd, not 2"):
        replace(LEARNERS["convolutional"], kernel=2).fit(DATA, 1)
    with pytest.raises(InputError, match="as many layers; not 2 and 1"):
        replace(LEARNERS["lstm"], encoder_layers=2).fit(DATA, 1)


def test_what_is_longer_than_the_positions_is_refused() -> None:
    model = replace(LEARNERS["convolutional"], epochs=0).fit(DATA, 1)
    longest, longer = (Corpus.from_arrays([np.full(length, 4)], SOURCE) for length in (1021, 1022))
    assert len(model.transduce(longest, max_length=3).targets) == 1
    with pytest.raises(TrialError, match="a source has 1022 symbols, but the network has positions for 1021"):
        model.transduce(longer, max_length=3)
    with pytest.raises(TrialError, match="an answer may have 2000 symbols, but"):
        model.transduce(longest, max_length=2000)
