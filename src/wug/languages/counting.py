"""Languages of blocks whose lengths are tied together: a^n b^n, a^n b^m c^(n+m) and their family."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wug.errors import InputError
from wug.languages import _arguments, _counting_kernels
from wug.languages.counting_notation import BOUNDARY, Block, parse
from wug.languages.protocol import NextSymbols
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True)
class CountingLanguage:
    """All strings that a notation stands for, one for every choice of its parameters from 1, 2, 3 ...

    The parameters are independent and geometric: P(n) = p (1 - p)^(n - 1), where 1 - p is ``continue_probability``.
    ``wug.languages.counting_notation.parse`` tells what can be written. Strings are ordered by length, then by the
    values of the parameters in the order in which they first occur.

    >>> language = CountingLanguage("a^n b^m c^(n+m)")
    >>> list(language.first_strings(4).texts())
    ['abcc', 'abbccc', 'aabccc', 'abbbcccc']
    >>> language.parameters_of(Corpus.from_strings(["aabccc"], language.vocabulary))
    array([[2, 1]])
    """

    notation: str
    continue_probability: float = 0.7
    """Probability that a parameter is larger, given that it is at least as large: 0.7 in Lan, Chemla, Katzir 2023."""

    def __post_init__(self) -> None:
        """Refuse a notation that cannot be read, and what is no probability."""
        _arguments.require_probability("continue_probability", self.continue_probability)
        parse(self.notation)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks in order."""
        return parse(self.notation)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters in the order in which they first occur."""
        return tuple(dict.fromkeys(parameter for block in self.blocks for parameter in block.factors))

    @property
    def name(self) -> str:
        """The notation in its shortest form."""
        return " ".join(map(str, self.blocks))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The boundary ``#``, then the symbols in the order in which they first occur."""
        return Vocabulary((BOUNDARY, *dict.fromkeys(block.symbol for block in self.blocks)))

    @cached_property
    def _symbols(self) -> NDArray[np.int64]:
        return np.array([self.vocabulary.classes[block.symbol] for block in self.blocks], dtype=np.int64)

    @cached_property
    def _constants(self) -> NDArray[np.int64]:
        return np.array([block.constant for block in self.blocks], dtype=np.int64)

    @cached_property
    def _factors(self) -> NDArray[np.int64]:
        table = [[block.factors.get(parameter, 0) for parameter in self.parameters] for block in self.blocks]
        return np.array(table, dtype=np.int64).reshape(len(self.blocks), len(self.parameters))

    @cached_property
    def _introduces(self) -> NDArray[np.int64]:
        introduces = np.full(len(self.blocks), -1, dtype=np.int64)
        for parameter, column in enumerate(self._factors.T):
            introduces[np.flatnonzero(column)[0]] = parameter
        return introduces

    @property
    def _weights(self) -> NDArray[np.int64]:
        """(n_parameters,) by how much a string grows with each parameter."""
        return self._factors.sum(axis=0)

    @property
    def entropy_bits(self) -> float:
        """Expected bits of a string: h/p for each parameter, where h is the entropy of one choice."""
        p, q = 1 - self.continue_probability, self.continue_probability
        return len(self.parameters) * -float(p * np.log2(p) + q * np.log2(q)) / p

    @property
    def expected_symbols(self) -> float:
        """Expected number of predicted symbols, the end symbol included; a parameter is 1/p on average."""
        return 1 + float(self._constants.sum() + self._weights.sum() / (1 - self.continue_probability))

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) membership of each string."""
        return self._read(corpus)[0]

    def parameters_of(self, corpus: Corpus) -> NDArray[np.int64]:
        """Return (n_strings, n_parameters) the values behind each string; InputError names one not in the language."""
        members, values = self._read(corpus)
        if not members.all():
            raise InputError(f"string {int(np.argmin(members)) + 1} is not in {self.name}")
        return values

    def _read(self, corpus: Corpus) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        _arguments.require_vocabulary(self, corpus)
        return _counting_kernels.read(
            self._symbols, self._constants, self._factors, self._introduces, corpus.tokens, corpus.offsets
        )

    def strings(self, values: ArrayLike) -> Corpus:
        """Return the strings with these (n_strings, n_parameters) values, each at least 1."""
        table = np.asarray(values, dtype=np.int64)
        if table.ndim != 2 or table.shape[1] != len(self.parameters):
            raise InputError(
                f"{self.name} takes values of shape (n_strings, {len(self.parameters)}), not {table.shape}"
            )
        if (table < 1).any():
            raise InputError(f"the parameters of {self.name} must be at least 1, not {table.min()}")
        lengths = self._constants.sum() + table @ self._weights
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        tokens = np.empty(offsets[-1], dtype=self.vocabulary.dtype)
        _counting_kernels.write(self._symbols, self._constants, self._factors, np.ascontiguousarray(table), tokens)
        return Corpus(tokens, offsets, self.vocabulary)

    def next_symbols(self, corpus: Corpus) -> NextSymbols:
        """Return the exact distributions along every string; InputError names one that is no prefix.

        Situation c, below the vocabulary's size, is 'class c must come'. Behind these comes one situation for each
        parameter: its block is as long as some value makes it, so that it may go on or end. In a^(2n), for example,
        another a must come after an odd number of them.
        """
        _arguments.require_vocabulary(self, corpus)
        n_classes = self.vocabulary.size
        n_situations = n_classes + len(self.parameters)
        situations = np.empty(corpus.n_symbols + len(corpus), dtype=_arguments.smallest_unsigned(n_situations))
        string, position = _counting_kernels.next_situations(
            self._symbols,
            self._constants,
            self._factors,
            self._introduces,
            self.vocabulary.end,
            n_classes,
            corpus.tokens,
            corpus.offsets,
            situations,
        )
        if string >= 0:
            raise _arguments.no_prefix(self, string, position)
        probabilities = np.zeros((n_situations, n_classes))
        probabilities[:n_classes] = np.eye(n_classes)
        following = [*self._symbols[1:], self.vocabulary.end]
        for block, parameter in enumerate(self._introduces):
            if parameter >= 0:
                probabilities[n_classes + parameter, self._symbols[block]] = self.continue_probability
                probabilities[n_classes + parameter, following[block]] = 1 - self.continue_probability
        return NextSymbols(situations, probabilities)

    def sample(self, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws, repetitions kept."""
        _arguments.require_size(size)
        return self.strings(rng.geometric(1 - self.continue_probability, size=(size, len(self.parameters))))

    def first_strings(self, size: int, *, after: Corpus | None = None) -> Corpus:
        """Return the first ``size`` strings by length, then by parameters; with ``after``, those behind that string."""
        _arguments.require_size(size)
        values = np.ones(len(self.parameters), dtype=np.int64)
        if after is not None:
            _arguments.require_one_member(self, after)
            values = self.parameters_of(after)[0]
        if self.parameters:
            return self.strings(_counting_kernels.list_values(self._weights, values, after is not None, size))
        left = 1 if after is None else 0
        if size > left:
            raise InputError(f"{self.name} has only {left} string{'' if left else 's'} from there on, not {size}")
        return self.strings(np.empty((size, 0)))

    def count(self, length: int) -> int:
        """Return the exact number of strings of this length."""
        total = length - int(self._constants.sum() + self._weights.sum())
        if total < 0:
            return 0
        ways = [1] + [0] * total
        for weight in self._weights.tolist():
            for spent in range(weight, total + 1):
                ways[spent] += ways[spent - weight]
        return ways[total]
