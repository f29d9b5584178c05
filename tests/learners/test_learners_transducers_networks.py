"""The sequence-to-sequence networks: what they compute, how they start, and that neither padding nor company counts."""

import math
import re
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import plain_transducers as plain
import pytest
import torch

from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.transducers.convolutional import ConvolutionalNetwork
from wug.learners.networks.transducers.dropout import Dropout, dropout_keys, mask_in_torch
from wug.learners.networks.transducers.layers import sinusoids
from wug.learners.networks.transducers.lstm import LSTMNetwork
from wug.learners.networks.transducers.pairs import Batch, Pairs
from wug.learners.networks.transducers.training import pair_losses
from wug.learners.networks.transducers.transformer import TransformerNetwork
from wug.learners.protocols import Transduction
from wug.learners.registry import build_learner, parse_learner
from wug.sequences import Corpus, Vocabulary

SOURCE = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "a", "b", "f", "g"), start=2, end=2)
TARGET = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "c", "d"), start=2, end=2)
SIDES: dict[str, Any] = {
    "source_size": SOURCE.size,
    "target_size": TARGET.size,
    "source_padding": SOURCE.padding,
    "target_padding": TARGET.padding,
}
PAIRS = Pairs(
    Corpus.from_arrays([[4, 5, 4], [4], [], [5, 5, 5, 4, 4, 5, 4], [4, 5]], SOURCE),
    Corpus.from_arrays([[4, 5], [5, 5, 5, 4, 4], [4], [], [5, 4, 4]], TARGET),
)
LIKE = torch.zeros((), dtype=torch.float64)


def lstm(attention: bool, layers: int = 1, width: int = 6, rate: float = 0.0) -> LSTMNetwork:
    return LSTMNetwork(**SIDES, embedding=4, width=width, layers=layers, attention=attention, rate=rate)


def convolutional(encoder: int = 1, decoder: int = 1, kernel: int = 3, rate: float = 0.0) -> ConvolutionalNetwork:
    layers = {"encoder_layers": encoder, "decoder_layers": decoder}
    return ConvolutionalNetwork(**SIDES, embedding=4, width=6, kernel=kernel, rate=rate, **layers)


def transformer(
    joint: bool = False, cross: bool = True, encoder: int = 1, decoder: int = 1, rate: float = 0.0
) -> TransformerNetwork:
    layers = {"encoder_layers": encoder, "decoder_layers": decoder}
    return TransformerNetwork(**SIDES, width=8, inner=12, heads=4, rate=rate, joint=joint, cross=cross, **layers)


NETWORKS: dict[str, Any] = {
    "lstm": lstm(False),
    "lstm, two layers": lstm(False, layers=2),
    "lstm, width 512": lstm(False, width=512),
    "lstm with attention": lstm(True),
    "lstm with attention, two layers": lstm(True, layers=2),
    "convolutional": convolutional(),
    "convolutional, more layers": convolutional(encoder=3, decoder=2, kernel=5),
    "transformer": transformer(),
    "transformer, more layers": transformer(encoder=2, decoder=3),
    "joint": transformer(joint=True),
    "joint without cross": transformer(joint=True, cross=False, decoder=2),
}


def plainly(network: Any) -> torch.nn.Module:
    """The same network in torch's modules."""
    sizes = SOURCE.size, TARGET.size
    match network:
        case LSTMNetwork(embedding=e, width=w, layers=n, attention=attention, rate=rate):
            module: torch.nn.Module = plain.PlainLSTM(*sizes, e, w, n, attention, rate)
        case ConvolutionalNetwork(embedding=e, width=w, kernel=k, encoder_layers=n, decoder_layers=m, rate=rate):
            module = plain.PlainConvolutional(*sizes, e, w, k, n, m, rate)
        case TransformerNetwork(width=w, inner=i, heads=h, encoder_layers=n, decoder_layers=m, rate=rate):
            module = plain.PlainTransformer(*sizes, w, i, h, n, m, rate, network.joint, network.cross)
    return module.double()


