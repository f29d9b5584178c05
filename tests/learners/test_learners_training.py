"""The training loop: the loss it means, what it keeps, when it stops, and that it does the same twice."""

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from wug.errors import InputError, TrialError
from wug.learners.networks.learner import NetworkLearner
from wug.learners.networks.next_symbol import NextSymbolLoss, NextSymbolNetwork
from wug.learners.networks.recurrent import GRU, LSTM, SimpleRNN
from wug.learners.networks.transformer import Transformer
from wug.learners.protocols import EpochReport, LanguageModelling
from wug.learners.training.loop import _draw
from wug.learners.training.optimisers import learning_rate_factor, make_optimiser
from wug.learners.training.settings import TrainingSettings, training_settings
from wug.sequences import Corpus, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b"))
STRINGS = Corpus.from_strings(["ab", "aabb", "", "aaabbb", "b"], VOCABULARY)
COUNTS = np.array([4, 3, 1, 2, 1])
DATA = LanguageModelling(VOCABULARY, STRINGS, COUNTS)
LIKE = torch.zeros((), dtype=torch.float64)


def fit(data: LanguageModelling = DATA, encoder: Any = GRU, seed: int = 1, **options: Any) -> Any:
    callbacks = {name: options.pop(name) for name in ("state", "on_epoch") if name in options}
    settings = training_settings({"epochs": 5, "dtype": "float64", **options})
    return NetworkLearner(encoder, {"width": 8}, settings).fit(data, seed, **callbacks)


def parameters(model: Any) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in model.network.parameters()])


def plain_loss(network: torch.nn.Module, strings: list[list[int]]) -> float:
    """The definition: mean over the symbols of a list of strings, one string at a time."""
    total, symbols = 0.0, 0
    for string in strings:
        with torch.no_grad():
            log_probabilities = network(torch.tensor([[0, *string]]))[0].log_softmax(-1)
        total -= sum(float(log_probabilities[t, target]) for t, target in enumerate([*string, 0]))
        symbols += len(string) + 1
    return total / symbols


def repeated(corpus: Corpus, counts: Any) -> list[list[int]]:
    return [corpus[i].tolist() for i in range(len(corpus)) for _ in range(counts[i])]


@pytest.mark.parametrize("encoder", [GRU, Transformer])
def test_weighted_unique_strings_have_the_loss_of_repeated_ones(encoder: Any) -> None:
    torch.manual_seed(0)
    network = NextSymbolNetwork(encoder(3, 8), 8, 3).double()
    objective = NextSymbolLoss(STRINGS, COUNTS, LIKE)
    expected = plain_loss(network, repeated(STRINGS, COUNTS))
    assert objective.loss(network, objective.whole()).item() == pytest.approx(expected, abs=1e-12)
    some = objective.batch(np.array([0, 2]), np.array([2, 1]))
    expected = plain_loss(network, [[1, 2], [1, 2], []])
    assert objective.loss(network, some).item() == pytest.approx(expected, abs=1e-12)


def test_the_recorded_loss_is_that_of_the_kept_parameters() -> None:
    model = fit()
    assert model.training_loss_nats == pytest.approx(plain_loss(model.network, repeated(STRINGS, COUNTS)), abs=1e-12)
    assert model.epochs == 5


def test_batches_draw_every_repetition_once_a_pass() -> None:
    objective = NextSymbolLoss(STRINGS, COUNTS, LIKE)
    drawn: list[tuple[Any, Any]] = []
    objective.batch = lambda items, counts: drawn.append((items, counts))  # type: ignore[method-assign,return-value,assignment]
    weights = [weight for _, weight in _draw(objective, 4, np.random.default_rng(0))]
    assert [int(counts.sum()) for _, counts in drawn] == [4, 4, 3]
    total = np.zeros(5, dtype=int)
    for items, counts in drawn:
        np.add.at(total, items, counts)
    np.testing.assert_array_equal(total, COUNTS)
    assert sum(weights) == ((STRINGS.lengths + 1) * COUNTS).sum()


def test_a_batch_of_all_strings_is_the_whole_batch() -> None:
    whole, drawn = fit(), fit(batch_size=int(COUNTS.sum()))
    torch.testing.assert_close(parameters(whole), parameters(drawn), atol=1e-9, rtol=0)


@pytest.mark.parametrize("batch_size", ["all", 3])
@pytest.mark.parametrize("encoder", [LSTM, GRU, SimpleRNN, Transformer])
def test_equal_seeds_give_equal_models_and_others_do_not(encoder: Any, batch_size: Any) -> None:
    one, same, other = (fit(encoder=encoder, seed=s, batch_size=batch_size, dtype="float32") for s in (1, 1, 2))
    assert torch.equal(parameters(one), parameters(same))
    assert not torch.equal(parameters(one), parameters(other))


def test_global_random_states_are_neither_used_nor_changed() -> None:
    torch.manual_seed(1)
    np.random.seed(1)
    first = fit(batch_size=3)
    drawn = torch.rand(2), np.random.random()
    torch.manual_seed(2)
    np.random.seed(2)
    second = fit(batch_size=3)
    assert torch.equal(parameters(first), parameters(second))
    torch.manual_seed(1)
    np.random.seed(1)
    assert torch.equal(torch.rand(2), drawn[0])
    assert np.random.random() == drawn[1]


