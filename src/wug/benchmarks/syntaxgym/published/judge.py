"""The published results as a task: nothing is learnt; every printed figure is recomputed and must agree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wug.benchmarks.protocol import Score
from wug.benchmarks.syntaxgym.published.figures import Figure, recompute
from wug.benchmarks.syntaxgym.published.results import PublishedResults, read_corrections, read_results
from wug.errors import TrialError
from wug.randomness import generator


@dataclass(frozen=True)
class Files:
    """What a copy of the published files says."""

    results: PublishedResults
    corrections: PublishedResults | None

    @classmethod
    def of(cls, folder: Path) -> "Files":
        """Read a folder; InputError where it has no results."""
        results = read_results(folder)
        return cls(results, read_corrections(folder, results))


@dataclass(frozen=True)
class AuthorsResults:
    """The data of the task: the learner ``oracle`` stands for the authors' models."""

    oracles: Mapping[str, Callable[[], Files]]
    setting: str = "decision"

    @classmethod
    def of(cls, folder: Path) -> "AuthorsResults":
        """Read a folder; InputError where it has no results."""
        files = Files.of(folder)
        return cls({"": lambda: files})


def figures_of(files: Files, seed: int) -> list[Figure]:
    """Return all figures; ``seed`` is that of the regressions' random starts."""
    return recompute(files.results, files.corrections, rng=generator(seed, "syntaxgym", "mixed models"))


def judge_results(files: Files, seed: int) -> list[Score]:
    """Return all figures as scores; TrialError, with the scores, where one does not round to what is printed."""
    figures = figures_of(files, seed)
    scores = [Score(figure.measure, figure.value, figure.item) for figure in figures]
    scores += [
        Score("figures_compared", float(sum(figure.agrees is not None for figure in figures))),
        Score("figures_that_agree", float(sum(figure.agrees is True for figure in figures))),
    ]
    moved = [figure for figure in figures if figure.agrees is False]
    if moved:
        first = moved[0]
        raise TrialError(
            f"{len(moved)} figures have moved; the first is '{first.measure}' of {first.item}: {first.value:.6g}, "
            f"printed {first.printed}",
            scores=tuple(scores),
        )
    return scores
