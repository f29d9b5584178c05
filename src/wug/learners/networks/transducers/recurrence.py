"""What recurrent networks do at every step: one matrix times a vector, and the LSTM's gates.

Features are (replicas, features, pairs): the pairs lie side by side in memory.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class RepeatedProduct:
    """A matrix times what it meets at each step, whose gradient is one product over all steps.

    Automatic differentiation would add a matrix to the gradient at every step, which costs more than the steps do.
    """

    def __init__(self, weight: Tensor) -> None:
        """Take (replicas, outputs, inputs) weights."""
        self._weight = weight
        self._steps = _Steps(weight)
        self._collector: Tensor | None = None
        if torch.is_grad_enabled() and weight.requires_grad:
            self._collector = _Collection.apply(weight, self._steps)  # type: ignore[no-untyped-call]

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return (replicas, outputs, pairs) for (replicas, inputs, pairs)."""
        if self._collector is None:
            return torch.bmm(self._weight, inputs)
        product: Tensor = _Product.apply(inputs, self._collector, self._steps)  # type: ignore[no-untyped-call]
        return product


class _Steps:
    """Inputs and gradients of the steps so far."""

    def __init__(self, weight: Tensor) -> None:
        self.weight = weight.detach()
        self.inputs: list[Tensor] = []
        self.gradients: dict[int, Tensor] = {}
        self._transposed: Tensor | None = None

    def product(self, inputs: Tensor) -> Tensor:
        self.inputs.append(inputs.detach())
        return torch.bmm(self.weight, inputs)

    def gradient_of_inputs(self, step: int, gradient: Tensor) -> Tensor:
        self.gradients[step] = gradient
        if self._transposed is None:
            self._transposed = self.weight.transpose(1, 2)
            if gradient.shape[2] > 1 and gradient.device.type == "cpu":  # MKL is slow on a transposed left factor
                self._transposed = self._transposed.contiguous()
        return torch.bmm(self._transposed, gradient)

    def gradient_of_weight(self) -> Tensor:
        steps = sorted(self.gradients)
        gradients = torch.cat([self.gradients[step] for step in steps], dim=2)
        inputs = torch.cat([self.inputs[step] for step in steps], dim=2)
        self.inputs.clear()
        self.gradients.clear()
        return torch.bmm(gradients, inputs.transpose(1, 2))


class _Collection(Function):
    """Stands between the weights and all steps, so that its backward pass comes after those of the steps."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, steps: _Steps) -> Tensor:
        ctx.steps = steps
        return weight.new_empty(0)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return ctx.steps.gradient_of_weight(), None


class _Product(Function):
    """One step."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, collector: Tensor, steps: _Steps) -> Tensor:
        ctx.steps, ctx.step = steps, len(steps.inputs)
        return steps.product(inputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        (gradient,) = gradients
        return ctx.steps.gradient_of_inputs(ctx.step, gradient), gradient.new_empty(0), None


def lstm_step(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """Return the next hidden state and cell, (replicas, width, pairs) each.

    ``gates`` are (replicas, 4 * width, pairs) before their non-linearities: what is taken, kept and given, and the new
    values (Hochreiter and Schmidhuber 1997 with the forget gates of Gers et al. 2000).
    """
    hidden, after = _LSTMStep.apply(gates, cell)  # type: ignore[no-untyped-call]
    return hidden, after


class _LSTMStep(Function):
    """c' = f c + i g, h' = o tanh(c'), in fewer calls than automatic differentiation needs."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        width = cell.shape[1]
        open_ = gates[:, : 3 * width].sigmoid()
        new = gates[:, 3 * width :].tanh()
        take, keep, give = open_.chunk(3, dim=1)
        after = (keep * cell).addcmul_(take, new)
        shown = after.tanh()
        ctx.save_for_backward(cell, open_, new, shown)
        return give * shown, after

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        of_hidden, of_after = gradients
        cell, open_, new, shown = ctx.saved_tensors
        width = cell.shape[1]
        take, keep, give = open_.chunk(3, dim=1)
        of_after = of_after + of_hidden * give * (1.0 - shown.square())
        of_gates = open_.new_empty(open_.shape[0], 4 * width, open_.shape[2])
        of_open, of_new = of_gates[:, : 3 * width], of_gates[:, 3 * width :]
        torch.mul(of_after, new, out=of_open[:, :width])
        torch.mul(of_after, cell, out=of_open[:, width : 2 * width])
        torch.mul(of_hidden, shown, out=of_open[:, 2 * width :])
        of_open.mul_(open_ * (1.0 - open_))
        torch.mul(of_after * take, 1.0 - new.square(), out=of_new)
        return of_gates, of_after * keep
