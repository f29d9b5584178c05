"""The languages of the benchmark, their training samples and their test lists.

Source: Lan, Chemla, Katzir 2023, sections 3.4 and 4.1; training samples as in the repository taucompling/bliss
(``generate_dataset.py``): NumPy's legacy generator, seeded anew for every sample, so that samples are nested.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError, unknown_name
from wug.languages.counting import CountingLanguage
from wug.languages.dyck import DyckLanguage
from wug.randomness import generator
from wug.sequences import Corpus

CONTINUE_PROBABILITY = 0.7
"""1 - p with the paper's sampling parameter p = 0.3."""

NOTATION = {
    "anbn": "a^n b^n",
    "anbncn": "a^n b^n c^n",
    "anbncndn": "a^n b^n c^n d^n",
    "anbmcnm": "a^n b^m c^(n+m)",
    "dyck1": "Dyck-1",
    "dyck2": "Dyck-2",
}
"""The paper's six languages by task name."""

PUBLISHED_STRINGS = 15_000
"""Length of the test files that the BLISS repository ships."""


class AdditionList(StrEnum):
    """How the test list of a language with several parameters is formed (spec of the index, 1.3)."""

    GRID = "grid"
    """A square of parameters above the largest one seen, sorted by their sum: reproduces the paper's numbers."""
    SEQUENTIAL = "sequential"
    """Strictly after the largest training string in the language's order: the paper's wording."""
    PUBLISHED = "published"
    """What follows the largest training string in the file that BLISS ships."""


class DyckList(StrEnum):
    """How the test list of a Dyck language is formed (spec of the index, 1.3)."""

    AFTER = "exhaustive-after"
    """All strings in order, strictly after the largest training string."""
    LONGER = "exhaustive-longer"
    """All strings in order, longer than the longest training string."""
    PUBLISHED = "published"
    """The strings of BLISS's file (bounded derivation depth) that are longer than the longest training string."""
    SAMPLED = "sampled"
    """Uniform over the words of each of the ten lengths above the longest training string, without repetitions."""


@dataclass(frozen=True)
class BlissLanguage:
    """A language of the benchmark with the metric that suits it."""

    name: str
    """Task name."""
    language: CountingLanguage | DyckLanguage

    @property
    def metric(self) -> str:
        """``M_cat`` for Dyck languages, which have no deterministic phase; ``M_det`` for counting languages."""
        return "M_cat" if isinstance(self.language, DyckLanguage) else "M_det"

    @property
    def size_name(self) -> str:
        """What grows along the language's order: ``n`` where a string has one parameter, else ``length``."""
        one = isinstance(self.language, CountingLanguage) and len(self.language.parameters) == 1
        return self.language.parameters[0] if one else "length"  # type: ignore[union-attr]

    def sizes(self, corpus: Corpus) -> NDArray[np.int64]:
        """Return (n_strings,) the size of each string: its parameter or its length."""
        if self.size_name != "length" and isinstance(self.language, CountingLanguage):
            return self.language.parameters_of(corpus)[:, 0]
        return np.asarray(corpus.lengths)


@lru_cache(maxsize=64)
def bliss_language(task: str) -> BlissLanguage:
    """Return the language of a task: one of the paper's six, ``dyckK``, or a counting language in its notation.

    >>> bliss_language("a^n b^(2n)").metric
    'M_det'
    """
    dyck = re.fullmatch(r"(?i)dyck-?(\d+)", task)
    if dyck:
        return BlissLanguage(task, DyckLanguage(int(dyck[1]), open_probability=1 - CONTINUE_PROBABILITY))
    if "^" in task:
        return BlissLanguage(task, CountingLanguage(task, continue_probability=CONTINUE_PROBABILITY))
    if task not in NOTATION:
        raise unknown_name("task of bliss", task, [*NOTATION, "dyck3", "a^n b^(2n)"])
    return BlissLanguage(task, CountingLanguage(NOTATION[task], continue_probability=CONTINUE_PROBABILITY))


