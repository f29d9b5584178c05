"""Layers that architectures share, for replicas: features are (replicas, pairs, time, features)."""

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from wug.learners.networks.transducers.dropout import Dropout

_LONGEST_WAVE = 10_000.0


def look_up(table: Tensor, ids: Tensor) -> Tensor:
    """Return (replicas, ..., width) rows of (replicas, n_rows, width) tables, by (replicas, ...) numbers."""
    replicas, rows, width = table.shape
    first = torch.arange(0, replicas * rows, rows, device=ids.device).view(-1, *[1] * (ids.dim() - 1))
    return functional.embedding(ids + first, table.reshape(replicas * rows, width))


def linear(features: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return features times (replicas, fan_in, fan_out) weights, plus (replicas, fan_out) biases."""
    flat = features.reshape(len(features), -1, features.shape[-1])
    product = torch.bmm(flat, weight) if bias is None else torch.baddbmm(bias[:, None], flat, weight)
    return product.view(*features.shape[:-1], weight.shape[-1])


def weight_normalised_linear(features: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return features times weights that are given as directions and lengths, (replicas, fan_in + 1, fan_out)."""
    flat = features.reshape(len(features), -1, features.shape[-1])
    product: Tensor = _WeightNormalisedProduct.apply(flat, weight)  # type: ignore[no-untyped-call]
    return (product + bias[:, None]).view(*features.shape[:-1], weight.shape[-1])


class _WeightNormalisedProduct(Function):
    """x -> (x v) g / ||v||, without forming the weights; v and g are one block of memory, as are their gradients."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor) -> Tensor:
        directions, lengths = weight[:, :-1], weight[:, -1:]
        norms = torch.linalg.vector_norm(directions, dim=1, keepdim=True)
        product = torch.bmm(features, directions)
        ctx.save_for_backward(features, weight, norms, product)
        return product * (lengths / norms)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        features, weight, norms, product = ctx.saved_tensors
        (gradient,) = gradients
        directions, lengths = weight[:, :-1], weight[:, -1:]
        of_lengths = (gradient * product).sum(dim=1, keepdim=True) / norms
        scaled = gradient * (lengths / norms)
        of_weight = torch.empty_like(weight)
        of_directions = of_weight[:, :-1]
        torch.bmm(features.transpose(1, 2), scaled, out=of_directions)
        of_directions.addcmul_(directions, of_lengths * lengths / norms.square(), value=-1)
        of_weight[:, -1:] = of_lengths
        return torch.bmm(scaled, directions.transpose(1, 2)), of_weight


def drop(features: Tensor, rate: float, dropout: Dropout | None) -> Tensor:
    """Return features with dropout, in training."""
    if dropout is None or not rate:
        return features
    _, pairs, time, width = features.shape
    return features * dropout.mask(rate, (pairs, time, width))


def normalise(features: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Return features with mean 0 and variance 1, times (replicas, features) scales, plus shifts (Ba et al. 2016)."""
    return functional.layer_norm(features, features.shape[-1:]) * scale[:, None, None] + shift[:, None, None]


def attend(queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor | None) -> Tensor:
    """Return (replicas, pairs, n_queries, width) means of values, weighted by the softmax of queries times keys.

    Keys and values are (replicas, pairs, n_keys, width); ``visible`` says which keys a query sees, broadcast to
    (replicas, pairs, n_queries, n_keys).
    """
    scores = queries @ keys.transpose(-1, -2)
    if visible is not None:
        scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(dim=-1) @ values


def sinusoids(first: int, time: int, width: int, like: Tensor) -> Tensor:
    """Return (time, width) sines, then cosines, of the positions from ``first`` on, as fairseq 0.9.0 computes them.

    The frequencies fall geometrically from 1 to 1 / 10,000, both included; an odd width ends with a zero.
    """
    waves = width // 2
    frequencies = _LONGEST_WAVE ** (-torch.arange(waves, dtype=torch.float64) / max(waves - 1, 1))
    angles = torch.outer(torch.arange(first, first + time, dtype=torch.float64), frequencies)
    table = torch.cat([angles.sin(), angles.cos(), angles.new_zeros(time, width % 2)], dim=1)
    return table.to(like)
