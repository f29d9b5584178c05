"""``wug status``: how far the studies of a store have come."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json, print_table

app = command_app()

FAILURES_SHOWN = 20


@app.command(rich_help_panel="Look")
def show_status(
    store: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the store.")] = Path("wug-store"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how far each study of a store has come, and which trials failed; also while it is running.

    [bold]Examples[/bold]

      wug status
      wug status --store demo --json
    """
    from wug.studies.store import Store

    with Store.reading(store) as opened:
        studies, failures = opened.studies(), opened.failures()
    if as_json:
        print_json({"store": str(store), "studies": [asdict(study) for study in studies], "failures": failures})
        return
    columns = ("study", "scale", "done", "failed", "waiting", "command")
    print_table(columns, [[getattr(study, column) for column in columns] for study in studies])
    if failures:
        typer.echo()
        columns = ("id", "benchmark", "task", "learner", "seed", "error")
        rows = [[trial[column] for column in columns] for trial in failures[:FAILURES_SHOWN]]
        print_table(columns, rows, title="Failed trials")
    if len(failures) > FAILURES_SHOWN:
        typer.echo(f"... and {len(failures) - FAILURES_SHOWN} more; --json prints them all")
