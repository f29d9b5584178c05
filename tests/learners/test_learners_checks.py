"""Every broken encoder is found by the check that is meant for it; whole ones pass."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import broken_encoders
import numpy as np
import pytest
import torch

from wug.learners.checks import check_learner
from wug.learners.checks.encoders import check_encoder
from wug.learners.checks.models import check_fitting
from wug.learners.protocols import Coverage
from wug.learners.registry import build_learner, parse_learner


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("lstm", {}),
        ("lstm", {"layers": 2, "width": 5}),
        ("gru", {}),
        ("gru", {"layers": 2}),
        ("srn", {}),
        ("srn", {"layers": 3}),
        ("transformer", {}),
        ("transformer", {"positions": "rotary", "layers": 1}),
        ("transformer", {"positions": "none", "heads": 1}),
        ("uniform", {}),
        ("constant", {}),
        ("repeat-last", {}),
    ],
)
def test_built_in_learners_keep_every_contract(name: str, options: dict[str, Any]) -> None:
    checks = check_learner(build_learner(parse_learner(name, options)))
    assert [check for check in checks if check.outcome == "failed"] == []


def test_a_user_encoder_that_keeps_every_contract_passes_all_checks() -> None:
    learner = build_learner(parse_learner(f"{broken_encoders.__file__}:Fine"))
    assert {check.outcome for check in check_learner(learner)} == {"passed"}


@pytest.mark.parametrize("encoder", list(broken_encoders.BROKEN), ids=lambda encoder: encoder.__name__)
def test_what_is_broken_is_found_and_said(encoder: type[torch.nn.Module]) -> None:
    statement, words = broken_encoders.BROKEN[encoder]
    failed = {check.name: check.message for check in check_encoder(encoder, {}) if check.outcome == "failed"}
    assert statement in failed
    assert words in failed[statement]


@pytest.mark.parametrize("name", ["UnusedLayer", "Detached", "StepDisagrees", "GrowingState", "HiddenRandomness"])
def test_one_fault_is_not_reported_as_another(name: str) -> None:
    encoder = getattr(broken_encoders, name)
    failed = [check.name for check in check_encoder(encoder, {}) if check.outcome == "failed"]
    assert failed == [broken_encoders.BROKEN[encoder][0]]


def test_checking_leaves_the_random_state_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    check_encoder(broken_encoders.Fine, {})
    assert torch.equal(torch.rand(3), expected)


class _Model:
    """A uniform model that can be made to break its contract."""

    def __init__(self, vocabulary: Any, fault: str) -> None:
        self.vocabulary = vocabulary
        self.fault = fault

    def predict(self, corpus: Any, observer: Any, *, operations: float = np.inf) -> Coverage:
        row = np.full((1, 3), -np.log(3.0))
        for string, length in enumerate(corpus.lengths):
            stop = length + (self.fault != "stops early")
            if self.fault == "peeks":
                row = np.log(np.array([[1.0, length + 1.0, 1.0]]) / (length + 3.0))
            if self.fault == "no distribution":
                row = np.zeros((1, 3))
            if self.fault == "repeats":
                observer.observe(np.array([string]), np.array([0]), np.array([1]), row)
            observer.observe(np.array([string]), np.array([0]), np.array([stop]), row)
        return Coverage(len(corpus) - (self.fault == "miscounts"), 0.0)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("stops early", "no prediction for position 4 of the string 'aabb'"),
        ("repeats", "came at position 0 where position 1 was due"),
        ("miscounts", "says that it did 5 strings of 6"),
        ("no distribution", "sum to 3"),
        ("peeks", "between the string alone"),
        ("", ""),
    ],
)
def test_broken_models_are_found(fault: str, words: str) -> None:
    def fit(data: Any, seed: int, *, state: Any = None, on_epoch: Any = None) -> _Model:
        return _Model(data.vocabulary, fault)

    learner: Any = SimpleNamespace(settings=frozenset({"language_modelling"}), fit=fit)
    failed = [check.message for check in check_fitting(learner) if check.outcome == "failed"]
    assert failed == [] if not fault else any(words in message for message in failed)


def test_a_learner_that_differs_between_fits_is_found() -> None:
    draws = np.random.default_rng(0)

    def fit(data: Any, seed: int, *, state: Any = None, on_epoch: Any = None) -> Any:
        probabilities = draws.dirichlet(np.ones(3))[None]

        def predict(corpus: Any, observer: Any, *, operations: float = np.inf) -> Coverage:
            every = np.arange(len(corpus))
            observer.observe(every, 0 * every, corpus.lengths + 1, np.log(probabilities).repeat(len(corpus), 0))
            return Coverage(len(corpus), 0.0)

        return SimpleNamespace(vocabulary=data.vocabulary, predict=predict)

    learner: Any = SimpleNamespace(settings=frozenset({"language_modelling"}), fit=fit)
    failed = {check.name for check in check_fitting(learner) if check.outcome == "failed"}
    assert failed == {"equal data and seeds give equal models"}


def test_the_list_of_broken_encoders_is_complete() -> None:
    source = Path(broken_encoders.__file__).read_text()
    assert source.count("\nclass ") == len(broken_encoders.BROKEN) + 1
