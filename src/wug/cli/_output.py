"""How commands print: tables for people, JSON for machines."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print a value as strict JSON (no NaN) on standard output."""
    typer.echo(json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """Print rows under their headings, as wide as the terminal allows."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = max(console.measure(table).maximum, 1)
    console.print(table)
