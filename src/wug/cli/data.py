"""``wug data``: training data and the items to answer, for people who train elsewhere."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json
from wug.errors import InputError

app = command_app()


@app.command(rich_help_panel="Exchange", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def write_data(
    context: typer.Context,
    benchmark: Annotated[str, typer.Argument(help="a benchmark: wug list benchmarks")],
    task: Annotated[str, typer.Argument(help="one of its tasks: wug list tasks BENCHMARK")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the files; made if missing.")],
    seed: Annotated[int, typer.Option(help="Seed of what the benchmark draws per trial.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files as JSON.")] = False,
) -> None:
    """Write the training data of a task and the items to answer.

    Every setting of the benchmark ([bold]wug list settings BENCHMARK[/bold]) is an option here. Train your system on
    the training data, answer the items, and let [bold]wug score[/bold] judge the answers.

    [bold]Examples[/bold]

      wug data bliss anbn --train 100 --b 10 -o data/
      wug data bliss dyck2 --train 500 --dyck_list sampled -o data/
    """
    from wug.benchmarks.registry import benchmark as find

    found = find(benchmark)
    settings = found.resolve(task, extra_settings(context.args))
    try:
        files = list(found.write_data(task, settings, seed, out))
    except OSError as error:
        raise InputError(f"{error.filename or out} cannot be written: {error.strerror}") from error
    if as_json:
        print_json([str(file) for file in files])
    else:
        for file in files:
            typer.echo(file)


def extra_settings(arguments: list[str]) -> dict[str, Any]:
    """Return settings given as options of their own: ``--train 100``, ``--train=100`` or, for a switch, ``--natural``.

    >>> extra_settings(["--train", "100", "--natural", "--eps=0"])
    {'train': 100, 'natural': True, 'eps': 0}
    """
    from wug.cli._settings import parse_value

    settings: dict[str, Any] = {}
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if not argument.startswith("--"):
            raise InputError(f"unexpected argument '{argument}'; settings are written as --NAME VALUE")
        name, equals, value = argument[2:].partition("=")
        if not equals:
            value = waiting.pop(0) if waiting and not waiting[0].startswith("--") else "true"
        settings[name.replace("-", "_")] = parse_value(value)
    return settings
