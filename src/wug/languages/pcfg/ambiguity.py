"""Whether some string has more than one derivation: three answers, since no procedure decides it for every grammar."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from wug.languages.pcfg.checks import vanishing
from wug.languages.pcfg.enumeration import Enumeration
from wug.languages.pcfg.grammar import Grammar
from wug.languages.pcfg.lr import is_lr1
from wug.languages.pcfg.normal_form import Tables
from wug.languages.pcfg.prefixes import log2_probabilities
from wug.languages.pcfg.systems import strong_components
from wug.sequences import Corpus, Vocabulary


class Ambiguity(Enum):
    """What is known of a grammar."""

    UNAMBIGUOUS = "unambiguous"
    """Proved: every string has one derivation."""
    AMBIGUOUS = "ambiguous"
    """Proved: some string has several."""
    UNKNOWN = "unknown"
    """Neither a proof was found nor a string with several derivations."""


def ambiguous_nonterminal(grammar: Grammar) -> str | None:
    """Return a nonterminal that derives itself, or the empty string in several ways; None if there is none."""
    empty = vanishing(grammar)
    covers: dict[tuple[int, int], bool] = {}
    ways = dict.fromkeys(grammar.alternatives, 0)
    for rule in grammar.rules:
        solid = [symbol for symbol in rule.right if symbol.is_terminal or symbol.name not in empty]
        ways[rule.left] += not solid
        for symbol in solid if len(solid) == 1 else [] if solid else rule.right:
            if not symbol.is_terminal:
                covers[grammar.index[rule.left], grammar.index[symbol.name]] = True
    cycles = strong_components(covers, len(grammar.index))
    if cycles:
        return list(grammar.index)[cycles[0][0]]
    return next((left for left, n_ways in ways.items() if n_ways > 1), None)


ROUNDS = (10, 100, 1000)
"""So many first strings of a language are looked at for one that has several derivations, round by round."""
LAST_ROUND_SYMBOLS = 2000
"""A round with more symbols than this is the last one: long strings of ambiguous grammars take time."""


@dataclass(frozen=True)
class Verdict:
    """Whether a grammar is ambiguous, and how that is known."""

    ambiguity: Ambiguity
    reason: str


def ambiguity_verdict(
    grammar: Grammar, enumeration: Enumeration, counting: Callable[[], Tables], vocabulary: Vocabulary
) -> Verdict:
    """Return what can be found out in reasonable time.

    ``counting`` gives tables in which all weights are 1, if no nonterminal derives itself.
    """
    cause = ambiguous_nonterminal(grammar)
    if cause:
        return Verdict(Ambiguity.AMBIGUOUS, f"{cause!r} derives itself, or the empty string in several ways")
    if is_lr1(grammar):
        return Verdict(Ambiguity.UNAMBIGUOUS, "one symbol of lookahead decides every step from left to right")
    for size in ROUNDS:
        first = Corpus(*enumeration.strings(size, None, vocabulary.dtype), vocabulary)
        log2_counts = log2_probabilities(counting(), first).whole
        several = np.flatnonzero(log2_counts > 0.5)
        if len(several):
            n_derivations = 2 ** float(log2_counts[several[0]])
            return Verdict(Ambiguity.AMBIGUOUS, f"{first.text(several[0])!r} has {n_derivations:.6g} derivations")
        if len(first) < size:
            return Verdict(Ambiguity.UNAMBIGUOUS, f"each of its {len(first)} strings has one derivation")
        if first.n_symbols > LAST_ROUND_SYMBOLS:
            break
    return Verdict(Ambiguity.UNKNOWN, f"each of the first {len(first)} strings has one derivation, which is no proof")
