"""Exact numbers of derivations by length."""

from wug.languages.pcfg.normal_form import BinaryGrammar, Tables


class DerivationCounts:
    """The number of derivations of each length, in whole numbers of any size, for an unambiguous grammar.

    In an unambiguous grammar there is at most one way from a symbol to another one that covers the same text, so that
    the closure of the tables says all about units and empty neighbours.
    """

    def __init__(self, binary: BinaryGrammar, tables: Tables) -> None:
        """Count nothing yet."""
        self._binary = binary
        self._tables = tables
        self._counts: list[dict[int, int]] = [{} for _ in range(binary.n_symbols)]
        """Of each symbol: the number of its derivations by length, where not 0."""
        self._n_lengths = 0

    def of_length(self, length: int) -> int:
        """Return the number of derivations of the start symbol that have this length."""
        while self._n_lengths <= length:
            self._count_next()
        return self._counts[0].get(length, 0)

    def _count_next(self) -> None:
        length, self._n_lengths = self._n_lengths, self._n_lengths + 1
        if length == 0:
            for symbol, probability in enumerate(self._binary.empty):
                if probability > 0:
                    self._counts[symbol][0] = 1
            return
        begun = [0] * self._binary.n_symbols
        for left, _, _ in self._binary.scans if length == 1 else ():
            begun[left] += 1
        for left, first, second, _ in self._binary.pairs:
            others = self._counts[second]
            begun[left] += sum(
                n_derivations * others.get(length - part, 0)
                for part, n_derivations in self._counts[first].items()
                if 0 < part < length
            )
        for symbol, n_derivations in enumerate(begun):
            if n_derivations:
                start, stop = self._tables.span_start[symbol : symbol + 2]
                for upper in self._tables.spans["symbol"][start:stop].tolist():
                    self._counts[upper][length] = self._counts[upper].get(length, 0) + n_derivations
