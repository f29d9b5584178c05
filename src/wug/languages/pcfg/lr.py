"""Whether one symbol of lookahead makes a grammar deterministic, and so proves it unambiguous."""

from collections.abc import Mapping
from functools import cached_property

from wug.languages.pcfg.checks import vanishing
from wug.languages.pcfg.grammar import Grammar, Symbol

MAX_STATES = 2000
"""Automata with more states are given up; only large grammars have them."""

Item = tuple[int, int]
"""Number of a rule, and how many symbols of its right-hand side have been seen."""
Items = dict[Item, int]
"""What may come behind the rule of each item: the sum of ``2 ** t`` over terminals t."""


def is_lr1(grammar: Grammar) -> bool:
    """Return whether a grammar is shown to be LR(1) (Knuth 1965, "On the translation of languages from left to right").

    Builds the canonical automaton and looks for conflicts. Gives up, with False, beyond MAX_STATES states.
    """
    builder = _Builder(grammar)
    start = builder.closed({(len(grammar.rules), 0): builder.end})
    found, waiting = {frozenset(start.items())}, [start]
    while waiting:
        state = waiting.pop()
        if builder.has_conflict(state) or len(found) > MAX_STATES:
            return False
        for kernel in builder.successors(state):
            successor = builder.closed(kernel)
            key = frozenset(successor.items())
            if key not in found:
                found.add(key)
                waiting.append(successor)
    return True


class _Builder:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rights = [*(rule.right for rule in grammar.rules), (Symbol(grammar.start, is_terminal=False),)]
        self.bit = {terminal: 1 << number for number, terminal in enumerate(grammar.terminals)}
        self.end = 1 << len(grammar.terminals)
        self.rules_of: dict[str, list[int]] = {}
        for number, rule in enumerate(grammar.rules):
            self.rules_of.setdefault(rule.left, []).append(number)

    @cached_property
    def empty(self) -> set[str]:
        return vanishing(self.grammar)

    @cached_property
    def first(self) -> Mapping[str, int]:
        """Terminals that strings of a nonterminal can begin with."""
        first = dict.fromkeys(self.grammar.alternatives, 0)
        has_grown = True
        while has_grown:
            has_grown = False
            for rule in self.grammar.rules:
                more = first[rule.left] | self._begins(rule.right, first, 0)
                has_grown |= more != first[rule.left]
                first[rule.left] = more
        return first

    def _begins(self, symbols: tuple[Symbol, ...], first: Mapping[str, int], behind: int) -> int:
        """Return the terminals that a sequence can begin with, those behind it if it can be empty."""
        begins = 0
        for symbol in symbols:
            begins |= self.bit[symbol.name] if symbol.is_terminal else first[symbol.name]
            if symbol.is_terminal or symbol.name not in self.empty:
                return begins
        return begins | behind

    def closed(self, kernel: Items) -> Items:
        """Return the items with those of all nonterminals that can come next."""
        items, waiting = dict(kernel), list(kernel)
        while waiting:
            rule, dot = item = waiting.pop()
            rest = self.rights[rule][dot:]
            if not rest or rest[0].is_terminal:
                continue
            behind = self._begins(rest[1:], self.first, items[item])
            for number in self.rules_of[rest[0].name]:
                known = items.get((number, 0), 0)
                if behind | known != known or (number, 0) not in items:
                    items[number, 0] = behind | known
                    waiting.append((number, 0))
        return items

    def successors(self, state: Items) -> list[Items]:
        """Return the items reached by each symbol that can come next, not yet closed."""
        reached: dict[Symbol, Items] = {}
        for (rule, dot), behind in state.items():
            if dot < len(self.rights[rule]):
                reached.setdefault(self.rights[rule][dot], {})[rule, dot + 1] = behind
        return list(reached.values())

    def has_conflict(self, state: Items) -> bool:
        """Return whether some next terminal leaves open what to do."""
        shifted = 0
        for rule, dot in state:
            if dot < len(self.rights[rule]) and self.rights[rule][dot].is_terminal:
                shifted |= self.bit[self.rights[rule][dot].name]
        for (rule, dot), behind in state.items():
            if dot == len(self.rights[rule]):
                if shifted & behind:
                    return True
                shifted |= behind
        return False
