"""What an architecture offers training and decoding."""

from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor

from wug.learners.networks.classifiers.parameters import Parameter, Parameters
from wug.learners.networks.transducers.dropout import Dropout


@dataclass(frozen=True, eq=False)
class Sources:
    """What each replica reads: sources with their end symbols, padded on the right."""

    ids: Tensor
    """(replicas, pairs, time) classes; any class after the end symbol."""
    lengths: Tensor
    """(replicas, pairs) positions that are no padding, at least one."""
    inside: Tensor | None
    """(replicas, pairs, time) whether a position is no padding; None where there is none."""


class Network(Protocol):
    """An encoder with a decoder; the parameters are kept outside, those of all replicas in one matrix."""

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of one replica, in order."""

    @property
    def longest(self) -> int | None:
        """Greatest number of positions that source or target may have, end symbol included; None: no limit."""

    def encode(self, parameters: Parameters, sources: Sources, dropout: Dropout | None) -> Any:
        """Return what the decoder needs to know of the sources; without ``dropout`` nothing is dropped."""

    def decode(
        self, parameters: Parameters, memory: Any, ids: Tensor, past: Any, dropout: Dropout | None
    ) -> tuple[Tensor, Any]:
        """Return (replicas, pairs, time, classes) logits after each of (replicas, pairs, time) symbols, and their past.

        ``past`` is that of the symbols before them, or None for the first ones. A pair's logits do not depend on the
        other pairs or replicas, nor on what follows.
        """
