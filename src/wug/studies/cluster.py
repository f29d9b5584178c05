"""Runs groups of trials on Dask workers: processes of this machine, a running cluster, or jobs of a batch system.

The coordinator gives each worker one group at a time and knows which, so that it can say what happened: a group whose
worker dies is tried again, at most ``ATTEMPTS`` times in all; a group that takes too long is recorded as failed and its
worker is started afresh.
"""

import contextlib
import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import wug
from wug.benchmarks.registry import benchmark
from wug.errors import InputError, WugError
from wug.learners.registry import LearnerSpec, build_learner
from wug.studies.executor import Deliver, Group, failed_results, group_limit, out_of_time
from wug.studies.interrupts import ctrl_c_for_this_thread_alone, deferred_interrupt
from wug.studies.measuring import utc_now
from wug.studies.running import run_group, sentence, use_one_thread
from wug.studies.trial import TrialResult

ATTEMPTS = 3
"""How often a group is tried whose worker dies."""
LOOK_S = 0.5
"""How often the coordinator looks which workers there are."""
PATIENCE_S = 5.0
"""How long a worker that was told to end may take before it is killed from outside."""
CONNECT_S = 10.0
"""How long a scheduler may take to answer."""
FETCH_S = 30.0
"""How long results may take from a worker to the coordinator."""

BATCH_SYSTEMS = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "sge": "SGECluster", "lsf": "LSFCluster"}
"""Batch systems, and the classes of dask-jobqueue that submit to them."""

OpenCluster = Callable[[], AbstractContextManager[Any]]
"""Opens a Dask client, and closes it with all that belongs to it."""


@contextmanager
def local_workers(n_workers: int) -> Iterator[Any]:
    """Start worker processes of one thread each, reachable from this machine alone; end them on leaving, at once."""
    import logging

    import dask
    from distributed import Client, LocalCluster

    # Workers are ended while messages to them are on their way; some of these fail after silence_logs has ended, too.
    logging.getLogger("distributed.batched").setLevel(logging.CRITICAL)
    clusters: list[Any] = []
    try:
        # A trial may keep its process from answering for as long as it likes.
        with dask.config.set({"distributed.scheduler.worker-ttl": None}), ctrl_c_for_this_thread_alone():
            cluster = LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
            clusters.append(cluster)
            client = Client(cluster, set_as_default=False)
        yield client
    finally:
        for cluster in clusters:
            _end(cluster)


def _end(cluster: Any) -> None:
    """Kill the processes of a local cluster, whatever they are doing, and close it."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with contextlib.suppress(ProcessLookupError, TypeError):  # already gone, or just being started
            os.kill(nanny.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        cluster.close(timeout=PATIENCE_S)


@contextmanager
def running_cluster(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler; InputError where none answers."""
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at '{address}': {sentence(error)}") from None
    with client:
        yield client


@contextmanager
def batch_jobs(system: str, n_jobs: int, options: Mapping[str, Any]) -> Iterator[Any]:
    """Submit jobs with one worker each to a batch system, and cancel them on leaving.

    ``options`` go to dask-jobqueue's class (memory, queue, walltime ...); those missing come from its own
    configuration file.
    """
    try:
        import dask_jobqueue
    except ImportError:
        raise InputError(f"--{system} needs dask-jobqueue: pip install 'wug[cluster]'") from None
    from distributed import Client

    kind = getattr(dask_jobqueue, BATCH_SYSTEMS[system])
    program = kind.job_cls.submit_command.split()[0]
    if shutil.which(program) is None:
        raise InputError(f"--{system} submits jobs with '{program}', which this machine does not have")
    try:
        cluster = kind(**{"cores": 1, "processes": 1, **options})
    except (TypeError, ValueError) as error:
        reason = sentence(error).removesuffix(", for example:")
        raise InputError(f"--{system}: {reason}; say what a job asks for, for example --job memory=4GB") from None
    with cluster:
        cluster.scale(jobs=n_jobs)
        with Client(cluster, set_as_default=False) as client:
            yield client


