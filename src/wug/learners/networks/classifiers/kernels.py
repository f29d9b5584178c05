"""Recurrent cells on the CPU: a whole run over time in one call, small matrix products by BLAS, gates fused.

The same mathematics as ``cells``, forwards and backwards. Arrays of one replica and step are (rows, strings). *Columns*
are what is read, a row of ones, and the state, one below the other. ``columns`` and ``acts`` keep every step, for the
way back, or only two steps, for evaluation: step t is found at t modulo their number.
"""

import math
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

SRN, LSTM, GRU = 0, 1, 2
"""Kinds of cells."""
N_ACTS = (0, 6, 4)
"""How many arrays a step keeps, by kind: none; o, i, f, g, c' and tanh c'; z, r, the new values and U h + b'."""

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


@overload(tanh, inline="always")
def _tanh(x: Any) -> Any:
    if x != types.float32:

        def exact(x: Any) -> Any:
            return math.tanh(x)

        return exact
    a1, a3, a5, a7, a9, a11, a13 = (np.float32(a) for a in _ODD)
    b0, b2, b4, b6 = (np.float32(b) for b in _EVEN)
    clamp = np.float32(_CLAMP)

    def rational(x: Any) -> Any:
        z = min(max(x, -clamp), clamp)
        y = z * z
        odd = ((((((a13 * y + a11) * y + a9) * y + a7) * y + a5) * y + a3) * y + a1) * z
        return odd / (((b6 * y + b4) * y + b2) * y + b0)

    return rational


@njit(cache=True, nogil=True, inline="always")
def _sigmoid(x: Any, half: Any) -> Any:
    return half * tanh(half * x) + half


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _srn(sums: Any, after: Any) -> None:
    for k in range(after.size):
        after[k] = tanh(sums[k])


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _lstm(sums: Any, acts: Any, before: Any, after: Any, half: Any) -> None:
    n = after.size
    for k in range(n):
        give, take = _sigmoid(sums[k], half), _sigmoid(sums[n + k], half)
        keep, new = _sigmoid(sums[2 * n + k], half), tanh(sums[3 * n + k])
        kept = keep * before[k] + take * new
        squashed = tanh(kept)
        acts[k], acts[n + k], acts[2 * n + k], acts[3 * n + k] = give, take, keep, new
        acts[4 * n + k], acts[5 * n + k] = kept, squashed
        after[k] = give * squashed


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _gru(sums: Any, read: Any, acts: Any, before: Any, after: Any, half: Any) -> None:
    n = after.size
    for k in range(n):
        keep, reset = _sigmoid(sums[k], half), _sigmoid(sums[n + k], half)
        new = tanh(read[k] + reset * acts[3 * n + k])
        acts[k], acts[n + k], acts[2 * n + k] = keep, reset, new
        after[k] = new + keep * (before[k] - new)


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _srn_back(after: Any, slope: Any, sums: Any, one: Any) -> None:
    for k in range(slope.size):
        sums[k] = slope[k] * (one - after[k] * after[k])


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _lstm_back(acts: Any, before: Any, slope: Any, kept_slope: Any, sums: Any, one: Any) -> None:
    n = slope.size
    for k in range(n):
        give, take, keep, new = acts[k], acts[n + k], acts[2 * n + k], acts[3 * n + k]
        squashed = acts[5 * n + k]
        kept = kept_slope[k] + slope[k] * give * (one - squashed * squashed)
        sums[k] = slope[k] * squashed * give * (one - give)
        sums[n + k] = kept * new * take * (one - take)
        sums[2 * n + k] = kept * before[k] * keep * (one - keep)
        sums[3 * n + k] = kept * take * (one - new * new)
        kept_slope[k] = kept * keep


@njit(cache=True, nogil=True, fastmath=_FAST, error_model="numpy")
def _gru_back(acts: Any, before: Any, slope: Any, sums: Any, read: Any, recalled: Any, one: Any) -> None:
    n = slope.size
    for k in range(n):
        keep, reset, new = acts[k], acts[n + k], acts[2 * n + k]
        into_new = slope[k] * (one - keep) * (one - new * new)
        sums[k] = slope[k] * (before[k] - new) * keep * (one - keep)
        sums[n + k] = into_new * acts[3 * n + k] * reset * (one - reset)
        read[k] = into_new
        recalled[k] = into_new * reset
        slope[k] *= keep


@njit(cache=True, nogil=True)
def _look_up(table: Any, ids: Any, kept: Any, step: int, inputs: Any) -> None:
    """Fill (width, strings) inputs with columns of the (width, n_ids) table, masked where there is a mask."""
    for row in range(inputs.shape[0]):
        values = table[row]
        for string in range(inputs.shape[1]):
            inputs[row, string] = values[ids[string]]
    if kept.shape[0]:
        mask = kept[step % kept.shape[0]]
        for row in range(inputs.shape[0]):
            for string in range(inputs.shape[1]):
                inputs[row, string] *= mask[row, string]


