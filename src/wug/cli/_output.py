"""How commands print: tables for people, JSON for machines."""

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from wug.benchmarks.protocol import Score

_UNLIMITED = 100_000

ITEMS_SHOWN = 20
"""Scores of single items that are printed of a trial."""


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
        console.width = _UNLIMITED  # whoever reads a file or a pipe wants one row a line
        console.width = max(console.measure(table).maximum, len(title), 1)
    console.print(table)


def print_scores(scores: Sequence["Score"]) -> None:
    """Print the scores of a trial: those of the whole task, then the first of its items."""
    whole = [score for score in scores if not score.item]
    items = [score for score in scores if score.item]
    if whole:
        rows = [(score.measure, format_number(score.value), score.note) for score in whole]
        print_table(("measure", "value", "note"), rows)
    if items:
        typer.echo()
        rows = [(f"{score.measure}: {score.item}", format_number(score.value), score.note) for score in items]
        print_table(("measure: item", "value", "note"), rows[:ITEMS_SHOWN])
    if len(items) > ITEMS_SHOWN:
        typer.echo(f"... and {len(items) - ITEMS_SHOWN} more; --json prints them all")


def format_number(value: float | None) -> str:
    """Return a number as people read it: whole numbers whole, others to six digits.

    >>> format_number(1000.0), format_number(0.12345678), format_number(True), format_number(None)
    ('1000', '0.123457', 'yes', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def format_duration(seconds: float) -> str:
    """Return a time to two units.

    >>> format_duration(8.2), format_duration(75), format_duration(7260), format_duration(200000)
    ('8 s', '1 min 15 s', '2 h 1 min', '2 d 7 h')
    """
    left = round(seconds)
    for (unit, size), (smaller, part) in pairwise([("d", 86400), ("h", 3600), ("min", 60), ("s", 1)]):
        if left >= size:
            return f"{left // size} {unit} {left % size // part} {smaller}"
    return f"{left} s"
