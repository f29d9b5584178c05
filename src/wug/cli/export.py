"""``wug export``: a store's results as one long table."""

from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app

app = command_app()


@app.command(rich_help_panel="Exchange")
def export_store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="ends in .parquet or .csv")],
    store: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the store.")] = Path("wug-store"),
) -> None:
    """Write all results of a store to a Parquet or CSV file, one row a score, numbers in full precision.

    Of two equal runs all columns are equal but started, finished, wall_s, cpu_s, peak_mb, host, worker and attempt.

    [bold]Examples[/bold]

      wug export results.parquet
      wug export --store demo results.csv
    """
    from wug.studies.exchange import export_results
    from wug.studies.store import Store

    with Store.reading(store) as opened:
        n_trials = export_results(opened, file)
    typer.echo(f"{n_trials} trials in {file}")
