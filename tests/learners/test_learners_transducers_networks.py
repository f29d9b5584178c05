"""The sequence-to-sequence networks: what they compute, how they start, and that neither padding nor company counts."""

from typing import Any

import numpy as np
import plain_transducers as plain
import pytest
import torch

from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.transducers.convolutional import ConvolutionalNetwork
from wug.learners.networks.transducers.dropout import Dropout
from wug.learners.networks.transducers.lstm import LSTMNetwork
from wug.learners.networks.transducers.pairs import Batch, Pairs
from wug.learners.networks.transducers.training import pair_losses
from wug.learners.networks.transducers.transformer import TransformerNetwork
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
