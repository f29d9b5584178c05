"""How many floating-point operations a network needs for a string."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

_LONG = 64
"""Inputs of the longer string that is counted; the shorter one has half as many."""


@dataclass(frozen=True)
class OperationCount:
    """Floating-point operations for n inputs: ``linear * n + quadratic * n ** 2``.

    Those of matrix products, convolutions and attention are counted, two for a multiplication with its addition.
    """

    linear: float
    quadratic: float

    def of(self, n_inputs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the operations for strings of so many inputs, start symbol included."""
        n = n_inputs.astype(np.float64)
        return self.linear * n + self.quadratic * n**2


def count_strings(call: Callable[[int], Any], network: torch.nn.Module, longest: int) -> OperationCount:
    """Return the operations of a network that reads whole strings, from its counts at two lengths.

    ``call(n)`` runs the network for n inputs; n is ``longest`` at most. At least two operations are assumed for each
    parameter and input, as layers that are computed in one piece are not counted.
    """
    long = min(_LONG, longest)
    short = max(long // 2, 1)
    per_input = {n: _counted(partial(call, n)) / n for n in (short, long)}
    quadratic = max(per_input[long] - per_input[short], 0.0) / max(long - short, 1)
    return OperationCount(max(per_input[short] - quadratic * short, _floor(network)), quadratic)


def count_step(step: Callable[[], Any], network: torch.nn.Module) -> float:
    """Return the operations of one step of one string, of a network that reads symbol by symbol."""
    return max(float(_counted(step)), _floor(network))


def _floor(network: torch.nn.Module) -> float:
    return 2.0 * sum(parameter.numel() for parameter in network.parameters())


def _counted(call: Callable[[], Any]) -> int:
    # fused attention has no count on the CPU; the plain form has the same products
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()
