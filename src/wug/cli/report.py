"""``wug report``: the tables and figures of what is in a store, as a folder of web pages."""

from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json

app = command_app()


@app.command(rich_help_panel="Look")
def make_report(
    stores: Annotated[
        list[Path], typer.Option("--store", metavar="DIR", help="Folder of a store; repeatable, for one report on all.")
    ] = [Path("wug-store")],  # noqa: B006 - typer copies it
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where the pages go; STORE/report if left out."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files written as JSON.")] = False,
) -> None:
    """Make a report: the papers' tables and figures beside what was measured, and the trials behind every number.

    The folder opens from the disk, without a server and without a network. Its figures are there as SVG and PDF, its
    tables as CSV. An earlier report in it is replaced.

    [bold]Examples[/bold]

      wug report
      wug report --store demo -o demo/report
      wug report --store mine --store theirs -o both
    """
    from wug.benchmarks.registry import benchmark
    from wug.cli._commands import CommandWriter
    from wug.reports.overview import Chapter
    from wug.reports.page import write_report
    from wug.reports.stores import of_benchmark, read_stores

    results = read_stores(stores)
    found = [benchmark(name) for name in sorted(set(results.trials["benchmark"]))]
    chapters = [Chapter(one.card, one.sections(of_benchmark(results, one.card.name))) for one in found]
    files = write_report(results, chapters, output or stores[0] / "report", CommandWriter())
    if as_json:
        print_json({"index": str(files[0]), "files": [str(file) for file in files]})
    else:
        typer.echo(files[0])
