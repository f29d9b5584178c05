"""Colours and matplotlib settings of the figures: one look for the page by day, by night, and for papers.

Series colours are those of Okabe and Ito (2008), which stay apart under the common colour deficiencies; the night
scheme lightens them. A series is told by its marker as well, never by colour alone.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scheme:
    """The colours of one look; all as ``#rrggbb``."""

    text: str
    soft: str
    """Tick labels and spines."""
    faint: str
    """Grid lines."""
    paper: str
    """What the figure is laid on; figures themselves are transparent."""
    series: tuple[str, ...]
    ramp: tuple[str, str, str]
    """Colours of the values 0, 1/2 and 1."""
    mark: str
    """Outline of what would be right."""


DAY = Scheme(
    text="#1d2329",
    soft="#59636e",
    faint="#e3e6e9",
    paper="#ffffff",
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b38600", "#56b4e9", "#4d4d4d"),
    ramp=("#f4f7f9", "#7fb3d8", "#0b4f86"),
    mark="#d55e00",
)
NIGHT = Scheme(
    text="#e4e7ea",
    soft="#9aa4ae",
    faint="#2c333a",
    paper="#15191d",
    series=("#5ab0ec", "#f08a4b", "#3cc79a", "#e3a5c7", "#e0b84a", "#a5d8f5", "#c0c0c0"),
    ramp=("#1c2228", "#2f6f9f", "#a9dcff"),
    mark="#f08a4b",
)

MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def settings(scheme: Scheme, salt: str) -> dict[str, Any]:
    """Return matplotlib's settings for a scheme; ``salt`` fixes the ids inside the SVG file."""
    return {
        "svg.hashsalt": salt,
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "text.parse_math": False,
        "font.family": "DejaVu Sans",
        "font.size": 8.5,
        "text.color": scheme.text,
        "axes.labelcolor": scheme.text,
        "axes.labelsize": 8.5,
        "axes.titlesize": 8.5,
        "axes.titlelocation": "left",
        "axes.titlecolor": scheme.text,
        "axes.edgecolor": scheme.soft,
        "axes.facecolor": "none",
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "xtick.color": scheme.soft,
        "ytick.color": scheme.soft,
        "xtick.labelsize": 7.5,
        "ytick.labelsize": 7.5,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "xtick.major.size": 2.5,
        "ytick.major.size": 2.5,
        "grid.color": scheme.faint,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.5,
        "lines.markersize": 4.5,
        "legend.frameon": False,
        "legend.fontsize": 8,
        "legend.handlelength": 1.8,
        "legend.columnspacing": 1.6,
        "figure.facecolor": "none",
        "savefig.facecolor": "none",
    }
