"""Signals: Ctrl-C that never cuts a recording short, and an alarm for trials that run in this process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType

from wug.errors import InputError


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done, then let it count (where it counts at all: not under ``nohup``)."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
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


@contextmanager
def ctrl_c_for_this_thread_alone() -> Iterator[None]:
    """Let no thread and no process that is started inside, or by those, ever see Ctrl-C.

    A terminal sends it to all processes, but the coordinator alone decides what becomes of the others. Signals that are
    blocked stay so in what a thread starts. One that comes meanwhile counts at the end of the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # multiprocessing unblocks the signal in the thread that starts its tracker
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
