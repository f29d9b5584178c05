"""Dropout masks that are a function of seed, update and place."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

_LEVELS = 1 << 16
_PER_HASH = 4
"""Values that one hash decides, with 16 bits each."""
_STEP = -7046029254386353131
"""2 ** 64 divided by the golden ratio, as a signed integer: the step of splitmix64 (Steele, Lea and Flood 2014)."""
_FIRST, _SECOND = -4658895280553007687, -7723592293110705685


class Dropout:
    """Draws the masks of one update.

    Whether a value is dropped depends on its replica's key, on the number of the update, on how many masks the network
    asked for before, and on the value's own pair, position and feature: neither on padding, nor on how many pairs and
    replicas there are, nor on the device. So trainings with equal keys that have more and more pairs drop alike in
    those that they have in common.
    """

    def __init__(self, keys: Tensor, update: int, like: Tensor) -> None:
        """Store the (replicas,) int64 keys; masks are of the dtype and on the device of ``like``."""
        self._keys = _mixed(keys + _wrapped(update * _STEP))
        self._masks = 0
        self._like = like

    def mask(self, rate: float, shape: tuple[int, int, int]) -> Tensor:
        """Return (replicas, pairs, positions, features): 0 where a value is dropped, 1 / (1 - rate) elsewhere.

        The rate is rounded to 1/65,536, and the scale is that of the rounded rate.
        """
        self._masks += 1
        threshold = round(rate * _LEVELS)
        scale = _LEVELS / (_LEVELS - threshold)
        keys = _mixed(self._keys + _wrapped(self._masks * _STEP))
        if keys.device.type == "cpu":
            mask = self._like.new_empty(len(keys), *shape)
            _fill(keys.numpy(), threshold, scale, mask.numpy())
            return mask
        return (_levels(keys, shape) >= threshold).to(self._like) * scale


def dropout_keys(seeds: Sequence[int], device: torch.device) -> Tensor:
    """Return (replicas,) keys of 63-bit seeds."""
    return torch.tensor(list(seeds), dtype=torch.int64, device=device)


def _levels(keys: Tensor, shape: tuple[int, int, int]) -> Tensor:
    """Return (replicas, *shape) integers from 0 to 65,535, on any device; ``_fill`` is the same for the CPU."""
    pairs, positions, features = (torch.arange(size, device=keys.device) for size in shape)
    places = _mixed(keys[:, None, None] + ((pairs[:, None] << 32) + positions) * _STEP)
    counters = 1 + pairs.new_tensor(range(-(-shape[2] // _PER_HASH)))
    hashes = _mixed(places[..., None] + counters * _STEP)
    chosen = hashes[..., features // _PER_HASH]
    return (chosen >> (16 * (features % _PER_HASH))) & (_LEVELS - 1)


def _mixed(values: Tensor) -> Tensor:
    """Return splitmix64's finaliser of int64 values."""
    values = (values ^ _shifted(values, 30)) * _FIRST
    values = (values ^ _shifted(values, 27)) * _SECOND
    return values ^ _shifted(values, 31)


def _shifted(values: Tensor, bits: int) -> Tensor:
    """Return values shifted to the right as unsigned integers."""
    return (values >> bits) & ((1 << (64 - bits)) - 1)


def _wrapped(value: int) -> int:
    """Return an integer modulo 2 ** 64, from -2 ** 63 on."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@njit(cache=True, nogil=True)
def _mix(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(cache=True, nogil=True)
def _fill(keys: Any, threshold: int, scale: float, mask: Any) -> None:
    replicas, pairs, positions, features = mask.shape
    step = np.uint64(0x9E3779B97F4A7C15)
    least = np.uint64(threshold)
    kept = mask.dtype.type(scale)
    dropped = mask.dtype.type(0)
    hashes = np.empty(-(-features // 4), dtype=np.uint64)
    for replica in range(replicas):
        key = np.uint64(keys[replica])
        for pair in range(pairs):
            for position in range(positions):
                place = _mix(key + ((np.uint64(pair) << np.uint64(32)) + np.uint64(position)) * step)
                for number in range(len(hashes)):
                    hashes[number] = _mix(place + np.uint64(number + 1) * step)
                row = mask[replica, pair, position]
                for feature in range(features):
                    level = (hashes[feature >> 2] >> np.uint64(16 * (feature & 3))) & np.uint64(0xFFFF)
                    row[feature] = kept if level >= least else dropped
