"""Draws ``StateDiagrams``: states on a circle, in the order in which they are reached, arcs bent to the right."""

import math
from typing import TYPE_CHECKING, Any

from wug.benchmarks.protocol import StateDiagram, StateDiagrams
from wug.reports.schemes import Scheme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RIM, _INNER_RIM, _LOOP = 0.17, 0.135, 0.15
"""Radii of a state, of the inner rim of one that accepts, and of an arc from a state to itself."""
_BEND = 0.24
"""How far an arc is bent, as a share of its length."""
_EDGE = 1.55
"""Half the width of a panel, where the states' circle has radius 1."""
_PER_ROW = 3


def draw_diagrams(block: StateDiagrams, scheme: Scheme, *, narrow: bool = False) -> "Figure":
    """Return the drawn figure; call it under ``matplotlib.rc_context`` with the scheme's settings."""
    from matplotlib.figure import Figure

    columns = 1 if narrow else min(_PER_ROW, len(block.diagrams))
    rows = -(-len(block.diagrams) // columns)
    side = 3.4 if narrow else 2.5  # inches
    figure = Figure(figsize=(side * columns, (side + 0.3) * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis in axes:
        axis.set_axis_off()
        axis.set_aspect("equal")
        axis.set_xlim(-_EDGE, _EDGE)
        axis.set_ylim(-_EDGE, _EDGE)
    for axis, diagram in zip(axes, block.diagrams, strict=False):
        axis.set_title(diagram.title, loc="center", fontsize=8)
        _draw(axis, diagram, scheme)
    return figure


def _draw(axis: "Axes", diagram: StateDiagram, scheme: Scheme) -> None:
    from matplotlib.patches import Circle, FancyArrowPatch

    places = _places(len(diagram.accepting), diagram.arcs)
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 8, "color": scheme.soft, "linewidth": 0.9}
    x, y = places[0]
    axis.add_patch(FancyArrowPatch((x - 0.45, y), (x - _RIM, y), shrinkA=0, shrinkB=0, **arrow))
    for source, target, letters in diagram.arcs:
        if source == target:
            away = (0.0, 1.0) if source == 0 else places[source]  # the start's own arrow comes from the left
            _draw_loop(axis, places[source], away, letters, scheme)
            continue
        (x1, y1), (x2, y2) = places[source], places[target]
        length = math.hypot(x2 - x1, y2 - y1)
        along = ((x2 - x1) / length, (y2 - y1) / length)
        start = (x1 + _RIM * along[0], y1 + _RIM * along[1])
        end = (x2 - _RIM * along[0], y2 - _RIM * along[1])
        bend = f"arc3,rad={_BEND}"
        axis.add_patch(FancyArrowPatch(start, end, connectionstyle=bend, shrinkA=0, shrinkB=0, **arrow))
        distance = _BEND * (length - 2 * _RIM) / 2
        middle = ((x1 + x2) / 2 + distance * along[1], (y1 + y2) / 2 - distance * along[0])
        _write(axis, middle, letters, scheme)
    for number, ((x, y), accepts) in enumerate(zip(places, diagram.accepting, strict=True)):
        radii = (_RIM, _INNER_RIM) if accepts else (_RIM,)
        for radius in radii:
            axis.add_patch(
                Circle((x, y), radius, facecolor=scheme.paper, edgecolor=scheme.text, linewidth=0.9, zorder=3)
            )
        axis.text(x, y, str(number), ha="center", va="center", fontsize=7, color=scheme.text, zorder=4)


def _draw_loop(
    axis: "Axes", place: tuple[float, float], away: tuple[float, float], letters: str, scheme: Scheme
) -> None:
    """Draw an arc from a state to itself, on the side that a vector of length 1 points to."""
    from matplotlib.patches import Circle

    (x, y), distance = place, _RIM + 0.6 * _LOOP
    centre = (x + distance * away[0], y + distance * away[1])
    axis.add_patch(Circle(centre, _LOOP, fill=False, edgecolor=scheme.soft, linewidth=0.9, zorder=1))
    _write(axis, (centre[0] + (_LOOP + 0.1) * away[0], centre[1] + (_LOOP + 0.1) * away[1]), letters, scheme)


def _write(axis: "Axes", place: tuple[float, float], letters: str, scheme: Scheme) -> None:
    box: dict[str, Any] = {"boxstyle": "square,pad=0.1", "facecolor": scheme.paper, "edgecolor": "none"}
    axis.text(*place, letters, ha="center", va="center", fontsize=6.5, color=scheme.text, bbox=box, zorder=2)


def _places(n_states: int, arcs: tuple[tuple[int, int, str], ...]) -> list[tuple[float, float]]:
    """Return where states lie: the start at the left, the others clockwise in the order in which they are reached."""
    if n_states == 1:
        return [(0.0, 0.0)]
    order = [0]
    for state in order:
        order += [target for source, target, _ in arcs if source == state and target not in order]
    order += [state for state in range(n_states) if state not in order]
    places = [(0.0, 0.0)] * n_states
    for position, state in enumerate(dict.fromkeys(order)):
        angle = math.pi - 2 * math.pi * position / n_states
        places[state] = (math.cos(angle), math.sin(angle))
    return places
