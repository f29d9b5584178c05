"""Draws a ``Heatmap``: values on a grid, with outlines around what would be right."""

from typing import TYPE_CHECKING

from wug.benchmarks.protocol import Heatmap
from wug.reports.schemes import Scheme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST_WITH_NUMBERS = 400
"""Grids of more cells show colours alone."""
LARGEST_AS_SHAPES = 5000
"""Grids of more cells are stored as one bitmap inside the figure."""


def draw_heatmap(heatmap: Heatmap, scheme: Scheme) -> "Figure":
    """Return the drawn figure; call it under ``matplotlib.rc_context`` with the scheme's settings."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap, ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    values = np.asarray(heatmap.values, dtype=float)
    rows, columns = values.shape
    cell = 0.36 if columns <= 20 else max(0.05, 7.2 / columns)  # inches
    height = max(cell, 0.24 if rows <= 20 else 0.0)
    longest_name = max(map(len, heatmap.y_names))
    figure = Figure(figsize=(1.5 + 0.065 * longest_name + cell * columns, 0.75 + height * rows), layout="constrained")
    axis = figure.subplots()
    n_classes = len(heatmap.classes)
    ramp = LinearSegmentedColormap.from_list("ramp", scheme.ramp)
    mesh = axis.pcolormesh(
        values,
        cmap=ListedColormap(scheme.series[:n_classes]) if n_classes else ramp,
        vmin=-0.5 if n_classes else 0,
        vmax=n_classes - 0.5 if n_classes else 1,
        edgecolors=scheme.paper,
        linewidth=1 if cell >= 0.2 else 0,
        rasterized=values.size > LARGEST_AS_SHAPES,
    )
    axis.set_aspect(height / cell)
    axis.invert_yaxis()
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    for set_ticks, names, room in (
        (axis.set_xticks, heatmap.x_names, cell),
        (axis.set_yticks, heatmap.y_names, height),
    ):
        step = max(1, round(0.16 / room))
        set_ticks(np.arange(0, len(names), step) + 0.5, names[::step])
    axis.set_xlabel(heatmap.x_label)
    axis.set_ylabel(heatmap.y_label)
    if not n_classes and values.size <= LARGEST_WITH_NUMBERS and cell >= 0.3:
        for (row, column), value in np.ndenumerate(values):
            if value >= 0.005:
                axis.text(
                    column + 0.5,
                    row + 0.52,
                    _short(float(value)),
                    ha="center",
                    va="center",
                    fontsize=6.5,
                    color=_ink(ramp(value)),
                )
    for row, column in heatmap.marks:
        thick = 1.4 if cell >= 0.2 else 0.9
        corner = (column + 0.06, row + 0.06)
        axis.add_patch(Rectangle(corner, 0.88, 0.88, fill=False, edgecolor=scheme.mark, linewidth=thick))
    if n_classes:
        _add_legend(figure, heatmap.classes, scheme)
        return figure
    bar = figure.colorbar(mesh, ax=axis, shrink=0.95, aspect=6 * rows / min(rows, 3), pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label(heatmap.value_label)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    return figure


def _add_legend(figure: "Figure", classes: tuple[str, ...], scheme: Scheme) -> None:
    """Name the colours of the classes above the grid."""
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=colour, label=name) for name, colour in zip(classes, scheme.series, strict=False)]
    width = figure.get_size_inches()[0]
    per_row = max(1, int(width / (0.35 + 0.075 * max(map(len, classes)))))
    figure.legend(handles=patches, loc="outside upper left", ncols=per_row, borderpad=0, handlelength=1.2)


def _short(value: float) -> str:
    """Return a share in three characters or fewer: '.30', '.97', '1'."""
    return "1" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


def _ink(colour: tuple[float, float, float, float]) -> str:
    """Return black or white, whichever reads better on the colour (relative luminance of WCAG 2)."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3])
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#ffffff"
