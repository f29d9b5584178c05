"""Runs trials, here and now: build the task, fit the learner, judge the model."""

import contextlib
import math
import os
import random
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wug.benchmarks.protocol import Score, Task
from wug.benchmarks.registry import benchmark
from wug.errors import InputError, TrialError, WugError
from wug.learners.registry import LearnerSpec, build_learner, learner_cards
from wug.randomness import derive_seed
from wug.studies.measuring import Stopwatch, host_name, peak_memory_mib, reset_peak_memory, utc_now, versions
from wug.studies.trial import Trial, TrialResult, group_by_training

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


def use_one_thread() -> None:
    """Let this process and its children compute with one thread each.

    Sums that threads share depend on how many there are; with one, scores are equal whatever the number of workers.
    NumPy reads the variables when it is imported, so a command calls this first.
    """
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))


def run_group(trials: Sequence[Trial], *, worker: str, attempt: int = 1) -> list[TrialResult]:
    """Run trials and return their results in order; fits once for all that share a training.

    An exception, a score that is not finite, or a learner that does not suit the task makes a trial 'failed'. What the
    learner prints goes to standard error.
    """
    results: dict[str, TrialResult] = {}
    with contextlib.redirect_stdout(sys.stderr):
        for members in group_by_training(trials):
            results |= {result.trial: result for result in _Training(members, worker, attempt).results()}
    return [results[trial.id] for trial in trials]


def require_suitable(benchmark_name: str, learner: LearnerSpec) -> None:
    """Raise InputError unless the learner can be fitted in one of the benchmark's settings.

    Learners of wug's own are known by their cards; a user's is built to be asked.
    """
    cards = {card.name: card.settings for card in learner_cards()}
    known = cards.get(learner.name.partition(":")[0]) if learner.content is None else None
    offered = frozenset(part.strip() for part in benchmark(benchmark_name).card.setting.split(","))
    _require_setting(known or build_learner(learner).settings, learner, offered, benchmark_name)


def _require_setting(known: frozenset[str], learner: LearnerSpec, offered: frozenset[str], name: str) -> None:
    if not offered & known:
        able = " and ".join(sorted(known)).replace("_", " ")
        asked = " or ".join(sorted(offered)).replace("_", " ")
        raise InputError(f"the learner '{learner.name}' does {able}, but {name} asks for {asked}")


@dataclass
class _Training:
    """Trials that share a training."""

    trials: Sequence[Trial]
    worker: str
    attempt: int

    def results(self) -> Iterator[TrialResult]:
        """Fit once, judge each trial."""
        started, watch = utc_now(), Stopwatch()
        reset_peak_memory()
        try:
            first, model = self._fit()
        except (Exception, SystemExit) as error:
            shares = [part / len(self.trials) for part in watch.lap()]
            yield from [self._failed(trial, error, started, shares) for trial in self.trials]
            return
        shares = [part / len(self.trials) for part in watch.lap()]
        for number, trial in enumerate(self.trials):
            try:
                task = self._build(trial) if number else first
                _settle_randomness(trial.seed, "judge")
                scores = benchmark(trial.benchmark).judge(task, model, trial.settings)
                checked = _checked(scores)
            except (Exception, SystemExit) as error:
                cost = [share + own for share, own in zip(shares, watch.lap(), strict=True)]
                yield self._failed(trial, error, started, cost)
            else:
                cost = [share + own for share, own in zip(shares, watch.lap(), strict=True)]
                yield self._result(trial, started, cost, status="done", scores=checked)

    def _build(self, trial: Trial) -> Task:
        _settle_randomness(trial.seed, "build")
        return benchmark(trial.benchmark).build(trial.task, trial.settings, trial.seed)

    def _fit(self) -> tuple[Task, Any]:
        trial = self.trials[0]
        learner = build_learner(trial.learner)
        _settle_torch()
        task = self._build(trial)
        _require_setting(
            learner.settings, trial.learner, frozenset([task.data.setting]), f"{trial.benchmark} {trial.task}"
        )
        _settle_randomness(trial.seed, "fit")
        return task, benchmark(trial.benchmark).fit(task, learner, trial.seed)

    def _failed(self, trial: Trial, error: BaseException, started: str, cost: Sequence[float]) -> TrialResult:
        trace = "".join(traceback.format_exception(error))
        scores: tuple[Score, ...] = ()
        if isinstance(error, TrialError):
            with contextlib.suppress(TrialError):
                scores = _checked(error.scores)
        return self._result(
            trial,
            started,
            cost,
            status="failed",
            scores=scores,
            error=sentence(error),
            traceback=trace,
            refused=isinstance(error, InputError),
        )

    def _result(self, trial: Trial, started: str, cost: Sequence[float], **outcome: Any) -> TrialResult:
        return TrialResult(
            trial=trial.id,
            started=started,
            finished=utc_now(),
            host=host_name(),
            worker=self.worker,
            attempt=self.attempt,
            versions=versions(),
            wall_s=cost[0],
            cpu_s=cost[1],
            peak_mb=peak_memory_mib(),
            **outcome,
        )


def sentence(error: BaseException) -> str:
    """Return what went wrong, on one line: our own words, or the type and the first line of others'."""
    text = str(error).strip()
    if isinstance(error, WugError):
        return " ".join(text.split())
    first = text.splitlines()[0].strip() if text else ""
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _checked(scores: Iterable[Score]) -> tuple[Score, ...]:
    """Return scores with plain Python values; TrialError for one that is not finite or comes twice."""
    checked: dict[tuple[str, str], Score] = {}
    for score in scores:
        value: Any = score.value
        if hasattr(value, "item"):  # a NumPy scalar
            value = value.item()
        where = f"the measure '{score.measure}'" + (f" of '{score.item}'" if score.item else "")
        if value is not None and not math.isfinite(value):
            raise TrialError(f"{where} is {value}, which the benchmark should have reported as a missing value")
        if (score.measure, score.item) in checked:
            raise TrialError(f"{where} was reported twice by the benchmark")
        checked[score.measure, score.item] = Score(score.measure, value, score.item, score.note)
    return tuple(checked.values())


def _settle_torch() -> None:
    """Make torch, where it is in use, compute the same every time: one thread, deterministic kernels on CUDA."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return
    torch.set_num_threads(1)
    if torch.cuda.is_available():
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True, warn_only=True)


def _settle_randomness(seed: int, purpose: str) -> None:
    """Seed the global generators, so that a learner that uses one depends on its trial and not on those before it."""
    derived = derive_seed(seed, "global", purpose)
    random.seed(derived)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(derived % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(derived)
