"""Learners that behave, and learners that do not."""

import contextlib
import math
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np


class _Learner:
    settings = frozenset({"language_modelling"})

    def fit(self, data, seed, *, state=None, on_epoch=None):
        return lambda values: sum(values) / len(values) + seed


class Steady(_Learner):
    """Fits at once."""

    def __init__(self, bias: float = 0.0):
        self.bias = bias

    def fit(self, data, seed, *, state=None, on_epoch=None):
        print("a learner talks")
        return lambda values: sum(values) / len(values) + seed + self.bias


class Slow(_Learner):
    def __init__(self, seconds: float = 0.2):
        self.seconds = seconds

    def fit(self, data, seed, *, state=None, on_epoch=None):
        time.sleep(self.seconds)
        return super().fit(data, seed)


class Raising(_Learner):
    def fit(self, data, seed, *, state=None, on_epoch=None):
        raise ValueError("no luck\nwith this one")


class Exiting(_Learner):
    def fit(self, data, seed, *, state=None, on_epoch=None):
        sys.exit(3)


class NotANumber(_Learner):
    def fit(self, data, seed, *, state=None, on_epoch=None):
        return lambda values: math.nan


class Endless(_Learner):
    """Never ends, and swallows every exception that it can."""

    def fit(self, data, seed, *, state=None, on_epoch=None):
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.005)


class Translator(_Learner):
    settings = frozenset({"transduction"})


class Unseeded(_Learner):
    """Draws from the global generators, as other people's code does."""

    def fit(self, data, seed, *, state=None, on_epoch=None):
        drawn = random.random() + np.random.rand()
        return lambda values: drawn


class Dying(_Learner):
    """Kills its process in the first ``deaths`` attempts, which it counts by files in a folder."""

    def __init__(self, folder: str, deaths: int = 1):
        self.folder, self.deaths = folder, deaths

    def fit(self, data, seed, *, state=None, on_epoch=None):
        attempts = len(list(Path(self.folder).glob("attempt-*")))
        Path(self.folder, f"attempt-{attempts}").touch()
        if attempts < self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(data, seed)


class Waiting(_Learner):
    """Says in a file of the folder that it is there, and waits until there is a file ``go``."""

    def __init__(self, folder: str):
        self.folder = folder

    def fit(self, data, seed, *, state=None, on_epoch=None):
        unfinished = Path(self.folder, f".pid-{seed}")
        unfinished.write_text(str(os.getpid()))
        unfinished.rename(Path(self.folder, f"pid-{seed}"))
        while not Path(self.folder, "go").exists():
            time.sleep(0.01)
        return super().fit(data, seed)


class Replicated(Steady):
    """Fits several at once; a seed of 13 brings bad luck to itself alone."""

    def __init__(self, replicas: int = 3, broken: bool = False):
        super().__init__()
        self.broken = broken

    def fit_together(self, data, seeds):
        from wug.errors import TrialError

        if self.broken:
            raise RuntimeError("out of memory")
        models = [self.fit(one, seed) for one, seed in zip(data, seeds, strict=True)]
        return [TrialError("the loss became nan") if s == 13 else m for s, m in zip(seeds, models, strict=True)]
