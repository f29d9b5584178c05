"""Layers behind the encoders, for replicas: features are (replicas, features, strings)."""

import torch
from torch import Tensor

from wug.learners.networks.classifiers.dropout import Dropout
from wug.learners.networks.classifiers.initialisation import constant, glorot_uniform
from wug.learners.networks.classifiers.parameters import Parameter, Parameters

DENSE_WIDTH = 64
EPSILON = 1e-6
"""Of the layer normalisations."""


def head_parameters(width: int, layers: int) -> list[Parameter]:
    """Return the parameters of dense layers, a normalisation and two outputs behind ``width`` features."""
    parameters = []
    for layer in range(layers):
        fan_in = DENSE_WIDTH if layer else width
        shape = (DENSE_WIDTH, fan_in)
        parameters += [
            Parameter(f"dense_{layer}", shape, glorot_uniform(shape, fan_in, DENSE_WIDTH)),
            Parameter(f"dense_bias_{layer}", (DENSE_WIDTH, 1), constant((DENSE_WIDTH, 1), 0.0)),
        ]
    return [
        *parameters,
        Parameter("scale", (DENSE_WIDTH, 1), constant((DENSE_WIDTH, 1), 1.0)),
        Parameter("shift", (DENSE_WIDTH, 1), constant((DENSE_WIDTH, 1), 0.0)),
        Parameter("output", (2, DENSE_WIDTH), glorot_uniform((2, DENSE_WIDTH), DENSE_WIDTH, 2)),
        Parameter("output_bias", (2, 1), constant((2, 1), 0.0)),
    ]


def head(parameters: Parameters, features: Tensor, layers: int, rate: float, dropout: Dropout | None) -> Tensor:
    """Return (replicas, 2, strings) logits of (replicas, width, strings) features; the first is 'in the language'."""
    for layer in range(layers):
        features = torch.baddbmm(parameters[f"dense_bias_{layer}"], parameters[f"dense_{layer}"], features).relu()
    if dropout is not None and rate:
        features = features * dropout.mask(rate, features.shape[1:])
    features = normalise(features, dim=1) * parameters["scale"] + parameters["shift"]
    return torch.baddbmm(parameters["output_bias"], parameters["output"], features)


def normalise(features: Tensor, dim: int) -> Tensor:
    """Return features with mean 0 and variance 1 along a dimension (Ba, Kiros and Hinton 2016)."""
    centred = features - features.mean(dim, keepdim=True)
    return centred * (centred.square().mean(dim, keepdim=True) + EPSILON).rsqrt()
