"""``wug trial``: one trial, here and now, without a store."""

from typing import TYPE_CHECKING, Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_scores
from wug.errors import InputError

if TYPE_CHECKING:
    from wug.studies.trial import Trial, TrialResult

app = command_app()


@app.command(rich_help_panel="Run")
def run_trial(
    benchmark: Annotated[str, typer.Argument(help="a benchmark: wug list benchmarks")],
    task: Annotated[str, typer.Argument(help="one of its tasks: wug list tasks BENCHMARK")],
    learner: Annotated[
        str, typer.Option("--learner", "-l", help="A learner (wug list learners), or your own: path/file.py:Class.")
    ],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the trial.")] = 1,
    assignments: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the benchmark (wug list settings BENCHMARK), or learner.NAME=VALUE for the learner.",
        ),
    ] = [],  # noqa: B006 - typer copies it
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run one trial and print its scores; nothing is stored.

    The exit status is 0 where the trial has its scores, 1 where it failed, 2 where the request was wrong.

    [bold]Examples[/bold]

      wug trial bliss anbn --learner repeat-last --set train=100 --set b=10
      wug trial bliss dyck1 --learner lstm --set learner.width=16 --seed 3 --json
      wug trial bliss anbn --learner mynet.py:MyNet
    """
    from wug.studies.running import require_suitable, run_group, use_one_thread

    use_one_thread()
    from wug.cli._settings import parse_assignments
    from wug.learners.registry import parse_learner
    from wug.studies.records import result_record
    from wug.studies.trial import plan_trials

    given = parse_assignments(assignments)
    options = {name.removeprefix("learner."): value for name, value in given.items() if name.startswith("learner.")}
    settings = {name: value for name, value in given.items() if not name.startswith("learner.")}
    spec = parse_learner(learner, options)
    (trial,) = plan_trials(benchmark, task, settings, [spec], [seed])
    require_suitable(benchmark, spec)
    (result,) = run_group([trial], worker="here")
    if result.refused:
        raise InputError(result.error)
    if as_json:
        print_json(result_record(trial, result))
    else:
        _print_result(trial, result)
    if result.error:
        typer.echo(f"Error: {result.error}", err=True)
        raise typer.Exit(1)


def _print_result(trial: "Trial", result: "TrialResult") -> None:
    print_scores(result.scores)
    typer.echo(f"\ntrial {trial.id}: {result.status} in {result.wall_s:.1f} s, {result.peak_mb:.0f} MiB")
