"""From a regular expression to its minimal DFA.

Thompson's construction (1968, "Regular expression search algorithm") for everything but intersection and complement,
whose operands are compiled to DFAs first and then take part like any other piece.
"""

from collections.abc import Iterable, Iterator
from functools import reduce

import numpy as np

from wug.errors import InputError
from wug.languages.automata._parsing import deep_nesting_refused
from wug.languages.automata.alphabets import expand, models
from wug.languages.automata.boolean import complement, intersection
from wug.languages.automata.building import checked_alphabet
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, SILENT, arc_array, determinise, live_arcs
from wug.languages.automata.regex.parsing import parse
from wug.languages.automata.regex.syntax import (
    Complement,
    Intersection,
    Regex,
    Repetition,
    Sequence,
    Symbol,
    Union,
)

MAX_STATES = 20_000
"""States of the nondeterministic automaton after which an expression is refused."""


def from_regex(text: str, alphabet: Iterable[str]) -> DFA:
    """Return the canonical minimal DFA of a regular expression over an alphabet; InputError names the column.

    >>> from wug.languages.automata.membership import accepts_words
    >>> accepts_words(from_regex("(ab)* & ~(.*abab)", "abc"), ["", "ab", "abab", "abc"]).tolist()
    [True, True, False, False]
    """
    letters = checked_alphabet(alphabet)
    expression = parse(text, letters)
    with deep_nesting_refused("regular expression"):
        model_of = models(letters, symbol_sets(expression))
        return expand(build(expression, tuple(dict.fromkeys(model_of.values()))), model_of)


def symbol_sets(expression: Regex) -> Iterator[frozenset[str]]:
    """Yield the sets of letters that the expression names; letters that are in the same ones are interchangeable."""
    match expression:
        case Symbol(letters):
            yield letters
        case Sequence(parts) | Union(parts) | Intersection(parts):
            for part in parts:
                yield from symbol_sets(part)
        case Complement(body) | Repetition(body):
            yield from symbol_sets(body)


def build(expression: Regex, letters: tuple[str, ...]) -> DFA:
    """Return the minimal DFA of the expression over ``letters``; other letters in it count as absent."""
    match expression:
        case Complement(body):
            return complement(build(body, letters))
        case Intersection(parts):
            return reduce(lambda left, right: minimise(intersection(left, right)), (build(p, letters) for p in parts))
        case _:
            pieces = _Pieces(letters)
            start, end = pieces.add(expression)
            return minimise(determinise(pieces.automaton(start, end)))


class _Pieces:
    """A nondeterministic automaton under construction; each piece has one entry and one exit."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        self._letters = letters
        self._arcs: list[tuple[int, int, int]] = []
        self._n_states = 0

    def automaton(self, start: int, end: int) -> NFA:
        accepting = np.zeros(self._n_states, dtype=np.bool_)
        accepting[end] = True
        return NFA(arc_array(self._arcs), np.array([start], dtype=np.int32), accepting, self._letters)

    def add(self, expression: Regex) -> tuple[int, int]:
        """Add the states and arcs of an expression and return its entry and exit.

        No arc leads into the entry and none leaves the exit, so that pieces can be joined freely.
        """
        match expression:
            case Symbol(letters):
                start, end = self._states(2)
                self._arcs += [(start, column, end) for column, letter in enumerate(self._letters) if letter in letters]
            case Sequence(parts):
                (start,) = self._states(1)
                end = self._chain(start, parts)
            case Union(parts):
                start, end = self._states(2)
                for entry, leave in map(self.add, parts):
                    self._arcs += [(start, SILENT, entry), (leave, SILENT, end)]
            case Repetition(body, least, most):
                start, end = self._repeat(body, least, most)
            case Complement() | Intersection():
                start, end = self._embed(build(expression, self._letters))
        return start, end

    def _states(self, number: int) -> range:
        self._n_states += number
        if self._n_states > MAX_STATES:
            raise InputError(f"the regular expression is too large: it needs more than {MAX_STATES} states")
        return range(self._n_states - number, self._n_states)

    def _chain(self, state: int, parts: Iterable[Regex]) -> int:
        for entry, leave in map(self.add, parts):
            self._arcs.append((state, SILENT, entry))
            state = leave
        return state

    def _repeat(self, body: Regex, least: int, most: int | None) -> tuple[int, int]:
        start, hub, end = self._states(3)
        last = self._chain(start, [body] * least)
        self._arcs += [(last, SILENT, hub), (hub, SILENT, end)]
        if most is None:
            self._arcs.append((self._chain(hub, [body]), SILENT, hub))
        else:
            state = hub
            for _ in range(most - least):
                state = self._chain(state, [body])
                self._arcs.append((state, SILENT, end))
        return start, end

    def _embed(self, dfa: DFA) -> tuple[int, int]:
        start, end = self._states(2)
        offset = self._states(dfa.n_states).start
        self._arcs += [tuple(arc) for arc in live_arcs(dfa, offset).tolist()]
        self._arcs.append((start, SILENT, dfa.start + offset))
        self._arcs += [(state + offset, SILENT, end) for state in np.flatnonzero(dfa.accepting).tolist()]
        return start, end
