"""MLRegTest's four classifiers: as the paper built them, alone and as replicas."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from wug.errors import InputError, TrialError
from wug.learners.networks.classifiers.architectures import build_network
from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.learners import (
    MLRegTestGRU,
    MLRegTestLSTM,
    MLRegTestSRN,
    MLRegTestTransformer,
)
from wug.learners.networks.classifiers.network import Batch
from wug.learners.networks.classifiers.optimisers import make_optimiser
from wug.learners.networks.classifiers.parameters import draw_parameters, split_parameters
from wug.learners.networks.classifiers.strings import PaddedStrings, letter_ids
from wug.learners.protocols import Classification
from wug.learners.registry import build_learner, learner_cards, parse_learner
from wug.sequences import Corpus, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b", "c"))
CORPUS = Corpus.from_strings(["".join(s) for n in range(1, 6) for s in product("ab", repeat=n)], VOCABULARY)
LABELS = np.array(["bb" not in string for string in CORPUS.texts()])
DATA = Classification(VOCABULARY, CORPUS, LABELS)
LEARNERS = [MLRegTestSRN, MLRegTestGRU, MLRegTestLSTM, MLRegTestTransformer]
RECURRENT = LEARNERS[:3]


def small(kind: Any, **options: Any) -> Any:
    return kind(**{"width": 6, "epochs": 2, "device": "cpu", **options})


def tasks(n: int) -> list[Classification]:
    """Data sets of one shape, each with its own strings and labels."""
    rng = np.random.default_rng(0)
    chosen = [rng.permutation(len(CORPUS))[:40] for _ in range(n)]
    return [Classification(VOCABULARY, CORPUS.select(rows), LABELS[rows] ^ (rows % 7 == 0)) for rows in chosen]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("letters", "counts"),
    [
        (4, [17_090, 13_026, 547_458, 1_091_714]),
        (16, [17_474, 13_410, 550_530, 1_094_786]),
        (64, [19_010, 14_946, 562_818, 1_107_074]),
    ],
)
def test_parameters_are_as_many_as_in_the_papers_table_6(letters: int, counts: list[int]) -> None:
    found = []
    for kind in LEARNERS:
        own = kind()
        network = build_network(own.architecture, letters, own.width, own.layers, own.dropout, False)
        found.append(sum(parameter.size for parameter in network.parameters))
    assert found == counts


def test_hyperparameters_are_those_of_the_papers_table_5() -> None:
    table = {
        (MLRegTestSRN, "adam", 1e-4, 32, 4, 0.1),
        (MLRegTestGRU, "rmsprop", 1e-2, 32, 2, 0.1),
        (MLRegTestLSTM, "rmsprop", 1e-4, 256, 2, 0.0),
        (MLRegTestTransformer, "adam", 1e-4, 256, 2, 0.1),
    }
    for kind, optimizer, rate, width, layers, dropout in table:
        own = kind()
        assert (own.optimizer, own.learning_rate, own.width) == (optimizer, rate, width)
        assert (own.layers, own.dropout) == (layers, dropout)
        assert (own.epochs, own.batch_size, own.loss, own.padding) == (64, 64, "cross-entropy", "input")


def test_initial_parameters_are_kerass() -> None:
    width = 24
    network = build_network("lstm", 3, width, 2, 0.0, False)
    values = draw_parameters(network.parameters, rng=np.random.default_rng(1))
    parts = {name: part[0].numpy() for name, part in split_parameters(network.parameters, values[None]).items()}
    recurrent = parts["recurrent"]
    np.testing.assert_allclose(recurrent.T @ recurrent, np.eye(width), atol=1e-12)
    limit = np.sqrt(6 / (width + 4 * width))
    assert 0.95 * limit < np.abs(parts["kernel"]).max() <= limit
    assert 0.045 < np.abs(parts["embedding"]).max() <= 0.05
    assert parts["bias"].reshape(4, width).tolist() == [[0] * width, [1] * width, [0] * width, [0] * width]
    assert not parts["dense_bias_0"].any()
    assert (parts["scale"] == 1).all()
    wide = build_network("transformer", 3, width, 2, 0.0, False).parameters
    attention = next(parameter for parameter in wide if parameter.name == "attention_0")
    limit = np.sqrt(6 / (2 * width + width * width))  # fans of a kernel (width, heads, width) in Keras
    assert 0.95 * limit < np.abs(attention.draw(np.random.default_rng(1))).max() <= limit


def test_optimisers_are_kerass() -> None:
    rng = np.random.default_rng(0)
    start, gradients = rng.normal(size=(2, 5)), [rng.normal(size=(2, 5)) * 1e-6 for _ in range(3)]
    rate, epsilon = 0.01, 1e-7
    adam, first, second = start.copy(), np.zeros((2, 5)), np.zeros((2, 5))
    rmsprop, mean_square = start.copy(), np.zeros((2, 5))
    for step, gradient in enumerate(gradients, 1):
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        adam -= rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step) * first / (np.sqrt(second) + epsilon)
        mean_square = 0.9 * mean_square + 0.1 * gradient**2
        rmsprop -= rate * gradient / (np.sqrt(mean_square) + epsilon)
    expected = {"adam": adam, "rmsprop": rmsprop, "sgd": start - rate * np.sum(gradients, axis=0)}
    for name, wanted in expected.items():
        values = torch.from_numpy(start.copy())
        optimiser = make_optimiser(name, rate, values)
        for gradient in gradients:
            optimiser.step(values, torch.from_numpy(gradient.copy()))
        np.testing.assert_allclose(values.numpy(), wanted, rtol=1e-9)


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("padding", ["input", "masked"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared-error"])
def test_replicas_learn_what_they_learn_alone(kind: Any, padding: str, loss: str) -> None:
    learner = small(kind, dtype="float64", padding=padding, loss=loss, batch_size=16, dropout=0.2)
    data, seeds = tasks(3), [5, 6, 7]
    alone = [learner.fit(each, seed) for each, seed in zip(data, seeds, strict=True)]
    together = learner.fit_together(data, seeds)
    for one, other in zip(alone, together, strict=True):
        assert other.training_loss_nats == pytest.approx(one.training_loss_nats, rel=1e-9)
        torch.testing.assert_close(other.values, one.values, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(other.classify(CORPUS), one.classify(CORPUS), rtol=1e-6)


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_replica_that_diverges_does_not_touch_the_others(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = small(kind, dtype="float64", batch_size=16)
    data, seeds = tasks(3), [5, 6, 7]
    alone = [learner.fit(each, seed) for each, seed in zip(data, seeds, strict=True)]
    training = learner._training
    network = learner._network(data[0])
    ill = {"network": torch.full((sum(p.size for p in network.parameters),), torch.nan, dtype=torch.float64)}
    train = "wug.learners.networks.classifiers.training.train_together"
    own = __import__(train.rpartition(".")[0], fromlist=["train_together"]).train_together
    monkeypatch.setattr(train, lambda *args, states, on_pass: own(*args, states=[None, ill, None]))
    assert learner._training == training
    together = learner.fit_together(data, seeds)
    assert isinstance(together[1], TrialError)
    assert "became nan in epoch 1 of 2" in str(together[1])
    for place in (0, 2):
        torch.testing.assert_close(together[place].values, alone[place].values, rtol=1e-6, atol=1e-9)


def test_alone_divergence_fails_the_trial() -> None:
    with pytest.raises(TrialError, match=r"in epoch \d+ of 30"):
        small(MLRegTestGRU, optimizer="sgd", learning_rate=1e30, epochs=30).fit(DATA, 1)


def test_data_of_different_shapes_are_trained_in_groups_of_their_own() -> None:
    learner = small(MLRegTestSRN, dtype="float64", epochs=1)
    few = Classification(VOCABULARY, CORPUS.select(slice(0, 10)), LABELS[:10])
    data, seeds = [DATA, few, DATA], [1, 2, 3]
    together = learner.fit_together(data, seeds)
    for each, seed, model in zip(data, seeds, together, strict=True):
        torch.testing.assert_close(model.values, learner.fit(each, seed).values, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("padding", ["input", "masked"])
def test_a_string_is_judged_the_same_in_any_company(kind: Any, padding: str) -> None:
    model = small(kind, padding=padding).fit(DATA, 1)
    together = model.classify(CORPUS)
    alone = [float(model.classify(CORPUS.select([row]))[0]) for row in (0, 20, 61)]
    np.testing.assert_allclose(together[[0, 20, 61]], alone, atol=1e-5)
    assert ((together > 0) & (together < 1)).all()
    with_empty = Corpus.from_strings(["ab", "", "a"], VOCABULARY)
    assert np.isfinite(model.classify(with_empty)).all()
    assert model.classify(Corpus.from_strings([], VOCABULARY)).shape == (0,)


@pytest.mark.parametrize("kind", LEARNERS)
def test_padding_is_read_or_left_out(kind: Any) -> None:
    """Turning the padding's embedding round changes the answers just where the padding is read."""
    for padding, changes in (("input", True), ("masked", False)):
        model = small(kind, padding=padding).fit(DATA, 1)
        before = model.classify(CORPUS)
        model.values[: model.network.width] += 1.0
        assert (np.abs(model.classify(CORPUS) - before).max() > 1e-4) == changes


