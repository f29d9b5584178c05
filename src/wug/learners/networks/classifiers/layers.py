"""Layers behind the encoders, for replicas."""

import torch
from torch import Tensor
from torch.nn import functional

from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.initialisation import constant, glorot_uniform
from wug.learners.networks.classifiers.parameters import Parameter, Parameters

DENSE_WIDTH = 64
_EPSILON = 1e-6


def head_parameters(width: int, layers: int) -> list[Parameter]:
    """Return the parameters of dense layers, a normalisation and two outputs behind ``width`` features."""
    parameters = []
    for layer in range(layers):
        fan_in = DENSE_WIDTH if layer else width
        shape = (DENSE_WIDTH, fan_in)
        parameters += [
            Parameter(f"dense_{layer}", shape, glorot_uniform(shape, fan_in, DENSE_WIDTH)),
            Parameter(f"dense_bias_{layer}", (DENSE_WIDTH,), constant((DENSE_WIDTH,), 0.0)),
        ]
    return [
        *parameters,
        Parameter("scale", (DENSE_WIDTH,), constant((DENSE_WIDTH,), 1.0)),
        Parameter("shift", (DENSE_WIDTH,), constant((DENSE_WIDTH,), 0.0)),
        Parameter("output", (2, DENSE_WIDTH), glorot_uniform((2, DENSE_WIDTH), DENSE_WIDTH, 2)),
        Parameter("output_bias", (2,), constant((2,), 0.0)),
    ]


def head(parameters: Parameters, features: Tensor, layers: int, rate: float, dropout: Dropout | None) -> Tensor:
    """Return (replicas, strings, 2) logits of (replicas, strings, width) features; the first is 'in the language'."""
    for layer in range(layers):
        features = dense(parameters[f"dense_bias_{layer}"], features, parameters[f"dense_{layer}"]).relu()
    if dropout is not None and rate:
        features = features * dropout.factors(rate, features.shape[1:])
    features = normalise(features, parameters["scale"], parameters["shift"])
    return dense(parameters["output_bias"], features, parameters["output"])


def dense(bias: Tensor, features: Tensor, weights: Tensor) -> Tensor:
    """Return (replicas, rows, outputs) of (replicas, rows, inputs); bias (replicas, outputs), weights (..., inputs)."""
    return torch.baddbmm(bias[:, None], features, weights.transpose(1, 2))


def normalise(features: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Return (replicas, rows, width) features, each row normalised (Ba, Kiros and Hinton 2016)."""
    normal = functional.layer_norm(features, features.shape[-1:], eps=_EPSILON)
    return torch.addcmul(shift[:, None], normal, scale[:, None])
