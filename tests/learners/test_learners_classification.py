"""Any encoder as a classifier: read at the last symbol, whatever is padded behind it."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from wug.errors import TrialError
from wug.learners.networks.classification import IN, ClassificationLoss, ClassificationNetwork, NetworkClassifier
from wug.learners.networks.learner import NetworkLearner
from wug.learners.networks.recurrent import GRU, LSTM, SimpleRNN
from wug.learners.networks.transformer import Transformer
from wug.learners.protocols import Classification
from wug.learners.registry import build_learner, learner_cards, parse_learner
from wug.learners.training.settings import training_settings
from wug.sequences import Corpus, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b"))
STRINGS = ["".join(letters) for n in range(7) for letters in product("ab", repeat=n)]
CORPUS = Corpus.from_strings(STRINGS, VOCABULARY)
LABELS = np.array(["bb" not in string for string in STRINGS])
DATA = Classification(VOCABULARY, CORPUS, LABELS, CORPUS, LABELS)
ENCODERS = [LSTM, GRU, SimpleRNN, Transformer]


def plainly(model: NetworkClassifier, string: Any) -> float:
    """The definition: one string alone, read at its last symbol."""
    inputs = torch.tensor([[VOCABULARY.start, *map(int, string)]])
    with torch.no_grad():
        features = model.network.encoder(inputs)[0, -1]
        return float(model.network.output(features).softmax(dim=0)[IN])


def learner(encoder: Any = GRU, **options: Any) -> NetworkLearner:
    return NetworkLearner(encoder, {"width": 16}, training_settings({"device": "cpu", **options}))


@pytest.mark.parametrize("encoder", ENCODERS)
def test_each_string_is_judged_as_if_it_were_alone(encoder: Any) -> None:
    model = learner(encoder, epochs=2).fit(DATA, 1)
    expected = [plainly(model, string) for string in CORPUS]
    np.testing.assert_allclose(model.classify(CORPUS), expected, atol=1e-5)
    backwards = np.arange(len(CORPUS))[::-1]
    np.testing.assert_allclose(model.classify(CORPUS.select(backwards))[backwards], expected, atol=1e-5)


def test_memory_is_bounded_by_batches_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = learner(Transformer, epochs=1).fit(DATA, 1)
    whole = model.classify(CORPUS)
    rows = []
    encode = model.network.encoder.forward
    monkeypatch.setattr(model.network.encoder, "forward", lambda ids: rows.append(ids.shape) or encode(ids))
    monkeypatch.setattr("wug.learners.networks.language_model._ATTENTION_ENTRIES", 100)
    np.testing.assert_allclose(model.classify(CORPUS), whole, atol=1e-6)
    assert max(n * time**2 for n, time in rows) <= 100
    assert len(rows) > 10


def test_the_loss_is_the_mean_over_strings() -> None:
    encoder = GRU(VOCABULARY.size, 8)
    network = ClassificationNetwork(encoder, 8)
    model = NetworkClassifier(network, VOCABULARY)
    right = np.where(LABELS, model.classify(CORPUS), 1 - model.classify(CORPUS))
    loss = ClassificationLoss(CORPUS, LABELS, next(network.parameters()))
    assert float(loss.loss(network, loss.whole()).detach()) == pytest.approx(-np.log(right).mean(), rel=1e-5)
    some = np.array([0, 5, 120])
    some_loss = loss.loss(network, loss.batch(some, np.ones(3, dtype=np.int64)))
    assert float(some_loss.detach()) == pytest.approx(-np.log(right[some]).mean(), rel=1e-5)


@pytest.mark.parametrize("batch_size", ["all", 32])
def test_a_network_learns_a_language(batch_size: Any) -> None:
    model = learner(GRU, epochs=60, batch_size=batch_size, learning_rate=0.02).fit(DATA, 1)
    assert np.array_equal(model.classify(CORPUS) > 0.5, LABELS)
    longer = Corpus.from_strings(["abababab", "ababbabababab"], VOCABULARY)
    assert (model.classify(longer) > 0.5).tolist() == [True, False]
    assert model.training_loss_nats < 0.1


def test_the_empty_string_has_an_answer_of_its_own() -> None:
    few = CORPUS.select(np.arange(7))
    model = learner(LSTM, epochs=200).fit(Classification(VOCABULARY, few, few.lengths == 0), 1)
    assert model.classify(Corpus.from_strings(["", "a", ""], VOCABULARY))[[0, 2]].min() > 0.9
    assert model.classify(Corpus.from_strings([], VOCABULARY)).shape == (0,)


def test_validation_chooses_the_parameters() -> None:
    turned = Classification(VOCABULARY, CORPUS, LABELS, CORPUS, ~LABELS)
    untrained = learner(epochs=0).fit(DATA, 1)
    model = learner(epochs=30, keep="best").fit(turned, 1)
    loss = ClassificationLoss(CORPUS, ~LABELS, model.network.output.weight)
    before, after = (float(loss.loss(m.network, loss.whole()).detach()) for m in (untrained, model))
    assert after <= before


def test_a_classifier_is_the_same_after_saving_and_loading(tmp_path: Path) -> None:
    own = learner(epochs=2)
    model = own.fit(DATA, 1)
    model.save(tmp_path)
    assert np.array_equal(own.load(tmp_path, DATA).classify(CORPUS), model.classify(CORPUS))


def test_epochs_are_reported_with_a_model_that_answers() -> None:
    seen = []
    learner(epochs=2).fit(DATA, 1, on_epoch=lambda report: seen.append(report.model.classify(CORPUS).shape))
    assert seen == [(len(CORPUS),)] * 2


def test_a_failing_encoder_is_named_with_the_length() -> None:
    class Short(torch.nn.Module):
        def __init__(self, vocabulary_size: int) -> None:
            super().__init__()
            self.table = torch.nn.Embedding(vocabulary_size, 4)

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            if ids.shape[1] > 3:
                raise ValueError("too long")
            return self.table(ids)

    model = NetworkClassifier(ClassificationNetwork(Short(3), 4), VOCABULARY)
    with pytest.raises(TrialError, match="a string of 6 symbols: too long"):
        model.classify(CORPUS)


@pytest.mark.parametrize("name", ["lstm", "gru", "srn", "transformer"])
def test_built_in_encoders_say_that_they_classify(name: str) -> None:
    (card,) = (card for card in learner_cards() if card.name == name)
    assert "classification" in card.settings
    assert card.settings <= build_learner(parse_learner(name)).settings


def test_baselines_answer_with_one_probability() -> None:
    mostly_in = Classification(VOCABULARY, CORPUS, np.arange(len(CORPUS)) > 5)
    answers = {name: build_learner(parse_learner(name)).fit(mostly_in, 1) for name in ("uniform", "constant", "nan")}
    assert set(answers["uniform"].classify(CORPUS)) == {0.5}
    assert set(answers["constant"].classify(CORPUS)) == {1.0}
    assert np.isnan(answers["nan"].classify(CORPUS)).all()
