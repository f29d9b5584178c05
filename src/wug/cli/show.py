"""``wug show``: all that is known of one trial."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_scores, print_table
from wug.cli._settings import format_value

app = command_app()


@app.command(rich_help_panel="Look")
def show_trial(
    trial: Annotated[str, typer.Argument(metavar="TRIAL", help="the trial's id, or the start of it")],
    store: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the store.")] = Path("wug-store"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a trial: what it was, what came of it, why it failed, and the command that runs it again.

    [bold]Example[/bold]

      wug show 57cd9525
    """
    from wug.benchmarks.protocol import Score
    from wug.cli._commands import trial_command
    from wug.studies.records import scores_record
    from wug.studies.store import Store

    with Store.reading(store) as opened:
        row = opened.trial(trial)
        scores = [Score(*score) for score in opened.scores(row["id"])]
        memberships = opened.memberships(row["id"])
    spec = json.loads(row.pop("spec"))
    command, is_same = trial_command(spec, json.loads(row.pop("locations")))
    row["studies"] = [{"study": study, "scale": scale} for study, scale in memberships]
    if as_json:
        print_json({**row, "spec": spec, "command": command, "command_is_same": is_same, **scores_record(scores)})
        return
    _print_trial(row, spec)
    typer.echo()
    print_scores(scores)
    if row["traceback"]:
        typer.echo(f"\n{row['traceback'].rstrip()}")
    typer.echo(f"\nRun it again: {command}")
    if not is_same:
        typer.echo("(that makes another trial today: the benchmark, a default or a file has changed since)")


def _print_trial(row: dict[str, Any], spec: dict[str, Any]) -> None:
    told_elsewhere = ("id", "traceback", "studies")
    facts = {name: value for name, value in row.items() if value not in (None, "") and name not in told_elsewhere}
    facts["studies"] = "; ".join(f"{one['study']} {one['scale']}".strip() for one in row["studies"])
    print_table(("trial", row["id"]), facts.items())
    typer.echo()
    options = {f"learner.{name}": value for name, value in spec["learner"]["options"].items()}
    print_table(
        ("setting", "value"), [(name, format_value(value)) for name, value in {**spec["settings"], **options}.items()]
    )