def drawn(network: Any, seeds: tuple[int, ...] = (0,)) -> torch.Tensor:
    """Initial values with all that starts at zero or one moved away from there, so that its effect is seen."""
    rows = [draw_parameters(network.parameters, rng=np.random.default_rng(seed)) for seed in seeds]
    generator = torch.Generator().manual_seed(1)
    values = torch.stack(rows)
    return values + 0.1 * torch.randn(values.shape, generator=generator, dtype=torch.float64)


def logits_of(network: Any, values: torch.Tensor, batch: Batch, dropout: Dropout | None = None) -> torch.Tensor:
    parameters = split_parameters(network.parameters, values)
    memory = network.encode(parameters, batch.sources, dropout)
    return network.decode(parameters, memory, batch.inputs, None, dropout)[0]


def padded_with(batch: Batch, padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sources of the first replica with the padding that plain modules know, and what the decoder reads."""
    ids = batch.sources.ids[0].clone()
    ids[torch.arange(ids.shape[1]) >= batch.sources.lengths[0, :, None]] = padding
    return ids, batch.inputs[0]


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_networks_and_their_gradients_are_those_of_plain_modules(network: Any) -> None:
    values = drawn(network).requires_grad_()
    batch = Batch.of([PAIRS], LIKE)
    module = plain.load(plainly(network), split_parameters(network.parameters, values))
    expected = module(*padded_with(batch, plain.PAD))
    counted = batch.shares[0] > 0
    torch.testing.assert_close(logits_of(network, values, batch)[0][counted], expected[counted], atol=1e-10, rtol=0)

    losses = torch.nn.functional.cross_entropy(expected[counted], batch.targets[0][counted], reduction="sum") / 5
    torch.testing.assert_close(pair_losses(network, values, batch, None)[0], losses, atol=1e-10, rtol=0)
    (gradient,) = torch.autograd.grad(pair_losses(network, values, batch, None).sum(), [values])
    losses.backward()
    nudge = 1e-3 * torch.randn(values.shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    moved = plain.load(plainly(network), split_parameters(network.parameters, (values + nudge).detach()))
    pairs = [(p, q) for p, q in zip(module.parameters(), moved.parameters(), strict=True) if p.grad is not None]
    along = sum(float((p.grad * (q - p).detach()).sum()) for p, q in pairs)
    assert float((gradient * nudge).sum()) == pytest.approx(along, rel=1e-8)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_a_pair_does_not_depend_on_what_shares_its_batch(network: Any) -> None:
    values = drawn(network)
    together = logits_of(network, values, Batch.of([PAIRS], LIKE))[0]
    for pair in range(len(PAIRS)):
        alone = logits_of(network, values, Batch.of([PAIRS.select(np.array([pair]))], LIKE))[0, 0]
        torch.testing.assert_close(together[pair, : len(alone)], alone, atol=1e-12, rtol=0)


@pytest.mark.parametrize("rate", [0.0, 0.3])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_replica_does_not_depend_on_the_others(name: str, rate: float) -> None:
    network = replace(NETWORKS[name], rate=rate)
    values = drawn(network, seeds=(3, 4, 5)).requires_grad_()
    pairs = [PAIRS.select(np.array(rows)) for rows in ([1], [0, 4, 3], [2, 0])]
    keys = dropout_keys([7, 8, 9], LIKE.device)
    losses = pair_losses(network, values, Batch.of(pairs, LIKE), Dropout(keys, 3, LIKE))
    (gradient,) = torch.autograd.grad(losses.sum(), [values])
    for replica in range(3):
        own = values[replica : replica + 1].detach().requires_grad_()
        dropout = Dropout(keys[replica : replica + 1], 3, LIKE)
        alone = pair_losses(network, own, Batch.of(pairs[replica : replica + 1], LIKE), dropout)
        torch.testing.assert_close(losses[replica], alone[0], atol=1e-12, rtol=0)
        torch.testing.assert_close(gradient[replica], torch.autograd.grad(alone.sum(), [own])[0][0], atol=1e-12, rtol=0)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_symbols_can_be_decoded_one_by_one_or_at_once(network: Any) -> None:
    values = drawn(network)
    batch = Batch.of([PAIRS], LIKE)
    expected = logits_of(network, values, batch)
    parameters = split_parameters(network.parameters, values)
    memory, past = network.encode(parameters, batch.sources, None), None
    for first, last in ((0, 1), (1, 2), (2, 5), (5, 6)):
        logits, past = network.decode(parameters, memory, batch.inputs[:, :, first:last], past, None)
        torch.testing.assert_close(logits, expected[:, :, first:last], atol=1e-12, rtol=0)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_gradients_reach_all_that_can_matter(network: Any) -> None:
    values = drawn(network).requires_grad_()
    (gradient,) = torch.autograd.grad(pair_losses(network, values, Batch.of([PAIRS], LIKE), None).sum(), [values])
    unreached = [name for name, part in split_parameters(network.parameters, gradient).items() if not part.any()]
    assert unreached == []


EIGHT = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "a", "x", "y", "z"), start=2, end=2)
"""The vocabulary of count and add-or-multiply: one symbol and what fairseq adds to it."""
DATA = Transduction(EIGHT, EIGHT, Corpus.from_strings(["a a"], EIGHT), Corpus.from_strings(["a"], EIGHT))


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("lstm-s2s", 3_223_816),
        ("lstm-s2s-attention", 4_010_248),
        ("conv-s2s", 3_360_592),
        ("transformer-s2s", 37_632),
        ("joint-s2s", 37_632),
        ("joint-s2s-nocross", 36_512),
    ],
)
def test_learners_have_the_published_numbers_of_parameters(name: str, count: int) -> None:
    assert sum(parameter.size for parameter in paper_network(name).parameters) == count


def paper_network(name: str) -> Any:
    return build_learner(parse_learner(name))._network(DATA)  # type: ignore[attr-defined]


UNIFORM, NORMAL, CONSTANT = "uniform", "normal", "constant"
DISTRIBUTIONS: dict[str, list[tuple[str, str, float]]] = {
    "lstm-s2s": [(".*", UNIFORM, 0.1)],
    "lstm-s2s-attention": [(".*", UNIFORM, 0.1)],
    "conv-s2s": [
        (".*_bias", CONSTANT, 0.0),
        ("source|target|.*_positions", NORMAL, 0.1),
        (".*_convolution", NORMAL, math.sqrt(4 * 0.5 / (3 * 512))),
        ("source_in|target_in", NORMAL, math.sqrt(0.5 / 16)),
        ("output", NORMAL, math.sqrt(0.5 / 256)),
        ("source_out|target_out|.*_queries", NORMAL, math.sqrt(1 / 512)),
        (".*_mixed", NORMAL, math.sqrt(1 / 16)),
    ],
    "transformer-s2s": [
        ("source|target|output", NORMAL, 0.25),
        (".*_scale", CONSTANT, 1.0),
        (".*_shift", CONSTANT, 0.0),
        (".*_(projections|queries|keys_values)_bias", UNIFORM, 0.25),
        (".*_bias", CONSTANT, 0.0),
        (".*_(projections|queries|keys_values)", UNIFORM, math.sqrt(0.5) * math.sqrt(6 / 32)),
        (".*_mixed", UNIFORM, math.sqrt(6 / 32)),
        (".*_(inner|outer)", UNIFORM, math.sqrt(6 / 528)),
    ],
}
DISTRIBUTIONS["joint-s2s"] = DISTRIBUTIONS["joint-s2s-nocross"] = DISTRIBUTIONS["transformer-s2s"]


@pytest.mark.golden
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_parameters_start_as_fairseq_draws_them(name: str) -> None:
    network = paper_network(name)
    for parameter in network.parameters:
        _, kind, size = next(row for row in DISTRIBUTIONS[name] if re.fullmatch(row[0], parameter.name))
        draws = 1 + 4000 // parameter.size
        values = np.stack([parameter.draw(np.random.default_rng(seed)) for seed in range(draws)])
        if kind == CONSTANT:
            assert (values == size).all()
            continue
        if re.fullmatch("(source|target)(_positions)?", parameter.name):
            assert (values[:, EIGHT.classes["<pad>"]] == 0).all()
            values = np.delete(values, EIGHT.classes["<pad>"], axis=1)
        elif isinstance(network, ConvolutionalNetwork):
            values, lengths = values[:, :-1], values[:, -1]
            np.testing.assert_allclose(lengths, np.linalg.norm(values, axis=1))
        deviation = size / math.sqrt(3) if kind == UNIFORM else size
        margin = 4 / math.sqrt(values.size)  # of the mean; that of the variance's root is less
        assert abs(values.mean()) < margin * deviation
        assert values.std() == pytest.approx(deviation, rel=margin)
        kurtosis = float(((values / deviation) ** 4).mean())
        assert kurtosis == pytest.approx(1.8 if kind == UNIFORM else 3.0, abs=5 * math.sqrt(96 / values.size))
        assert kind == NORMAL or np.abs(values).max() <= size


@pytest.mark.golden
def test_positions_of_the_transformer_begin_at_two_and_its_waves_end_at_ten_thousand() -> None:
    table = sinusoids(2, 3, 16, LIKE)
    for row, wave in product(range(3), range(8)):
        angle = (row + 2) * math.exp(-wave * math.log(10_000) / 7)
        assert float(table[row, wave]) == pytest.approx(math.sin(angle), abs=1e-12)
        assert float(table[row, 8 + wave]) == pytest.approx(math.cos(angle), abs=1e-12)
    assert torch.equal(sinusoids(4, 1, 16, LIKE), table[2:])
    assert torch.equal(sinusoids(2, 3, 5, LIKE)[:, 4], torch.zeros(3, dtype=torch.float64))


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_dropout_drops_its_share_and_keeps_the_expectation(rate: float) -> None:
    mask = Dropout(dropout_keys(range(50), LIKE.device), 0, LIKE).mask(rate, (3, 40, 30))
    kept = mask > 0
    assert float(kept.double().mean()) == pytest.approx(1 - rate, abs=4 * math.sqrt(rate * (1 - rate) / mask.numel()))
    assert float(mask.max()) == pytest.approx(1 / (1 - rate), rel=1e-4)
    assert float(mask.max()) * round((1 - rate) * 65536) / 65536 == pytest.approx(1.0, abs=1e-12)
    for dim in range(4):
        # neighbours along any axis are dropped independently
        one, other = (
            kept.double().narrow(dim, 0, mask.shape[dim] - 1),
            kept.double().narrow(dim, 1, mask.shape[dim] - 1),
        )
        covariance = float((one * other).mean() - one.mean() * other.mean())
        assert abs(covariance) < 5 * rate * (1 - rate) / math.sqrt(one.numel())


def test_dropout_is_a_function_of_seed_update_and_place() -> None:
    def masks(seeds: list[int], update: int, *shapes: tuple[int, int, int]) -> list[torch.Tensor]:
        dropout = Dropout(dropout_keys(seeds, LIKE.device), update, LIKE)
        return [dropout.mask(0.5, shape) for shape in shapes]

    (large,) = masks([1, 2, 3], 7, (4, 9, 10))
    (small,) = masks([2], 7, (2, 5, 10))
    assert torch.equal(large[1:2, :2, :5], small)
    others = masks([1], 8, (4, 9, 10)) + masks([4], 7, (4, 9, 10)) + masks([1], 7, (4, 9, 10), (4, 9, 10))[1:]
    for other in others:
        assert 0.3 < float((other == large[:1]).double().mean()) < 0.7


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_dropout_is_the_same_on_every_device(rate: float) -> None:
    keys = dropout_keys([3, 2**62 + 5], LIKE.device)
    mask = Dropout(keys, 5, LIKE).mask(rate, (3, 4, 9))
    assert torch.equal(mask, mask_in_torch(keys, 5, 1, rate, (3, 4, 9)).to(LIKE))
