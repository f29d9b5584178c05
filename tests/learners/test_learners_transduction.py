"""Any encoder as a transducer: it reads source, separator and target as one string."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from wug.learners.networks.learner import NetworkLearner
from wug.learners.networks.recurrent import GRU, LSTM, SimpleRNN
from wug.learners.networks.transduction import EncoderTransducer, joint_vocabulary
from wug.learners.networks.transformer import Transformer
from wug.learners.protocols import Transduction
from wug.learners.registry import build_learner, parse_learner
from wug.learners.training.settings import training_settings
from wug.sequences import Corpus, Vocabulary

SOURCE = Vocabulary(("<s>", "<pad>", "</s>", "a", "b"), start=2, end=2)
TARGET = Vocabulary(("</s>", "<pad>", "c", "d"))


def pairs(*written: tuple[str, str]) -> Transduction:
    sources, targets = zip(*written, strict=True)
    return Transduction(SOURCE, TARGET, Corpus.from_strings(sources, SOURCE), Corpus.from_strings(targets, TARGET))


DATA = pairs(("a b", "c"), ("a", "d d"), ("b b a", ""), ("", "c c d"), ("b", "c"))


class Averaging(torch.nn.Module):
    """A user's encoder without ``step``: embeddings and their mean so far."""

    def __init__(self, vocabulary_size: int, width: int = 6) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(vocabulary_size, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        embedded = self.table(ids)
        counts = torch.arange(1, ids.shape[1] + 1)[:, None]
        return torch.cat([embedded, embedded.cumsum(1) / counts], dim=2)


ENCODERS: list[Any] = [LSTM, GRU, SimpleRNN, Transformer, Averaging]
every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.__name__)


def fit(encoder: Any = GRU, data: Transduction = DATA, seed: int = 1, **options: Any) -> EncoderTransducer:
    settings = training_settings({"epochs": 5, "dtype": "float64", **options})
    model: EncoderTransducer = NetworkLearner(encoder, {"width": 8}, settings).fit(data, seed)
    return model


def plain_logits(model: EncoderTransducer, source: Any, target: Any) -> torch.Tensor:
    """(length + 1, classes) the definition: one pair at a time, symbols as numbers of one vocabulary."""
    ids = [*map(int, source), 5, *(6 + int(symbol) for symbol in target)]
    with torch.no_grad():
        return model.network(torch.tensor([ids]))[0, len(source) :]


def plain_log_probability(model: EncoderTransducer, source: Any, target: Any) -> float:
    logits = plain_logits(model, source, target).log_softmax(1)
    return sum(float(logits[place, symbol]) for place, symbol in enumerate([*map(int, target), TARGET.end]))


@every_encoder
def test_probabilities_are_those_of_one_pair_at_a_time(encoder: Any) -> None:
    model = fit(encoder)
    found = model.log_probabilities(DATA.sources, DATA.targets)
    for pair, (source, target) in enumerate(zip(DATA.sources, DATA.targets, strict=True)):
        assert found[pair] == pytest.approx(plain_log_probability(model, source, target), abs=1e-10)
        alone = model.log_probabilities(DATA.sources.select([pair]), DATA.targets.select([pair]))
        assert alone[0] == pytest.approx(found[pair], abs=1e-10)


@every_encoder
def test_answers_are_greedy(encoder: Any) -> None:
    model = fit(encoder, epochs=2)
    outputs = model.transduce(DATA.sources, max_length=6, min_length=1)
    for source, answer, terminated in zip(DATA.sources, outputs.targets, outputs.terminated, strict=True):
        expected: list[int] = []
        while len(expected) <= 6 and TARGET.end not in expected:
            logits = plain_logits(model, source, expected)[-1]
            logits[1] = -math.inf
            if not expected:
                logits[TARGET.end] = -math.inf
            expected.append(int(logits.argmax()))
        assert terminated == (TARGET.end in expected)
        assert answer.tolist() == (expected[:-1] if terminated else expected[:6])


@every_encoder
def test_the_loss_is_the_mean_over_the_targets_symbols(encoder: Any) -> None:
    model = fit(encoder)
    total = sum(plain_log_probability(model, *pair) for pair in zip(DATA.sources, DATA.targets, strict=True))
    assert model.training_loss_nats == pytest.approx(-total / (DATA.targets.n_symbols + 5), abs=1e-10)


@pytest.mark.parametrize("batch_size", ["all", 2])
@pytest.mark.parametrize("encoder", [LSTM, GRU, SimpleRNN, Transformer])
def test_encoders_learn_their_pairs_and_do_so_again(encoder: Any, batch_size: Any) -> None:
    model = fit(encoder, epochs=150, batch_size=batch_size, dtype="float32")
    assert model.log_probabilities(DATA.sources, DATA.targets).min() > -0.3
    assert list(model.transduce(DATA.sources).targets.texts()) == list(DATA.targets.texts())
    again = fit(encoder, epochs=150, batch_size=batch_size, dtype="float32")
    for one, other in zip(model.network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_validation_pairs_choose_the_parameters() -> None:
    validation = pairs(("a b", "d d d"))
    data = Transduction(SOURCE, TARGET, DATA.sources, DATA.targets, validation.sources, validation.targets)
    best, last = (fit(data=data, epochs=60, keep=keep) for keep in ("best", "last"))
    losses = [-model.log_probabilities(validation.sources, validation.targets)[0] for model in (best, last)]
    assert losses[0] < losses[1]


def test_models_are_loaded_as_they_were_saved(tmp_path: Any) -> None:
    learner = NetworkLearner(GRU, {"width": 8}, training_settings({"epochs": 3}))
    model = learner.fit(DATA, 1)
    model.save(tmp_path)
    found = learner.load(tmp_path, DATA).log_probabilities(DATA.sources, DATA.targets)
    np.testing.assert_array_equal(found, model.log_probabilities(DATA.sources, DATA.targets))


def test_symbols_of_both_sides_are_kept_apart() -> None:
    vocabulary = joint_vocabulary(SOURCE, TARGET)
    assert vocabulary.size == 10
    assert vocabulary.symbols[vocabulary.start] == "<sep>"
    assert vocabulary.symbols[vocabulary.end] == "target:</s>"


@pytest.mark.parametrize("name", ["lstm", "gru", "srn", "transformer"])
def test_built_in_encoders_do_transduction(name: str) -> None:
    learner = build_learner(parse_learner(name, {"epochs": 2}))
    assert "transduction" in learner.settings
    assert len(learner.fit(DATA, 1).transduce(DATA.sources, max_length=3).targets) == 5
