"""Carries a planned study out: finds what is missing in a store, runs it, keeps every result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wug.studies.executor import Executor
from wug.studies.expansion import Plan
from wug.studies.running import require_suitable
from wug.studies.store import Store
from wug.studies.trial import Trial, TrialResult, group_trials

OnResults = Callable[[list[TrialResult]], None]
"""Called with results that the store has kept."""


def missing_trials(plan: Plan, store: Store) -> list[Trial]:
    """Return the trials of a plan that are not done: those never run, and those that failed."""
    done = store.done()
    return [trial for trial in plan.trials if trial.id not in done]


def missing_groups(plan: Plan, missing: Sequence[Trial]) -> list[list[Trial]]:
    """Return the groups to run so that nothing is missing.

    Trials that are done are left out of a group, save where networks train together: there each has its place.
    """
    wanted = {trial.id for trial in missing}
    groups = []
    for group in group_trials(plan.trials):
        left = [trial for trial in group if trial.id in wanted]
        if left:
            groups.append(group if group[0].companion_key else left)
    return groups


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
        """Run the missing trials in the study's groups, which are run whole.

        The training of a group that was partly done is repeated for the rest: it gives the same model. What had been
        done keeps its results. Ctrl-C ends it with KeyboardInterrupt after everything finished has been kept.
        """
        wanted = {trial.id for trial in missing}

        def deliver(results: list[TrialResult]) -> None:
            new = [result for result in results if result.trial in wanted]
            self.store.record(new)
            on_results(new)

        execute(missing_groups(self.plan, missing), deliver, timeout_s)
