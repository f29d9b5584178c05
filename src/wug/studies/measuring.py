"""What a trial costs and where it ran: time, memory, machine, versions."""

import contextlib
import platform
import sys
import time
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

import wug

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class Stopwatch:
    """Seconds of wall clock and of processor, since the start or the last lap."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self) -> tuple[float, float]:
        """Return (wall, processor) seconds and start again; all threads of the process count as its processor time."""
        wall, cpu = time.perf_counter(), time.process_time()
        seconds = wall - self._wall, cpu - self._cpu
        self._wall, self._cpu = wall, cpu
        return seconds


def utc_now() -> str:
    """Return the time, UTC, as ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def reset_peak_memory() -> None:
    """Let the peak start from now, where the system can (Linux); elsewhere it stays the process's own."""
    with contextlib.suppress(OSError):
        _CLEAR.write_text("5")


def peak_memory_mib() -> float:
    """Return the largest resident memory since ``reset_peak_memory``, in MiB."""
    with contextlib.suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2 if sys.platform == "darwin" else peak / 1024


@cache
def host_name() -> str:
    """Return the machine's name."""
    return platform.node()


@cache
def versions() -> dict[str, str]:
    """Return the versions on which scores may depend."""
    packages = {name: version(name) for name in ("numpy", "torch")}
    return {"wug": wug.__version__, "python": platform.python_version(), **packages}
