"""How far a run has come: a moving line on a terminal, plain lines elsewhere, both on standard error."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wug.cli._output import format_duration

PLAIN_LINES_S = 5.0
"""At least so long between two plain lines."""


class WorkProgress:
    """Counts pieces of work and estimates the time left from their pace."""

    def __init__(self, n_pieces: int, noun: str) -> None:
        self.n_pieces, self.n_done, self.n_failed = n_pieces, 0, 0
        self._noun = noun
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._bar = Progress(
            BarColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not self._console.is_terminal,
        )
        self._line = self._bar.add_task(self._describe(), total=n_pieces)
        self._began = self._last_line = time.monotonic()

    @property
    def n_left(self) -> int:
        """Pieces that have not ended."""
        return self.n_pieces - self.n_done - self.n_failed

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the progress inside the block, and take the moving line away afterwards."""
        with self._bar:
            if not self._console.is_terminal:
                self.say([self._plain()])
            yield

    def count(self, *, n_done: int, n_failed: int = 0) -> None:
        """Take note of pieces that ended."""
        self.n_done += n_done
        self.n_failed += n_failed
        self._bar.update(self._line, completed=self.n_done + self.n_failed, description=self._describe())
        if not self._console.is_terminal and time.monotonic() - self._last_line >= PLAIN_LINES_S:
            self._last_line = time.monotonic()
            self.say([self._plain()])

    def say(self, lines: Iterable[str]) -> None:
        """Print lines that stay, above the moving one."""
        for line in lines:
            self._console.print(line)

    def _describe(self) -> str:
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        return f"{self.n_done + self.n_failed:,} of {self.n_pieces:,} {self._noun}{failed}"

    def _plain(self) -> str:
        elapsed, ended = time.monotonic() - self._began, self.n_done + self.n_failed
        left = f", about {format_duration(elapsed / ended * self.n_left)} left" if ended and self.n_left else ""
        return f"{self._describe()} after {format_duration(elapsed)}{left}"
