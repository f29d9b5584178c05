"""Greedy decoding."""

import math
from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wug.learners.protocols import Outputs
from wug.sequences import Corpus, Vocabulary

Step = Callable[[Tensor], Tensor]
"""Gets (rows,) the symbols chosen last, the start symbol at first; returns (rows, classes) scores of the next ones."""


def decode_greedily(
    batches: Iterable[tuple[NDArray[np.int64], Step]],
    n_sources: int,
    vocabulary: Vocabulary,
    device: torch.device,
    *,
    max_length: int,
    min_length: int,
) -> Outputs:
    """Return the answers to ``n_sources`` sources, given by batches of their numbers with what scores their answers.

    At each step the symbol with the highest score is chosen, of equal ones that of the lowest class: never the padding,
    and not the end symbol before ``min_length`` symbols. An answer ends unterminated after ``max_length`` symbols.
    """
    symbols = np.zeros((n_sources, max_length), dtype=vocabulary.dtype)
    lengths = np.full(n_sources, max_length, dtype=np.int64)
    terminated = np.zeros(n_sources, dtype=np.bool_)
    for rows, step in batches:
        answers = _answers(step, len(rows), vocabulary, device, max_length, min_length)
        ends = answers == vocabulary.end
        terminated[rows] = ends.any(axis=1)
        lengths[rows] = np.where(terminated[rows], ends.argmax(axis=1), max_length)
        symbols[rows, : answers.shape[1]] = answers[:, :max_length]
    kept = symbols[np.arange(max_length) < lengths[:, None]]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return Outputs(Corpus(kept, offsets, vocabulary), terminated)


def _answers(
    step: Step, rows: int, vocabulary: Vocabulary, device: torch.device, max_length: int, min_length: int
) -> NDArray[np.int64]:
    """Return (rows, steps) symbols chosen, until all answers have ended; what follows an end is void."""
    symbols = torch.full((rows,), vocabulary.start, device=device)
    ended = torch.zeros(rows, dtype=torch.bool, device=device)
    chosen = []
    for length in range(max_length + 1):
        scores = step(symbols)
        if vocabulary.padding is not None:
            scores[:, vocabulary.padding] = -math.inf
        if length < min_length:
            scores[:, vocabulary.end] = -math.inf
        symbols = scores.argmax(dim=1)
        chosen.append(symbols)
        ended |= symbols == vocabulary.end
        if bool(ended.all()):
            break
    return torch.stack(chosen, dim=1).cpu().numpy()