@pytest.mark.parametrize("kind", RECURRENT)
def test_longer_strings_are_read_to_their_end(kind: Any) -> None:
    model = small(kind).fit(DATA, 1)
    strings = Corpus.from_strings(["ab" * 40, "a", "b" * 70], VOCABULARY)
    ids = PaddedStrings.of(strings.select([0]), model.letter_ids, 80)
    parts = split_parameters(model.network.parameters, model.values[None])
    batch = Batch(torch.from_numpy(ids.ids).long()[None], torch.from_numpy(ids.lengths)[None])
    with torch.no_grad():
        logits = model.network.logits(parts, batch, None)[0, 0]
    assert model.classify(strings)[0] == pytest.approx(float(logits.softmax(dim=0)[0]), abs=1e-5)
    assert small(kind, epochs=1).fit(Classification(VOCABULARY, strings, LABELS[:3]), 1).epochs == 1


def test_the_transformer_refuses_more_than_64_letters() -> None:
    model = small(MLRegTestTransformer, epochs=0).fit(DATA, 1)
    with pytest.raises(TrialError, match="up to 64 letters; string 2 has 65"):
        model.classify(Corpus.from_strings(["a" * 64, "a" * 65], VOCABULARY))
    with pytest.raises(InputError, match="up to 64 letters; one to learn from has 70"):
        small(MLRegTestTransformer).fit(
            Classification(VOCABULARY, Corpus.from_strings(["a" * 70], VOCABULARY), LABELS[:1]), 1
        )


