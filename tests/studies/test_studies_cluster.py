"""Executors on Dask: which addresses are open, clusters that are there already, batch systems."""

import subprocess
import sys
import threading
import time
from functools import partial
from types import ModuleType, SimpleNamespace

import psutil
import pytest

from wug.errors import InputError, WugError
from wug.learners.registry import parse_learner
from wug.studies import cluster
from wug.studies.cluster import ClusterExecutor, batch_jobs, local_workers, running_cluster
from wug.studies.trial import group_by_training, plan_trials

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def groups(fake_benchmark, fake_learner):
    return group_by_training(plan_trials("fake", "plain", {}, [parse_learner(fake_learner("Steady"))], [1, 2, 3]))


def execute(open_cluster, groups):
    results, messages = [], []
    ClusterExecutor(open_cluster, messages.append)(groups, results.extend, None)
    return results, messages


def test_everything_listens_on_this_machine_alone():
    with local_workers(1):
        me = psutil.Process()
        addresses = {
            connection.laddr.ip
            for process in [me, *me.children(recursive=True)]
            for connection in process.net_connections()
            if connection.status == psutil.CONN_LISTEN
        }
    assert addresses == {"127.0.0.1"}


def test_a_running_cluster_is_used_and_left_running(groups):
    with local_workers(1) as client:
        address = client.scheduler.address
        results, _ = execute(partial(running_cluster, address), groups)
        assert [result.status for result in results] == ["done"] * 3
        assert {result.worker for result in results} == set(client.nthreads())
        assert len(execute(partial(running_cluster, address), groups)[0]) == 3


def test_an_address_where_nobody_answers_is_one_sentence(groups, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:1'"):
        execute(partial(running_cluster, "tcp://127.0.0.1:1"), groups)
    with pytest.raises(InputError, match="no Dask scheduler answers at 'nonsense://x'"):
        execute(partial(running_cluster, "nonsense://x"), groups)


PROGRAM = """
import sys, time
from wug.studies.cluster import local_workers
if __name__ == "__main__":
    with local_workers(1) as client:
        print(client.scheduler.address, flush=True)
        time.sleep(600)
"""


def test_a_scheduler_that_goes_away_is_one_sentence(fake_benchmark, fake_learner, tmp_path):
    spec = parse_learner(fake_learner("Waiting"), {"folder": str(tmp_path)})
    groups = group_by_training(plan_trials("fake", "plain", {}, [spec], [1]))
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()

    def kill_when_busy():
        while not (tmp_path / "pid-1").exists():
            time.sleep(0.05)
        process.kill()

    threading.Thread(target=kill_when_busy, daemon=True).start()
    with process, pytest.raises(WugError, match="the connection to the Dask scheduler was lost"):
        execute(partial(running_cluster, address), groups)


def test_workers_with_another_version_are_refused(groups, monkeypatch):
    monkeypatch.setattr(cluster.wug, "__version__", "99")
    with pytest.raises(WugError, match=r"the worker tcp://127.0.0.1:\d+ has wug .*, this is 99"):
        execute(partial(local_workers, 1), groups)


def test_batch_systems_need_their_extra(monkeypatch, groups):
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(InputError, match=r"--slurm needs dask-jobqueue: pip install 'wug\[cluster\]'"):
        execute(partial(batch_jobs, "slurm", 2, {}), groups)


def test_jobs_are_submitted_as_they_were_asked_for(monkeypatch, groups):
    from distributed import LocalCluster

    asked = []

    class SLURMCluster(LocalCluster):
        """Stands in for a batch system: a job is a worker process."""

        job_cls = SimpleNamespace(submit_command="sh -c")

        def __init__(self, *, cores, processes, memory):
            asked.append((cores, processes, memory))
            super().__init__(n_workers=0, threads_per_worker=cores, host="127.0.0.1", dashboard_address="127.0.0.1:0")

        def scale(self, jobs):
            asked.append(jobs)
            super().scale(jobs)

    module = ModuleType("dask_jobqueue")
    module.SLURMCluster = SLURMCluster
    monkeypatch.setitem(sys.modules, "dask_jobqueue", module)
    results, _ = execute(partial(batch_jobs, "slurm", 1, {"memory": "1GB"}), groups)
    assert [result.status for result in results] == ["done"] * 3
    assert asked[:2] == [(1, 1, "1GB"), 1]
    with pytest.raises(InputError, match=r"--slurm: TypeError: .*; say what a job asks for"):
        execute(partial(batch_jobs, "slurm", 1, {"memroy": "1GB"}), groups)
    monkeypatch.setattr(SLURMCluster.job_cls, "submit_command", "no-such-program")
    with pytest.raises(InputError, match="submits jobs with 'no-such-program', which this machine does not have"):
        execute(partial(batch_jobs, "slurm", 1, {"memory": "1GB"}), groups)