# --- training samples -------------------------------------------------------------------------------------------------


def training_sample(task: BlissLanguage, size: int, data_seed: int) -> Corpus:
    """Return the training strings, repetitions kept, sorted by length as BLISS's files are.

    For one data seed a smaller sample is contained in a larger one.
    """
    random = np.random.RandomState(data_seed)
    language = task.language
    if isinstance(language, DyckLanguage):
        sample = _dyck_sample(language, size, random)
    elif len(language.parameters) == 1 and len(language.blocks) != 2:
        # BLISS draws n of the context-sensitive languages from a geometric distribution
        n = random.geometric(p=1 - CONTINUE_PROBABILITY, size=size)
        sample = language.strings(n.reshape(-1, 1))
    else:
        sample = language.strings(_derived_parameters(len(language.parameters), size, random))
    return sample.select(np.argsort(sample.lengths, kind="stable"))


def _derived_parameters(n_parameters: int, size: int, random: np.random.RandomState) -> NDArray[np.int64]:
    """Return (size, n_parameters) of the context-free languages, drawn by leftmost expansion as BLISS does.

    Each parameter's part of the grammar is entered by a rule without alternative, which also takes a draw; then one
    draw decides each time whether the parameter grows.
    """
    values = []
    for _ in range(size * n_parameters):
        random.random_sample()
        n = 1
        while random.random_sample() < CONTINUE_PROBABILITY:
            n += 1
        values.append(n)
    return np.array(values, dtype=np.int64).reshape(size, n_parameters)


def _dyck_sample(language: DyckLanguage, size: int, random: np.random.RandomState) -> Corpus:
    """Return Dyck words drawn by leftmost expansion, one draw an expansion, the recursive rules first."""
    p = 1 - CONTINUE_PROBABILITY
    cumulative = np.cumsum([p / language.k] * language.k + [1 - p])
    cumulative /= cumulative[-1]
    words = []
    for _ in range(size):
        word: list[int] = []
        # what is still to be expanded or written: 0 is the nonterminal, others are closing classes
        stack = [0]
        while stack:
            top = stack.pop()
            if top:
                word.append(top)
                continue
            rule = int(np.searchsorted(cumulative, random.random_sample(), side="right"))
            if rule < language.k:
                word.append(1 + 2 * rule)
                stack += [0, 2 + 2 * rule, 0]
        words.append(np.array(word, dtype=np.int64))
    return Corpus.from_arrays(words, language.vocabulary)


# --- test lists -------------------------------------------------------------------------------------------------------


def largest_string(task: BlissLanguage, training: Corpus) -> Corpus:
    """Return (as a corpus of one) the training string that comes last in the language's order."""
    language = task.language
    longest = np.flatnonzero(training.lengths == training.lengths.max())
    if isinstance(language, DyckLanguage):
        keys = [tuple(np.asarray(training[int(i)])) for i in longest]
    else:
        keys = [tuple(row) for row in language.parameters_of(training.select(longest))]
    return training.select([int(longest[max(range(len(keys)), key=keys.__getitem__)])])


def following_strings(
    task: BlissLanguage,
    training: Corpus,
    size: int,
    *,
    addition_list: AdditionList = AdditionList.GRID,
    dyck_list: DyckList = DyckList.AFTER,
    data_seed: int = 100,
) -> Corpus:
    """Return the ``size`` test strings that follow the training strings; none of them occurs in ``training``."""
    language = task.language
    if isinstance(language, DyckLanguage):
        return _dyck_list(language, task, training, size, dyck_list, data_seed)
    if len(language.parameters) == 1 or addition_list is AdditionList.SEQUENTIAL:
        return language.first_strings(size, after=largest_string(task, training))
    if addition_list is AdditionList.GRID:
        low = int(language.parameters_of(training).max()) + 1
        return language.strings(_grid(len(language.parameters), low, size))
    return _published_addition(task, language, training, size)


