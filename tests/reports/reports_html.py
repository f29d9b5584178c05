"""Reads the report's pages strictly: what a browser would forgive is an error here."""

from html.parser import HTMLParser
from pathlib import Path

VOID = frozenset({"meta", "link", "img", "source", "br", "hr", "input", "wbr"})
DRAWN = frozenset({"path", "circle"})
"""Elements of SVG that close themselves."""


class Page(HTMLParser):
    """One page: its text, links, images, headings, ids, and what is wrong with its markup."""

    def __init__(self, file: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.file = file
        self.source = file.read_text("utf-8")
        self.text = ""
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.headings: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(self.source)
        self.close()
        if self._open:
            self.wrong.append(f"never closed: {self._open}")

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if len(values) < len(attrs):
            self.wrong.append(f"attribute twice in {self.get_starttag_text()}")
        self.tags.append((tag, values))
        if values.get("id"):
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if tag in ("link", "script"):
            self.sources.append(values.get("href") or values.get("src") or "")
        if tag in ("img", "source"):
            self.sources.append(values.get("src") or values.get("srcset") or "")
        if tag == "img":
            self.images.append(values)
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        if tag == "p" and "p" in self._open:
            self.wrong.append(f"a paragraph inside a paragraph: {self.get_starttag_text()}")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID | DRAWN:
            self.wrong.append(f"<{tag}/> is not empty in HTML")
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self._open or self._open[-1] != tag:
            self.wrong.append(f"</{tag}> inside {self._open[-3:]} at {self.getpos()}")
        else:
            self._open.pop()

    def handle_data(self, data):
        self.text += data
