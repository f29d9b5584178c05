"""Grammars of strict languages: the factors or subsequences that are forbidden (or one of which is required)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from wug.languages.automata.formulas.syntax import And, Blocks, Formula, Not, Or, Tier

LARGEST_GRAMMAR = 1_000
"""Literals after which a grammar is left incomplete."""

_EVERY_WORD = Blocks(((),))


@dataclass(frozen=True)
class Grammar:
    """The literals that decide membership: none may hold (``forbids``), or one must."""

    forbids: bool
    literals: tuple[Formula, ...]
    """Formulas for factors ``[ab]``, beginnings ``^a``, ends ``b$``, whole words ``/ab/`` or subsequences ``<ab>``."""
    tier: tuple[str, ...] | None
    """The letters that the literals look at; None for all."""
    is_complete: bool
    """Whether these are all literals; otherwise they are the first thousand."""

    @property
    def formula(self) -> Formula | None:
        """The formula of the language; None where the grammar is not complete."""
        if not self.is_complete:
            return None
        parts = tuple(Not(literal) for literal in self.literals) if self.forbids else self.literals
        body: Formula
        if not parts:
            body = _EVERY_WORD if self.forbids else Not(_EVERY_WORD)
        elif len(parts) == 1:
            body = parts[0]
        else:
            body = And(parts) if self.forbids else Or(parts)
        return body if self.tier is None else Tier(self.tier, body)


def collected(literals: Iterable[Formula], *, forbids: bool, tier: tuple[str, ...] | None) -> Grammar:
    """Return the grammar of these literals, the first thousand if there are more."""
    found = tuple(islice(literals, LARGEST_GRAMMAR + 1))
    return Grammar(forbids, found[:LARGEST_GRAMMAR], tier, len(found) <= LARGEST_GRAMMAR)