@dataclass(frozen=True)
class ClusterExecutor:
    """An executor whose workers are those of a Dask cluster."""

    open_cluster: OpenCluster
    announce: Callable[[str], None]
    """Tells the user what happens to workers."""

    def __call__(self, groups: Iterable[Group], deliver: Deliver, timeout_s: float | None) -> None:
        """Run all groups; see ``Executor``."""
        with self.open_cluster() as client:
            _Coordinator(client, groups, deliver, timeout_s, self.announce).run()


@dataclass(frozen=True)
class _Job:
    """A group and which attempt at it this is."""

    group: Group
    attempt: int = 1


@dataclass
class _Worker:
    """A worker, with what it is doing."""

    future: Any
    """Of its preparation, or of its last group."""
    state: Literal["preparing", "idle", "working", "ending"] = "preparing"
    job: _Job = _Job(())
    """Its last group."""
    started: str = ""
    """When it got that."""
    deadline: float = float("inf")
    """On the monotonic clock."""


class _Coordinator:
    """Hands groups to workers until there is none left."""

    def __init__(
        self,
        client: Any,
        groups: Iterable[Group],
        deliver: Deliver,
        timeout_s: float | None,
        announce: Callable[[str], None],
    ) -> None:
        self._client, self._deliver, self._timeout_s, self._announce = client, deliver, timeout_s, announce
        self._waiting = deque(_Job(group) for group in groups)
        self._workers: dict[str, _Worker] = {}
        self._bell = threading.Event()
        """Rung whenever a worker has ended something."""
        self._next_look = 0.0
        self._died_preparing = 0
        trials = [trial for job in self._waiting for trial in job.group]
        self._benchmarks = sorted({trial.benchmark for trial in trials})
        self._learners = list({(trial.learner.name, trial.learner.content): trial.learner for trial in trials}.values())

    def run(self) -> None:
        """Return when every trial has a result that was delivered."""
        try:
            while self._waiting or self._in_state("working"):
                with deferred_interrupt():
                    results = [*self._look_for_workers(), *self._collect(), *self._end_overdue()]
                    self._assign()
                    self._hand_over(results)
                self._wait()
        except KeyboardInterrupt:
            with deferred_interrupt():
                self._hand_over(list(self._collect()))
            raise

    def _in_state(self, state: str) -> list[tuple[str, _Worker]]:
        return [(address, worker) for address, worker in self._workers.items() if worker.state == state]

    def _hand_over(self, results: list[TrialResult]) -> None:
        if results:
            self._deliver(results)

    def _wait(self) -> None:
        """Wait until a worker has ended something, a deadline is over, or it is time to look again."""
        wake = min([self._next_look, *(worker.deadline for _, worker in self._in_state("working"))])
        self._bell.wait(max(wake - time.monotonic(), 0.0))
        self._bell.clear()

    def _look_for_workers(self) -> Iterator[TrialResult]:
        """Greet new workers, and try again what those that are gone were doing."""
        if time.monotonic() < self._next_look:
            return
        lost = "the connection to the Dask scheduler was lost; every trial recorded before is kept"
        if self._client.status != "running":
            raise WugError(lost)
        try:
            present = set(self._client.nthreads())
        except OSError as error:
            raise WugError(f"{lost} ({sentence(error)})") from None
        self._next_look = time.monotonic() + LOOK_S
        for address in self._workers.keys() - present:
            yield from self._lose(address)
        for address in present - self._workers.keys():
            self._workers[address] = _Worker(self._submit(address, prepare, self._benchmarks, self._learners))

    def _submit(self, address: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        future = self._client.submit(function, *arguments, **options, workers=[address], pure=False, retries=0)
        future.add_done_callback(lambda ended: self._bell.set())
        return future

    def _lose(self, address: str) -> Iterator[TrialResult]:
        """Forget a worker that is gone; yield failed results where its group was tried too often."""
        worker = self._workers.pop(address)
        worker.future.release()
        if worker.state == "preparing":
            self._died_preparing += 1
            if self._died_preparing >= ATTEMPTS:
                raise WugError(f"{ATTEMPTS} workers ended while they started; is there enough memory?")
        elif worker.state == "working" and worker.job.attempt < ATTEMPTS:
            self._announce(f"a worker died during {_describe(worker.job.group)}; trying again")
            self._waiting.appendleft(_Job(worker.job.group, worker.job.attempt + 1))
        elif worker.state == "working":
            yield from _failed(
                address, worker, f"the worker died in each of {ATTEMPTS} attempts; was it killed, or out of memory?"
            )

    def _collect(self) -> Iterator[TrialResult]:
        """Yield the results of all groups that have ended, and let workers that are prepared begin."""
        for address, worker in [*self._in_state("preparing"), *self._in_state("working")]:
            if worker.future.status not in ("finished", "error"):
                continue
            try:
                outcome = worker.future.result(timeout=FETCH_S)
            except TimeoutError:
                continue  # the worker went away with it, which the next look will show
            except Exception as error:
                if worker.state == "preparing":
                    raise WugError(f"the worker {address} cannot run wug: {sentence(error)}") from None
                outcome = _failed(address, worker, sentence(error))
            if worker.state == "working":
                yield from outcome
            elif outcome != wug.__version__:
                raise WugError(f"the worker {address} has wug {outcome}, this is {wug.__version__}")
            self._died_preparing = 0
            worker.future.release()
            worker.state = "idle"

    def _end_overdue(self) -> Iterator[TrialResult]:
        """Yield failed results for groups whose time is over, and have their workers started afresh."""
        for address, worker in self._in_state("working"):
            if time.monotonic() > worker.deadline:
                yield from _failed(address, worker, out_of_time(worker.job.group, self._timeout_s))
                worker.state = "ending"
                self._kill(address)

    def _kill(self, address: str) -> None:
        """Have a worker end itself, or its nanny end it where it does not answer."""

        def end_itself() -> None:
            with contextlib.suppress(Exception):
                self._client.run(die, workers=[address], wait=False, on_error="ignore")

        def end_from_outside() -> None:
            with contextlib.suppress(Exception):
                if address in self._client.nthreads():
                    self._client.restart_workers([address], timeout=FETCH_S, raise_for_error=False)

        threading.Thread(target=end_itself, daemon=True).start()
        later = threading.Timer(PATIENCE_S, end_from_outside)
        later.daemon = True
        later.start()

    def _assign(self) -> None:
        """Give each idle worker a group."""
        for address, worker in self._in_state("idle"):
            if not self._waiting:
                return
            job = self._waiting.popleft()
            limit = group_limit(job.group, self._timeout_s)
            worker.future = self._submit(address, run_group, list(job.group), worker=address, attempt=job.attempt)
            worker.state, worker.job, worker.started = "working", job, utc_now()
            worker.deadline = float("inf") if limit is None else time.monotonic() + limit


def prepare(benchmarks: Sequence[str], learners: Sequence[LearnerSpec]) -> str:
    """Import, on a worker, what the trials will need, so that no trial's time goes to it; return wug's version."""
    use_one_thread()
    for name in benchmarks:
        with contextlib.suppress(Exception):  # the trial itself will say what is wrong
            benchmark(name)
    for learner in learners:
        with contextlib.suppress(Exception):
            build_learner(learner)
    return wug.__version__


async def die() -> None:
    """End the worker process that runs this, whatever else it is doing."""
    os.kill(os.getpid(), signal.SIGKILL)


def _failed(address: str, worker: _Worker, error: str) -> list[TrialResult]:
    job = worker.job
    return failed_results(job.group, error, worker.started, worker=address, attempt=job.attempt)


def _describe(group: Group) -> str:
    more = f" and {len(group) - 1} more" if len(group) > 1 else ""
    return f"trial {group[0].id} ({group[0].benchmark} {group[0].task}, {group[0].learner.label}){more}"
