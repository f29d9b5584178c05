"""Signals: Ctrl-C that never cuts a recording short, and an alarm for trials that run in this process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from wug.errors import InputError


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done, then let it count."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        raise KeyboardInterrupt


class OutOfTimeError(BaseException):
    """The time for some trials is over; no ``Exception``, so that no learner's own handling swallows it."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTimeError inside the block after some seconds of wall clock, and again every second after that."""
    if seconds is None:
        yield
        return
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        raise InputError("a time limit without worker processes needs Unix and the main thread; use --workers 1")

    is_active = True

    def end(number: int, frame: FrameType | None) -> None:
        if is_active:
            raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        try:
            yield
        finally:
            is_active = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
