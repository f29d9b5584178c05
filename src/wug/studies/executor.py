"""Runs groups of trials one after the other in this process, and what it shares with ``cluster``.

An executor is a function ``execute(groups, deliver, timeout_s)``: it runs every group and hands the results of each
over as soon as they are there. Groups share a training and are run whole. What a trial's time limit is for one, it is
times the number of trials for a group.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from wug.studies.interrupts import OutOfTimeError, deferred_interrupt, time_limit
from wug.studies.measuring import host_name, utc_now, versions
from wug.studies.running import run_group
from wug.studies.trial import Trial, TrialResult

Group = Sequence[Trial]
Deliver = Callable[[list[TrialResult]], None]


class Executor(Protocol):
    """Runs trials somewhere."""

    def __call__(self, groups: Iterable[Group], deliver: Deliver, timeout_s: float | None) -> None:
        """Run all groups; ``deliver`` is called in the calling thread and keeps results for good.

        Ctrl-C ends it with KeyboardInterrupt; everything that had finished has been delivered by then.
        """


def execute_here(groups: Iterable[Group], deliver: Deliver, timeout_s: float | None) -> None:
    """Run groups in this process, in order: the way of a debugger."""
    for group in groups:
        started = utc_now()
        try:
            with time_limit(group_limit(group, timeout_s)):
                results = run_group(group, worker="here")
        except OutOfTimeError:
            results = failed_results(group, out_of_time(group, timeout_s), started, worker="here", attempt=1)
        with deferred_interrupt():
            deliver(results)


def group_limit(group: Group, timeout_s: float | None) -> float | None:
    """Return how many seconds a group may take."""
    return None if timeout_s is None else timeout_s * len(group)


def out_of_time(group: Group, timeout_s: float | None) -> str:
    """Return what is recorded for a trial that took too long."""
    if len(group) == 1:
        return f"took longer than the {timeout_s:g} s of --timeout"
    together = f"{len(group)} trials that train together"
    return f"took longer than {group_limit(group, timeout_s):g} s, {timeout_s:g} s of --timeout for each of {together}"


def failed_results(group: Group, error: str, started: str, *, worker: str, attempt: int) -> list[TrialResult]:
    """Return results for trials that could not report themselves."""
    return [
        TrialResult(
            trial=trial.id,
            status="failed",
            started=started,
            finished=utc_now(),
            host=host_name(),
            worker=worker,
            attempt=attempt,
            versions=versions(),
            error=error,
        )
        for trial in group
    ]
