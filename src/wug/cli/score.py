"""``wug score``: judges what somebody else's system answered."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_table
from wug.errors import InputError

if TYPE_CHECKING:
    from wug.benchmarks.protocol import Benchmark, Score

app = command_app()


@app.command(rich_help_panel="Exchange")
def score_file(
    target: Annotated[str, typer.Argument(metavar="BENCHMARK/TASK", help="what was answered, for example bliss/anbn")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="the answers")],
    assignments: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="A setting, as the data were written with.")
    ] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(help="Seed, as the data were written with.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge the answers of a system that was trained elsewhere, with the same measures as a trial.

    [bold]wug data[/bold] writes the items to answer and says what a file of answers looks like.

    [bold]Examples[/bold]

      wug data bliss anbn --train 100 -o data/
      wug score bliss/anbn predictions.parquet --set train=100
      wug score find/count data/predictions.tsv data/nats.tsv
      wug score syntaxgym surprisals.tsv --set suites=data/suites
    """
    from wug.benchmarks.registry import benchmark as find
    from wug.cli._settings import parse_assignments
    from wug.studies.trial import canonical_json

    benchmark, slash, task = target.partition("/")
    found = find(benchmark)
    if not slash:
        task = _only_task(found, target)
    settings = found.resolve(task, parse_assignments(assignments))
    scores: dict[tuple[str, str], Score] = {}
    for file in files:
        for score in found.score_file(task, settings, seed, file):
            if scores.setdefault((score.measure, score.item), score) != score:
                raise InputError(f"{file} and a file before it give '{score.measure}' different values")
    shown = ", ".join(map(str, files))
    if as_json:
        print_json(
            {
                "benchmark": benchmark,
                "task": task,
                "file": shown,
                "settings": json.loads(canonical_json(settings)),
                "scores": {score.measure: score.value for score in scores.values() if not score.item},
                "items": [
                    {"measure": score.measure, "item": score.item, "value": score.value}
                    for score in scores.values()
                    if score.item
                ],
                "notes": {score.measure: score.note for score in scores.values() if score.note},
            }
        )
        return
    rows = [(score.measure, score.item, score.value, score.note) for score in scores.values()]
    print_table(("measure", "item", "value", "note"), rows, title=f"{target}: {shown}")


def _only_task(found: "Benchmark", target: str) -> str:
    """Return the task whose data a benchmark writes where none is named; InputError where it has to be named."""
    try:
        tasks = found.data_tasks("", {})
    except InputError:
        tasks = ()
    if len(tasks) != 1:
        raise InputError(f"'{target}' must be BENCHMARK/TASK, for example bliss/anbn")
    return tasks[0]
