"""Words and numbers as the report prints them."""

import re
import unicodedata


class FileNames:
    """Gives each text a short file name of its own, safe on every file system."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name(self, text: str) -> str:
        """Return a name for this text that was not given before.

        >>> names = FileNames()
        >>> names.name("Index B at ε = 0"), names.name("index b at = 0")
        ('index-b-at-0', 'index-b-at-0-2')
        """
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain)[:60].strip("-") or "part"
        name, number = stem, 1
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._taken.add(name)
        return name


def duration(seconds: float) -> str:
    """Return a time in the two largest units that matter.

    >>> duration(0.034), duration(8.24), duration(192), duration(7500)
    ('0.034 s', '8.2 s', '3 min 12 s', '2 h 5 min')
    """
    if seconds < 1:
        return f"{seconds:.2g} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{int(seconds // 3600):,} h {int(seconds % 3600 // 60)} min"


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "trial"), count(12000, "trial")
    ('1 trial', '12,000 trials')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def score(value: float | None) -> str:
    """Return a score to six significant digits, '–' for none.

    >>> score(0.9980930001), score(10.0), score(None)
    ('0.998093', '10', '–')
    """
    return "–" if value is None else f"{value:.6g}"


def sentence(text: str) -> str:
    """Return the text with a capital at its start and a full stop at its end.

    >>> sentence("how far it goes")
    'How far it goes.'
    """
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
