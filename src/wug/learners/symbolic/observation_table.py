"""The observation table of L*: prefixes that reach states, suffixes that tell them apart.

Angluin 1987, "Learning regular sets from queries and counterexamples"; counterexamples are worked off as by Rivest and
Schapire 1993, "Inference of finite automata using homing sequences": each adds one suffix, so that all prefixes reach
different states and the table is always consistent.
"""

from itertools import pairwise

import numpy as np

from wug.languages.automata.dfa import DFA
from wug.learners.symbolic.membership_queries import MembershipQueries

Row = tuple[bool, ...]


class TooManyStatesError(Exception):
    """The table has more states than it may have."""


class ObservationTable:
    """States found so far; the rows of all of them, and of the words one letter longer, are known to the queries."""

    def __init__(self, queries: MembershipQueries, *, max_states: int) -> None:
        self._queries = queries
        self._max_states = max_states
        self.prefixes = [""]
        """The access word of each state, the start's first."""
        self.suffixes = [""]
        """Words after which some states differ."""

    def close(self) -> None:
        """Add states until every letter leads from each to one of them; raises TooManyStatesError."""
        rows = set(self._rows(self.prefixes))
        frontier = self.prefixes
        while frontier:
            longer = [prefix + letter for prefix in frontier for letter in self._queries.words.letters]
            frontier = []
            for word, row in zip(longer, self._rows(longer), strict=True):
                if row not in rows:
                    rows.add(row)
                    frontier.append(word)
            self.prefixes = [*self.prefixes, *frontier]
            if len(self.prefixes) > self._max_states:
                raise TooManyStatesError

    def hypothesis(self) -> DFA:
        """Return the automaton of a closed table, state i reached by ``prefixes[i]``."""
        letters = self._queries.words.letters
        state_of = {row: state for state, row in enumerate(self._rows(self.prefixes))}
        targets = self._rows([prefix + letter for prefix in self.prefixes for letter in letters])
        table = np.array([state_of[row] for row in targets], dtype=np.int32).reshape(len(self.prefixes), len(letters))
        return DFA(table, np.array(self._queries.ask(self.prefixes)), self._queries.words.alphabet)

    def table_words(self) -> list[str]:
        """Return every word that the table is about."""
        letters = ["", *self._queries.words.letters]
        return [p + letter + suffix for p in self.prefixes for letter in letters for suffix in self.suffixes]

    def add_counterexample(self, word: str, hypothesis: DFA) -> None:
        """Add the suffix that a word on which model and hypothesis differ gives away.

        With the first i letters exchanged for the access word of the state that they lead to, the model's answer
        changes somewhere between i = 0 (the model's own answer) and the whole word (the hypothesis's): there the rest
        of the word tells two states apart. The shortest such rest is taken.
        """
        column_of = {letter: column for column, letter in enumerate(self._queries.words.letters)}
        states = [hypothesis.start]
        for letter in word:
            states.append(int(hypothesis.transitions[states[-1], column_of[letter]]))
        answers = self._queries.ask(self.prefixes[state] + word[at:] for at, state in enumerate(states))
        changes = [at for at, (one, next_one) in enumerate(pairwise(answers), start=1) if one != next_one]
        self.suffixes = [*self.suffixes, word[changes[-1] :]]

    def _rows(self, words: list[str]) -> list[Row]:
        answers = self._queries.ask(word + suffix for word in words for suffix in self.suffixes)
        width = len(self.suffixes)
        return [tuple(answers[first : first + width]) for first in range(0, len(answers), width)]
