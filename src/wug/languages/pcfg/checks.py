"""Whether rules make a probabilistic language; each check raises InputError that names the line."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from wug.errors import InputError
from wug.languages.pcfg.expectations import expansion_matrix
from wug.languages.pcfg.grammar import Grammar, Rule
from wug.languages.pcfg.systems import compare_radius_with_one, least_solution, strong_components

SUM_TOLERANCE = Fraction(1, 10**6)
"""Decimal probabilities of a nonterminal may miss the sum 1 by this much, which is put down to rounding."""


def checked(grammar: Grammar) -> Grammar:
    """Return the grammar with probabilities that sum to exactly 1, after all checks.

    Every nonterminal has rules, derives a finite string and is reached from the start symbol; its probabilities sum to
    1 (exactly where all are written as fractions, else up to SUM_TOLERANCE, which is then divided out); and finite
    strings have total probability 1 (Booth and Thompson 1973, "Applying probability measures to abstract languages";
    decided in exact arithmetic, so that a critical grammar such as ``S -> S S [0.5] | "a" [0.5]`` passes).
    """
    _check_defined(grammar)
    grammar = _normalised(grammar)
    _check_terminating(grammar)
    _check_reachable(grammar)
    _check_consistent(grammar)
    return grammar


def _check_defined(grammar: Grammar) -> None:
    for rule in grammar.rules:
        for symbol in rule.right:
            if not symbol.is_terminal and symbol.name not in grammar.alternatives:
                raise InputError(
                    f"{grammar.at(rule.line)}: the nonterminal {symbol.name!r} has no rule; "
                    f'if a terminal is meant, write "{symbol.name}" in quotes'
                )


def _normalised(grammar: Grammar) -> Grammar:
    totals = {
        left: sum((rule.probability for rule in rules), Fraction(0)) for left, rules in grammar.alternatives.items()
    }
    for left, rules in grammar.alternatives.items():
        tolerance = Fraction(0) if all(rule.is_exact for rule in rules) else SUM_TOLERANCE
        if abs(totals[left] - 1) > tolerance:
            total = str(totals[left]) if tolerance == 0 else f"{float(totals[left]):.9g}"
            raise InputError(f"{grammar.at(rules[0].line)}: the probabilities of {left!r} sum to {total}, not 1")
    normalised = [replace(rule, probability=rule.probability / totals[rule.left]) for rule in grammar.rules]
    return Grammar(tuple(normalised), grammar.source)


def nonterminals_with(grammar: Grammar, holds: Callable[[Rule, set[str]], bool]) -> set[str]:
    """Return the least set of nonterminals that have a rule for which ``holds(rule, set)``, which is monotone."""
    found: set[str] = set()
    n_before = -1
    while n_before < len(found):
        n_before = len(found)
        found.update(rule.left for rule in grammar.rules if rule.left not in found and holds(rule, found))
    return found


def vanishing(grammar: Grammar) -> set[str]:
    """Return the nonterminals that derive the empty string."""
    return nonterminals_with(
        grammar, lambda rule, found: all(not symbol.is_terminal and symbol.name in found for symbol in rule.right)
    )


def _check_terminating(grammar: Grammar) -> None:
    def terminates(rule: Rule, found: set[str]) -> bool:
        return all(symbol.is_terminal or symbol.name in found for symbol in rule.right)

    endless = _first_missing(grammar, nonterminals_with(grammar, terminates))
    if endless:
        raise InputError(f"{grammar.at(endless.line)}: no finite string can be derived from {endless.left!r}")


def _check_reachable(grammar: Grammar) -> None:
    reached, waiting = {grammar.start}, [grammar.start]
    while waiting:
        for rule in grammar.alternatives[waiting.pop()]:
            for symbol in rule.right:
                if not symbol.is_terminal and symbol.name not in reached:
                    reached.add(symbol.name)
                    waiting.append(symbol.name)
    unreached = _first_missing(grammar, reached)
    if unreached:
        raise InputError(
            f"{grammar.at(unreached.line)}: {unreached.left!r} cannot be reached from the start symbol "
            f"{grammar.start!r}, the first one of the grammar"
        )


def _first_missing(grammar: Grammar, found: Iterable[str]) -> Rule | None:
    missing = [rules[0] for left, rules in grammar.alternatives.items() if left not in found]
    return missing[0] if missing else None


def _check_consistent(grammar: Grammar) -> None:
    matrix = expansion_matrix(grammar)
    for component in strong_components(matrix, len(grammar.index)):
        if compare_radius_with_one(matrix, component) > 0:
            total = total_probability(grammar)
            cause = next(iter(grammar.alternatives[list(grammar.index)[component[0]]]))
            raise InputError(
                f"{grammar.at(cause.line)}: the grammar does not always end, finite strings have total probability "
                f"{total:.6g} instead of 1; the expansions of {cause.left!r} must lead to fewer nonterminals on average"
            )


def total_probability(grammar: Grammar) -> float:
    """Return the total probability of the finite derivations."""
    index = grammar.index
    polynomials = [
        [
            (float(rule.probability), tuple(index[symbol.name] for symbol in rule.right if not symbol.is_terminal))
            for rule in rules
        ]
        for rules in grammar.alternatives.values()
    ]
    return float(least_solution(polynomials)[0])
