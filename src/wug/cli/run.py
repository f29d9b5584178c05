"""``wug run``: carries a study out."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.errors import InputError

if TYPE_CHECKING:
    from wug.cli._progress import WorkProgress
    from wug.studies.executor import Executor
    from wug.studies.session import Session
    from wug.studies.trial import Trial, TrialResult

app = command_app()


@app.command(rich_help_panel="Run")
def run_study(
    study: Annotated[str, typer.Argument(help="a built-in study (wug list studies), or a TOML file of your own")],
    learners: Annotated[
        list[str],
        typer.Option("--learner", "-l", help="A learner (or FILE.py:CLASS) in place of the study's; repeatable."),
    ] = [],  # noqa: B006 - typer copies it
    assignments: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting, or learner.NAME=VALUE; a list is an axis of the grid.",
        ),
    ] = [],  # noqa: B006
    tasks: Annotated[
        list[str],
        typer.Option(
            "--task", metavar="NAME|FACTOR=VALUE", help="Only this task, or tasks with this factor; repeatable."
        ),
    ] = [],  # noqa: B006
    seeds: Annotated[int | None, typer.Option(min=1, help="Number of seeds in place of the study's.")] = None,
    scale: Annotated[
        str | None, typer.Option(help="smoke, laptop or paper; laptop where the study has it and nothing is said.")
    ] = None,
    store: Annotated[Path, typer.Option(metavar="DIR", help="Folder that keeps the results.")] = Path("wug-store"),
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-j", min=0, help="Worker processes (or jobs); one a core if left out, 0 for none."),
    ] = None,
    dask: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Use the workers of a Dask scheduler.")] = None,
    slurm: Annotated[bool, typer.Option("--slurm", help="Submit --workers jobs to Slurm.")] = False,
    pbs: Annotated[bool, typer.Option("--pbs", help="The same for PBS.")] = False,
    sge: Annotated[bool, typer.Option("--sge", help="The same for SGE.")] = False,
    lsf: Annotated[bool, typer.Option("--lsf", help="The same for LSF.")] = False,
    job: Annotated[
        list[str],
        typer.Option(metavar="NAME=VALUE", help="What a job asks for: memory=4GB, queue=long ..."),
    ] = [],  # noqa: B006
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="Longest time a trial may take.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line: each trial as it ends, then a summary.")
    ] = False,
) -> None:
    """Run a study: every trial that the store does not have yet.

    Stop it with Ctrl-C or otherwise, and the same command goes on where it was. Trials that failed are tried again.
    The exit status is 0 when all trials are done, 1 when some failed, 2 when the request was wrong, 130 after Ctrl-C.

    [bold]Examples[/bold]

      wug run bliss/demo --scale smoke
      wug run bliss/table-2 --learner mynet.py:MyNet --set learner.width=128
      wug run mlregtest/random-automata --scale smoke
      wug run mystudy.toml --seeds 5 --store results/ --timeout 3600
      wug run bliss/table-2 --scale paper --slurm --workers 40 --job memory=4GB
    """
    from wug.studies.running import use_one_thread

    use_one_thread()
    from wug.cli._progress import WorkProgress
    from wug.cli._settings import parse_assignments
    from wug.studies.expansion import Changes, plan_study
    from wug.studies.session import Session, missing_groups, require_suitable_learners
    from wug.studies.store import Store
    from wug.studies.study import find_study

    if timeout is not None and not timeout > 0:
        raise InputError(f"--timeout must be more than 0 seconds, not {timeout:g}")
    systems = [name for name, chosen in {"slurm": slurm, "pbs": pbs, "sge": sge, "lsf": lsf}.items() if chosen]
    _refuse_contradictions(systems, dask, workers, job)
    found = find_study(study)
    changes = Changes(
        learners=tuple(learners),
        seeds=seeds,
        tasks=[task for task in tasks if "=" not in task],
        factors=parse_assignments(task for task in tasks if "=" in task),
        settings=parse_assignments(assignments),
    )
    plan = plan_study(found, found.choose_scale(scale), changes)
    require_suitable_learners(plan)
    command = shlex.join(["wug", *sys.argv[1:]])
    with Store.writing(store) as opened:
        session = Session(plan, opened, command)
        missing = session.begin()
        progress = WorkProgress(len(missing), "trials")
        execute = _executor(
            len(missing_groups(plan, missing)), systems, dask, workers, parse_assignments(job), progress
        )
        reporter = _Reporter(missing, progress, as_json)
        if len(missing) < len(plan.trials) and not as_json:
            progress.say([f"{len(plan.trials) - len(missing)} of {len(plan.trials)} trials are done already"])
        try:
            if missing:
                with progress.shown():
                    session.run(missing, execute, timeout, reporter)
        except KeyboardInterrupt:
            n_done = len(plan.trials) - progress.n_left - progress.n_failed
            typer.echo(f"{n_done} done, {progress.n_left} left; run the same command to continue", err=True)
            reporter.summarise(session)
            raise typer.Exit(130) from None
        reporter.summarise(session)
    if progress.n_failed:
        raise typer.Exit(1)


def _refuse_contradictions(systems: list[str], dask: str | None, workers: int | None, job: list[str]) -> None:
    chosen = [*(["--dask"] if dask else []), *(f"--{system}" for system in systems)]
    if len(chosen) > 1:
        raise InputError(f"{chosen[0]} and {chosen[1]} exclude each other")
    if dask and workers is not None:
        raise InputError("--dask uses all workers of that scheduler; leave --workers out")
    if systems and not workers:
        raise InputError(f"--{systems[0]} needs --workers N, the number of jobs to submit")
    if job and not systems:
        raise InputError("--job is for jobs of a batch system: --slurm, --pbs, --sge or --lsf")


def _executor(
    n_groups: int,
    systems: list[str],
    dask: str | None,
    workers: int | None,
    job: dict[str, Any],
    progress: "WorkProgress",
) -> "Executor":
    """Return what runs the trials: this process, or workers somewhere."""
    from wug.studies.executor import execute_here

    if workers == 0 or not n_groups:
        return execute_here

    from functools import partial

    from wug.studies.cluster import ClusterExecutor, batch_jobs, local_workers, running_cluster

    if dask:
        open_cluster = partial(running_cluster, dask)
    elif systems:
        open_cluster = partial(batch_jobs, systems[0], workers or 1, job)
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        open_cluster = partial(local_workers, min(workers or cores, n_groups))
    return ClusterExecutor(open_cluster, lambda message: progress.say([message]))


class _Reporter:
    """Tells what became of each trial, and of the study."""

    def __init__(self, missing: "list[Trial]", progress: "WorkProgress", as_json: bool) -> None:
        self._trials = {trial.id: trial for trial in missing}
        self._progress, self._as_json = progress, as_json

    def __call__(self, results: "list[TrialResult]") -> None:
        """Report trials that ended."""
        from wug.cli._output import print_json
        from wug.studies.records import result_record

        failed = [result for result in results if result.error]
        self._progress.count(n_done=len(results) - len(failed), n_failed=len(failed))
        if self._as_json:
            for result in results:
                print_json(result_record(self._trials[result.trial], result), indent=None)
        elif failed:
            self._progress.say(self._describe(result) for result in failed)

    def _describe(self, result: "TrialResult") -> str:
        trial = self._trials[result.trial]
        what = f"{trial.benchmark} {trial.task}, {trial.learner.label}, seed {trial.seed}"
        return f"trial {trial.id} failed ({what}): {result.error}"

    def summarise(self, session: "Session") -> None:
        """Print how the study stands."""
        from wug.cli._output import print_json

        plan, progress, folder = session.plan, self._progress, session.store.folder
        counts = {
            "trials": len(plan.trials),
            "done": len(plan.trials) - progress.n_left - progress.n_failed,
            "failed": progress.n_failed,
            "left": progress.n_left,
        }
        if self._as_json:
            print_json(
                {"study": plan.study.name, "scale": plan.scale_name, "store": str(folder), **counts}, indent=None
            )
            return
        name = f"{plan.study.name}, scale {plan.scale_name}" if plan.scale else plan.study.name
        typer.echo(f"{name}: " + ", ".join(f"{number} {what}" for what, number in counts.items() if number))
        option = "" if folder == Path("wug-store") else f" --store {shlex.quote(str(folder))}"
        if progress.n_failed:
            typer.echo(f"Why trials failed: wug status{option}, wug show TRIAL{option}")
        if counts["done"]:
            typer.echo(f"See the results: wug report{option}")
