"""Renders the templates of the pages (folder ``templates``); what they may call beside Jinja's own."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

import wug
from wug.benchmarks.protocol import Table
from wug.reports.evidence import cell_anchor, is_long
from wug.reports.overview import Chapter
from wug.reports.text import count, duration, sentence

FOLDER = Path(__file__).parent / "templates"


class Templates:
    """Renders pages; whatever comes from results or benchmarks is escaped."""

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.filters |= {
            "count": count,
            "duration": duration,
            "linked": linked,
            "paragraphs": paragraphs,
            "sentence": sentence,
        }
        self._environment.globals |= {
            "version": wug.__version__,
            "chapters": chapters,
            "cell_anchor": cell_anchor,
            "is_long": is_long,
            "is_table": lambda block: isinstance(block, Table),
        }

    def render(self, template: str, **values: Any) -> str:
        """Return a page; ``values`` are what the template names."""
        return self._environment.get_template(template).render(**values)

    def source(self, file: str) -> str:
        """Return a file of the templates' folder as it is."""
        return (FOLDER / file).read_text("utf-8")


def linked(text: str) -> Markup:
    """Return the text with web addresses and arXiv numbers made into links.

    >>> str(linked("a < b, arXiv:2308.08253."))
    'a &lt; b, <a href="https://arxiv.org/abs/2308.08253">arXiv:2308.08253</a>.'
    """
    parts = re.split(r"(https?://[^\s<>\"]*[^\s<>\".,;:)]|arXiv:\d{4}\.\d{4,5})", text)
    link = Markup('<a href="{0}">{1}</a>')
    return Markup("").join(
        link.format(part.replace("arXiv:", "https://arxiv.org/abs/"), part) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def paragraphs(text: str) -> list[str]:
    """Return the parts of a text that blank lines separate."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
