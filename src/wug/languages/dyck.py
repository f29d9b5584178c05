"""The languages of balanced brackets."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages import _arguments, _dyck_kernels
from wug.languages.counting_notation import BOUNDARY
from wug.languages.protocol import NextSymbols
from wug.sequences import Corpus, Vocabulary

PAIRS = ("()", "[]", "{}", "<>")
"""How brackets are written where four pairs are enough."""


class _Order(NamedTuple):
    """The order of the symbols; the rank of a symbol is its place in it."""

    classes: NDArray[np.int64]
    """(2k,) the class of each rank."""
    ranks: NDArray[np.int64]
    """(2k + 1,) the rank of each class; the boundary has none (-1)."""
    next_opening: NDArray[np.int64]
    """(2k + 1,) the smallest opening bracket with at least this rank, 2k where there is none."""
    closing: NDArray[np.int64]
    """(2k,) the rank of an opening bracket's partner, -1 for closing brackets."""


@dataclass(frozen=True)
class DyckLanguage:
    """Balanced strings of k pairs of brackets: S -> (_i S )_i S with probability p/k each, else the empty string.

    So at every position some bracket is opened with probability p, else the innermost is closed or, at depth zero, the
    string ends. Strings are ordered by length, then as text: ( < ) < < < > < [ < ] < { < }. More than four pairs are
    written (1 )1 (2 )2 ... with blanks between them.

    >>> language = DyckLanguage(2)
    >>> list(language.first_strings(6).texts())
    ['', '()', '[]', '(())', '()()', '()[]']
    >>> language.contains(Corpus.from_strings(["([])", "([)]"], language.vocabulary))
    array([ True, False])
    """

    k: int
    """Number of pairs."""
    open_probability: float = 0.3
    """p: 0.3 in Lan, Chemla, Katzir 2023."""

    def __post_init__(self) -> None:
        """Refuse less than one pair, and what is no probability."""
        if self.k < 1:
            raise InputError(f"a Dyck language needs at least one pair of brackets, not {self.k}")
        _arguments.require_probability("open_probability", self.open_probability)

    @property
    def name(self) -> str:
        """For example Dyck-2."""
        return f"Dyck-{self.k}"

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The boundary ``#``, then the pairs: pair i (from 0) has classes 2i + 1 and 2i + 2."""
        if self.k <= len(PAIRS):
            return Vocabulary((BOUNDARY, *"".join(PAIRS[: self.k])))
        return Vocabulary((BOUNDARY, *(bracket + str(pair + 1) for pair in range(self.k) for bracket in "()")))

    @cached_property
    def _order(self) -> _Order:
        symbols = self.vocabulary.symbols
        classes = np.array(sorted(range(1, len(symbols)), key=symbols.__getitem__), dtype=np.int64)
        ranks = np.full(len(symbols), -1, dtype=np.int64)
        ranks[classes] = np.arange(2 * self.k)
        closing = np.array([ranks[token + 1] if token % 2 else -1 for token in classes], dtype=np.int64)
        openings = np.append(np.flatnonzero(closing >= 0), 2 * self.k)
        return _Order(classes, ranks, openings[np.searchsorted(openings, np.arange(2 * self.k + 1))], closing)

    @property
    def _choice_bits(self) -> float:
        """Entropy of one position: open or not, and which bracket."""
        p = self.open_probability
        return p * math.log2(self.k / p) - (1 - p) * math.log2(1 - p)

    @property
    def entropy_bits(self) -> float:
        """Expected bits of a string; infinite, as is its length, where p is 1/2 or more."""
        return self._choice_bits * self.expected_symbols

    @property
    def expected_symbols(self) -> float:
        """Expected number of predicted symbols, the end symbol included: 1 / (1 - 2p), infinite from p = 1/2 on."""
        p = self.open_probability
        return 1 / (1 - 2 * p) if p < 0.5 else math.inf

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) membership of each string."""
        _arguments.require_vocabulary(self, corpus)
        return _dyck_kernels.members(corpus.tokens, corpus.offsets)

    def next_symbols(self, corpus: Corpus) -> NextSymbols:
        """Return the exact distributions along every string; InputError names one that is no prefix.

        Situation 0 is depth zero, situation i + 1 means that a bracket of pair i is the innermost open one.
        """
        _arguments.require_vocabulary(self, corpus)
        n_situations = self.k + 1
        situations = np.empty(corpus.n_symbols + len(corpus), dtype=_arguments.smallest_unsigned(n_situations))
        string, position = _dyck_kernels.next_situations(corpus.tokens, corpus.offsets, situations)
        if string >= 0:
            raise _arguments.no_prefix(self, string, position)
        probabilities = np.zeros((n_situations, self.vocabulary.size))
        probabilities[:, 1::2] = self.open_probability / self.k
        probabilities[np.arange(n_situations), 2 * np.arange(n_situations)] = 1 - self.open_probability
        return NextSymbols(situations, probabilities)

    def sample(self, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws, repetitions kept; InputError where strings have no finite mean length."""
        _arguments.require_size(size)
        if self.open_probability >= 0.5:
            raise InputError(
                f"{self.name} can only be sampled with an open_probability below 0.5, not {self.open_probability}: "
                "the expected length of its strings is infinite"
            )
        offsets = np.empty(size + 1, dtype=np.int64)
        room = np.empty(16 + int(size * self.expected_symbols), dtype=self.vocabulary.dtype)
        tokens = _dyck_kernels.sample(self.k, self.open_probability, offsets, room, rng)
        return Corpus(tokens, offsets, self.vocabulary)

    def uniform(self, length: int, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws from all strings of one length, each equally likely."""
        _arguments.require_size(size)
        self._require_even(length)
        tokens = np.empty((size, length), dtype=self.vocabulary.dtype)
        _dyck_kernels.uniform(self.k, tokens, rng)
        return self._of_one_length(tokens)

    def first_strings(self, size: int, *, after: Corpus | None = None) -> Corpus:
        """Return the first ``size`` strings by length, then as text; with ``after``, those behind that string."""
        _arguments.require_size(size)
        order = self._order
        word = np.empty(0, dtype=np.int64)
        if after is not None:
            _arguments.require_one_member(self, after)
            word = order.ranks[after[0]]
        is_listed = after is not None
        parts = [Corpus.from_arrays([], self.vocabulary)]
        left = size
        while left:
            length = len(word)
            listed = np.empty((min(left, self.count(length)), length), dtype=self.vocabulary.dtype)
            n_listed = _dyck_kernels.list_words(word, is_listed, order.next_opening, order.closing, listed)
            parts.append(self._of_one_length(order.classes[listed[:n_listed]]))
            left -= n_listed
            word, is_listed = np.zeros(length + 2, dtype=np.int64), False
        return Corpus.concatenate(parts)

    def _of_one_length(self, tokens: NDArray[np.integer[Any]]) -> Corpus:
        size, length = tokens.shape
        return Corpus(tokens.ravel(), np.arange(size + 1) * length, self.vocabulary)

    def bounded_derivations(self, size: int) -> Corpus:
        """Return the first ``size`` different strings by depth of derivation, in the language's order.

        The recipe behind the Dyck test files of BLISS (Lan, Chemla, Katzir 2023), which are therefore no complete
        lists: S(1) holds the empty string; S(d + 1) holds (_i x )_i y for every pair i and all x, y of S(d), in this
        order, then the empty string; strings are taken from S(2), S(3) ... until there are enough.
        """
        _arguments.require_size(size)
        ranks = self._order.ranks.tolist()
        found: set[tuple[int, ...]] = set()
        shallower: list[tuple[int, ...]] = [()]
        while len(found) < size:
            deeper: list[tuple[int, ...]] = []
            for word in _derivations(shallower, list(zip(ranks[1::2], ranks[2::2], strict=True))):
                found.add(word)
                deeper.append(word)
                if len(found) == size:
                    break
            shallower = deeper
        in_order = sorted(found, key=lambda word: (len(word), word))
        return Corpus.from_arrays(
            [self._order.classes[np.array(word, dtype=np.int64)] for word in in_order], self.vocabulary
        )

    def _require_even(self, length: int) -> None:
        if length < 0 or length % 2:
            raise InputError(f"the length of a string of {self.name} must be even and at least 0, not {length}")

    def last_string(self, length: int) -> Corpus:
        """Return the last string of a length in the language's order, behind which the longer ones begin."""
        self._require_even(length)
        opening = int(self._order.classes[self._order.closing >= 0][-1])
        return Corpus.from_arrays([[opening, opening + 1] * (length // 2)], self.vocabulary)

    def count(self, length: int) -> int:
        """Return the exact number of strings of this length: Catalan(n) k^n for n pairs of brackets."""
        if length < 0 or length % 2:
            return 0
        n_pairs = length // 2
        return math.comb(length, n_pairs) // (n_pairs + 1) * self.k**n_pairs


def _derivations(words: Sequence[tuple[int, ...]], pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    for opening, closing in pairs:
        for inside in words:
            for behind in words:
                yield (opening, *inside, closing, *behind)
    yield ()
