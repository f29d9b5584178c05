"""The records of a probabilistic context-free grammar."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Symbol:
    """A symbol on the right-hand side of a rule."""

    name: str
    is_terminal: bool

    def __str__(self) -> str:
        """Return the symbol as a grammar file writes it."""
        if not self.is_terminal:
            return self.name
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


@dataclass(frozen=True)
class Rule:
    """One alternative of a nonterminal."""

    left: str
    right: tuple[Symbol, ...]
    probability: Fraction
    is_exact: bool
    """Whether the probability was written as a fraction or whole number, so that sums have to be exactly 1."""
    line: int
    """Where the alternative begins, from 1."""


@dataclass(frozen=True)
class Grammar:
    """Rules in the order of their text; the left-hand side of the first one is the start symbol.

    >>> from wug.languages.pcfg import read_grammar
    >>> grammar = read_grammar('S -> "a" S "b" [0.7] | [0.3]')
    >>> grammar.terminals, str(grammar)
    (('a', 'b'), 'S -> "a" S "b" [7/10] | [3/10]')
    """

    rules: tuple[Rule, ...]
    source: str = "grammar"
    """What errors call the text: a file, or just 'grammar'."""

    @property
    def start(self) -> str:
        """The nonterminal that every derivation begins with."""
        return self.rules[0].left

    @cached_property
    def alternatives(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules of each nonterminal, nonterminals in order of their first rule."""
        grouped: dict[str, list[Rule]] = {}
        for rule in self.rules:
            grouped.setdefault(rule.left, []).append(rule)
        return {left: tuple(rules) for left, rules in grouped.items()}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each nonterminal; the start symbol has 0."""
        return {left: number for number, left in enumerate(self.alternatives)}

    @cached_property
    def terminals(self) -> tuple[str, ...]:
        """The terminals in order of first appearance."""
        return tuple(dict.fromkeys(symbol.name for rule in self.rules for symbol in rule.right if symbol.is_terminal))

    def at(self, line: int) -> str:
        """Return how an error names a line."""
        return f"{self.source}, line {line}"

    def __str__(self) -> str:
        """Return a text from which the same grammar is read, one nonterminal a line."""
        return "\n".join(
            f"{left} -> " + " | ".join(" ".join([*map(str, rule.right), f"[{rule.probability}]"]) for rule in rules)
            for left, rules in self.alternatives.items()
        )
