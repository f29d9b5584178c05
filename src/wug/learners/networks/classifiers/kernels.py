"""What a recurrent cell does on the CPU besides its matrix products, each step in one call for all replicas.

The same mathematics as ``cells``, forwards and backwards. Arrays of a step are (replicas, rows, strings), gates one
below the other. ``columns`` are what is read, a row of ones, and the state, one below the other; ``acts`` are what the
way back needs of a step.
"""

import math
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

_FAST = {"contract", "nsz"}
_CLAMP = 7.90531110763549805
_ODD = (
    4.89352455891786e-03,
    6.37261928875436e-04,
    1.48572235717979e-05,
    5.12229709037114e-08,
    -8.60467152213735e-11,
    2.00018790482477e-13,
    -2.76076847742355e-16,
)
_EVEN = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)


def tanh(x: Any) -> Any:
    """Return tanh x; in float32 by the rational function that Eigen uses, which compilers vectorise."""
    return math.tanh(x)


@overload(tanh)
def _tanh(x: Any) -> Any:
    if x != types.float32:

        def exact(x: Any) -> Any:
            return math.tanh(x)

        return exact
    a1, a3, a5, a7, a9, a11, a13 = (np.float32(a) for a in _ODD)
    b0, b2, b4, b6 = (np.float32(b) for b in _EVEN)
    clamp = np.float32(_CLAMP)

    def rational(x: Any) -> Any:
        z = clamp if x > clamp else (-clamp if x < -clamp else x)  # keeps what is not a number
        y = z * z
        odd = ((((((a13 * y + a11) * y + a9) * y + a7) * y + a5) * y + a3) * y + a1) * z
        return odd / (((b6 * y + b4) * y + b2) * y + b0)

    return rational


@njit(cache=True, nogil=True)
def _sigmoid(x: Any, half: Any) -> Any:
    return half * tanh(half * x) + half


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _srn(sums: Any, after: Any) -> None:
    for k in range(after.size):
        after[k] = tanh(sums[k])


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _srn_back(after: Any, slope: Any, sums: Any, one: Any) -> None:
    for k in range(slope.size):
        sums[k] = slope[k] * (one - after[k] * after[k])


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _lstm(sums: Any, acts: Any, kept: Any, after: Any, half: Any) -> None:
    n = after.size
    for k in range(n):
        take, keep = _sigmoid(sums[k], half), _sigmoid(sums[n + k], half)
        new, give = tanh(sums[2 * n + k]), _sigmoid(sums[3 * n + k], half)
        kept_now = keep * kept[k] + take * new
        squashed = tanh(kept_now)
        acts[k], acts[n + k], acts[2 * n + k], acts[3 * n + k] = take, keep, new, give
        acts[4 * n + k], acts[5 * n + k] = kept_now, squashed
        after[k] = give * squashed


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _lstm_back(acts: Any, kept: Any, slope: Any, kept_slope: Any, sums: Any, one: Any) -> None:
    n = slope.size
    for k in range(n):
        take, keep, new, give = acts[k], acts[n + k], acts[2 * n + k], acts[3 * n + k]
        squashed = acts[5 * n + k]
        into_kept = kept_slope[k] + slope[k] * give * (one - squashed * squashed)
        sums[k] = into_kept * new * take * (one - take)
        sums[n + k] = into_kept * kept[k] * keep * (one - keep)
        sums[2 * n + k] = into_kept * take * (one - new * new)
        sums[3 * n + k] = slope[k] * squashed * give * (one - give)
        kept_slope[k] = into_kept * keep


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _gru(sums: Any, acts: Any, before: Any, after: Any, half: Any) -> None:
    n = after.size
    for k in range(n):
        keep, reset, recalled = _sigmoid(sums[k], half), _sigmoid(sums[n + k], half), sums[3 * n + k]
        new = tanh(sums[2 * n + k] + reset * recalled)
        acts[k], acts[n + k], acts[2 * n + k], acts[3 * n + k] = keep, reset, new, recalled
        after[k] = new + keep * (before[k] - new)


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _gru_back(acts: Any, before: Any, slope: Any, carried: Any, sums: Any, one: Any) -> None:
    n = before.size
    for k in range(n):
        keep, reset, new = acts[k], acts[n + k], acts[2 * n + k]
        total = slope[k] + carried[k]
        into_new = total * (one - keep) * (one - new * new)
        sums[k] = total * (before[k] - new) * keep * (one - keep)
        sums[n + k] = into_new * acts[3 * n + k] * reset * (one - reset)
        sums[2 * n + k] = into_new
        sums[3 * n + k] = into_new * reset
        carried[k] = total * keep


