"""``wug import``: results that were exported elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app

app = command_app()


@app.command(rich_help_panel="Exchange")
def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="written by wug export")],
    store: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the store.")] = Path("wug-store"),
) -> None:
    """Merge exported results into a store, so that they travel between machines.

    The id of every trial is computed anew from its spec; a file in which one does not fit is refused. Trials that are
    done in the store stay as they are.

    [bold]Example[/bold]

      wug import results-from-the-cluster.parquet --store results/
    """
    from wug.studies.exchange import import_results
    from wug.studies.store import Store

    with Store.writing(store) as opened:
        imported = import_results(opened, file)
    typer.echo(f"{imported.added} trials imported, {imported.known} were done already")
    if imported.differing:
        typer.echo(
            f"{len(imported.differing)} of these have other scores in {file}, {imported.differing[0]} for one; "
            "the store keeps its own"
        )
