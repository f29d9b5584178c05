"""Growing arrays in compiled loops."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def longer(array: Any) -> Any:
    """Return a flat array of twice the length that begins with the given one."""
    copied = np.empty(2 * len(array), dtype=array.dtype)
    for i in range(len(array)):
        copied[i] = array[i]
    return copied
