"""What learners and models offer, in the three settings: the contracts between learners and benchmarks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wug.sequences import Corpus, Vocabulary

SETTINGS = ("language_modelling", "transduction", "classification", "decision")
"""What a task asks of a model. In a decision nothing can be learnt: only the oracle has the answer."""


@dataclass(frozen=True)
class EpochReport:
    """What a learner tells after each pass over its training data."""

    epoch: int
    """Number of passes done, from 1."""
    epochs: int
    """Number of passes planned."""
    loss_nats: float
    """Mean training loss of this pass per predicted symbol (or per string in classification)."""
    model: Any
    """The model as it stands; valid only during the call."""


OnEpoch = Callable[[EpochReport], None]
"""Called after each epoch; a benchmark looks at the model with it, a command shows progress."""


class Observer(Protocol):
    """Takes a model's predictions as they are computed, and sums up what it needs of them.

    Within one string predictions arrive in order of position, each position once. Strings that begin alike may
    share the work: then ``fork`` comes before the child's first own prediction.
    """

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        """Give each child string what its parent string has summed up so far (their prefixes are equal)."""

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        """Take predictions; return False once nothing more is needed.

        ``log_probabilities[r]`` (rows, n_classes), in nats, is the distribution over the next symbol of string
        ``strings[r]`` at every position in ``range(starts[r], stops[r])``. Position t comes after the start symbol and
        t symbols. With three dimensions (rows, period, n_classes) the positions go round in a cycle: position
        ``starts[r] + k`` has the distribution ``log_probabilities[r, k % period]``.
        """


@dataclass(frozen=True)
class Coverage:
    """How far a model got through a corpus."""

    strings: int
    """Number of strings predicted whole."""
    operations: float
    """Floating-point operations spent or, where not counted, 0."""
    over_budget: bool = False
    """True where the budget of operations ended the work before the last string."""


class LanguageModel(Protocol):
    """Answers with a distribution over the next symbol at every position of a string."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The classes that it predicts."""

    def predict(self, corpus: Corpus, observer: Observer, *, operations: float = np.inf) -> Coverage:
        """Show the observer the predictions for every position of every string, in bounded memory.

        Stops when the observer has seen enough. A model without a state of bounded size stops before the first string
        that would exceed the budget of floating-point operations.
        """


@dataclass(frozen=True, eq=False)
class ScoredText:
    """A text cut into tokens, and how surprising a model found each."""

    tokens: tuple[str, ...]
    starts: NDArray[np.int64]
    """(n_tokens,) offset of each token's first character in the text; a start symbol stands at 0."""
    stops: NDArray[np.int64]
    """(n_tokens,) offset behind its last; equal to the start where the token has no characters."""
    bits: NDArray[np.float64]
    """(n_tokens,) minus the binary logarithm of its probability after all before it; 0 where that is not defined."""
    word_start_bits: NDArray[np.float64] | None = None
    """(n_tokens + 1,) minus the binary logarithm of the probability that a word begins before each token and behind
    the last; None where word boundaries need no correction, or none is wanted."""


class TextScorer(Protocol):
    """A language model with a tokenizer of its own: it answers texts with surprisals."""

    def score_texts(self, texts: Sequence[str], stops: Sequence[int], start: str) -> Sequence[ScoredText]:
        """Return each text's tokens up to the character ``stops`` of it, or further, with their surprisals.

        ``start`` is 'none' (no start symbol), 'declared' (that of tokenizer or model) or a start symbol. A text's
        answer does not depend on the others.
        """


@dataclass(frozen=True)
class LanguageModelling:
    """Training data of the language-modelling setting."""

    vocabulary: Vocabulary
    training: Corpus
    """Unique strings."""
    multiplicities: NDArray[np.int64]
    """(n_strings,) how often each unique string was drawn."""
    validation: Corpus | None = None
    oracles: Mapping[str, Callable[[], LanguageModel]] = field(default_factory=dict)
    """The exact answers, by rule name ('' where there is only one), for the learner ``oracle`` alone."""
    setting: str = "language_modelling"


class Classifier(Protocol):
    """Answers whether strings are in a language."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols that it reads."""

    def classify(self, corpus: Corpus) -> NDArray[np.float64]:
        """Return (n_strings,) the probability that each string is in the language; not finite where there is none."""


@dataclass(frozen=True)
class Classification:
    """Training data of the classification setting."""

    vocabulary: Vocabulary
    training: Corpus
    labels: NDArray[np.bool_]
    """(n_strings,) whether each training string is in the language."""
    validation: Corpus | None = None
    validation_labels: NDArray[np.bool_] | None = None
    """(n_strings,) the labels of ``validation``; None where that is."""
    oracles: Mapping[str, Callable[[], Classifier]] = field(default_factory=dict)
    """The exact answers, by rule name ('' where there is only one), for the learner ``oracle`` alone."""
    setting: str = "classification"


@dataclass(frozen=True, eq=False)
class Outputs:
    """What a transducer answered to some sources."""

    targets: Corpus
    """One output per source, without the end symbol."""
    terminated: NDArray[np.bool_]
    """(n_strings,) whether the end symbol came within the length allowed."""


class Transducer(Protocol):
    """Answers a source with a target."""

    @property
    def source_vocabulary(self) -> Vocabulary:
        """The symbols that it reads."""

    @property
    def target_vocabulary(self) -> Vocabulary:
        """The symbols that it writes."""

    def log_probabilities(self, sources: Corpus, targets: Corpus) -> NDArray[np.float64]:
        """Return (n_pairs,) the log probability, in nats, of each target with its end symbol, given its source.

        A pair's value does not depend on what else is in the corpora.
        """

    def transduce(self, sources: Corpus, *, max_length: int = 200, min_length: int = 0) -> Outputs:
        """Return the greedy answer to each source: at each step the most probable symbol.

        The end symbol is not taken before ``min_length`` symbols; an answer ends unterminated after ``max_length``.
        """


@dataclass(frozen=True)
class Transduction:
    """Training data of the transduction setting."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    sources: Corpus
    targets: Corpus
    """As many as sources: the pairs to learn from."""
    validation_sources: Corpus | None = None
    validation_targets: Corpus | None = None
    oracles: Mapping[str, Callable[[], Transducer]] = field(default_factory=dict)
    """The exact answers, by rule name ('' where there is only one), for the learner ``oracle`` alone."""
    setting: str = "transduction"


class Learner(Protocol):
    """An architecture with its training procedure."""

    @property
    def settings(self) -> frozenset[str]:
        """Which of SETTINGS it can be fitted to."""

    def fit(self, data: Any, seed: int, *, state: Any = None, on_epoch: OnEpoch | None = None) -> Any:
        """Return the model learnt from ``data``; the same data and seed give the same model.

        ``state`` continues from an earlier fit (``model.state`` of what that fit returned). A network's has the keys
        'network' and 'optimiser'; where one is left out, that begins anew. Raises TrialError when the loss is not
        finite.
        """


class ReplicaLearner(Learner, Protocol):
    """A learner that can train several networks of one shape at once: same mathematics for each, fewer calls.

    Its option ``replicas`` says how many a study gives it at a time.
    """

    def fit_together(self, data: Sequence[Any], seeds: Sequence[int]) -> list[Any]:
        """Return for each data set and seed the model that ``fit`` returns for it or, where that fails, the TrialError.

        One that fails does not touch the others. The data have one vocabulary size and equally many strings.
        """