def test_letters_are_numbered_by_first_appearance_and_unseen_ones_last() -> None:
    vocabulary = Vocabulary(("#", "a", "b", "c", "d", "e"))
    training, validation = (Corpus.from_strings(strings, vocabulary) for strings in (["cca", "c"], ["ae"]))
    data = Classification(vocabulary, training, np.array([True, False]), validation, np.array([True]))
    assert letter_ids(data).tolist() == [0, 2, 4, 1, 5, 3]
    model = small(MLRegTestGRU).fit(data, 1)
    unseen = Corpus.from_strings(["bd"], vocabulary)
    assert np.isfinite(model.classify(unseen)).all()
    initial = small(MLRegTestGRU, epochs=0).fit(data, 1)
    row = 4 * model.network.width
    assert torch.equal(model.values[row : row + 6], initial.values[row : row + 6])


def test_a_network_learns_a_language() -> None:
    learner = MLRegTestGRU(padding="masked", epochs=60, batch_size=16, device="cpu")
    first, second = learner.fit_together([DATA, DATA], [1, 2])
    for model in (first, second):
        assert np.array_equal(model.classify(CORPUS) > 0.5, LABELS)


def test_equal_seeds_give_equal_models_and_leave_randomness_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    models = [small(MLRegTestGRU).fit(DATA, seed) for seed in (1, 1, 2)]
    assert torch.equal(torch.rand(2), expected)
    assert torch.equal(models[0].values, models[1].values)
    assert not torch.equal(models[0].values, models[2].values)
    assert float(torch.tensor(2.0**-1060, dtype=torch.float64) * 1.0) > 0