def _grid(n_parameters: int, low: int, size: int) -> NDArray[np.int64]:
    """Return (size, n_parameters) values of the smallest cube above ``low``, stably sorted by their sum."""
    side = 1
    while side**n_parameters < size:
        side += 1
    axes = np.meshgrid(*[np.arange(low, low + side)] * n_parameters, indexing="ij")
    points = np.stack([axis.ravel() for axis in axes], axis=1)
    return points[np.argsort(points.sum(axis=1), kind="stable")][:size]


def _published_addition(task: BlissLanguage, language: CountingLanguage, training: Corpus, size: int) -> Corpus:
    if language.name != NOTATION["anbmcnm"]:
        raise InputError(f"BLISS publishes no test file for {language.name}; use addition_list grid or sequential")
    published = _grid(2, 1, PUBLISHED_STRINGS)
    last = tuple(language.parameters_of(largest_string(task, training))[0])
    keys = [(n + m, n) for n, m in published]
    after = published[[key > (last[0] + last[1], last[0]) for key in keys]]
    if len(after) < size:
        raise InputError(f"BLISS's file has {len(after)} strings after the training strings, {size} are needed")
    return language.strings(after[:size])


def _dyck_list(
    language: DyckLanguage, task: BlissLanguage, training: Corpus, size: int, dyck_list: DyckList, data_seed: int
) -> Corpus:
    longest = int(training.lengths.max())
    if dyck_list is DyckList.AFTER:
        return language.first_strings(size, after=largest_string(task, training))
    if dyck_list is DyckList.LONGER:
        return language.first_strings(size, after=language.last_string(longest))
    if dyck_list is DyckList.PUBLISHED:
        if language.k > 2:
            raise InputError(f"BLISS publishes no test file for {language.name}; use another dyck_list")
        published = language.bounded_derivations(PUBLISHED_STRINGS)
        after = published.select(np.flatnonzero(published.lengths > longest))
        if len(after) < size:
            raise InputError(
                f"BLISS's file for {language.name} has {len(after)} strings longer than the longest training string "
                f"({longest} symbols), {size} are needed; use dyck_list=exhaustive-after"
            )
        return after.select(np.arange(size))
    return _sampled_words(language, longest, size, data_seed)


def _sampled_words(language: DyckLanguage, longest: int, size: int, data_seed: int) -> Corpus:
    rng = generator(data_seed, "bliss", language.name, "sampled test list")
    lengths = [longest + 2 * i for i in range(1, 11)]
    parts = []
    for i, length in enumerate(lengths):
        wanted = size // 10 + (i < size % 10)
        if language.count(length) < wanted:
            raise InputError(f"{language.name} has only {language.count(length)} words of length {length}")
        words = Corpus.from_arrays([], language.vocabulary)
        while len(words) < wanted:
            more = language.uniform(length, 2 * wanted, rng=rng)
            words, _ = Corpus.concatenate([words, more]).unique()
        parts.append(words.select(np.arange(wanted)))
    return Corpus.concatenate(parts)


def probe_chunks(task: BlissLanguage, size: int) -> Iterator[Corpus]:
    """Yield the first ``size`` strings of the language in chunks that double, complete in the language's order."""
    everything = task.language.first_strings(size)
    first, chunk = 0, 64
    while first < size:
        last = min(first + chunk, size)
        yield everything.select(np.arange(first, last))
        first, chunk = last, 2 * chunk


@dataclass(frozen=True)
class TestSet:
    """A task's test list with the language's exact answers, computed when first needed."""

    __test__ = False

    task: BlissLanguage
    training: Corpus
    size: int
    addition_list: AdditionList
    dyck_list: DyckList
    data_seed: int

    @cached_property
    def corpus(self) -> Corpus:
        """The strings, in order."""
        return following_strings(
            self.task,
            self.training,
            self.size,
            addition_list=self.addition_list,
            dyck_list=self.dyck_list,
            data_seed=self.data_seed,
        )
