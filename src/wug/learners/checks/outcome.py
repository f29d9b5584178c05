"""What a check found, and which checks a learner goes through."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from wug.learners.protocols import Learner


@dataclass(frozen=True)
class Check:
    """One contract and whether the learner keeps it."""

    name: str
    """What was checked, as a statement that should hold."""
    outcome: Literal["passed", "failed", "noted"]
    """'noted' where something optional is missing."""
    message: str = ""
    """What is wrong and where, or what is missing and what follows from it."""


_EPOCHS = 3
"""Passes of training of a network that is only checked."""


class Broken(Exception):  # noqa: N818 - raised inside a check to say what is wrong, not to the user
    """The contract is broken; the message says how."""


class Missing(Exception):  # noqa: N818
    """Something optional is missing; the message says what follows."""


Test = tuple[str, Callable[[], None]]
"""A statement, and a function that raises Broken or Missing where it does not hold."""


def run_checks(tests: Sequence[Test], *, essential: int = 0) -> list[Check]:
    """Return the outcomes of the tests; the rest is left out when one of the first ``essential`` tests fails.

    Any other exception of a test is the learner's and fails the test.
    """
    checks: list[Check] = []
    for number, (name, test) in enumerate(tests):
        try:
            test()
        except Missing as missing:
            checks.append(Check(name, "noted", str(missing)))
        except Broken as broken:
            checks.append(Check(name, "failed", str(broken)))
        except Exception as error:
            checks.append(Check(name, "failed", _in_words(error)))
        else:
            checks.append(Check(name, "passed"))
        if number < essential and checks[-1].outcome == "failed":
            break
    return checks


def check_learner(learner: Learner) -> list[Check]:
    """Run all contract tests that fit a learner."""
    from wug.learners.checks.encoders import check_encoder
    from wug.learners.checks.models import check_fitting
    from wug.learners.networks.learner import NetworkLearner

    if not isinstance(learner, NetworkLearner):
        return check_fitting(learner)
    checks = check_encoder(learner.encoder, learner.options)
    if any(check.outcome == "failed" for check in checks):
        return checks
    few_epochs = learner.training.model_copy(update={"epochs": min(learner.training.epochs, _EPOCHS)})
    return checks + check_fitting(replace(learner, training=few_epochs))


def _in_words(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    return f"it raised {type(error).__name__}: {str(error).strip() or 'no message'}{place}"