def test_training_continues_from_a_state() -> None:
    learner = small(MLRegTestGRU)
    model = learner.fit(DATA, 1)
    same = small(MLRegTestGRU, epochs=0).fit(DATA, 2, state=model.state)
    assert torch.equal(same.values, model.values)
    only_network = learner.fit(DATA, 2, state={"network": model.state["network"]})
    whole = learner.fit(DATA, 2, state=model.state)
    assert not torch.equal(only_network.values, whole.values)


def test_a_model_is_the_same_after_saving_and_loading(tmp_path: Path) -> None:
    learner = small(MLRegTestTransformer, width=8)
    model = learner.fit(DATA, 1)
    model.save(tmp_path)
    assert np.array_equal(learner.load(tmp_path, DATA).classify(CORPUS), model.classify(CORPUS))
    with pytest.raises(InputError, match="does not fit: 'attended_0' is"):
        small(MLRegTestTransformer, width=4).load(tmp_path, DATA)
    with pytest.raises(InputError, match="there is no file"):
        learner.load(tmp_path / "nowhere", DATA)


def test_epochs_are_reported_with_a_model_that_answers() -> None:
    seen = []
    small(MLRegTestSRN).fit(DATA, 1, on_epoch=lambda report: seen.append((report.epoch, report.model.classify(CORPUS))))
    assert [epoch for epoch, _ in seen] == [1, 2]
    assert not np.array_equal(seen[0][1], seen[1][1])


def test_dropped_values_are_as_many_as_the_rate_says_and_ones_own() -> None:
    def dropout(*seeds: int) -> Dropout:
        return Dropout([np.random.default_rng(seed) for seed in seeds], torch.empty(0))

    factors = dropout(1, 2).factors(0.25, (100, 1001))
    assert factors.shape == (2, 100, 1001)
    assert factors.unique().tolist() == pytest.approx([0.0, 4 / 3], rel=1e-6)
    assert float((factors == 0).double().mean()) == pytest.approx(0.25, abs=0.005)
    assert torch.equal(factors[1:], dropout(2).factors(0.25, (100, 1001)))
    assert not torch.equal(factors[0], factors[1])


@pytest.mark.parametrize("name", ["mlregtest-srn", "mlregtest-gru", "mlregtest-lstm", "mlregtest-transformer"])
def test_learners_are_listed_and_take_options(name: str) -> None:
    (card,) = (card for card in learner_cards() if card.name == name)
    spec = parse_learner(name, {"width": "8", "epochs": "1", "dropout": "0.5"})
    learner: Any = build_learner(spec)
    assert learner.settings == card.settings == {"classification"}
    assert (learner.width, learner.epochs, learner.dropout) == (8, 1, 0.5)
    assert spec.replicas == learner.replicas


@pytest.mark.parametrize(
    ("option", "value"), [("dropout", 1.0), ("width", 0), ("padding", "left"), ("optimizer", "lion"), ("device", "tpu")]
)
def test_impossible_options_are_refused(option: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"option '{option}' of MLRegTestGRU cannot be"):
        parse_learner("mlregtest-gru", {option: value})


def test_nothing_to_learn_from_is_refused() -> None:
    nothing = Classification(VOCABULARY, Corpus.from_strings([], VOCABULARY), np.array([], dtype=bool))
    with pytest.raises(InputError, match="no strings to learn from"):
        small(MLRegTestGRU).fit(nothing, 1)
