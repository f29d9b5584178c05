"""What a classifier's architecture offers the training of replicas."""

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.parameters import Parameter, Parameters


@dataclass(frozen=True, eq=False)
class Batch:
    """Strings of each replica."""

    ids: Tensor
    """(replicas, strings, time) ids of letters, 0 after the last one."""
    lengths: Tensor
    """(replicas, strings)"""


class Network(Protocol):
    """An architecture; its parameters are kept outside, those of all replicas in one matrix."""

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of one replica, in order."""

    @property
    def masked(self) -> bool:
        """Whether the padding is left out; otherwise it is read like a letter."""

    @property
    def longest(self) -> int | None:
        """Length of the longest string that can be read; None where there is no limit."""

    def logits(self, parameters: Parameters, batch: Batch, dropout: Dropout | None) -> Tensor:
        """Return (replicas, strings, 2) logits of 'in the language' and 'not'; without ``dropout`` nothing is dropped.

        A replica's logits, and what they depend on, do not depend on the other replicas.
        """

    @property
    def strings_at_once(self) -> int:
        """How many strings are best judged at a time, so that memory stays small."""