def test_training_learns_the_strings() -> None:
    model = fit(epochs=300)
    unigram = -sum(p * math.log(p) for p in np.array([11, 17, 17]) / 45)
    assert model.training_loss_nats < 0.6 * unigram


def test_continuing_is_the_same_as_never_stopping() -> None:
    whole = fit(epochs=9)
    first = fit(epochs=4)
    kept = parameters(first)
    second = fit(epochs=5, state=first.state, seed=99)
    torch.testing.assert_close(parameters(second), parameters(whole), atol=1e-12, rtol=0)
    assert torch.equal(parameters(first), kept)
    third = fit(epochs=5, state=first.state, seed=99)
    assert torch.equal(parameters(third), parameters(second))


def test_what_a_state_leaves_out_begins_anew() -> None:
    state = fit(epochs=4, optimizer="sgd").state  # plain descent remembers nothing
    weights = fit(state={"network": state["network"]}, optimizer="sgd")
    assert torch.equal(parameters(weights), parameters(fit(state=state, optimizer="sgd")))
    adam = fit(epochs=4).state
    carried = fit(state={"optimiser": adam["optimiser"]})
    assert not torch.equal(parameters(carried), parameters(fit()))
    no_updates = fit(epochs=0, state={"optimiser": adam["optimiser"]})
    assert torch.equal(parameters(no_updates), parameters(fit(epochs=0)))


def test_no_epochs_give_the_initial_network() -> None:
    model = fit(epochs=0)
    assert model.epochs == 0
    assert model.training_loss_nats == pytest.approx(plain_loss(model.network, repeated(STRINGS, COUNTS)))


def test_every_epoch_is_reported_with_a_model_that_answers() -> None:
    reports: list[tuple[int, int, float, float]] = []

    def look(report: EpochReport) -> None:
        assert not report.model.network.training
        loss = plain_loss(report.model.network, repeated(STRINGS, COUNTS))
        reports.append((report.epoch, report.epochs, report.loss_nats, loss))

    model = fit(on_epoch=look)
    assert [report[:2] for report in reports] == [(epoch, 5) for epoch in range(1, 6)]
    # with one update a pass, a pass's training loss is that of the parameters before it
    for before, after in pairwise(reports):
        assert after[2] == pytest.approx(before[3])
    assert reports[-1][3] == pytest.approx(model.training_loss_nats)
    assert torch.equal(parameters(model), parameters(fit()))


def best_of_every_pass(measured: Corpus | None = None, **options: Any) -> float:
    losses = []
    strings = repeated(STRINGS, COUNTS) if measured is None else [string.tolist() for string in measured]
    fit(on_epoch=lambda report: losses.append(plain_loss(report.model.network, strings)), **options)
    return min(losses)


def test_the_best_parameters_are_kept_by_training_loss() -> None:
    options = {"epochs": 30, "learning_rate": 0.5, "optimizer": "sgd", "batch_size": 2}
    last, best = fit(**options), fit(keep="best", **options)
    assert best.training_loss_nats == pytest.approx(best_of_every_pass(**options), abs=1e-12)
    assert best.training_loss_nats < last.training_loss_nats


def test_the_best_parameters_are_kept_by_validation_loss() -> None:
    validation = Corpus.from_strings(["aaaabbbb", "aaaaabbbbb"], VOCABULARY)
    data = replace(DATA, validation=validation)
    strings = [string.tolist() for string in validation]
    options = {"epochs": 60, "learning_rate": 0.05}
    best = fit(data, keep="best", **options)
    assert plain_loss(best.network, strings) == pytest.approx(best_of_every_pass(validation, **options), abs=1e-12)
    assert plain_loss(best.network, strings) < plain_loss(fit(**options).network, strings)
    assert torch.equal(parameters(fit(data, **options)), parameters(fit(**options)))


def test_patience_stops_that_many_passes_after_the_best() -> None:
    validation = Corpus.from_strings(["aaaabbbb", "aaaaabbbbb"], VOCABULARY)
    strings = [string.tolist() for string in validation]
    losses: list[float] = [math.inf]

    def look(report: EpochReport) -> None:
        losses.append(plain_loss(report.model.network, strings))

    data = replace(DATA, validation=validation)
    model = fit(data, epochs=400, learning_rate=0.05, patience=7, on_epoch=look)
    assert model.epochs < 400
    assert model.epochs == len(losses) - 1
    assert int(np.argmin(losses)) == model.epochs - 7


def test_a_loss_that_is_not_finite_fails_the_trial_by_epoch() -> None:
    class Exploding(GRU):
        calls = 0

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            Exploding.calls += self.training
            return super().forward(ids) * (math.inf if Exploding.calls >= 3 else 1.0)

    with pytest.raises(TrialError, match="training loss became nan in epoch 3 of 5"):
        fit(encoder=Exploding)


