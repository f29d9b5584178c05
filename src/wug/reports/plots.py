"""Draws a ``Plot``: panels of lines with bands for intervals and small dots for single runs."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wug.benchmarks.protocol import Block, DotPlot, Plot, Series
from wug.reports.schemes import MARKERS, Scheme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Looks = Mapping[str, int]
"""The place of each label in the lists of colours and markers."""


def looks(blocks: Iterable[Block]) -> dict[str, int]:
    """Give each label its look, the same in every plot; the paper's own values look like what they compare with."""
    series = (one for block in blocks for one in _series_of(block))
    labels = dict.fromkeys(one.label for one in sorted(series, key=lambda one: one.reference))
    return {label: place for place, label in enumerate(labels)}


def _series_of(block: Block) -> Iterable[Series]:
    if isinstance(block, Plot):
        return (one for _, panel in block.panels for one in panel)
    return block.series if isinstance(block, DotPlot) else ()


def has_values(plot: Plot) -> bool:
    """Tell whether there is anything to draw: a finite point, positive where the axis is logarithmic."""
    least_x, least_y = (0.0 if scale == "log" else -math.inf for scale in (plot.x_scale, plot.y_scale))
    return any(
        least_x < x < math.inf and least_y < y < math.inf
        for _, series in plot.panels
        for one in series
        for x, y in (*zip(one.x, one.y, strict=True), *one.points)
    )


def draw_plot(plot: Plot, scheme: Scheme, places: Looks, *, narrow: bool = False) -> "Figure":
    """Return the drawn figure; call it under ``matplotlib.rc_context`` with the scheme's settings."""
    from matplotlib.figure import Figure

    values = {x for _, series in plot.panels for one in series for x in (*one.x, *(x for x, _ in one.points))}
    single = values.pop() if len(values) == 1 else None
    if single is not None:
        plot = _side_by_side(plot)
    n_panels = len(plot.panels)
    columns = _columns(n_panels, narrow=narrow)
    rows = math.ceil(n_panels / columns)
    figure = Figure(figsize=_size(columns, rows, narrow=narrow), layout="constrained")
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat
    entries: dict[tuple[str, bool], Any] = {}
    for index, axis in enumerate(axes):
        if index >= n_panels:
            axis.set_visible(False)
            continue
        title, series = plot.panels[index]
        entries |= _draw_panel(axis, series, scheme, places)
        axis.set_title(title)
        axis.tick_params(labelbottom=index + columns >= n_panels)
        for value, _ in plot.y_ticks:
            axis.axhline(value, color=scheme.faint, linewidth=1, zorder=0.5)
    everything = [one for _, series in plot.panels for one in series]
    if single is None:
        _scale_x(axes[0], plot, everything, crowded=narrow and columns > 1)
    else:
        axes[0].set_xlim(-1, 1)
        axes[0].set_xticks([0], [number(single)])
    _scale_y(axes[0], plot, everything)
    figure.supxlabel(plot.x_label, fontsize=8.5)
    figure.supylabel(plot.y_label, fontsize=8.5)
    if entries:
        labels = [label for label, _ in entries]
        longest = max(map(len, labels))
        per_row = max(1, round((44 if narrow else 88) / (longest + 7)))
        per_row = min(per_row, len(entries))
        figure.legend(list(entries.values()), labels, loc="outside upper left", ncols=per_row, borderpad=0)
    return figure


def _side_by_side(plot: Plot) -> Plot:
    """Return a plot whose points all have one x with its series beside each other between -1 and 1."""
    labels = list(dict.fromkeys(one.label for _, series in plot.panels for one in series if not one.reference))
    places = {label: 1.4 * (place + 0.5) / len(labels) - 0.7 for place, label in enumerate(labels)}

    def moved(one: Series) -> Series:
        if one.reference:
            return replace(one, x=(-1.0, 1.0), y=one.y * 2, low=one.low * 2, high=one.high * 2)
        x = places[one.label]
        return replace(one, x=(x,) * len(one.x), points=tuple((x, y) for _, y in one.points))

    panels = tuple((title, tuple(moved(one) for one in series if one.x or one.points)) for title, series in plot.panels)
    return replace(plot, panels=panels, x_scale="linear")


def _columns(n_panels: int, *, narrow: bool) -> int:
    if narrow:
        return 2 if n_panels > 3 else 1
    return 2 if n_panels == 4 else min(n_panels, 3)