@njit(cache=True, nogil=True)
def _mask(values: Any, kept: Any, scale: Any) -> None:
    nothing = scale - scale
    for row in range(values.shape[0]):
        for string in range(values.shape[1]):
            values[row, string] *= scale if kept[row, string] else nothing


@njit(cache=True, nogil=True)
def look_up(table: Any, ids: Any, kept: Any, scale: Any, step: int, columns: Any) -> None:
    """Write what is read in a step into the first rows of ``columns``; what is not kept becomes 0, the rest is scaled.

    ``table`` (replicas, columns, n_ids), ``ids`` (replicas, time, strings), ``kept`` (replicas, 0 or 1 or time,
    columns, strings) of 0 and 1, without any steps where all is kept.
    """
    for replica in range(len(ids)):
        inputs = columns[replica, : table.shape[1]]
        here = ids[replica, step]
        for row in range(inputs.shape[0]):
            values = table[replica, row]
            for string in range(inputs.shape[1]):
                inputs[row, string] = values[here[string]]
        if kept.shape[1]:
            _mask(inputs, kept[replica, step % kept.shape[1]], scale)


@njit(cache=True, nogil=True)
def add_to_table(table_slope: Any, ids: Any, kept: Any, scale: Any, step: int, slopes: Any) -> None:
    """Add the slopes of what was read in a step, the first rows of ``slopes``, to those of the table.

    ``table_slope`` is (replicas, n_ids, columns). The rows of ``slopes`` are used up.
    """
    n_read = table_slope.shape[2]
    for replica in range(len(ids)):
        read = slopes[replica, :n_read]
        here = ids[replica, step]
        if kept.shape[1]:
            _mask(read, kept[replica, step % kept.shape[1]], scale)
        for string in range(read.shape[1]):
            into = table_slope[replica, here[string]]
            for row in range(n_read):
                into[row] += read[row, string]


@njit(cache=True, nogil=True)
def srn_step(sums: Any, after: Any) -> None:
    """Write the states after a step into the last rows of ``after`` (replicas, rows, strings)."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        _srn(flat, after[replica].reshape(-1)[-flat.size :])


@njit(cache=True, nogil=True)
def srn_step_back(after: Any, slopes: Any, sums: Any, one: Any) -> None:
    """Write the slopes of the sums, given those of the state in the last rows of ``slopes``."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        n = flat.size
        _srn_back(after[replica].reshape(-1)[-n:], slopes[replica].reshape(-1)[-n:], flat, one)


@njit(cache=True, nogil=True)
def lstm_step(sums: Any, acts_before: Any, acts: Any, after: Any, half: Any) -> None:
    """Write a step's acts i, f, g, o, c' and tanh c', and the states after it into the last rows of ``after``."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        n = flat.size // 4
        kept = acts_before[replica].reshape(-1)[4 * n : 5 * n]
        _lstm(flat, acts[replica].reshape(-1), kept, after[replica].reshape(-1)[-n:], half)


@njit(cache=True, nogil=True)
def lstm_step_back(acts_before: Any, acts: Any, slopes: Any, kept_slopes: Any, sums: Any, one: Any) -> None:
    """Write the slopes of the sums; those of c' become those of c."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        n = flat.size // 4
        kept = acts_before[replica].reshape(-1)[4 * n : 5 * n]
        slope = slopes[replica].reshape(-1)[-n:]
        _lstm_back(acts[replica].reshape(-1), kept, slope, kept_slopes[replica].reshape(-1), flat, one)


@njit(cache=True, nogil=True)
def gru_step(sums: Any, acts: Any, before: Any, after: Any, half: Any) -> None:
    """Write a step's acts z, r, the new values and U h + b', and the states after it."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        n = flat.size // 4
        state, next_state = before[replica].reshape(-1)[-n:], after[replica].reshape(-1)[-n:]
        _gru(flat, acts[replica].reshape(-1), state, next_state, half)


@njit(cache=True, nogil=True)
def gru_step_back(acts: Any, before: Any, slopes: Any, carried: Any, sums: Any, one: Any) -> None:
    """Write the slopes of the sums; ``carried`` are those that a state hands on directly."""
    for replica in range(len(sums)):
        flat = sums[replica].reshape(-1)
        n = flat.size // 4
        state, slope = before[replica].reshape(-1)[-n:], slopes[replica].reshape(-1)[-n:]
        _gru_back(acts[replica].reshape(-1), state, slope, carried[replica].reshape(-1), flat, one)
