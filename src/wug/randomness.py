"""One master seed, split by name into independent generators."""

import hashlib

import numpy as np


def derive_seed(seed: int, *purpose: str | int) -> int:
    """Return the 63-bit seed for one purpose, independent of every other purpose.

    >>> derive_seed(1, "bliss", "anbn") == derive_seed(1, "bliss", "anbn")
    True
    """
    text = "\x1f".join([str(seed), *map(str, purpose)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """Return NumPy's generator for one purpose of a master seed."""
    return np.random.default_rng(derive_seed(seed, *purpose))
