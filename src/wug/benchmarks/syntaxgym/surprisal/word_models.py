"""Surprisals of a wug language model over words: every word of the sentences is a symbol of its vocabulary."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.syntaxgym.surprisal.policies import NO_START
from wug.errors import InputError
from wug.learners.protocols import LanguageModel, ScoredText
from wug.sequences import Corpus


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, stop) of the words of a text: what stands between blanks.

    >>> word_spans("As he ran , she")
    [(0, 2), (3, 5), (6, 9), (10, 11), (12, 15)]
    """
    spans, place = [], 0
    for word in text.split():
        start = text.index(word, place)
        place = start + len(word)
        spans.append((start, place))
    return spans


class WordScorer:
    """Scores texts by a language model whose symbols are words; its start symbol stands before every text."""

    def __init__(self, model: LanguageModel) -> None:
        """Take the model."""
        self._model = model

    def score_texts(self, texts: Sequence[str], stops: Sequence[int], start: str) -> list[ScoredText]:
        """Return the words of each text that begin before its stop, with their surprisals.

        Raises InputError for the start symbol 'none', which a model that begins all strings with one cannot have, and
        for words that the model does not know.
        """
        if start == NO_START:
            raise InputError("a model trained in wug begins every sentence with its start symbol: take start=declared")
        spans = [[span for span in word_spans(text) if span[0] < stop] for text, stop in zip(texts, stops, strict=True)]
        words = [[text[begin:end] for begin, end in found] for text, found in zip(texts, spans, strict=True)]
        corpus = Corpus.from_arrays(
            ([self._class(word) for word in sentence] for sentence in words), self._model.vocabulary
        )
        recorder = TargetRecorder(corpus)
        self._model.predict(corpus, recorder)
        return [
            ScoredText(
                tuple(sentence),
                np.array([begin for begin, _ in found], dtype=np.int64),
                np.array([end for _, end in found], dtype=np.int64),
                recorder.bits[corpus.offsets[place] : corpus.offsets[place + 1]],
            )
            for place, (sentence, found) in enumerate(zip(words, spans, strict=True))
        ]

    def _class(self, word: str) -> int:
        known = self._model.vocabulary.classes.get(word)
        if known is None:
            raise InputError(f"the model does not know the word '{word}'")
        return known


class TargetRecorder:
    """Observer that keeps the surprisal of each symbol of a corpus, in bits; not a number where none was shown."""

    def __init__(self, corpus: Corpus) -> None:
        """Prepare for the strings of a corpus."""
        self._corpus = corpus
        self._seen = np.zeros(len(corpus), dtype=np.int64)
        self.bits: NDArray[np.float64] = np.full(corpus.n_symbols, np.nan)

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        """Copy what the parents have seen."""
        offsets = self._corpus.offsets
        for parent, child in zip(parents, children, strict=True):
            seen = min(self._seen[parent], self._corpus.lengths[child])
            self.bits[offsets[child] : offsets[child] + seen] = self.bits[offsets[parent] : offsets[parent] + seen]
            self._seen[child] = seen

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        """Keep the surprisals of the next symbols; see wug.learners.protocols.Observer."""
        cycles = log_probabilities if log_probabilities.ndim == 3 else log_probabilities[:, None]
        lengths, offsets = self._corpus.lengths, self._corpus.offsets
        for string, start, stop, cycle in zip(strings, starts, stops, cycles, strict=True):
            positions = np.arange(start, min(stop, lengths[string]))
            targets = self._corpus.tokens[offsets[string] + positions]
            chosen = cycle[(positions - start) % len(cycle), targets]
            self.bits[offsets[string] + positions] = -chosen.astype(np.float64) / np.log(2)
            self._seen[string] = stop
        return True