def _size(columns: int, rows: int, *, narrow: bool) -> tuple[float, float]:
    """Return width and height in inches: one or two columns of a journal, or a telephone's screen."""
    if narrow:
        return 3.6, 0.8 + 1.75 * rows
    if columns == 1:
        return 4.9, 0.6 + 2.5 * rows
    return 7.2, 0.7 + (2.3 if columns == 2 else 1.85) * rows


def _draw_panel(axis: "Axes", series: Sequence[Series], scheme: Scheme, places: Looks) -> dict[tuple[str, bool], Any]:
    """Draw the series and return what the legend shows, by label and whether it is a reference."""
    axis.grid(axis="y")
    entries: dict[tuple[str, bool], Any] = {}
    for one in series:
        place = places[one.label]
        colour = scheme.soft if one.reference else scheme.series[place % len(scheme.series)]
        if one.points:
            x, y = zip(*one.points, strict=True)
            axis.plot(x, y, linestyle="", marker=".", markersize=3.5, color=colour, alpha=0.45, markeredgewidth=0)
        if one.low and len(one.x) > 1:
            axis.fill_between(one.x, one.low, one.high, color=colour, alpha=0.16, linewidth=0)
        elif one.low:
            axis.vlines(one.x, one.low, one.high, color=colour, linewidth=1)
        if one.reference:
            style: dict[str, Any] = {"linestyle": (0, (1, 1.6)), "linewidth": 1.2, "zorder": 2}
        elif one.published:
            style = {
                "linestyle": (0, (3, 2)),
                "markerfacecolor": scheme.paper,
                "markeredgecolor": colour,
                "zorder": 2.5,
            }
        else:
            style = {"markeredgecolor": scheme.paper, "markeredgewidth": 0.6, "zorder": 3}
        marker = None if one.reference else MARKERS[place % len(MARKERS)]
        (line,) = axis.plot(one.x, one.y, color=colour, marker=marker, **style)
        entries[f"{one.label}, paper" if one.published else one.label, one.reference] = line
    return entries


def _scale_x(axis: "Axes", plot: Plot, series: Sequence[Series], *, crowded: bool) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    axis.set_xscale(plot.x_scale)
    values = sorted({x for one in series for x in one.x})
    axis.xaxis.set_minor_locator(NullLocator())
    if plot.x_scale == "log" and values:
        axis.set_xticks(_apart([float(value) for value in values], limit=4 if crowded else 7))
    elif all(float(value).is_integer() for value in values):
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5 if crowded else 8))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))


def _apart(values: list[float], *, limit: int) -> list[float]:
    """Return those of the positive values that can be labelled on a log axis without touching, largest included."""
    if len(values) < 2:
        return values
    least = (math.log(values[-1]) - math.log(values[0])) / limit
    kept = [values[-1]]
    for value in reversed(values[:-1]):
        if math.log(kept[-1]) - math.log(value) >= least * 0.95:
            kept.append(value)
    return kept[::-1]


def _scale_y(axis: "Axes", plot: Plot, series: Sequence[Series]) -> None:
    from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, LogLocator, NullLocator

    axis.set_yscale(plot.y_scale)
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    names = dict(plot.y_ticks)
    heights = [y for one in series for y in (*one.y, *one.low, *one.high, *(y for _, y in one.points))]
    reach = [value for value in [*heights, *names] if math.isfinite(value)]
    if not reach:
        return
    low, high = min(reach), max(reach)
    position = math.log if plot.y_scale == "log" else float
    if plot.y_scale == "log" and high < 1000 * low:
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    if not names:
        return
    room = 0.07 * (position(high) - position(low))
    between = [
        float(value)
        for value in axis.yaxis.get_major_locator().tick_values(low, high)
        if low <= value <= high and all(abs(position(value) - position(name)) > room for name in names)
    ]
    ticks = sorted([*between, *names])
    axis.yaxis.set_major_locator(FixedLocator(ticks))
    axis.yaxis.set_major_formatter(FixedFormatter([names.get(value, number(value)) for value in ticks]))


def number(value: float) -> str:
    """Return a value as an axis shows it.

    >>> number(0.05), number(1000.0), number(20_000.0), number(2_500_000.0)
    ('0.05', '1000', '20,000', '2.5M')
    """
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:g}"
