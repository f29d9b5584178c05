"""Formulas as trees; ``str`` writes them in the notation that ``parse_formula`` reads."""

from dataclasses import dataclass

from wug.languages.automata.dfa import Word


class Formula:
    """A condition on words."""

    def __str__(self) -> str:
        """Return the formula in the notation of the package docstring."""
        from wug.languages.automata.formulas.printing import written

        return written(self)


@dataclass(frozen=True)
class Blocks(Formula):
    """The blocks occur in this order, each contiguous, without overlap; one block is a factor."""

    blocks: tuple[Word, ...]


@dataclass(frozen=True)
class Prefix(Formula):
    """The word begins with ``word``."""

    word: Word


@dataclass(frozen=True)
class Suffix(Formula):
    """The word ends with ``word``."""

    word: Word


@dataclass(frozen=True)
class Occurrences(Formula):
    """``word`` occurs at so many places or more; occurrences may overlap."""

    word: Word
    at_least: int


@dataclass(frozen=True)
class Count(Formula):
    """The number of ``letter``, modulo ``modulus``, is one of the remainders."""

    letter: str
    modulus: int
    remainders: tuple[int, ...]


@dataclass(frozen=True)
class Matches(Formula):
    """The whole word matches the regular expression."""

    regex: str


@dataclass(frozen=True)
class Not(Formula):
    """The body does not hold."""

    body: Formula


@dataclass(frozen=True)
class Times(Formula):
    """The word is a concatenation of so many words of the body."""

    number: int
    body: Formula


@dataclass(frozen=True)
class Tier(Formula):
    """The body holds once all letters off the tier are deleted."""

    letters: tuple[str, ...]
    body: Formula


@dataclass(frozen=True)
class Concatenation(Formula):
    """The word is a concatenation of one word of each part, in this order."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class And(Formula):
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Xor(Formula):
    """An odd number of the parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or(Formula):
    """At least one part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Implies(Formula):
    """The consequence holds or the condition does not."""

    condition: Formula
    consequence: Formula
