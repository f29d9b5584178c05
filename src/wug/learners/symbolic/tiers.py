"""Which letters matter: the tier of a tier-based strictly local language, from positive strings.

A letter is off the tier of a TSL(k) language L if it may be inserted and deleted anywhere. On windows of width k (the
ends counting as symbols) that is a finite test: every window of width k - 1 that occurs in L occurs with the letter
inserted at any place, and every window of width k + 1 occurs with the letter deleted. For a letter off the tier both
hold. A letter on the smallest tier changes the membership of some string. If uv is in L and uxv is not, some window of
uxv occurs in no string of L, it contains x (all others are windows of uv), and without x it is one of uv: insertion
fails. If uxv is in L and uv is not, some window of uv does not occur, it spans the place of x, and with x it is a
window of uxv: deletion fails. So the test is right on every sample that shows all windows of width k of L and, for each
letter on the tier that only deletion gives away, one window of width k + 1 that does so.

This is the test of Lambert 2021 ("Grammar Interpretations and Learning TSL Online", ICGI), which needs no iteration
over shrinking tiers, unlike that of Jardine and McMullin 2017 ("Efficient Learning of Tier-Based Strictly k-Local
Languages", LATA).
"""

import numpy as np

from wug.learners.symbolic import _key_sets as kernels
from wug.learners.symbolic.strings import Strings
from wug.learners.symbolic.windows import WindowSet


def learn_tier(sample: Strings, width: int) -> tuple[str, ...]:
    """Return the letters that cannot be inserted and deleted freely, as far as windows of a sample of L tell."""
    attested = WindowSet.of(sample, width)
    free = np.ones(len(sample.alphabet), dtype=np.bool_)
    if len(attested.keys):
        wider, narrower = WindowSet.of(sample, width + 1), WindowSet.of(sample, width - 1)
        kernels.freely_deleted(attested.slots, wider.keys, width, attested.base, free)
        kernels.freely_inserted(attested.slots, narrower.keys, width, attested.base, free)
    return tuple(letter for letter, is_free in zip(sample.alphabet, free.tolist(), strict=True) if not is_free)
