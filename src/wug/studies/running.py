"""Runs trials, here and now: build the task, fit the learner, judge the model."""

import contextlib
import math
import os
import random
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
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

    Where there are several trainings, they are done together if their learner can. An exception, a score that is not
    finite, or a learner that does not suit the task makes a trial 'failed'. What the learner prints goes to standard
    error.
    """
    results: dict[str, TrialResult] = {}
    with contextlib.redirect_stdout(sys.stderr):
        trainings = [_Training(members, worker, attempt) for members in group_by_training(trials)]
        if len(trainings) > 1 and all(training.trials[0].companion_key for training in trainings):
            _fit_together(trainings)
        for training in trainings:
            results |= {result.trial: result for result in training.results()}
    return [results[trial.id] for trial in trials]


def fit_trial(trial: Trial) -> tuple[Task, Any]:
    """Return the task of a trial and the model that would be judged; raises what stands in the way."""
    training = _Training([trial], worker="here", attempt=1)
    with contextlib.redirect_stdout(sys.stderr):
        return training.fitted()


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


def _fit_together(trainings: Sequence["_Training"]) -> None:
    """Fit what can be built, all at once where the learner can; each training takes its model or its error."""
    watch = Stopwatch()
    reset_peak_memory()
    first = trainings[0].trials[0]
    learner = build_learner(first.learner)
    if not hasattr(learner, "fit_together"):
        return
    _settle_torch()
    for training in trainings:
        training.build()
    ready = [training for training in trainings if training.task is not None]
    _settle_randomness(first.seed, "fit")
    try:
        data = [training.task.data for training in ready if training.task is not None]
        models = learner.fit_together(data, [training.trials[0].seed for training in ready])
    except (Exception, SystemExit) as error:
        models = [error] * len(ready)
    wall, cpu = (part / len(trainings) for part in watch.lap())
    for training, model in zip(ready, models, strict=True):
        training.take(model, (wall, cpu))
    for training in trainings:
        if training.task is None:
            training.take(training.error, (wall, cpu))


class _Training:
    """Trials that share a training: fitted once, judged one after the other."""

    def __init__(self, trials: Sequence[Trial], worker: str, attempt: int) -> None:
        self.trials = trials
        self._worker, self._attempt = worker, attempt
        self._started = utc_now()
        self._task: Task | None = None
        self._model: Any = None
        self._error: BaseException | None = None
        self._cost: tuple[float, float] | None = None

    @property
    def task(self) -> Task | None:
        """The first trial's task; None where it could not be built."""
        return self._task

    @property
    def error(self) -> BaseException | None:
        """Why there is no model."""
        return self._error

    def build(self) -> None:
        """Build the first trial's task, whose data are the training's."""
        try:
            self._task = self._build(self.trials[0])
        except (Exception, SystemExit) as error:
            self._error = error

    def fitted(self) -> tuple[Task, Any]:
        """Fit, and return the first trial's task and its model; raises what stands in the way."""
        self._fit()
        if self._error is not None or self._task is None:
            raise self._error or AssertionError("a fit without error has a task")
        return self._task, self._model

    def take(self, model: Any, cost: tuple[float, float]) -> None:
        """Take the model, or the error, of a training that was done together with others, and its share of the cost."""
        self._cost = cost
        if isinstance(model, BaseException):
            self._error = model
        else:
            self._model = model

    def results(self) -> Iterator[TrialResult]:
        """Fit unless that has been done, and judge each trial."""
        watch = Stopwatch()
        if self._cost is None:
            reset_peak_memory()
            self._fit()
            self._cost = watch.lap()
        shares = [part / len(self.trials) for part in self._cost]
        for number, trial in enumerate(self.trials):
            if self._error is not None:
                yield self._failed(trial, self._error, shares)
                continue
            try:
                task = self._build(trial) if number or self._task is None else self._task
                _settle_randomness(trial.seed, "judge")
                scores = benchmark(trial.benchmark).judge(task, self._model, trial.settings)
                checked = _checked(scores)
            except (Exception, SystemExit) as error:
                cost = [share + own for share, own in zip(shares, watch.lap(), strict=True)]
                yield self._failed(trial, error, cost)
            else:
                cost = [share + own for share, own in zip(shares, watch.lap(), strict=True)]
                yield self._result(trial, cost, status="done", scores=checked)

    def _build(self, trial: Trial) -> Task:
        _settle_randomness(trial.seed, "build")
        return benchmark(trial.benchmark).build(trial.task, trial.settings, trial.seed)

    def _fit(self) -> None:
        trial = self.trials[0]
        try:
            learner = build_learner(trial.learner)
            _settle_torch()
            self._task = self._build(trial)
            _require_setting(
                learner.settings, trial.learner, frozenset([self._task.data.setting]), f"{trial.benchmark} {trial.task}"
            )
            _settle_randomness(trial.seed, "fit")
            self._model = benchmark(trial.benchmark).fit(self._task, learner, trial.seed)
        except (Exception, SystemExit) as error:
            self._error = error

    def _failed(self, trial: Trial, error: BaseException, cost: Sequence[float]) -> TrialResult:
        trace = "".join(traceback.format_exception(error))
        scores: tuple[Score, ...] = ()
        if isinstance(error, TrialError):
            with contextlib.suppress(TrialError):
                scores = _checked(error.scores)
        return self._result(
            trial,
            cost,
            status="failed",
            scores=scores,
            error=sentence(error),
            traceback=trace,
            refused=isinstance(error, InputError),
        )

    def _result(self, trial: Trial, cost: Sequence[float], **outcome: Any) -> TrialResult:
        return TrialResult(
            trial=trial.id,
            started=self._started,
            finished=utc_now(),
            host=host_name(),
            worker=self._worker,
            attempt=self._attempt,
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
