"""The exceptions that wug raises on purpose.

WugError            a sentence for the user; the command line prints it without a traceback
├── InputError      the request was wrong: a name, a file, a setting (exit status 2)
└── TrialError      a trial could not give its scores: a learner failed, a loss was not finite
"""

import difflib
from collections.abc import Iterable
from typing import Any


class WugError(Exception):
    """A failure that one sentence explains."""


class InputError(WugError):
    """The request was wrong; the sentence says what, where, and what would be right."""


class TrialError(WugError):
    """A learner or model broke its contract during a trial, which is recorded as failed."""

    def __init__(self, sentence: str, *, scores: tuple[Any, ...] = ()) -> None:
        """Say what went wrong; ``scores`` (of wug.benchmarks.protocol.Score) are kept with the failed trial."""
        super().__init__(sentence)
        self.scores = scores


class WugWarning(UserWarning):
    """Something that the user should know and that does not stop the work."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for a name that does not exist, with the nearest ones that do.

    >>> str(unknown_name("learner", "lsmt", ["lstm", "gru"]))
    "unknown learner 'lsmt'; did you mean 'lstm'?"
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3)
    if close:
        hint = "did you mean " + " or ".join(f"'{match}'" for match in close) + "?"
    else:
        hint = "known: " + ", ".join(names)
    return InputError(f"unknown {kind} '{name}'; {hint}")
