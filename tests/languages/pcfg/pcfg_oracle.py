"""Probabilities of context-free grammars in plain Python, straight from the rules, and random grammars."""

import itertools
from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.pcfg import PCFG
from wug.languages.pcfg.expectations import expected_expansions

Rules = dict[str, list[tuple[float, tuple[str, ...]]]]
"""Capital letters are nonterminals, small ones terminals; the start symbol is S."""


def rules_of(language: PCFG) -> Rules:
    return {
        left: [(float(rule.probability), tuple(symbol.name for symbol in rule.right)) for rule in rules]
        for left, rules in language.grammar.alternatives.items()
    }


class Oracle:
    """Sums over all derivations as least fixed points, iterated from 0: no normal form and no closure."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def inside(self, text: str) -> dict[tuple[str, int, int], float]:
        """Probability that each symbol derives each part of the text."""
        n = len(text)
        spans = [(i, j) for i in range(n + 1) for j in range(i, n + 1)]
        values = {(c, i, j): float(text[i:j] == c) for c in set(text) for i, j in spans}

        def of_sequence(right: tuple[str, ...], i: int, j: int) -> float:
            if not right:
                return float(i == j)
            return sum(
                values.get((right[0], i, k), 0.0) * of_sequence(right[1:], k, j)
                for k in range(i, j + 1)
                if values.get((right[0], i, k), 0.0) > 0
            )

        for i, j in sorted(spans, key=lambda span: span[1] - span[0]):
            keys = {(left, i, j): left for left in self.rules}
            self._iterate(values, keys, lambda right, i=i, j=j: of_sequence(right, i, j))
        return values

    def prefix(self, text: str) -> float:
        """Probability that a string begins with the text."""
        n = len(text)
        if n == 0:
            return 1.0
        inside = self.inside(text)
        values: dict[tuple[str, int], float] = {(text[-1], n - 1): 1.0}

        def of_sequence(right: tuple[str, ...], i: int) -> float:
            """The sequence derives ``text[i:]`` and anything behind: some symbol of it has the last one of the text."""
            total, exact = 0.0, {i: 1.0}
            for symbol in right:
                total += sum(p * values.get((symbol, j), 0.0) for j, p in exact.items() if j < n)
                exact = {
                    k: sum(p * inside.get((symbol, j, k), 0.0) for j, p in exact.items() if j <= k)
                    for k in range(i, n + 1)
                }
            return total

        for i in range(n - 1, -1, -1):
            self._iterate(values, {(left, i): left for left in self.rules}, lambda right, i=i: of_sequence(right, i))
        return values["S", 0]

    def string(self, text: str) -> float:
        return self.inside(text)["S", 0, len(text)]

    def _iterate(self, values, keys, of_sequence) -> None:
        for _ in range(10_000):
            change = 0.0
            for key, left in keys.items():
                new = sum(p * of_sequence(right) for p, right in self.rules[left])
                change = max(change, (new - values.get(key, 0.0)) / new if new else 0.0)
                values[key] = new
            if change < 1e-12:
                return
        raise AssertionError("the iteration has not converged")


@st.composite
def grammars(draw, recursive: bool = True) -> PCFG:
    """Small grammars over a and b that pass all checks: empty rules, units, left recursion, cycles, ambiguity.

    Without recursion a nonterminal only goes to later ones.
    """
    nonterminals = draw(st.sampled_from(["S", "SA", "SAB"]))
    lines = []
    for number, left in enumerate(nonterminals):
        symbols = st.sampled_from(["a", "b", *nonterminals[0 if recursive else number + 1 :]])
        rights = draw(st.lists(st.lists(symbols, max_size=3).map(tuple), min_size=1, max_size=3))
        rights.append(draw(st.sampled_from([(), ("a",), ("b",), ("a", "b")])))
        weights = [draw(st.integers(1, 4)) for _ in rights[:-1]] + [draw(st.integers(2, 8))]
        lines.append(
            f"{left} -> "
            + " | ".join(_written(r, Fraction(w, sum(weights))) for r, w in zip(rights, weights, strict=True))
        )
    try:
        language = PCFG.from_text("\n".join(lines))
    except InputError:
        assume(False)
    assume(expected_expansions(language.grammar).max() < 30)  # so that the oracle's iterations converge soon
    return language


def _written(right: tuple[str, ...], probability: Fraction) -> str:
    return " ".join([*(f'"{symbol}"' if symbol.islower() else symbol for symbol in right), f"[{probability}]"])


def all_strings(alphabet: str, length: int) -> list[str]:
    return ["".join(symbols) for n in range(length + 1) for symbols in itertools.product(alphabet, repeat=n)]
