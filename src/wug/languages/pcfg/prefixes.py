"""Probabilities along the strings of a corpus."""

from dataclasses import dataclass

import numpy as np

from wug.languages.pcfg import _walk
from wug.languages.pcfg._chart import new_chart
from wug.languages.pcfg._extended import NUMBER
from wug.languages.pcfg.normal_form import Floats, Integers, Tables
from wug.sequences import Corpus, PrefixTree


@dataclass(frozen=True)
class Log2Probabilities:
    """Binary logarithms of the probabilities of strings; -inf for probability 0."""

    prefix: Floats
    """(n_strings,) that a string of the language begins so."""
    whole: Floats
    """(n_strings,) of the string itself."""


@dataclass(frozen=True)
class PrefixAnswers:
    """What comes next along the strings of a corpus."""

    situations: Integers
    """(n_symbols + n_strings,) as in ``NextSymbols``."""
    probabilities: Floats
    """(n_situations, n_classes) as in ``NextSymbols``."""
    impossible: Integers
    """(n_strings,) position of the first symbol that cannot stand there, -1 for prefixes of strings."""


def along_prefixes(tables: Tables, corpus: Corpus) -> PrefixAnswers:
    """Return the exact distributions along every string as far as it is a prefix of a string of the language."""
    tree = PrefixTree.from_corpus(corpus)
    situations = np.zeros(corpus.n_symbols + len(corpus), np.int64)
    impossible = np.full(len(corpus), -1)
    probabilities = _walk.next_symbol_situations(
        tables,
        *new_chart(tables, int(corpus.lengths.max(initial=0))),
        corpus.tokens,
        corpus.offsets,
        tree.sorted,
        tree.common,
        corpus.vocabulary.end,
        np.zeros(corpus.vocabulary.size + 1, NUMBER),
        situations,
        impossible,
    )
    return PrefixAnswers(situations, probabilities, impossible)


def log2_probabilities(tables: Tables, corpus: Corpus) -> Log2Probabilities:
    """Return the probability of every string, as a prefix and as a whole."""
    tree = PrefixTree.from_corpus(corpus)
    prefix, whole = np.full(len(corpus), -np.inf), np.full(len(corpus), -np.inf)
    _walk.log2_probabilities(
        tables,
        *new_chart(tables, int(corpus.lengths.max(initial=0))),
        corpus.tokens,
        corpus.offsets,
        tree.sorted,
        tree.common,
        np.zeros(1, NUMBER),
        prefix,
        whole,
    )
    return Log2Probabilities(prefix, whole)
