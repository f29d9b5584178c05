"""Encoders as their papers define them, and models that answer for every position."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from wug.errors import InputError, TrialError
from wug.learners.networks.language_model import NetworkLanguageModel, NextSymbolNetwork
from wug.learners.networks.learner import NetworkLearner
from wug.learners.networks.operations import count_strings
from wug.learners.networks.positions import rotate, sinusoids
from wug.learners.networks.recurrent import GRU, LSTM, SimpleRNN
from wug.learners.networks.transformer import Transformer
from wug.learners.protocols import LanguageModelling
from wug.learners.training.settings import training_settings
from wug.sequences import Corpus, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b"))


class Reader:
    """Keeps (length + 1, n_classes) predictions of each string."""

    def __init__(self, corpus: Corpus, stop_after: int | None = None) -> None:
        self.rows = [np.full((length + 1, corpus.vocabulary.size), np.nan) for length in corpus.lengths]
        self.calls_left = stop_after

    def fork(self, parents: Any, children: Any) -> None:
        for parent, child in zip(parents, children, strict=True):
            n = min(len(self.rows[parent]), len(self.rows[child]))
            self.rows[child][:n] = self.rows[parent][:n]

    def observe(self, strings: Any, starts: Any, stops: Any, log_probabilities: Any) -> bool:
        for string, start, stop, row in zip(strings, starts, stops, log_probabilities, strict=True):
            self.rows[string][start:stop] = row
        if self.calls_left is not None:
            self.calls_left -= 1
        return self.calls_left != 0


def model_of(encoder: torch.nn.Module, width: int = 32) -> NetworkLanguageModel:
    return NetworkLanguageModel(NextSymbolNetwork(encoder, width, VOCABULARY.size), VOCABULARY)


def plainly(model: NetworkLanguageModel, string: Any) -> np.ndarray:
    """The definition: one string at a time through forward."""
    inputs = torch.tensor([[VOCABULARY.start, *map(int, string)]])
    with torch.no_grad():
        return np.asarray(model.network(inputs)[0].log_softmax(-1))


@pytest.fixture
def every_short_string() -> Corpus:
    return Corpus.from_strings(["".join(s) for n in range(6) for s in product("ab", repeat=n)], VOCABULARY)


@pytest.mark.golden
def test_lstm_has_the_papers_number_of_parameters() -> None:
    network = NextSymbolNetwork(LSTM(3, width=8), 8, 3)
    assert sum(parameter.numel() for parameter in network.parameters()) == 443


@pytest.mark.parametrize(("size", "width"), [(2, 3), (5, 8)])
@pytest.mark.parametrize(("encoder", "gates"), [(LSTM, 4), (GRU, 3), (SimpleRNN, 1)])
def test_parameters_of_recurrent_encoders(encoder: Any, gates: int, size: int, width: int) -> None:
    counted = sum(parameter.numel() for parameter in encoder(size, width).parameters())
    assert counted == gates * width * (size + width + 2)


def test_lstm_is_the_textbook_cell() -> None:
    torch.manual_seed(0)
    encoder = LSTM(3, width=4).double()
    weights = {name: value.numpy() for name, value in encoder.recurrent.state_dict().items()}
    hidden, cell = np.zeros(4), np.zeros(4)
    symbols = [0, 1, 1, 2]
    for symbol in symbols:
        gates = (
            weights["weight_ih_l0"] @ np.eye(3)[symbol]
            + weights["bias_ih_l0"]
            + weights["weight_hh_l0"] @ hidden
            + weights["bias_hh_l0"]
        )
        i, f, o = (1 / (1 + np.exp(-gates[4 * k : 4 * k + 4])) for k in (0, 1, 3))
        cell = f * cell + i * np.tanh(gates[8:12])
        hidden = o * np.tanh(cell)
    features = encoder(torch.tensor([symbols]))[0, -1].detach().numpy()
    np.testing.assert_allclose(features, hidden, atol=1e-12)


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("encoder", [LSTM, GRU, SimpleRNN])
@pytest.mark.parametrize("strings", [1, 7])
def test_step_is_forward_one_symbol_at_a_time(encoder: Any, layers: int, strings: int) -> None:
    torch.manual_seed(1)
    network = encoder(3, 6, layers).double()
    symbols = torch.randint(0, 3, (strings, 30))
    features, state = network(symbols), None
    with torch.inference_mode():
        for time in range(30):
            stepped, state = network.step(symbols[:, time], state)
            torch.testing.assert_close(stepped, features[:, time].detach(), atol=1e-12, rtol=0)


def test_sinusoids_as_in_the_paper() -> None:
    table = sinusoids(7, 6)
    for position, wave in product(range(7), range(3)):
        angle = position / 10000 ** (2 * wave / 6)
        assert float(table[position, wave]) == pytest.approx(np.sin(angle), abs=1e-12)
        assert float(table[position, 3 + wave]) == pytest.approx(np.cos(angle), abs=1e-12)


def test_products_of_rotated_vectors_depend_on_the_distance_alone() -> None:
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 8, generator=generator, dtype=torch.float64)
    queries, keys = rotate(query.expand(20, 8)), rotate(key.expand(20, 8))
    products = queries @ keys.T
    for distance in range(-19, 20):
        diagonal = products.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-9, rtol=0)
    assert products.diagonal(0)[0] == pytest.approx(float(query @ key))
    assert abs(float(products[0, 0] - products[0, 5])) > 1e-3


def test_without_positions_a_transformer_sees_the_past_as_a_set() -> None:
    torch.manual_seed(0)
    blind, sighted = Transformer(4, layers=1, positions="none"), Transformer(4, layers=1, positions="rotary")
    one, other = torch.tensor([[1, 2, 3]]), torch.tensor([[2, 1, 3]])
    assert torch.allclose(blind(one)[0, 2], blind(other)[0, 2], atol=1e-5)
    assert not torch.allclose(sighted(one)[0, 2], sighted(other)[0, 2], atol=1e-3)


def test_an_impossible_width_is_refused() -> None:
    with pytest.raises(InputError, match="multiple of twice its heads"):
        Transformer(3, width=30)


@pytest.mark.parametrize("encoder", [LSTM, GRU, SimpleRNN, Transformer])
def test_predictions_are_those_of_each_string_alone(encoder: Any, every_short_string: Corpus) -> None:
    torch.manual_seed(2)
    model = model_of(encoder(3))
    reader = Reader(every_short_string)
    coverage = model.predict(every_short_string, reader)
    assert (coverage.strings, coverage.over_budget) == (len(every_short_string), False)
    for string, rows in zip(every_short_string, reader.rows, strict=True):
        np.testing.assert_allclose(rows, plainly(model, string), atol=1e-5)


def test_predictions_do_not_depend_on_the_batches(every_short_string: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(2)
    model = model_of(Transformer(3))
    expected = Reader(every_short_string)
    model.predict(every_short_string, expected)
    monkeypatch.setattr("wug.learners.networks.language_model._ATTENTION_ENTRIES", 60)
    order = np.random.default_rng(0).permutation(len(every_short_string))
    found = Reader(every_short_string.select(order))
    model.predict(every_short_string.select(order), found)
    for place, string in enumerate(order):
        np.testing.assert_allclose(found.rows[place], expected.rows[string], atol=1e-5)


def test_many_classes_give_the_same_softmax() -> None:
    torch.manual_seed(0)
    vocabulary = Vocabulary(tuple(f"s{i}" for i in range(40)))
    model = NetworkLanguageModel(NextSymbolNetwork(GRU(40), 32, 40), vocabulary)
    corpus = Corpus.from_strings(["s1 s2 s39"], vocabulary)
    reader = Reader(corpus)
    model.predict(corpus, reader)
    with torch.no_grad():
        expected = model.network(torch.tensor([[0, 1, 2, 39]]))[0].log_softmax(-1)
    np.testing.assert_allclose(reader.rows[0], expected, atol=1e-5)


def test_an_encoder_with_step_is_never_cut_off() -> None:
    corpus = Corpus.from_strings(["a" * n for n in (9, 2, 5, 1, 7)], VOCABULARY)
    coverage = model_of(LSTM(3)).predict(corpus, Reader(corpus), operations=1.0)
    assert (coverage.strings, coverage.over_budget) == (5, False)


def test_the_budget_ends_the_work_before_the_string_that_would_exceed_it() -> None:
    corpus = Corpus.from_strings(["a" * n for n in (9, 2, 5, 1, 7)], VOCABULARY)
    model = model_of(Transformer(3))
    costs = model._count_strings(corpus).of(np.array([2, 3, 6]))
    reader = Reader(corpus)
    coverage = model.predict(corpus, reader, operations=float(costs.sum()))
    assert (coverage.strings, coverage.over_budget) == (3, True)
    assert 0 < coverage.operations <= costs.sum()
    assert [bool(np.isnan(rows).any()) for rows in reader.rows] == [True, False, False, False, True]
    for string in (1, 2, 3):
        np.testing.assert_allclose(reader.rows[string], plainly(model, corpus[string]), atol=1e-5)
    assert model.predict(corpus, Reader(corpus), operations=0.0).strings == 0


@pytest.mark.parametrize("encoder", [LSTM, Transformer])
def test_an_observer_that_has_seen_enough_ends_the_work(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wug.learners.networks.language_model._ATTENTION_ENTRIES", 1)
    corpus = Corpus.from_strings(["a", "b" * 8, "ab" * 9], VOCABULARY)
    reader = Reader(corpus, stop_after=1)
    coverage = model_of(encoder(3)).predict(corpus, reader)
    assert not coverage.over_budget
    assert coverage.strings < 3
    assert np.isnan(reader.rows[2]).any()


def test_operations_of_a_transformer_are_those_of_its_matrices() -> None:
    width, layers = 32, 2
    network = Transformer(3, width, layers)
    count = count_strings(lambda n: network(torch.zeros(1, n, dtype=torch.int64)), network, 1000)
    assert count.quadratic == layers * 2 * 2 * width
    assert count.linear == pytest.approx(layers * 2 * 12 * width**2, rel=0.05)


def test_a_model_is_the_same_after_saving_and_loading(tmp_path: Path, every_short_string: Corpus) -> None:
    data = LanguageModelling(VOCABULARY, every_short_string, np.ones(len(every_short_string), dtype=np.int64))
    learner = NetworkLearner(GRU, {"width": 5}, training_settings({"epochs": 2}))
    learner.fit(data, 1).save(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]
    expected, found = Reader(every_short_string), Reader(every_short_string)
    learner.fit(data, 1).predict(every_short_string, expected)
    learner.load(tmp_path, data).predict(every_short_string, found)
    for one, other in zip(expected.rows, found.rows, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(InputError, match="does not fit LSTM"):
        NetworkLearner(LSTM, {"width": 5}).load(tmp_path, data)
    with pytest.raises(InputError, match="there is no file"):
        learner.load(tmp_path / "nowhere", data)


class Limited(torch.nn.Module):
    """A user's encoder that knows four positions."""

    def __init__(self, vocabulary_size: int, width: int = 4) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(4, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.table(torch.arange(ids.shape[1])).expand(len(ids), -1, -1)


def test_an_encoder_that_fails_on_a_string_is_named_with_its_length() -> None:
    corpus = Corpus.from_strings(["aaa", "aaaa"], VOCABULARY)
    model = model_of(Limited(3), 4)
    reader = Reader(corpus)
    model.predict(corpus.select([0]), reader)
    assert not np.isnan(reader.rows[0]).any()
    with pytest.raises(TrialError, match="failed on a string of 4 symbols"):
        model.predict(corpus, reader)
