"""The length of a rule's outputs in the code that a learner makes while it learns (prequential coding).

Source: Kharitonov & Chaabouni 2021, section 2, equation 1. The training pairs T are sent first, at a cost that is the
same for all rules and left out; then the outputs C(x) of the held-out inputs, block after block, each coded by the
model that was trained, from the start, on all pairs before it:

    L(C) = sum over blocks t of sum over x in block t of -log p(C(x) | x; model of T and the blocks before t)

The probability is that of the whole output with its end symbol, over all classes of the vocabulary.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.find.encoding import Encoding
from wug.benchmarks.find.tasks import Pair, Symbols, shown
from wug.errors import TrialError
from wug.learners.protocols import Transducer

LARGEST_ROUNDING = 1e-4
"""A log probability may exceed zero by so much."""


def blocks_of(hold_out: Sequence[Symbols], block_size: int, seed: int) -> list[tuple[Symbols, ...]]:
    """Return the held-out inputs in the order of a seed, cut into blocks; size 0 makes one block of all.

    The order is that of the published code, so Python's own generator draws it: it is the same for all rules and
    learners, which are compared on paired orders.

    >>> [block[0] for block in blocks_of([(str(line),) for line in range(1, 21)], 1, seed=1)][:4]
    [('12',), ('6',), ('18',), ('20',)]
    """
    order = list(range(len(hold_out)))
    random.Random(seed).shuffle(order)
    size = block_size or len(order)
    return [tuple(hold_out[place] for place in order[first : first + size]) for first in range(0, len(order), size)]


@dataclass(frozen=True)
class CodeLengths:
    """The code lengths of one rule's outputs under one seed."""

    blocks: tuple[tuple[Symbols, ...], ...]
    """The inputs, block by block."""
    nats: tuple[tuple[float, ...], ...]
    """-log p of each input's output; infinite where it has probability 0."""

    @property
    def block_nats(self) -> tuple[float, ...]:
        """The length of each block."""
        return tuple(math.fsum(block) for block in self.nats)

    @property
    def total_nats(self) -> float:
        """The description length L."""
        return math.fsum(nats for block in self.nats for nats in block)

    def impossible(self, blocks: slice = slice(None)) -> Symbols | None:
        """Return the first input, in all or some blocks, whose output has probability 0; None where there is none."""
        return next(
            (
                source
                for block, values in zip(self.blocks[blocks], self.nats[blocks], strict=True)
                for source, nats in zip(block, values, strict=True)
                if nats == math.inf
            ),
            None,
        )


def pair_nats(model: Transducer, encoding: Encoding, pairs: Sequence[Pair]) -> list[float]:
    """Return -log p of each pair's output with its end symbol; TrialError, naming the pair, where it is no number."""
    sources = encoding.sources(pair.source for pair in pairs)
    targets = encoding.targets(pair.target for pair in pairs)
    values: NDArray[np.float64] = np.asarray(model.log_probabilities(sources, targets), dtype=np.float64)
    if values.shape != (len(pairs),):
        raise TrialError(
            f"the model was asked {len(pairs)} log probabilities and gave an array of shape {values.shape}"
        )
    for pair, value in zip(pairs, values, strict=True):
        if not value <= LARGEST_ROUNDING:
            raise TrialError(
                f"the model gives the output '{shown(pair.target)}' of '{shown(pair.source)}' "
                f"the log probability {value}"
            )
    return [max(-float(value), 0.0) for value in values]
