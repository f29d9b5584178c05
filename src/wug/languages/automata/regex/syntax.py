"""Regular expressions as trees."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Symbol:
    """One letter out of a set."""

    letters: frozenset[str]


@dataclass(frozen=True)
class Sequence:
    """One part after the other; without parts, the empty word."""

    parts: "tuple[Regex, ...]"


@dataclass(frozen=True)
class Union:
    """At least one of the parts."""

    parts: "tuple[Regex, ...]"


@dataclass(frozen=True)
class Intersection:
    """All parts at once."""

    parts: "tuple[Regex, ...]"


@dataclass(frozen=True)
class Complement:
    """Every word that the body does not describe."""

    body: "Regex"


@dataclass(frozen=True)
class Repetition:
    """The body several times in a row."""

    body: "Regex"
    least: int
    most: int | None
    """None: without bound."""


Regex = Symbol | Sequence | Union | Intersection | Complement | Repetition
