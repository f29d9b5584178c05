"""From any grammar to rules with two symbols on the right, and the tables that the compiled loops read.

After binarisation every nonterminal keeps its total mass 1, the empty string included. That makes prefix
probabilities simple: whatever is still to come after a prefix has mass 1, whether it is empty or not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wug.languages.pcfg.checks import nonterminals_with
from wug.languages.pcfg.grammar import Grammar, Symbol
from wug.languages.pcfg.systems import TINY, least_solution, star

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BinaryGrammar:
    """Rules over numbered symbols, of which 0 is the start symbol; no symbol derives the empty string alone.

    Long right-hand sides are cut into new symbols for their ends (X Y Z becomes X and a symbol for Y Z); a terminal
    beside another symbol becomes a symbol of its own. Occurrences of nonterminals that derive nothing but the empty
    string are left out.
    """

    n_symbols: int
    pairs: tuple[tuple[int, int, int, float], ...]
    """(left-hand side, first, second, probability) of rules with two symbols."""
    units: tuple[tuple[int, int, float], ...]
    """(left-hand side, symbol, probability) of rules with one symbol."""
    scans: tuple[tuple[int, int, float], ...]
    """(left-hand side, class, probability) of rules with one terminal."""
    empty: Floats
    """(n_symbols,) probability that a symbol derives the empty string."""

    @cached_property
    def spans(self) -> csr_array:
        """(upper, lower) probability that a symbol goes to one that covers all of what it derives, not empty."""
        entries = list(self.units)
        for left, first, second, probability in self.pairs:
            if self.empty[second] > 0:
                entries.append((left, first, probability * self.empty[second]))
            if self.empty[first] > 0:
                entries.append((left, second, probability * self.empty[first]))
        return self._matrix(entries)

    @cached_property
    def corners(self) -> csr_array:
        """(upper, lower) expected number of times that a symbol begins with one, possibly after the empty string."""
        entries = list(self.units)
        for left, first, second, probability in self.pairs:
            entries.append((left, first, probability))
            if self.empty[first] > 0:
                entries.append((left, second, probability * self.empty[first]))
        return self._matrix(entries)

    def _matrix(self, entries: Sequence[tuple[int, int, float]]) -> csr_array:
        rows = [upper for upper, _, _ in entries]
        columns = [lower for _, lower, _ in entries]
        weights = [max(weight, TINY) for _, _, weight in entries]
        return csr_array((weights, (rows, columns)), shape=(self.n_symbols, self.n_symbols), dtype=float)

    def counting(self) -> "BinaryGrammar":
        """Return the grammar with all weights 1, under which a string weighs the number of its derivations.

        Only meaningful where no symbol derives the empty string in more than one way.
        """
        return replace(
            self,
            pairs=tuple((*rule[:-1], 1.0) for rule in self.pairs),
            units=tuple((*rule[:-1], 1.0) for rule in self.units),
            scans=tuple((*rule[:-1], 1.0) for rule in self.scans),
            empty=(self.empty > 0).astype(float),
        )


def binarised(grammar: Grammar, classes: Mapping[str, int]) -> BinaryGrammar:
    """Return the binary form of a checked grammar whose terminals have these classes."""
    filled = nonterminals_with(
        grammar, lambda rule, found: any(symbol.is_terminal or symbol.name in found for symbol in rule.right)
    )
    numbers: dict[tuple[Symbol, ...], int] = {
        (Symbol(left, is_terminal=False),): number for left, number in grammar.index.items()
    }
    pairs, units, scans = [], [], []
    empty_terms: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in numbers]

    def symbol_for(right: tuple[Symbol, ...]) -> int:
        """Return the symbol that stands for a sequence; a new one for a terminal comes with its rule."""
        if right not in numbers:
            numbers[right] = len(numbers)
            empty_terms.append([])
            if len(right) == 1:
                scans.append((numbers[right], classes[right[0].name], 1.0))
        return numbers[right]

    def add_rules(left: int, right: tuple[Symbol, ...], probability: float) -> None:
        """Add a rule, and those of the new symbols that it needs."""
        while len(right) > 1:
            is_complete = len(right) == 2 or right[1:] in numbers
            first, rest = symbol_for(right[:1]), symbol_for(right[1:])
            pairs.append((left, first, rest, probability))
            empty_terms[left].append((probability, (first, rest)))
            if is_complete:
                return
            left, right, probability = rest, right[1:], 1.0
        if not right:
            empty_terms[left].append((probability, ()))
        elif right[0].is_terminal:
            scans.append((left, classes[right[0].name], probability))
        else:
            units.append((left, numbers[right], probability))
            empty_terms[left].append((probability, (numbers[right],)))

    for rule in grammar.rules:
        kept = tuple(symbol for symbol in rule.right if symbol.is_terminal or symbol.name in filled)
        add_rules(grammar.index[rule.left], kept, float(rule.probability))
    return BinaryGrammar(len(numbers), tuple(pairs), tuple(units), tuple(scans), least_solution(empty_terms))


PAIR = np.dtype([("left", np.int64), ("second", np.int64), ("weight", np.float64)])
WEIGHTED = np.dtype([("symbol", np.int64), ("weight", np.float64)])
Records = NDArray[np.void]


class Tables(NamedTuple):
    """A binary grammar as flat arrays; group g of records is ``x_start[g]`` up to ``x_start[g + 1]``."""

    pair_start: Integers
    pairs: Records
    """PAIR rules with two symbols, by their first symbol."""
    span_start: Integers
    spans: Records
    """By symbol: WEIGHTED symbols that can cover the same text by units and empty neighbours, itself among them."""
    corner_start: Integers
    corners: Records
    """By symbol: WEIGHTED symbols that can stand at its left corner, itself among them."""
    scan_start: Integers
    scans: Records
    """By class: WEIGHTED symbols that derive it with one rule."""
    empty: Floats
    """(n_symbols,) probability that a symbol derives the empty string."""


def tables(binary: BinaryGrammar, corners: csr_array, n_classes: int) -> Tables:
    """Return the flat arrays; ``corners`` is the closure of the left corners, of which counting grammars have none."""
    pairs = [(first, left, second, weight) for left, first, second, weight in binary.pairs]
    scans = [(token, left, weight) for left, token, weight in binary.scans]
    return Tables(
        *_grouped(pairs, binary.n_symbols, PAIR),
        *_sparse(star(binary.spans).T),
        *_sparse(corners),
        *_grouped(scans, n_classes, WEIGHTED),
        binary.empty,
    )


def _grouped(
    rows: Sequence[tuple[int, *tuple[float, ...]]], n_groups: int, dtype: np.dtype[np.void]
) -> tuple[Integers, Records]:
    """Return where the groups start and the records, of rows (group, *record)."""
    in_order = sorted(rows, key=lambda row: row[0])
    groups = np.array([row[0] for row in in_order], dtype=np.int64)
    return np.searchsorted(groups, np.arange(n_groups + 1)), np.array([row[1:] for row in in_order], dtype=dtype)


def _sparse(matrix: csr_array) -> tuple[Integers, Records]:
    rows = csr_array(matrix)
    rows.sort_indices()
    records = np.empty(rows.nnz, dtype=WEIGHTED)
    records["symbol"], records["weight"] = rows.indices, rows.data
    return rows.indptr.astype(np.int64), records
