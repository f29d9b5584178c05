"""What a decision returns: the answer, the smallest parameter, and why not where the answer is no."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from wug.languages.automata.classes.grammar import Grammar


@dataclass(frozen=True)
class Witness:
    """Why a language is not in a class: words that break the class's criterion, and strings to check by hand."""

    criterion: str
    """What every language of the class satisfies and this one does not."""
    words: Mapping[str, str]
    """The words that the criterion's variables stand for; the empty word is an empty text."""
    accepted: tuple[str, ...]
    """Strings of the language that show it."""
    rejected: tuple[str, ...]
    """Strings outside the language that show it."""


@dataclass(frozen=True)
class Verdict:
    """Whether a language is in a class. True and False in a condition mean yes and no."""

    holds: bool
    k: int | None = None
    """The smallest parameter with which it is (width, length, threshold or modulus); None where none is known."""
    find_witness: Callable[[], Witness] | None = field(default=None, repr=False, compare=False)
    """Spells the witness out; None for yes."""
    find_grammar: Callable[[], Grammar] | None = field(default=None, repr=False, compare=False)
    """Lists what is forbidden or required; None for no, and for classes without such lists."""

    def __bool__(self) -> bool:
        return self.holds

    @cached_property
    def witness(self) -> Witness | None:
        """Why not; None where the language is in the class."""
        return None if self.find_witness is None else self.find_witness()

    @cached_property
    def grammar(self) -> Grammar | None:
        """What is forbidden or required, for a language in a strict class or the complement of one."""
        return None if self.find_grammar is None else self.find_grammar()


def yes(k: int | None = None, find_grammar: Callable[[], Grammar] | None = None) -> Verdict:
    """Return the verdict 'in the class', with the smallest parameter where one is known."""
    return Verdict(True, k, find_grammar=find_grammar)


def no(find_witness: Callable[[], Witness]) -> Verdict:
    """Return the verdict 'not in the class'."""
    return Verdict(False, None, find_witness)
