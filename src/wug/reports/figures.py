"""Figures in every form that is needed: SVG for the page by day, by night and on a telephone, PDF for papers."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from wug.benchmarks.protocol import DotPlot, Figure, Heatmap, Plot, StateDiagrams
from wug.reports.diagrams import draw_diagrams
from wug.reports.dotplots import draw_dots, has_dots
from wug.reports.heatmaps import draw_heatmap
from wug.reports.plots import Looks, draw_plot, has_values
from wug.reports.schemes import DAY, NIGHT, Scheme, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

PIXELS_PER_INCH = 96
"""A CSS pixel is 1/96 inch."""


@dataclass(frozen=True)
class FigureFile:
    """One form of a figure."""

    name: str
    """File name with ending."""
    content: bytes
    width: int
    """In CSS pixels."""
    height: int


def figure_files(block: Figure, name: str, places: Looks) -> Iterator[FigureFile]:
    """Yield ``NAME.svg``, ``NAME.pdf``, ``NAME-dark.svg`` and, but of heatmaps, ``NAME-narrow.svg`` and its dark form.

    The same block gives the same bytes: no dates, no random ids. A plot without a value gives no file.
    """
    if isinstance(block, Heatmap):
        with _look(DAY, name):
            figure = draw_heatmap(block, DAY)
            yield _saved(figure, f"{name}.svg", block.title)
            yield _saved(figure, f"{name}.pdf", block.title)
        with _look(NIGHT, name):
            yield _saved(draw_heatmap(block, NIGHT), f"{name}-dark.svg", block.title)
    elif _shows_something(block):
        with _look(DAY, name):
            figure = _drawn(block, places, narrow=False)
            svg = _saved(figure, f"{name}.svg", block.title)
            pdf = _saved(figure, f"{name}.pdf", block.title)
            narrow = _saved(_drawn(block, places, narrow=True), f"{name}-narrow.svg", block.title)
        yield from (svg, pdf, _by_night(svg, f"{name}-dark.svg"))
        yield from (narrow, _by_night(narrow, f"{name}-narrow-dark.svg"))


def _shows_something(block: Plot | DotPlot | StateDiagrams) -> bool:
    if isinstance(block, StateDiagrams):
        return bool(block.diagrams)
    return has_dots(block) if isinstance(block, DotPlot) else has_values(block)


def _drawn(block: Plot | DotPlot | StateDiagrams, places: Looks, *, narrow: bool) -> "Drawing":
    if isinstance(block, StateDiagrams):
        return draw_diagrams(block, DAY, narrow=narrow)
    if isinstance(block, DotPlot):
        return draw_dots(block, DAY, places, narrow=narrow)
    return draw_plot(block, DAY, places, narrow=narrow)


@contextmanager
def _look(scheme: Scheme, salt: str) -> Iterator[None]:
    """Draw and save with the scheme's settings inside, whatever the user's own are."""
    import matplotlib as mpl

    look: Any = settings(scheme, salt)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(look)
        yield


def _saved(figure: "Drawing", name: str, title: str) -> FigureFile:
    ending = name.rpartition(".")[2]
    metadata: dict[str, Any] = {"Title": title, "Creator": "wug"}
    metadata |= {"Date": None} if ending == "svg" else {"CreationDate": None, "Producer": None}
    stream = io.BytesIO()
    figure.savefig(stream, format=ending, metadata=metadata)
    figure.set_layout_engine("none")  # it is laid out now, and the next form shall be the same
    width, height = figure.get_size_inches()
    return FigureFile(name, stream.getvalue(), round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH))


def _by_night(file: FigureFile, name: str) -> FigureFile:
    """Return a plot's SVG with every colour of the day exchanged for its partner; drawing anew would take as long."""
    partners: dict[bytes, bytes] = {}
    for field in fields(Scheme):
        day, night = getattr(DAY, field.name), getattr(NIGHT, field.name)
        pairs = [(day, night)] if isinstance(day, str) else zip(day, night, strict=True)
        partners |= {one.encode(): other.encode() for one, other in pairs}
    pattern = re.compile(rb"(?<=[:\s])#[0-9a-f]{6}(?=[;\"\s])")
    content = pattern.sub(lambda match: partners.get(match[0], match[0]), file.content)
    return FigureFile(name, content, file.width, file.height)