@njit(cache=True, nogil=True)
def run(
    kind: int, matrices: Any, table: Any, ids: Any, kept: Any, ends: Any, columns: Any, acts: Any, read: Any, half: Any
) -> None:
    """Run replicas over time; ``read`` (replicas, width, strings) gets the states at the ends, zeros for an end of 0.

    ``matrices`` are three (replicas, rows, columns), the last two empty but for the GRU; ``table`` (replicas, columns,
    n_ids), ``ids`` (replicas, time, strings), ``kept`` (replicas, 0 or 1 or time, columns, strings), ``ends``
    (replicas, strings), ``columns`` (replicas, n_kept, rows, strings), ``acts`` (replicas, n_kept, N_ACTS * width,
    strings). ``half`` is 0.5 in the arrays' type.
    """
    width, strings = read.shape[1], read.shape[2]
    n_read = table.shape[1]
    n_kept = columns.shape[1]
    sums = np.empty((matrices[0].shape[1], strings), dtype=read.dtype)
    new = np.empty((width, strings), dtype=read.dtype)
    for replica in range(len(ids)):
        rows = columns[replica]
        rows[:, n_read] = 1
        rows[0, n_read + 1 :] = 0
        read[replica] = 0
        if kind == LSTM:
            acts[replica, n_kept - 1, 4 * width : 5 * width] = 0
        for step in range(ends[replica].max()):
            here, there = rows[step % n_kept], rows[(step + 1) % n_kept]
            _look_up(table[replica], ids[replica, step], kept[replica], step, here[:n_read])
            before, after = here[n_read + 1 :].reshape(-1), there[n_read + 1 :].reshape(-1)
            np.dot(matrices[0][replica], here, sums)
            if kind == SRN:
                _srn(sums.reshape(-1), after)
            elif kind == LSTM:
                kept_before = acts[replica, (step - 1) % n_kept, 4 * width : 5 * width].reshape(-1)
                _lstm(sums.reshape(-1), acts[replica, step % n_kept].reshape(-1), kept_before, after, half)
            else:
                own = acts[replica, step % n_kept]
                np.dot(matrices[1][replica], here[: n_read + 1], new)
                np.dot(matrices[2][replica], here[n_read:], own[3 * width :])
                _gru(sums.reshape(-1), new.reshape(-1), own.reshape(-1), before, after, half)
            for string in range(strings):
                if ends[replica, string] == step + 1:
                    read[replica, :, string] = there[n_read + 1 :, string]


@njit(cache=True, nogil=True)
def run_back(
    kind: int,
    matrices: Any,
    ids: Any,
    kept: Any,
    ends: Any,
    columns: Any,
    acts: Any,
    read_slope: Any,
    matrix_slopes: Any,
    table_slope: Any,
    one: Any,
) -> None:
    """Go back through ``run``, which kept all steps: add to the slopes of the matrices and of the table.

    ``read_slope`` is the loss's slope in ``read``; ``table_slope`` (replicas, n_ids, columns) may have no ids where it
    is not wanted. ``one`` is 1 in the arrays' type.
    """
    width, strings = read_slope.shape[1], read_slope.shape[2]
    n_columns = columns.shape[2]
    n_read = n_columns - width - 1
    dtype = read_slope.dtype
    sums = np.empty((matrices[0].shape[1], strings), dtype=dtype)
    column_slope = np.empty((n_columns, strings), dtype=dtype)
    matrix_slope = np.empty((sums.shape[0], n_columns), dtype=dtype)
    from_read, from_recalled = np.empty((width, strings), dtype=dtype), np.empty((width, strings), dtype=dtype)
    read_columns = np.empty((n_read + 1, strings), dtype=dtype)
    recalled_columns = np.empty((width + 1, strings), dtype=dtype)
    read_matrix = np.empty((width, n_read + 1), dtype=dtype)
    recalled_matrix = np.empty((width, width + 1), dtype=dtype)
    slope, kept_slope = np.empty((width, strings), dtype=dtype), np.empty(width * strings, dtype=dtype)
    for replica in range(len(ids)):
        slope[:] = 0
        kept_slope[:] = 0
        flat = slope.reshape(-1)
        for step in range(ends[replica].max() - 1, -1, -1):
            for string in range(strings):
                if ends[replica, string] == step + 1:
                    slope[:, string] += read_slope[replica, :, string]
            here = columns[replica, step]
            own = acts[replica, step].reshape(-1)
            if kind == SRN:
                _srn_back(columns[replica, step + 1, n_read + 1 :].reshape(-1), flat, sums.reshape(-1), one)
            elif kind == LSTM:
                kept_before = acts[replica, (step - 1) % acts.shape[1], 4 * width : 5 * width].reshape(-1)
                _lstm_back(own, kept_before, flat, kept_slope, sums.reshape(-1), one)
            else:
                before = here[n_read + 1 :].reshape(-1)
                _gru_back(own, before, flat, sums.reshape(-1), from_read.reshape(-1), from_recalled.reshape(-1), one)
            np.dot(matrices[0][replica].T, sums, column_slope)
            np.dot(sums, here.T, matrix_slope)
            matrix_slopes[0][replica] += matrix_slope
            if kind == GRU:
                np.dot(matrices[1][replica].T, from_read, read_columns)
                np.dot(matrices[2][replica].T, from_recalled, recalled_columns)
                column_slope[: n_read + 1] += read_columns
                slope += column_slope[n_read + 1 :]
                slope += recalled_columns[1:]
                np.dot(from_read, here[: n_read + 1].T, read_matrix)
                np.dot(from_recalled, here[n_read:].T, recalled_matrix)
                matrix_slopes[1][replica] += read_matrix
                matrix_slopes[2][replica] += recalled_matrix
            else:
                slope[:] = column_slope[n_read + 1 :]
            if table_slope.shape[1]:
                if kept.shape[1]:
                    column_slope[:n_read] *= kept[replica, step % kept.shape[1]]
                for string in range(strings):
                    row = table_slope[replica, ids[replica, step, string]]
                    for place in range(n_read):
                        row[place] += column_slope[place, string]
