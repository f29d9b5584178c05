"""``wug data``: training data and the items to answer, for people who train elsewhere."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json
from wug.errors import InputError

app = command_app()


@app.command(rich_help_panel="Exchange", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def write_data(
    benchmark: Annotated[str, typer.Argument(help="a benchmark: wug list benchmarks")],
    rest: Annotated[
        list[str],
        typer.Argument(metavar="[TASK] [--SETTING VALUE]...", help="one of its tasks: wug list tasks BENCHMARK"),
    ] = [],  # noqa: B006
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for the files; made if missing.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of what the benchmark draws per trial.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files as JSON.")] = False,
) -> None:
    """Write the training data of a task and the items to answer.

    Every setting of the benchmark ([bold]wug list settings BENCHMARK[/bold]) is an option here, written as --NAME VALUE
    or --set NAME=VALUE. Train your system on the training data, answer the items, and let [bold]wug score[/bold] judge
    the answers.

    For mlregtest the options are --size (small, mid or large; all three if left out) or --strings (of a set),
    --short-lengths, --long-lengths, --format (txt or parquet), --order (sorted or shuffled), --weighting (pairs or
    paths), --on-shortage (error or all), --class, and --languages (a file with languages of your own).

    [bold]Examples[/bold]

      wug data bliss anbn --train 100 --b 10 -o data/
      wug data bliss dyck2 --train 500 --dyck_list sampled -o data/
      wug data mlregtest 16.07.TLTT.4.2.3 -o data/
      wug data mlregtest --class TSL --size small -o data/
      wug data mlregtest harmony --languages patterns.toml --strings 200 --short-lengths 8-12 -o data/
      wug data find count --set l=30 --set seeds=5 -o data/
    """
    from wug.benchmarks.registry import benchmark as find
    from wug.cli._progress import WorkProgress

    task, options = task_and_options(rest)
    found = find(benchmark)
    tasks = found.data_tasks(task, options)
    if out is None:
        raise InputError("say where the files go: -o DIR")
    files: list[Path] = []
    progress = WorkProgress(len(tasks), "tasks")
    try:
        with progress.shown() if len(tasks) > 1 else nullcontext():
            for name in tasks:
                files += found.write_data(name, options, seed, out)
                progress.count(n_done=1)
    except OSError as error:
        raise InputError(f"{error.filename or out} cannot be written: {error.strerror}") from error
    if as_json:
        print_json([str(file) for file in files])
    elif len(tasks) > 1:
        typer.echo(f"{len(files):,} files for {len(tasks):,} tasks in {out}")
    else:
        for file in files:
            typer.echo(file)


def task_and_options(arguments: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the task ('' where none is named) and the options: ``--train 100``, ``--eps=0``, a switch ``--natural``.

    They may be written as for other commands, too: ``--set train=100``.

    >>> task_and_options(["anbn", "--train", "100", "--natural", "--eps=0", "--set", "b=2"])
    ('anbn', {'train': 100, 'natural': True, 'eps': 0, 'b': 2})
    """
    from wug.cli._settings import parse_assignments, parse_value

    task = ""
    options: dict[str, Any] = {}
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if argument.startswith("--"):
            name, equals, value = argument[2:].partition("=")
            if not equals:
                value = waiting.pop(0) if waiting and not waiting[0].startswith("--") else "true"
            if name == "set":
                options |= parse_assignments([value])
            else:
                options[name.replace("-", "_")] = parse_value(value)
        elif task:
            raise InputError(f"unexpected argument '{argument}'; settings are written as --NAME VALUE")
        else:
            task = argument
    return task, options
