"""A probabilistic context-free grammar as a language with exact answers."""

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wug.errors import InputError
from wug.languages import _arguments
from wug.languages.pcfg._sampling import Expansions, sample
from wug.languages.pcfg.ambiguity import Ambiguity, Verdict, ambiguity_verdict
from wug.languages.pcfg.checks import checked
from wug.languages.pcfg.counting import DerivationCounts
from wug.languages.pcfg.enumeration import Enumeration
from wug.languages.pcfg.expectations import derivation_entropy_bits, expected_expansions, expected_terminals
from wug.languages.pcfg.grammar import Grammar
from wug.languages.pcfg.normal_form import BinaryGrammar, Floats, Tables, binarised, tables
from wug.languages.pcfg.prefixes import along_prefixes, log2_probabilities
from wug.languages.pcfg.reading import read_grammar
from wug.languages.pcfg.systems import star
from wug.languages.protocol import NextSymbols
from wug.sequences import Corpus, Vocabulary

BOUNDARY = "#"
"""Start and end symbol of vocabularies made from a grammar."""
LARGEST_ROOM = 1 << 24
"""Number of symbols of a sample for which room is made beforehand; beyond it the room grows as needed."""


@dataclass(frozen=True)
class EntropyEstimate:
    """An entropy measured on a sample."""

    bits: float
    standard_error_bits: float


