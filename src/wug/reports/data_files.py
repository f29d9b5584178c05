"""What stands in the tables and figures, as CSV for machines."""

import csv
import io
from collections.abc import Iterable, Sequence

from wug.benchmarks.protocol import Block, DotPlot, Heatmap, Plot, Series, StateDiagrams, Table


def csv_of(block: Block) -> str:
    """Return the block's content as CSV with a heading line.

    A table gives a line a cell, with the ids of its trials parted by spaces; a plot a line a point, of kind ``line``
    or, for a single run, ``run``; a plot of dots a line a dot, and a line for each bar; a heatmap a line a field; state
    diagrams a line an arc.
    """
    columns: tuple[str, ...]
    if isinstance(block, Table):
        columns, lines = ("row", "column", "measured", "published", "verdict", "detail", "trials"), _cells(block)
    elif isinstance(block, Plot):
        columns, lines = ("panel", "series", "published", "kind", "x", "y", "low", "high"), _points(block)
    elif isinstance(block, DotPlot):
        columns, lines = ("row", "series", "published", "kind", "value", "low", "high", "to_row"), _dots(block)
    elif isinstance(block, StateDiagrams):
        columns, lines = ("diagram", "from", "to", "letters", "to_accepts"), _arcs(block)
    else:
        columns, lines = ("row", "column", "position", "value", "marked"), _fields(block)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(lines)
    return stream.getvalue()


def _cells(table: Table) -> Iterable[Sequence[object]]:
    for row, cells in table.rows:
        for column, cell in zip(table.columns, cells, strict=True):
            yield row, column, cell.measured, cell.published, cell.verdict, cell.detail, " ".join(cell.trials)


def _points(plot: Plot) -> Iterable[Sequence[object]]:
    for panel, series in plot.panels:
        for one in series:
            published = str(one.published).lower()
            for x, y, low, high in zip(one.x, one.y, *_ends(one), strict=True):
                yield panel, one.label, published, "line", x, y, low, high
            for x, y in one.points:
                yield panel, one.label, published, "run", x, y, "", ""


def _dots(plot: DotPlot) -> Iterable[Sequence[object]]:
    for one in plot.series:
        published = str(one.published).lower()
        for x, y, low, high in zip(one.x, one.y, *_ends(one), strict=True):
            yield plot.rows[int(x)], one.label, published, "dot", y, low, high, ""
        for x, y in one.points:
            yield plot.rows[int(x)], one.label, published, "run", y, "", "", ""
    for first, last in plot.bars:
        yield plot.rows[first], "", "", "bar", "", "", "", plot.rows[last]


def _arcs(block: StateDiagrams) -> Iterable[Sequence[object]]:
    for diagram in block.diagrams:
        for source, target, letters in diagram.arcs:
            yield diagram.title, source, target, letters, str(diagram.accepting[target]).lower()


def _ends(series: Series) -> tuple[Sequence[object], Sequence[object]]:
    empty = ("",) * len(series.x)
    return series.low or empty, series.high or empty


def _fields(heatmap: Heatmap) -> Iterable[Sequence[object]]:
    marked = set(heatmap.marks)
    for y, (row, values) in enumerate(zip(heatmap.y_names, heatmap.values, strict=True)):
        for x, (column, value) in enumerate(zip(heatmap.x_names, values, strict=True)):
            shown = heatmap.classes[int(value)] if heatmap.classes else value
            yield row, column, x, shown, str((y, x) in marked).lower()
