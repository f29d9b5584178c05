"""``wug reprint``: a paper's tables from its authors' own results."""

from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json
from wug.errors import InputError

app = command_app()


@app.command(rich_help_panel="Exchange")
def reprint_results(
    name: Annotated[str, typer.Argument(metavar="BENCHMARK", help="mlregtest or syntaxgym")],
    file: Annotated[
        Path,
        typer.Argument(help="The original's results: all_evals.csv of MLRegTest, or the folder of SyntaxGym's."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where the pages go; BENCHMARK-reprint if left out."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files written as JSON.")] = False,
) -> None:
    """Print a paper's tables and figures again from the results that its authors published.

    Makes pages as [bold]wug report[/bold] does: every table recomputed, beside what the paper prints.

    [bold]Examples[/bold]

      wug reprint mlregtest all_evals.csv -o reprint
      wug reprint syntaxgym results/
    """
    from wug.benchmarks.protocol import Reprints
    from wug.benchmarks.registry import benchmark
    from wug.cli._commands import CommandWriter
    from wug.reports.overview import Chapter
    from wug.reports.page import write_report
    from wug.reports.stores import no_trials

    found = benchmark(name)
    if not isinstance(found, Reprints):
        raise InputError(f"there are no published results of {name} that its tables could be printed from")
    chapter = Chapter(found.card, found.reprint(file))
    files = write_report(no_trials(), [chapter], output or Path(f"{name}-reprint"), CommandWriter())
    if as_json:
        print_json({"index": str(files[0]), "files": [str(one) for one in files]})
    else:
        typer.echo(files[0])