@dataclass(frozen=True, eq=False)
class PCFG:
    """The language of a probabilistic context-free grammar; ``wug.languages.protocol.Language``.

    Any grammar will do: ambiguous, left-recursive, cyclic, with units and empty right-hand sides. Answers about
    prefixes take time in the order of n³ for n symbols at worst, n² for an unambiguous grammar, and n where few
    constituents end at the same place. Dyck-1, as ``S -> "(" S ")" S [0.3] | [0.7]``, takes n where pairs are nested
    and at most n² / 4 steps, where they stand side by side (each one ends all those before it). Memory is in the order
    of n there and n² at worst.

    >>> anbn = PCFG.from_text('S -> "a" X "b" [1]   X -> "a" X "b" [0.7] | [0.3]', name="a^n b^n")
    >>> anbn.next_symbols(Corpus.from_strings(["aab"], anbn.vocabulary)).probabilities.round(12)
    array([[0. , 1. , 0. ],
           [0. , 0.7, 0.3],
           [0. , 0. , 1. ]])
    >>> list(anbn.first_strings(3).texts()), anbn.count(100)
    (['ab', 'aabb', 'aaabbb'], 1)
    """

    grammar: Grammar
    """Rules that have passed ``checks.checked``."""
    vocabulary: Vocabulary
    name: str

    @classmethod
    def from_text(cls, text: str, *, name: str = "grammar", vocabulary: Vocabulary | None = None) -> "PCFG":
        """Return the language of a grammar in the notation of ``read_grammar``; InputError says what is wrong where.

        Without a vocabulary the classes are '#' (start and end, class 0) and the terminals in order of appearance.
        """
        return cls._from_grammar(read_grammar(text, name), name, vocabulary)

    @classmethod
    def read(cls, path: Path | str, *, vocabulary: Vocabulary | None = None) -> "PCFG":
        """Return the language of a grammar in a UTF-8 file, called as the file is without its ending."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read ({error})") from error
        return cls._from_grammar(read_grammar(text, str(path)), Path(path).stem, vocabulary)

    @classmethod
    def _from_grammar(cls, unchecked: Grammar, name: str, vocabulary: Vocabulary | None) -> "PCFG":
        grammar = checked(unchecked)
        chosen = vocabulary or Vocabulary(
            (BOUNDARY, *(terminal for terminal in grammar.terminals if terminal != BOUNDARY))
        )
        boundaries = (chosen.symbols[chosen.start], chosen.symbols[chosen.end])
        for terminal in grammar.terminals:
            if terminal in boundaries:
                raise InputError(f"{grammar.source}: the terminal {terminal!r} is the start or end symbol")
            if terminal not in chosen.classes:
                raise InputError(f"{grammar.source}: the terminal {terminal!r} is not in the vocabulary")
        return cls(grammar, chosen, name)

    # --- answers along a string

    def next_symbols(self, corpus: Corpus) -> NextSymbols:
        """Return the exact distributions along every string; InputError names one that is no prefix.

        A possible class never has probability 0: what is below the range of floats is given as the smallest normal one.
        """
        _arguments.require_vocabulary(self, corpus)
        answers = along_prefixes(self._tables, corpus)
        wrong = np.flatnonzero(answers.impossible >= 0)
        if len(wrong):
            raise _arguments.no_prefix(self, int(wrong[0]), int(answers.impossible[wrong[0]]))
        n_situations = len(answers.probabilities)
        situations = answers.situations.astype(_arguments.smallest_unsigned(max(n_situations, 1)))
        return NextSymbols(situations, answers.probabilities)

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) membership of each string."""
        return np.asarray(self.string_log2_probability(corpus) > -np.inf)

    def string_log2_probability(self, corpus: Corpus) -> Floats:
        """Return (n_strings,) binary logarithm of each string's probability; -inf outside of the language."""
        _arguments.require_vocabulary(self, corpus)
        return log2_probabilities(self._tables, corpus).whole

    def prefix_log2_probability(self, corpus: Corpus) -> Floats:
        """Return (n_strings,) binary logarithm of the probability that a string begins so; -inf if none does."""
        _arguments.require_vocabulary(self, corpus)
        return log2_probabilities(self._tables, corpus).prefix

    # --- answers about the whole language

    @cached_property
    def ambiguity(self) -> Verdict:
        """Whether some string has several derivations, as far as that can be found out, and the reason."""
        return ambiguity_verdict(self.grammar, self._enumeration, self._counting_tables, self.vocabulary)

    def _counting_tables(self) -> Tables:
        return tables(self._binary.counting(), self._corners, self.vocabulary.size)

    @cached_property
    def entropy_bits(self) -> float:
        """Expected bits of one string under the true distribution, end symbol included.

        It is the entropy of the derivations if every string has only one. An ambiguous grammar has no closed form for
        it, so that InputError is raised unless the grammar is proved unambiguous; ``estimate_entropy_bits`` is there
        for all grammars.
        """
        verdict = self.ambiguity
        if verdict.ambiguity is Ambiguity.UNAMBIGUOUS:
            return self.derivation_entropy_bits
        known = "is ambiguous" if verdict.ambiguity is Ambiguity.AMBIGUOUS else "could not be proved unambiguous"
        raise InputError(
            f"{self.name}: no exact entropy, since the grammar {known} ({verdict.reason}); estimate_entropy_bits "
            f"measures it on a sample, derivation_entropy_bits ({self.derivation_entropy_bits:.6g}) is an upper bound"
        )

    @cached_property
    def derivation_entropy_bits(self) -> float:
        """Entropy of the derivations in bits; infinite for a critical grammar."""
        return derivation_entropy_bits(self.grammar)

    def estimate_entropy_bits(self, size: int, *, rng: np.random.Generator) -> EntropyEstimate:
        """Return the mean of -log2 P(string) over a sample of at least two strings, with its standard error."""
        if size < 2:
            raise InputError(f"an estimate needs a sample of at least 2 strings, not {size}")
        different, multiplicities = self.sample(size, rng=rng).unique()
        bits = np.repeat(-self.string_log2_probability(different), multiplicities)
        return EntropyEstimate(float(bits.mean()), float(bits.std(ddof=1) / math.sqrt(size)))

    @cached_property
    def expected_symbols(self) -> float:
        """Expected number of predicted symbols of one string, end symbol included; infinite for a critical grammar."""
        return expected_terminals(self.grammar) + 1.0

    def sample(self, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws, repetitions kept.

        Derivations are leftmost and take one number u in [0, 1) from ``rng`` for every expansion, also of a nonterminal
        with one alternative; the first alternative is taken whose probability, added to those before it, is above u. So
        do the training samples of BLISS, which come out bit for bit with their generator:
        ``np.random.Generator(np.random.RandomState(100)._bit_generator)``.
        """
        _arguments.require_size(size)
        if np.isinf(expected_expansions(self.grammar)).any():
            raise InputError(f"{self.name} cannot be sampled: the expected length of its derivations is infinite")
        room = np.empty(16 + int(min(size * self.expected_symbols, LARGEST_ROOM)), self.vocabulary.dtype)
        tokens, offsets = sample(self._expansions, size, rng, room)
        return Corpus(tokens, offsets, self.vocabulary)

    def first_strings(self, size: int, *, after: Corpus | None = None) -> Corpus:
        """Return the next ``size`` strings by length, then by class; with ``after`` (one string) strictly behind it.

        A finite language that runs out raises InputError with the number it has.
        """
        _arguments.require_size(size)
        if after is not None:
            _arguments.require_one_member(self, after)
        start = None if after is None else after.tokens
        strings = Corpus(*self._enumeration.strings(size, start, self.vocabulary.dtype), self.vocabulary)
        if len(strings) < size:
            behind = "" if after is None else f" behind {after.text(0)!r}"
            raise InputError(f"{self.name} has only {len(strings)} strings{behind}, not {size}")
        return strings

    def count(self, length: int) -> int:
        """Return the exact number of strings of this length (symbols, without start and end).

        Where the grammar is proved unambiguous derivations are counted, in time of the square of the length; else every
        string is visited.
        """
        if length < 0:
            raise InputError(f"a length must be 0 or more, not {length}")
        if self._enumeration.longest is not None and length > self._enumeration.longest:
            return 0
        if self.ambiguity.ambiguity is Ambiguity.UNAMBIGUOUS:
            return self._derivation_counts.of_length(length)
        return self._enumeration.count(length)

    # --- compiled forms of the grammar

    @cached_property
    def _binary(self) -> BinaryGrammar:
        return binarised(self.grammar, self.vocabulary.classes)

    @cached_property
    def _corners(self) -> csr_array:
        return star(self._binary.corners)

    @cached_property
    def _tables(self) -> Tables:
        return tables(self._binary, self._corners, self.vocabulary.size)

    @cached_property
    def _enumeration(self) -> Enumeration:
        return Enumeration(self._binary, self._tables)

    @cached_property
    def _derivation_counts(self) -> DerivationCounts:
        return DerivationCounts(self._binary, self._tables)

    @cached_property
    def _expansions(self) -> Expansions:
        symbols: list[int] = []
        first_alternative, first_symbol, cumulative = [0], [0], [np.empty(0)]
        for rules in self.grammar.alternatives.values():
            sums = np.cumsum([float(rule.probability) for rule in rules])
            cumulative.append(sums / sums[-1])
            for rule in rules:
                symbols += [
                    -1 - self.vocabulary.classes[symbol.name] if symbol.is_terminal else self.grammar.index[symbol.name]
                    for symbol in rule.right
                ]
                first_symbol.append(len(symbols))
            first_alternative.append(len(first_symbol) - 1)
        return Expansions(
            np.array(first_alternative),
            np.concatenate(cumulative),
            np.array(first_symbol),
            np.array(symbols, dtype=np.int64),
        )
