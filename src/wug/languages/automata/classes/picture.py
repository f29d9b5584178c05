"""The lattice of the sixteen classes as an SVG, those that hold a language filled."""

from html import escape

from wug.languages.automata.classes.classification import Classification
from wug.languages.automata.classes.lattice import COVERS, LOGICS, MODELS, PLACES
from wug.languages.automata.classes.table import CLASSES

_LEFT, _TOP = 215, 96
_COLUMN, _ROW = 128, 92
_BOX_WIDTH, _BOX_HEIGHT = 74, 40
_SHIFT = 26
"""Sideways shift of strict classes and their complements, so that lines to the row above pass by."""

_STYLE = """
  text { font-family: system-ui, sans-serif; font-size: 14px; fill: #1f2933; }
  .heading { font-size: 12px; fill: #52606d; }
  .arrow { stroke: #9aa5b1; stroke-width: 1.3; }
  .logic { stroke: #5b8bd0; stroke-width: 1; stroke-dasharray: 5 5; }
  .out rect { fill: #ffffff; stroke: #9aa5b1; }
  .out text { fill: #616e7c; }
  .in rect { fill: #1d5fa8; stroke: #1d5fa8; }
  .in text { fill: #ffffff; font-weight: 600; }
  .in .k { font-size: 11px; font-weight: 400; }
  .represented rect { stroke: #e8a33d; stroke-width: 4; }
"""


def lattice_svg(classification: Classification, name: str) -> str:
    """Return the picture as SVG text; ``name`` is its heading.

    Rows are logics, columns what the literals look at, lines proper inclusions (upwards or sideways). Filled classes
    hold the language, with their smallest parameter; an orange frame marks the class that it represents.
    """
    width = _LEFT + len(MODELS) * _COLUMN + 10
    height = _TOP + len(LOGICS) * _ROW + 34
    held = [key for key in COVERS if classification.classes[key]]
    summary = f"{name} belongs to {', '.join(held)} of the sixteen classes of MLRegTest."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-labelledby="title summary">',
        f'<title id="title">Classes of {escape(name)}</title>',
        f'<desc id="summary">{escape(summary)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="28" font-weight="600">{escape(name)}</text>',
        *_headings(width),
        *(_arrow(lower, upper) for lower, covers in COVERS.items() for upper in covers),
        *(_box(key, classification) for key in COVERS),
        f'<text class="heading" x="16" y="{height - 12}">filled: the language is in the class, with its smallest k; '
        f"framed: the class that it represents</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _centre(key: str) -> tuple[int, int]:
    row, column = PLACES[key]
    shift = {LOGICS.index("no factor may occur"): -_SHIFT, LOGICS.index("some factor must occur"): _SHIFT}.get(row, 0)
    return _LEFT + column * _COLUMN + _COLUMN // 2 + shift, _TOP + row * _ROW + _ROW // 2


def _headings(width: int) -> list[str]:
    lines = []
    for column, model in enumerate(MODELS):
        x = _LEFT + column * _COLUMN + _COLUMN // 2
        words = model.split(", ")
        for index, word in enumerate(words):
            y = _TOP - 10 - 15 * (len(words) - 1 - index)
            comma = "," if index < len(words) - 1 else ""
            lines.append(f'<text class="heading" x="{x}" y="{y}" text-anchor="middle">{word}{comma}</text>')
    for row, logic in enumerate(LOGICS):
        y = _TOP + row * _ROW
        lines.append(f'<text class="heading" x="16" y="{y + _ROW // 2 + 4}">{logic}</text>')
        lines.append(f'<line class="logic" x1="16" y1="{y}" x2="{width - 16}" y2="{y}"/>')
    return lines


def _arrow(lower: str, upper: str) -> str:
    (x1, y1), (x2, y2) = _centre(lower), _centre(upper)
    return f'<line class="arrow" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _box(key: str, classification: Classification) -> str:
    x, y = _centre(key)
    kind = "in" if classification.classes[key] else "out"
    if classification.represents == key:
        kind += " represented"
    k = classification.k.get(key)
    lines = [f'<text x="{x}" y="{y + (5 if k is None else -1)}" text-anchor="middle">{key}</text>']
    if k is not None:
        lines.append(f'<text class="k" x="{x}" y="{y + 14}" text-anchor="middle">k = {k}</text>')
    return (
        f'<g class="{kind}"><title>{CLASSES[key].title}</title>'
        f'<rect x="{x - _BOX_WIDTH // 2}" y="{y - _BOX_HEIGHT // 2}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" '
        f'rx="6"/>{"".join(lines)}</g>'
    )
