"""A regular language as a probability distribution: every length equally likely, every word of a length too."""

import math
from collections.abc import Iterable
from functools import cached_property

import numba
import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.membership import accepts_corpus
from wug.languages.automata.words import LetterClasses, WordSampler
from wug.languages.protocol import NextSymbols
from wug.sequences import Corpus, Vocabulary


class UniformLanguage:
    """The words of a DFA whose lengths are among the given ones; implements ``wug.languages.protocol.Language``.

    A draw takes one of the lengths with equal probability, then one of its words with equal probability: the
    distribution of the random test sets of MLRegTest. Strings of other lengths are not in this language. The order of
    strings is by length, then by the alphabet's order. InputError for a length that no accepted word has.

    >>> from wug.languages.automata.building import from_table
    >>> language = UniformLanguage("no aa", from_table([[1, 0], [2, 0], [2, 2]], [0, 1], "ab"), [3])
    >>> list(language.first_strings(5).texts()), language.entropy_bits == math.log2(5)
    (['aba', 'abb', 'bab', 'bba', 'bbb'], True)
    """

    def __init__(self, name: str, dfa: DFA, lengths: Iterable[int]) -> None:
        self.name = name
        self.dfa = dfa
        self.lengths = tuple(sorted(set(lengths)))
        if not self.lengths or self.lengths[0] < 0:
            raise InputError(f"{name}: lengths must be one or more numbers from 0, not {list(self.lengths)}")
        for length in self.lengths:
            if not self._words.count(length):
                raise InputError(f"{name}: there is no word of length {length}")

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The letters behind a start and end symbol: letter number c is class c + 1."""
        return letter_vocabulary(self.dfa.alphabet)

    @property
    def entropy_bits(self) -> float:
        """Expected bits of one string, end symbol included."""
        counts = [self.count(length) for length in self.lengths]
        return math.log2(len(counts)) + sum(map(math.log2, counts)) / len(counts)

    @property
    def expected_symbols(self) -> float:
        """Expected number of predicted symbols of one string, end symbol included."""
        return sum(self.lengths) / len(self.lengths) + 1

    def count(self, length: int) -> int:
        """Return the exact number of strings of this length; 0 for a length that is not among the given ones."""
        return self._words.count(length) if length in self.lengths else 0

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) membership; InputError for a symbol outside the alphabet."""
        return accepts_corpus(self.dfa, corpus) & np.isin(corpus.lengths, self.lengths)

    def sample(self, size: int, *, rng: np.random.Generator) -> Corpus:
        """Return ``size`` independent draws, repetitions kept."""
        lengths = np.asarray(self.lengths, dtype=np.int64)[rng.integers(0, len(self.lengths), size=size)]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        tokens = np.empty(offsets[-1], dtype=self.vocabulary.dtype)
        for length in self.lengths:
            (chosen,) = np.nonzero(lengths == length)
            words = self._words.sample(len(chosen), length, rng=rng)
            tokens[offsets[chosen][:, None] + np.arange(length)] = words + 1
        return Corpus(tokens, offsets, self.vocabulary)

    def first_strings(self, size: int, *, after: Corpus | None = None) -> Corpus:
        """Return the next ``size`` strings in order; with ``after`` (one string) those strictly behind it.

        InputError where there are fewer, with their number.
        """
        rows: list[NDArray[np.int32]] = []
        missing = size
        previous = None if after is None else self._letters(after)
        for length in self.lengths:
            if previous is not None and length < len(previous):
                continue
            is_resumed = previous is not None and length == len(previous)
            word = previous if is_resumed and previous is not None else np.zeros(length, dtype=np.int32)
            found = _words_in_order(
                self.dfa.transitions, self._viable(length), self.dfa.start, word, is_resumed, missing
            )
            rows.append(found)
            missing -= len(found)
            if not missing:
                break
        if missing:
            behind = "" if after is None else " behind the given string"
            raise InputError(f"{self.name} has {size - missing} strings{behind}, fewer than the {size} asked for")
        return Corpus.from_arrays([word + 1 for words in rows for word in words], self.vocabulary)

    def next_symbols(self, corpus: Corpus) -> NextSymbols:
        """Return the exact distributions along every string; InputError for a string that no string begins with."""
        letters = self._letters(corpus)
        states = _visited_states(self.dfa.transitions, self.dfa.start, letters, corpus.offsets)
        starts = corpus.offsets[:-1] + np.arange(len(corpus))
        positions = np.arange(len(states)) - np.repeat(starts, corpus.lengths + 1)
        codes, situations = np.unique(positions * self.dfa.n_states + states, return_inverse=True)
        pairs = [divmod(code, self.dfa.n_states) for code in codes.tolist()]
        for index, (position, state) in enumerate(pairs):
            if not self._weight(position, state):
                string = int(np.searchsorted(starts, np.flatnonzero(situations == index)[0], side="right"))
                raise InputError(f"string {string}: no string of {self.name} begins with its first {position} symbols")
        rows = [self._distribution(position, state) for position, state in pairs]
        return NextSymbols(situations.astype(np.uint32), np.array(rows).reshape(len(rows), self.vocabulary.size))

    @cached_property
    def _words(self) -> WordSampler:
        return WordSampler(self.dfa, self.lengths[-1])

    @cached_property
    def _classes(self) -> LetterClasses:
        return LetterClasses.of(self.dfa)

    @cached_property
    def _shares(self) -> dict[int, int]:
        """The probability of one word of each length, as numerators over a common denominator."""
        counts = {length: self._words.count(length) for length in self.lengths}
        common = math.lcm(*counts.values())
        return {length: common // n_words for length, n_words in counts.items()}

    def _weight(self, position: int, state: int) -> int:
        """Return the probability, over the same denominator, of what can still follow a prefix that leads there."""
        return sum(
            share * self._words.completions(state, length - position)
            for length, share in self._shares.items()
            if length >= position
        )

    def _distribution(self, position: int, state: int) -> NDArray[np.float64]:
        total = self._weight(position, state)
        row = np.zeros(self.vocabulary.size)
        if self.dfa.accepting[state]:
            row[self.vocabulary.end] = self._shares.get(position, 0) / total
        for index, action in enumerate(self._classes.actions):
            letters = self._classes.letters[self._classes.first[index] : self._classes.first[index + 1]]
            row[letters + 1] = self._weight(position + 1, int(action[state])) / total
        return row

    def _viable(self, length: int) -> NDArray[np.bool_]:
        """Return (length + 1, n_states) whether some word of so many letters leads from the state to acceptance."""
        states = range(self.dfa.n_states)
        return np.array([[self._words.completions(q, n) > 0 for q in states] for n in range(length + 1)])

    def _letters(self, corpus: Corpus) -> NDArray[np.int32]:
        """Return (n_symbols,) columns of the automaton; InputError for a symbol outside the alphabet."""
        accepts_corpus(self.dfa, corpus)
        column = {letter: index for index, letter in enumerate(self.dfa.alphabet)}
        columns = np.array([column.get(symbol, -1) for symbol in corpus.vocabulary.symbols], dtype=np.int32)
        return columns[corpus.tokens]


def letter_vocabulary(alphabet: tuple[str, ...]) -> Vocabulary:
    """Return the vocabulary of an automaton's words: a start and end symbol that is no letter, then the letters."""
    marks = ("#", *map(chr, range(0x2460, 0x2500)))
    return Vocabulary((next(mark for mark in marks if mark not in alphabet), *alphabet))


@numba.njit(cache=True, nogil=True)
def _visited_states(
    transitions: NDArray[np.int32], start: int, letters: NDArray[np.int32], offsets: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return (n_symbols + n_strings,) the state at every position of every string."""
    n_strings = len(offsets) - 1
    states = np.empty(len(letters) + n_strings, np.int32)
    at = 0
    for string in range(n_strings):
        state = np.int32(start)
        states[at] = state
        at += 1
        for place in range(offsets[string], offsets[string + 1]):
            state = transitions[state, letters[place]]
            states[at] = state
            at += 1
    return states


@numba.njit(cache=True, nogil=True)
def _words_in_order(
    transitions: NDArray[np.int32],
    viable: NDArray[np.bool_],
    start: int,
    word: NDArray[np.int32],
    strictly_behind: bool,
    limit: int,
) -> NDArray[np.int32]:
    """Return (n, length) accepted words in alphabet order, n at most ``limit``: from ``word`` on, or behind it."""
    length = len(word)
    n_letters = transitions.shape[1]
    found = np.empty((min(limit, 1024), length), np.int32)
    n_found = 0
    if limit == 0 or not viable[length, start] or (length == 0 and strictly_behind):
        return found[:0]
    current = word.copy()
    states = np.empty(length + 1, np.int32)
    states[0] = start
    place = 0
    resumes = True  # while the letters so far are those of ``word``
    while place >= 0:
        if place == length:
            if not (resumes and strictly_behind):
                if n_found == len(found):
                    larger = np.empty((2 * n_found, length), np.int32)
                    larger[:n_found] = found
                    found = larger
                found[n_found] = current
                n_found += 1
                if n_found == limit:
                    break
            resumes = False
            place -= 1
            if place >= 0:
                current[place] += 1
            continue
        if current[place] == n_letters:
            resumes = False
            place -= 1
            if place >= 0:
                current[place] += 1
            continue
        state = transitions[states[place], current[place]]
        if viable[length - place - 1, state]:
            states[place + 1] = state
            place += 1
            if place < length and not resumes:
                current[place] = 0
        else:
            resumes = False
            current[place] += 1
    return found[:n_found]
