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
_STEP = 0x9E3779B97F4A7C15
"""2 ** 64 divided by the golden ratio: the step of splitmix64 (Steele, Lea and Flood 2014, OOPSLA)."""
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The factors of splitmix64's finaliser."""


class Dropout:
    """Draws the masks of one update.

    Whether a value is dropped depends on its replica's key, on the number of the update, on how many masks the network
    asked for before, and on the value's own pair, position and feature: neither on padding, nor on how many pairs and
    replicas there are, nor on the device. So trainings with equal keys that have more and more pairs drop alike in
    those that they have in common.
    """

    def __init__(self, keys: Tensor, update: int, like: Tensor) -> None:
        """Take (replicas,) int64 keys; masks are of the dtype and on the device of ``like``."""
        self._keys = keys
        self._update = update
        self._masks = 0
        self._like = like

    def mask(self, rate: float, shape: tuple[int, int, int]) -> Tensor:
        """Return (replicas, pairs, positions, features): 0 where a value is dropped, 1 / (1 - rate) elsewhere.

        The rate is rounded to 1/65,536, and the scale is that of the rounded rate.
        """
        self._masks += 1
        if self._keys.device.type != "cpu":
            return mask_in_torch(self._keys, self._update, self._masks, rate, shape).to(self._like.dtype)
        threshold, scale = _threshold_and_scale(rate)
        mask = self._like.new_empty(len(self._keys), *shape)
        _fill(self._keys.numpy(), self._update, self._masks, threshold, scale, mask.numpy())
        return mask


def dropout_keys(seeds: Sequence[int], device: torch.device) -> Tensor:
    """Return (replicas,) keys of 63-bit seeds."""
    return torch.tensor(list(seeds), dtype=torch.int64, device=device)


def mask_in_torch(keys: Tensor, update: int, number: int, rate: float, shape: tuple[int, int, int]) -> Tensor:
    """Return a float64 mask, the ``number``-th of an update, with torch's operations, for any device."""
    threshold, scale = _threshold_and_scale(rate)
    pairs, positions, features = (torch.arange(size, device=keys.device) for size in shape)
    step = _signed(_STEP)
    keys = _mixed(_mixed(keys + _signed(update * _STEP)) + _signed(number * _STEP))
    places = _mixed(keys[:, None, None] + ((pairs[:, None] << 32) + positions) * step)
    counters = torch.arange(1, 1 + -(-shape[2] // _PER_HASH), device=keys.device)
    levels = _mixed(places[..., None] + counters * step)[..., features // _PER_HASH] >> (16 * (features % _PER_HASH))
    return ((levels & (_LEVELS - 1)) >= threshold).double() * scale


def _threshold_and_scale(rate: float) -> tuple[int, float]:
    threshold = round(rate * _LEVELS)
    return threshold, _LEVELS / (_LEVELS - threshold)


def _mixed(values: Tensor) -> Tensor:
    """Return splitmix64's finaliser of int64 values."""
    values = (values ^ _shifted(values, 30)) * _signed(_FIRST)
    values = (values ^ _shifted(values, 27)) * _signed(_SECOND)
    return values ^ _shifted(values, 31)


def _shifted(values: Tensor, bits: int) -> Tensor:
    """Return values shifted to the right as unsigned integers."""
    return (values >> bits) & ((1 << (64 - bits)) - 1)


def _signed(value: int) -> int:
    """Return an integer modulo 2 ** 64, from -2 ** 63 on."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@njit(cache=True, nogil=True)
def _mix(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(_FIRST)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(_SECOND)
    return value ^ (value >> np.uint64(31))


@njit(cache=True, nogil=True)
def _fill(keys: Any, update: int, number: int, threshold: int, scale: float, mask: Any) -> None:
    """Fill a (replicas, pairs, positions, features) mask; ``mask_in_torch`` is the same."""
    replicas, pairs, positions, features = mask.shape
    step = np.uint64(_STEP)
    least = np.uint64(threshold)
    values = np.array([0.0, scale], dtype=mask.dtype)
    hashes = np.empty(-(-features // _PER_HASH), dtype=np.uint64)
    for replica in range(replicas):
        key = _mix(_mix(np.uint64(keys[replica]) + np.uint64(update) * step) + np.uint64(number) * step)
        for pair in range(pairs):
            for position in range(positions):
                place = _mix(key + ((np.uint64(pair) << np.uint64(32)) + np.uint64(position)) * step)
                for block in range(len(hashes)):
                    hashes[block] = _mix(place + np.uint64(block + 1) * step)
                row = mask[replica, pair, position]
                for feature in range(features):
                    level = (hashes[feature >> 2] >> np.uint64(16 * (feature & 3))) & np.uint64(0xFFFF)
                    row[feature] = values[int(level >= least)]
