"""From a formula to its minimal DFA.

Letters that the formula does not tell apart need only one column while it is compiled: a formula over 64 letters that
names four of them and a tier works with five or six.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import reduce

from wug.errors import InputError
from wug.languages.automata._parsing import deep_nesting_refused
from wug.languages.automata.alphabets import expand, lift, models
from wug.languages.automata.boolean import complement, intersection, symmetric_difference, union
from wug.languages.automata.building import checked_alphabet
from wug.languages.automata.dfa import DFA, listed
from wug.languages.automata.factors import with_blocks, with_count, with_occurrences, with_prefix, with_suffix
from wug.languages.automata.formulas.parsing import parse_formula
from wug.languages.automata.formulas.syntax import (
    And,
    Blocks,
    Concatenation,
    Count,
    Formula,
    Implies,
    Matches,
    Not,
    Occurrences,
    Or,
    Prefix,
    Suffix,
    Tier,
    Times,
    Xor,
)
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.rational import concatenation, power
from wug.languages.automata.regex.compiling import build, symbol_sets
from wug.languages.automata.regex.parsing import parse


def from_formula(text: str, alphabet: Iterable[str]) -> DFA:
    """Return the canonical minimal DFA of a formula in the notation of the package docstring.

    >>> from wug.languages.automata.membership import accepts_words
    >>> accepts_words(from_formula("{ab}: [aa] -> [bb]", "abc"), ["aca", "acabcb", "c"]).tolist()
    [False, True, True]
    """
    return compile_formula(parse_formula(text), alphabet)


def compile_formula(formula: Formula, alphabet: Iterable[str]) -> DFA:
    """Return the canonical minimal DFA of a formula over an alphabet.

    Raises InputError for a letter that is not in the alphabet, or not on the tier where it is named.
    """
    letters = checked_alphabet(alphabet)
    with deep_nesting_refused("formula"):
        model_of = models(letters, _letter_sets(formula, letters))
        return expand(_build(formula, letters, frozenset(model_of.values())), model_of)


def _letter_sets(formula: Formula, letters: tuple[str, ...]) -> Iterator[Collection[str]]:
    """Yield the sets of letters that the formula tells from the others; InputError for letters outside ``letters``."""
    match formula:
        case Blocks(blocks):
            yield from (_known([letter], letters) for block in blocks for letter in block)
        case Prefix(word) | Suffix(word) | Occurrences(word):
            yield from (_known([letter], letters) for letter in word)
        case Count(letter):
            yield _known([letter], letters)
        case Matches(regex):
            yield from symbol_sets(parse(regex, letters))
        case Tier(tier, body):
            yield _known(tier, letters)
            yield from _letter_sets(body, _in_order(tier, letters))
        case Not(body) | Times(_, body):
            yield from _letter_sets(body, letters)
        case And(parts) | Or(parts) | Xor(parts) | Concatenation(parts):
            for part in parts:
                yield from _letter_sets(part, letters)
        case Implies(condition, consequence):
            yield from _letter_sets(condition, letters)
            yield from _letter_sets(consequence, letters)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _build(formula: Formula, letters: tuple[str, ...], kept: frozenset[str]) -> DFA:
    """Return the minimal DFA over those of the letters that are kept."""
    columns = tuple(letter for letter in letters if letter in kept)

    def build_all(parts: Iterable[Formula]) -> Iterator[DFA]:
        return (_build(part, letters, kept) for part in parts)

    match formula:
        case Blocks(blocks):
            return with_blocks(blocks, columns)
        case Prefix(word):
            return with_prefix(word, columns)
        case Suffix(word):
            return with_suffix(word, columns)
        case Occurrences(word, at_least):
            return with_occurrences(word, at_least, columns)
        case Count(letter, modulus, remainders):
            return with_count(letter, modulus, remainders, columns)
        case Matches(regex):
            return build(parse(regex, letters), columns)
        case Tier(tier, body):
            return minimise(lift(_build(body, _in_order(tier, letters), kept), columns))
        case Not(body):
            return complement(_build(body, letters, kept))
        case Times(number, body):
            return power(_build(body, letters, kept), number)
        case Concatenation(parts):
            return reduce(concatenation, build_all(parts))
        case And(parts):
            return _combine(intersection, build_all(parts))
        case Or(parts):
            return _combine(union, build_all(parts))
        case Xor(parts):
            return _combine(symmetric_difference, build_all(parts))
        case Implies(condition, consequence):
            return _combine(union, build_all([Not(condition), consequence]))
    raise TypeError(f"not a formula: {formula!r}")


def _combine(operation: Callable[[DFA, DFA], DFA], dfas: Iterator[DFA]) -> DFA:
    return reduce(lambda left, right: minimise(operation(left, right)), dfas)


def _in_order(tier: tuple[str, ...], letters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(letter for letter in letters if letter in tier)


def _known(named: Collection[str], letters: tuple[str, ...]) -> Collection[str]:
    for letter in named:
        if letter not in letters:
            raise InputError(f"the formula names '{letter}', which is not among the letters {listed(letters)} there")
    return named
