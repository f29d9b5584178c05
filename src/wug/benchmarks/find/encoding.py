"""From symbols to classes: the vocabularies of the published code.

Source: facebookresearch/FIND prepares its data with fairseq 0.9.0, whose dictionaries begin with four special symbols
and are filled up to a multiple of eight. The size matters for the description length: classes that never occur have to
be learnt away.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.find.tasks import FindTask, Pair, Symbols
from wug.learners.protocols import Transducer, Transduction
from wug.sequences import Corpus, Vocabulary

START, PADDING, END, UNKNOWN = SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


@dataclass(frozen=True)
class Encoding:
    """The vocabularies of a task's inputs and outputs."""

    source: Vocabulary
    target: Vocabulary

    @classmethod
    def of(cls, task: FindTask, multiple: int) -> "Encoding":
        """Return the vocabularies of a task, filled up so that their sizes are multiples of a number."""
        return cls(vocabulary(task.source_symbols, multiple), vocabulary(task.target_symbols, multiple))

    def sources(self, inputs: Iterable[Symbols]) -> Corpus:
        """Return inputs as a corpus."""
        return _corpus(inputs, self.source)

    def targets(self, outputs: Iterable[Symbols]) -> Corpus:
        """Return outputs as a corpus."""
        return _corpus(outputs, self.target)

    def data(
        self, pairs: Sequence[Pair], oracles: Mapping[str, Callable[[], Transducer]] | None = None
    ) -> Transduction:
        """Return pairs as data for a learner."""
        return Transduction(
            source_vocabulary=self.source,
            target_vocabulary=self.target,
            sources=self.sources(pair.source for pair in pairs),
            targets=self.targets(pair.target for pair in pairs),
            oracles=oracles or {},
        )


def vocabulary(symbols: Sequence[str], multiple: int) -> Vocabulary:
    """Return the special symbols, these ones, and fillers up to a multiple; a string stands between two ``</s>``.

    >>> vocabulary(("a",), 8).symbols
    ('<s>', '<pad>', '</s>', '<unk>', 'a', 'madeupword0000', 'madeupword0001', 'madeupword0002')
    """
    missing = -(len(SPECIAL) + len(symbols)) % multiple
    fillers = (f"madeupword{number:04d}" for number in range(missing))
    end = SPECIAL.index(END)
    return Vocabulary((*SPECIAL, *symbols, *fillers), start=end, end=end)


def _corpus(sequences: Iterable[Symbols], vocabulary: Vocabulary) -> Corpus:
    classes = vocabulary.classes
    arrays: list[NDArray[np.int64]] = [
        np.array([classes[symbol] for symbol in sequence], dtype=np.int64) for sequence in sequences
    ]
    return Corpus.from_arrays(arrays, vocabulary)


def read_symbols(corpus: Corpus) -> list[Symbols]:
    """Return each string of a corpus as symbols."""
    symbols = corpus.vocabulary.symbols
    return [tuple(symbols[token] for token in string.tolist()) for string in corpus]
