"""An automaton out of any classifier: L* with membership queries to the model and tests in place of a teacher.

Nobody can say whether an automaton equals a network. In place of that answer stand words on which both are compared:
those that the table itself is about, strings that are given (the training strings, say), random words, and a
conformance test. That is the W-method (Chow 1978, "Testing software design modeled by finite-state machines";
Vasilevskii 1973): each state's access word, then up to 1 + ``extra_states`` letters, then each suffix that tells states
apart. If all of these agree, the automaton is right, provided that the model has a finite automaton with at most so
many states more. Where they are too many, so many are drawn at random as may be asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.membership import accepts_corpus
from wug.languages.automata.minimisation import minimise
from wug.learners.protocols import Classifier
from wug.learners.symbolic.membership_queries import BATCH, MembershipQueries, QueryBudgetSpentError
from wug.learners.symbolic.observation_table import ObservationTable, TooManyStatesError
from wug.sequences import Corpus


class Ending(StrEnum):
    """Why an extraction ended."""

    AGREES = "no counterexample found"
    STATES = "too many states"
    QUERIES = "too many queries"


@dataclass(frozen=True)
class Limits:
    """How much is asked, and how large an automaton may become."""

    states: int = 500
    """Largest number of states of a hypothesis."""
    queries: int = 500_000
    """Largest number of different words that the model is asked about."""
    random_words: int = 2_000
    """Random words in each test, drawn anew: lengths, then letters, uniformly."""
    longest: int = 50
    """Length of the longest random words."""
    conformance_words: int = 50_000
    """Largest number of words of the conformance test."""
    extra_states: int = 2
    """How many more states the conformance test allows for where it is complete."""
    coarse_share: float = 0.99
    """Share of the samples on which the coarse automaton answers as the model does."""

    def check(self) -> None:
        """Raise InputError for a limit that is too small to begin with."""
        for name, least in (("states", 2), ("queries", 1), ("random_words", 0), ("longest", 0)):
            if getattr(self, name) < least:
                raise InputError(f"the limit '{name}' must be {least} or more, not {getattr(self, name)}")
        for name in ("conformance_words", "extra_states"):
            if getattr(self, name) < 0:
                raise InputError(f"the limit '{name}' must be 0 or more, not {getattr(self, name)}")
        if not 0 <= self.coarse_share <= 1:
            raise InputError(f"the limit 'coarse_share' must be from 0 to 1, not {self.coarse_share}")


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was extracted."""

    dfa: DFA
    """The minimal DFA of the last hypothesis that was within the limits."""
    queries: int
    """Different words that the model was asked about."""
    hypotheses: int
    """Automata that were tested."""
    ending: Ending
    coarse: DFA | None
    """The minimal DFA of the first hypothesis that answers nearly all samples as the model does; None without any.

    It leaves out what the model does on strings unlike the samples, shorter ones above all, where a network may follow
    no rule at all.
    """


def extract_automaton(
    model: Classifier, *, rng: np.random.Generator, limits: Limits | None = None, samples: Corpus | None = None
) -> Extraction:
    """Return an automaton that answers like the model as far as tests tell; a function of model, generator and limits.

    A word is in the model's language if its probability is above one half. ``samples``, over the model's vocabulary,
    are compared in every test. TrialError where the model has no probability for a word.
    """
    bounds = limits or Limits()
    bounds.check()
    queries = MembershipQueries(model, budget=bounds.queries)
    table = ObservationTable(queries, max_states=bounds.states)
    given = queries.words.from_corpus(samples) if samples is not None else []
    sampled = _Sampled(queries, given)
    coarse: DFA | None = None
    hypothesis: DFA | None = None
    n_hypotheses = 0
    ending = Ending.AGREES
    try:
        while True:
            table.close()
            hypothesis = table.hypothesis()
            n_hypotheses += 1
            if coarse is None and sampled.agreement(hypothesis) >= bounds.coarse_share:
                coarse = hypothesis
            counterexample = _counterexample(queries, table, hypothesis, given, bounds, rng)
            if counterexample is None:
                break
            table.add_counterexample(counterexample, hypothesis)
    except TooManyStatesError:
        ending = Ending.STATES
    except QueryBudgetSpentError:
        ending = Ending.QUERIES
    if hypothesis is None:
        raise InputError(f"the limit 'queries' must allow for a first automaton, which {bounds.queries} does not")
    found = None if coarse is None else minimise(coarse)
    return Extraction(minimise(hypothesis), queries.asked, n_hypotheses, ending, found)


class _Sampled:
    """The model's answers to the samples, asked for when first needed."""

    def __init__(self, queries: MembershipQueries, words: list[str]) -> None:
        self._queries, self._words = queries, words

    @cached_property
    def _answers(self) -> NDArray[np.bool_]:
        return np.array(self._queries.ask(self._words), dtype=np.bool_)

    @cached_property
    def _corpus(self) -> Corpus:
        return self._queries.words.corpus(self._words)

    def agreement(self, hypothesis: DFA) -> float:
        """Return the share of the samples that a hypothesis answers as the model does; 0 without samples."""
        if not self._words:
            return 0.0
        return float((self._answers == accepts_corpus(hypothesis, self._corpus)).mean())


def _counterexample(
    queries: MembershipQueries,
    table: ObservationTable,
    hypothesis: DFA,
    given: list[str],
    limits: Limits,
    rng: np.random.Generator,
) -> str | None:
    """Return the shortest word of the first batch with one on which model and hypothesis differ; None without any."""
    stages = (
        iter([table.table_words()]),
        iter([given]),
        iter([_random_words(queries, limits, rng)]),
        _batches(_conformance_words(queries, table, limits, rng)),
    )
    for stage in stages:
        for words in stage:
            answers = np.array(queries.ask(words), dtype=np.bool_)
            differing = np.flatnonzero(answers != accepts_corpus(hypothesis, queries.words.corpus(words)))
            if len(differing):
                return min((words[index] for index in differing), key=len)
    return None


def _random_words(queries: MembershipQueries, limits: Limits, rng: np.random.Generator) -> list[str]:
    lengths = rng.integers(0, limits.longest + 1, size=limits.random_words)
    offsets = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    columns = rng.integers(0, max(1, len(queries.words.alphabet)), size=int(offsets[-1]))
    return queries.words.from_columns(columns, offsets)


def _conformance_words(
    queries: MembershipQueries, table: ObservationTable, limits: Limits, rng: np.random.Generator
) -> Iterator[str]:
    """Yield the words of the W-method, or so many draws from them as may be asked, the middle at least a letter."""
    letters, lengths = queries.words.letters, range(1, limits.extra_states + 2)
    n_ends = len(table.prefixes) * len(table.suffixes)
    if n_ends * sum(len(letters) ** length for length in lengths) <= limits.conformance_words:
        middles = [""]
        for _ in lengths:
            middles = [middle + letter for middle in middles for letter in letters]
            for prefix in table.prefixes:
                yield from (prefix + middle + suffix for middle in middles for suffix in table.suffixes)
        return
    for _ in range(limits.conformance_words):
        middle = "".join(letters[column] for column in rng.integers(0, len(letters), size=rng.choice(lengths)))
        prefix = table.prefixes[rng.integers(len(table.prefixes))]
        yield prefix + middle + table.suffixes[rng.integers(len(table.suffixes))]


def _batches(words: Iterator[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for word in words:
        batch.append(word)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