def test_a_last_update_that_breaks_the_network_is_noticed() -> None:
    class BrokenAfterwards(GRU):
        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            return super().forward(ids) * (1.0 if self.training else math.nan)

    with pytest.raises(TrialError, match="training loss became nan after epoch 5 of 5"):
        fit(encoder=BrokenAfterwards)


def gradient(network: Any, penalty: Any) -> torch.Tensor:
    values = list(network.parameters())
    objective = NextSymbolLoss(STRINGS, COUNTS, LIKE)
    loss = objective.loss(network, objective.whole()) + penalty(torch.cat([value.flatten() for value in values]))
    return torch.cat([part.flatten() for part in torch.autograd.grad(loss, values)])


@pytest.mark.parametrize(
    ("options", "penalty"),
    [
        ({"l1": 0.3}, lambda flat: 0.3 * flat.abs().sum()),
        ({"l2": 0.2}, lambda flat: 0.2 * (flat**2).sum()),
        ({"l1": 0.1, "l2": 0.2}, lambda flat: 0.1 * flat.abs().sum() + 0.2 * (flat**2).sum()),
        ({}, lambda flat: 0.0 * flat.sum()),
    ],
)
def test_an_update_follows_the_gradient_of_loss_and_penalty(options: dict[str, float], penalty: Any) -> None:
    start = fit(epochs=0)
    after = fit(epochs=1, optimizer="sgd", learning_rate=0.5, **options)
    expected = parameters(start) - 0.5 * gradient(start.network, penalty)
    torch.testing.assert_close(parameters(after), expected, atol=1e-12, rtol=0)


def test_long_gradients_are_cut_to_the_norm() -> None:
    start, after = fit(epochs=0), fit(epochs=1, optimizer="sgd", learning_rate=1.0, clip_norm=0.01)
    moved = parameters(after) - parameters(start)
    assert float(moved.norm()) == pytest.approx(0.01, rel=1e-4)
    whole = gradient(start.network, lambda flat: 0.0 * flat.sum())
    assert float(torch.cosine_similarity(moved, -whole, dim=0)) == pytest.approx(1.0)


@pytest.mark.parametrize("name", TrainingSettings.model_fields["optimizer"].annotation.__args__)  # type: ignore[union-attr]
def test_every_optimiser_lowers_the_loss(name: str) -> None:
    start = fit(epochs=0).training_loss_nats
    rate = {"adadelta": 1.0, "sgd": 0.1}.get(name, 0.01)
    assert fit(epochs=20, optimizer=name, learning_rate=rate).training_loss_nats < start


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd", "adagrad", "rmsprop", "nadam"])
def test_the_quick_variants_are_torchs_optimisers(name: str) -> None:
    settings = training_settings({"optimizer": name, "learning_rate": 0.1})
    quick, plain = (torch.nn.Parameter(torch.ones(3, dtype=torch.float64)) for _ in range(2))
    ours = make_optimiser(settings, [quick])
    theirs = type(ours)([plain], lr=0.1)  # type: ignore[call-arg]
    for _ in range(5):
        for parameter, optimiser in ((quick, ours), (plain, theirs)):
            optimiser.zero_grad()
            (parameter**2 * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
            optimiser.step()
    torch.testing.assert_close(quick, plain, atol=1e-12, rtol=0)


def test_schedules() -> None:
    def factors(schedule: Any, warmup: int) -> list[float]:
        return [learning_rate_factor(schedule, warmup, update, 10) for update in range(10)]

    assert factors("constant", 4) == [0.25, 0.5, 0.75] + [1.0] * 7
    assert factors("linear", 0) == pytest.approx([1 - update / 10 for update in range(10)])
    assert factors("linear", 2) == pytest.approx([0.5, 1.0] + [1 - n / 8 for n in range(8)])
    assert factors("cosine", 0)[5] == pytest.approx(0.5)
    assert factors("inverse-sqrt", 4) == pytest.approx(
        [0.25, 0.5, 0.75, 1.0] + [2 / math.sqrt(n) for n in range(5, 11)]
    )


def test_a_schedule_governs_the_updates() -> None:
    start, after = fit(epochs=0), fit(epochs=1, optimizer="sgd", learning_rate=1.0, warmup=10)
    expected = -0.1 * gradient(start.network, lambda flat: 0.0 * flat.sum())
    torch.testing.assert_close(parameters(after) - parameters(start), expected, atol=1e-12, rtol=0)


def test_the_type_of_the_arithmetic() -> None:
    single, double = fit(dtype="float32"), fit(dtype="float64")
    assert parameters(single).dtype == torch.float32
    assert parameters(double).dtype == torch.float64
    torch.testing.assert_close(parameters(single).double(), parameters(double), atol=1e-4, rtol=0)


def test_settings_of_another_kind_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be fitted to graph colouring"):
        NetworkLearner(GRU).fit(replace(DATA, setting="graph_colouring"), 1)
    with pytest.raises(InputError, match="unknown option of training 'epoch'; did you mean 'epochs'"):
        training_settings({"epoch": 3})
