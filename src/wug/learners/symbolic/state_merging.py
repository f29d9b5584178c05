"""Learners that merge the states of a prefix tree of labelled strings: RPNI and EDSM.

RPNI: Oncina and García 1992, "Inferring regular languages in polynomial updated time"; it identifies every regular
language in the limit from strings with both labels. EDSM: Lang, Pearlmutter and Price 1998, "Results of the Abbadingo
One DFA learning competition and a new evidence-driven state merging algorithm".
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError, TrialError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.membership import accepts_corpus
from wug.languages.automata.minimisation import minimise
from wug.learners.protocols import Classification, OnEpoch
from wug.learners.symbolic import _merging_kernels as kernels
from wug.learners.symbolic.strings import Strings, alphabet_of
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class AutomatonModel:
    """A string is in the language if an automaton accepts it."""

    vocabulary: Vocabulary
    dfa: DFA
    """The minimal DFA over the vocabulary's letters."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return 1 for each string in the language and 0 for any other."""
        return accepts_corpus(self.dfa, corpus).astype(np.float64)

    def to_dfa(self) -> DFA:
        """Return the automaton."""
        return self.dfa


def _merged(data: Classification, *, weighs: bool, window: int) -> AutomatonModel:
    alphabet = alphabet_of(data.vocabulary)
    strings = Strings.of(data.training, alphabet)
    child, label, is_consistent = kernels.prefix_tree(
        strings.columns, strings.offsets, data.labels.astype(np.int8), len(alphabet)
    )
    if not is_consistent:
        raise TrialError("some training string is labelled both as in the language and as outside it")
    reds = kernels.merge_states(child, label, weighs, window)
    number = np.full(len(child) + 1, len(reds), dtype=np.int32)  # the last entry, -1, is the dead state's too
    number[reds] = np.arange(len(reds))
    table = np.vstack([number[child[reds]], np.full(len(alphabet), len(reds), dtype=np.int32)])
    return AutomatonModel(data.vocabulary, minimise(DFA(table, np.append(label[reds] == 1, False), alphabet)))


class RPNI:
    """Merges the first pair of states, by their shortest access words, that the labels allow.

    The automaton rejects what no training string leads to, and states that no label is known of.
    """

    settings = frozenset({"classification"})

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> AutomatonModel:
        """Return an automaton that agrees with all labels; no random number is drawn.

        TrialError where a string has two labels.
        """
        return _merged(data, weighs=False, window=1)


class EDSM:
    """Merges those states first of which most labels agree; otherwise like RPNI.

    Each round compares the first ``window`` candidates, all with 0, by length and letters of their access words.
    """

    settings = frozenset({"classification"})

    def __init__(self, window: int = 0) -> None:
        self.window = window

    def fit(
        self, data: Classification, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None
    ) -> AutomatonModel:
        """Return an automaton that agrees with all labels; no random number is drawn.

        TrialError where a string has two labels.
        """
        if self.window < 0:
            raise InputError(f"option 'window' must be 0 or more, not {self.window}")
        return _merged(data, weighs=True, window=self.window or np.iinfo(np.int64).max)
