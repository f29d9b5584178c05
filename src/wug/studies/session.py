"""Carries a planned study out: finds what is missing in a store, runs it, keeps every result."""

from collections.abc import Callable
from dataclasses import dataclass

from wug.studies.executor import Executor
from wug.studies.expansion import Plan
from wug.studies.running import require_suitable
from wug.studies.store import Store
from wug.studies.trial import Trial, TrialResult, group_by_training

OnResults = Callable[[list[TrialResult]], None]
"""Called with results that the store has kept."""


def missing_trials(plan: Plan, store: Store) -> list[Trial]:
    """Return the trials of a plan that are not done: those never run, and those that failed."""
    done = store.done()
    return [trial for trial in plan.trials if trial.id not in done]


def require_suitable_learners(plan: Plan) -> None:
    """Raise InputError where a learner of the plan cannot be fitted to its benchmark at all."""
    pairs = {(trial.benchmark, trial.learner.name, trial.learner.content): trial for trial in plan.trials}
    for trial in pairs.values():
        require_suitable(trial.benchmark, trial.learner)


@dataclass(frozen=True)
class Session:
    """A study that is being carried out in a store."""

    plan: Plan
    store: Store
    command: str
    """What the user typed."""

    def begin(self) -> list[Trial]:
        """Register the study in the store, and return the trials that are missing there."""
        self.store.register(self.plan, self.command)
        return missing_trials(self.plan, self.store)

    def run(self, missing: list[Trial], execute: Executor, timeout_s: float | None, on_results: OnResults) -> None:
        """Run the missing trials, those that share a training together.

        The training of a group that was partly done is repeated for the rest: it gives the same model. Ctrl-C ends it
        with KeyboardInterrupt after everything finished has been kept.
        """

        def deliver(results: list[TrialResult]) -> None:
            self.store.record(results)
            on_results(results)

        execute(group_by_training(missing), deliver, timeout_s)
