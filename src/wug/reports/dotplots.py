"""Draws a ``DotPlot``: named rows with their values as dots, intervals as lines, and bars that join rows."""

import math
from typing import TYPE_CHECKING

from wug.benchmarks.protocol import DotPlot
from wug.reports.plots import Looks, number
from wug.reports.schemes import MARKERS, Scheme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SPREAD = 0.66
"""Share of a row's height over which its series lie apart."""


def has_dots(plot: DotPlot) -> bool:
    """Tell whether there is anything to draw."""
    return any(math.isfinite(y) for one in plot.series for y in (*one.y, *(y for _, y in one.points)))


def draw_dots(plot: DotPlot, scheme: Scheme, places: Looks, *, narrow: bool = False) -> "Figure":
    """Return the drawn figure; call it under ``matplotlib.rc_context`` with the scheme's settings."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    labels = list(dict.fromkeys(one.label for one in plot.series))
    row_height = max(0.2, 0.1 * len(labels))  # inches
    size = (3.6 if narrow else 5.4, 0.8 + row_height * len(plot.rows))
    figure = Figure(figsize=size, layout="constrained")
    axis = figure.subplots()
    axis.grid(axis="x")
    for boundary in range(1, len(plot.rows)):
        axis.axhline(boundary - 0.5, color=scheme.faint, linewidth=0.6, zorder=0.5)
    entries = {}
    for one in plot.series:
        place = places[one.label]
        colour = scheme.soft if one.reference else scheme.series[place % len(scheme.series)]
        offset = _SPREAD * ((labels.index(one.label) + 0.5) / len(labels) - 0.5)
        heights = [row + offset for row in one.x]
        if one.low:
            axis.hlines(heights, one.low, one.high, color=colour, linewidth=1)
        if one.points:
            rows, values = zip(*one.points, strict=True)
            heights_of_points = [row + offset for row in rows]
            axis.plot(values, heights_of_points, linestyle="", marker=".", markersize=3, color=colour, alpha=0.45)
        (dots,) = axis.plot(
            one.y,
            heights,
            linestyle="",
            marker=MARKERS[place % len(MARKERS)],
            markersize=4.5,
            color=colour,
            markerfacecolor=scheme.paper if one.published else colour,
            markeredgecolor=colour,
            markeredgewidth=0.8,
            zorder=3,
        )
        entries[f"{one.label}, paper" if one.published else one.label] = dots
    axis.set_ylim(len(plot.rows) - 0.5, -0.5)
    axis.set_yticks(range(len(plot.rows)), plot.rows)
    axis.tick_params(axis="y", length=0, labelcolor=scheme.text)
    axis.xaxis.set_major_locator(MaxNLocator(nbins=5 if narrow else 8, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 10))))
    axis.set_xlabel(plot.value_label)
    for column, (first, last) in enumerate(plot.bars):
        axis.plot(
            [1.03 + 0.025 * column] * 2,
            [first - 0.25, last + 0.25],
            transform=axis.get_yaxis_transform(),
            color=scheme.text,
            linewidth=2.2,
            solid_capstyle="butt",
            clip_on=False,
        )
    if len(entries) > 1:
        longest = max(map(len, entries))
        per_row = min(len(entries), max(1, round((44 if narrow else 66) / (longest + 7))))
        figure.legend(list(entries.values()), list(entries), loc="outside upper left", ncols=per_row, borderpad=0)
    return figure
