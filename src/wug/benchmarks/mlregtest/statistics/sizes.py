"""How large MLRegTest's languages are: states of the minimal automaton and elements of the syntactic monoid.

``sizes.tsv`` was written by ``language_size`` for all 1,800. As in the paper's Table 1, the dead state is not counted;
the monoid has its identity.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from wug.languages.automata import DFA


@dataclass(frozen=True)
class LanguageSize:
    """The size of a language."""

    states: int
    """Of the minimal DFA without its dead state."""
    monoid: int
    """Elements of the syntactic monoid."""


def language_size(dfa: DFA) -> LanguageSize:
    """Return the size of the language of a minimal DFA."""
    from wug.languages.automata.facts import n_trimmed_states
    from wug.languages.automata.monoid import syntactic_monoid

    return LanguageSize(n_trimmed_states(dfa), len(syntactic_monoid(dfa)))


@cache
def language_sizes() -> Mapping[str, LanguageSize]:
    """Return the sizes of the 1,800 languages by name."""
    text = resources.files("wug.benchmarks.mlregtest.statistics").joinpath("sizes.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({name: LanguageSize(int(states), int(monoid)) for name, states, monoid in rows})
