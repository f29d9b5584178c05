"""Recurrent cells and attention against definitions of their own."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from numba import njit
from torch.nn import functional

from wug.learners.networks.classifiers import kernels
from wug.learners.networks.classifiers.attention import AttentionNetwork
from wug.learners.networks.classifiers.cells import GRU, LSTM, SimpleRNN
from wug.learners.networks.classifiers.network import Batch
from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.classifiers.recurrence import Memory, Reading, last_states, step_by_step

REPLICAS, TIME, STRINGS, WIDTH, LETTERS = 3, 9, 5, 4, 3


def parameters_of(cell: Any) -> dict[str, torch.Tensor]:
    """Parameters of replicas away from their initial values, so that no bias is zero."""
    own = cell.parameters(WIDTH)
    drawn = torch.stack([draw_parameters(own, rng=np.random.default_rng(seed)) for seed in range(REPLICAS)])
    noise = torch.from_numpy(np.random.default_rng(9).normal(size=tuple(drawn.shape)))
    return {name: part.requires_grad_() for name, part in split_parameters(own, drawn + 0.1 * noise).items()}


@pytest.mark.parametrize("cell", [SimpleRNN(), LSTM(), GRU()], ids=lambda cell: type(cell).__name__)
@pytest.mark.parametrize("reads_ids", [False, True])
@pytest.mark.parametrize("masks", [0, 1, TIME])
def test_kernels_do_what_the_steps_do_forwards_and_backwards(cell: Any, reads_ids: bool, masks: int) -> None:
    rng = np.random.default_rng(0)
    parameters = {name: part.detach().requires_grad_() for name, part in parameters_of(cell).items()}
    embedding = torch.from_numpy(rng.normal(size=(REPLICAS, LETTERS + 1, WIDTH))).requires_grad_()
    vectors = torch.eye(LETTERS + 1, dtype=torch.float64).expand(REPLICAS, -1, -1) if reads_ids else embedding
    kept = torch.from_numpy(rng.integers(0, 2, (REPLICAS, masks, vectors.shape[2], STRINGS), dtype=np.uint8))
    reading = Reading(
        ids=torch.from_numpy(rng.integers(0, LETTERS + 1, (REPLICAS, TIME, STRINGS))),
        table=vectors,
        kept=kept if masks else None,
        scale=2.0,
        ends=torch.from_numpy(rng.integers(0, TIME + 1, (REPLICAS, STRINGS))),
    )
    weights = torch.from_numpy(rng.normal(size=(REPLICAS, WIDTH, STRINGS)))
    leaves = [embedding, *parameters.values()]
    matrix = cell.matrix(parameters, embedding if reads_ids else None)
    expected = step_by_step(cell, matrix, reading, WIDTH)
    slopes = torch.autograd.grad((expected * weights).sum(), leaves, retain_graph=True)
    memory = Memory()
    for _ in range(2):  # memory that has been used makes no difference
        found = last_states(cell, matrix, reading, WIDTH, memory)
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)
        found_slopes = torch.autograd.grad((found * weights).sum(), leaves, retain_graph=True)
        for one, other in zip(found_slopes, slopes, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)
    with torch.no_grad():
        torch.testing.assert_close(last_states(cell, matrix, reading, WIDTH, memory), expected, rtol=1e-10, atol=1e-12)


def test_a_way_back_through_memory_that_was_used_again_is_refused() -> None:
    cell = GRU()
    parameters = parameters_of(cell)
    ids = torch.zeros(REPLICAS, TIME, STRINGS, dtype=torch.long)
    table = torch.ones(REPLICAS, 1, WIDTH, dtype=torch.float64)
    reading = Reading(ids, table, None, 1.0, torch.full((REPLICAS, STRINGS), TIME))
    memory = Memory()
    first, _ = (last_states(cell, cell.matrix(parameters, None), reading, WIDTH, memory) for _ in range(2))
    with pytest.raises(RuntimeError, match="has served another batch"):
        first.sum().backward()


@pytest.mark.parametrize(
    ("cell", "layer", "order"),
    [
        (SimpleRNN(), torch.nn.RNN, [0]),
        (LSTM(), torch.nn.LSTM, [0, 1, 2, 3]),
        (GRU(), torch.nn.GRU, [1, 0, 2]),  # torch has r before z
    ],
    ids=["SimpleRNN", "LSTM", "GRU"],
)
def test_cells_are_torchs(cell: Any, layer: Any, order: list[int]) -> None:
    parameters = parameters_of(cell)
    rng = np.random.default_rng(0)
    table = torch.from_numpy(rng.normal(size=(REPLICAS, LETTERS, WIDTH)))
    ids = torch.from_numpy(rng.integers(0, LETTERS, (REPLICAS, TIME, STRINGS)))
    reading = Reading(ids, table, None, 1.0, torch.full((REPLICAS, STRINGS), TIME))
    states = last_states(cell, cell.matrix(parameters, None), reading, WIDTH, Memory())
    for replica in range(REPLICAS):

        def in_torchs_order(name: str, replica: int = replica) -> torch.Tensor:
            blocks = parameters[name][replica].chunk(len(order))
            return torch.cat([blocks[place] for place in order])

        own = layer(WIDTH, WIDTH).double()
        zeros = torch.zeros(len(order) * WIDTH, dtype=torch.float64)
        with torch.no_grad():
            own.weight_ih_l0.copy_(in_torchs_order("kernel"))
            own.weight_hh_l0.copy_(in_torchs_order("recurrent"))
            own.bias_ih_l0.copy_(in_torchs_order("bias").flatten())
            own.bias_hh_l0.copy_(
                in_torchs_order("recurrent_bias").flatten() if "recurrent_bias" in parameters else zeros
            )
            outputs, _ = own(table[replica][ids[replica]])
        torch.testing.assert_close(states[replica].T, outputs[-1], rtol=1e-9, atol=1e-12)


def test_the_quick_tanh_is_as_good_as_its_type() -> None:
    @njit
    def each(values: Any, answers: Any) -> None:
        for place in range(len(values)):
            answers[place] = kernels.tanh(values[place])

    values = np.concatenate([np.linspace(-12, 12, 200_001), [-np.inf, np.inf, np.nan, 1e-30]])
    for dtype, error in ((np.float32, 4e-7), (np.float64, 1e-15)):
        answers = np.empty(len(values), dtype=dtype)
        each(values.astype(dtype), answers)
        np.testing.assert_allclose(answers, np.tanh(values.astype(dtype).astype(np.float64)), rtol=0, atol=error)
        assert np.isnan(answers[-2])


@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_the_formula_string_by_string(masked: bool) -> None:
    width, heads = 6, 2
    network = AttentionNetwork(LETTERS, width, 1, 0.1, masked)
    rng = np.random.default_rng(0)
    drawn = torch.stack([draw_parameters(network.parameters, rng=rng) for _ in range(REPLICAS)])
    drawn += 0.1 * torch.from_numpy(rng.normal(size=tuple(drawn.shape)))
    parameters = split_parameters(network.parameters, drawn)
    lengths = torch.from_numpy(rng.integers(0, TIME + 1, (REPLICAS, STRINGS)))
    ids = torch.from_numpy(rng.integers(1, LETTERS + 1, (REPLICAS, STRINGS, TIME)))
    ids[torch.arange(TIME) >= lengths[:, :, None]] = 0
    logits = network.logits(parameters, Batch(ids, lengths), None)
    for replica in range(REPLICAS):
        own = {name: part[replica] for name, part in parameters.items()}
        for string in range(STRINGS):
            n = int(lengths[replica, string]) if masked else TIME
            features = own["embedding"][ids[replica, string, :n]] + own["positions"][:n]
            for block in range(2):
                mixed = []
                projections = own[f"attention_{block}"].view(3, heads, width, width)
                biases = own[f"attention_bias_{block}"].view(3, heads, width)
                for head in range(heads):
                    query, key, value = (features @ projections[p, head].T + biases[p, head] for p in range(3))
                    mixed.append(((query @ key.T) / math.sqrt(width)).softmax(dim=1) @ value)
                attended = torch.cat(mixed, dim=1) @ own[f"attended_{block}"].T + own[f"attended_bias_{block}"]
                features = functional.layer_norm(
                    features + attended, (width,), own[f"block_scale_{block}"], own[f"block_shift_{block}"], 1e-6
                )
            pooled = features.mean(dim=0) if n else torch.zeros(width, dtype=torch.float64)
            hidden = (own["dense_0"] @ pooled + own["dense_bias_0"]).relu()
            hidden = functional.layer_norm(hidden, (64,), own["scale"], own["shift"], 1e-6)
            expected = own["output"] @ hidden + own["output_bias"]
            torch.testing.assert_close(logits[replica, string], expected, rtol=1e-8, atol=1e-10)
