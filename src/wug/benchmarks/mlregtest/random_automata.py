"""How many random automata are in a class: section 3.4 of the paper, Figures 6 and 7.

Nothing is learnt here: the learner ``oracle`` stands for the exact decision of each automaton's class.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from wug.benchmarks.mlregtest import RANDOM_AUTOMATA
from wug.benchmarks.mlregtest.settings import RandomAutomataSettings
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.protocol import Cell, Heatmap, Score, Section, Table, Task
from wug.languages.automata.random import RandomAutomaton

PUBLISHED_MEAN = 0.8757
"""Mean share of SL over the 200 cells of Figure 6 (paper, section 3.4)."""
PUBLISHED_CLOSEST = (7, 8)
"""States and letters of the cell closest to that mean, on which Figure 7 rests (same place)."""
TOLERANCE = 0.005
"""A mean share this near to the published one agrees with it."""


@dataclass(frozen=True)
class RandomLanguages:
    """The data of the task: languages to decide, none to learn."""

    oracles: Mapping[str, Callable[[], RandomAutomaton]]
    setting: str = "decision"


@dataclass(frozen=True)
class Draws:
    """How many automata are to be drawn, from which seed, and which class is counted."""

    automata: int
    membership: str
    seed: int


def build(settings: RandomAutomataSettings, seed: int) -> Task:
    """Return the task for one cell of a heat map."""
    automaton = RandomAutomaton(settings.states, settings.letters, settings.arcs, settings.accepting)
    data = RandomLanguages({"": lambda: automaton})
    return Task(RANDOM_AUTOMATA, data, Draws(settings.automata, settings.membership, seed))


def judge(draws: Draws, automaton: RandomAutomaton) -> list[Score]:
    """Return how many of the automata drawn are in the class, and their share."""
    in_class = automaton.count_in_class(draws.automata, seed=draws.seed, class_=draws.membership)
    return [
        Score("automata", draws.automata),
        Score("in_class", in_class),
        Score("share", in_class / draws.automata),
    ]


def section(runs: Sequence[Run], command: str) -> Section | None:
    """Return Figures 6 and 7 from these trials, as far as they have cells of them; None where they have none."""
    cells = [run for run in runs if run.task == RANDOM_AUTOMATA and run.scores.get("share") is not None]
    if not cells:
        return None
    even = [run for run in cells if (run.settings["arcs"], run.settings["accepting"]) == (0.5, 0.5)]
    closest = [run for run in cells if (run.settings["states"], run.settings["letters"]) == PUBLISHED_CLOSEST]
    blocks: list[Heatmap | Table] = []
    if len(even) > 1:
        blocks += [_figure_6(even, command), _means(even, command)]
    if len({run.settings["arcs"] for run in closest}) > 1:
        blocks.append(_figure_7(closest, command))
    return Section("How many random automata are strictly local", text=_TEXT, blocks=tuple(blocks))


_TEXT = """Nondeterministic automata with one start state are drawn at random: every arc is there with probability \
p_e, every state accepts with probability p_f. The figures give the share of them whose language is strictly local \
(SL) for some width k, decided exactly for each automaton.

Most of the small ones have a language with a single live state, often no string or all strings, so a high share says \
little about SL languages of interest."""


def _figure_6(cells: Sequence[Run], command: str) -> Heatmap:
    return _heatmap(
        cells,
        ("letters", "states"),
        title="Figure 6: share of SL by number of states and letters (p_e = p_f = 0.5)",
        name="mlregtest-figure-6",
        labels=("letters", "states"),
        command=command,
    )


def _figure_7(cells: Sequence[Run], command: str) -> Heatmap:
    return _heatmap(
        cells,
        ("accepting", "arcs"),
        title="Figure 7: share of SL by p_e and p_f (7 states, 8 letters)",
        name="mlregtest-figure-7",
        labels=("p_f, probability of a state to accept", "p_e, probability of an arc"),
        command=command,
    )


def _heatmap(
    cells: Sequence[Run], axes: tuple[str, str], *, title: str, name: str, labels: tuple[str, str], command: str
) -> Heatmap:
    across, down = axes
    shares = _shares(cells, down, across)
    columns, rows = sorted({x for _, x in shares}), sorted({y for y, _ in shares})
    drawn = sorted({int(run.settings["automata"]) for run in cells})
    return Heatmap(
        title=title,
        name=name,
        x_names=tuple(f"{x:g}" for x in columns),
        y_names=tuple(f"{y:g}" for y in rows),
        values=tuple(tuple(shares.get((y, x), math.nan) for x in columns) for y in rows),
        marks=(),
        x_label=labels[0],
        y_label=labels[1],
        value_label="share of SL",
        alt=f"{title}: a grid of shares from 0 to 1.",
        caption=f"{' or '.join(f'{n:,}' for n in drawn)} automata a cell.",
        command=command,
        trials=tuple(run.id for run in cells),
    )


def _shares(cells: Sequence[Run], first: str, second: str) -> dict[tuple[float, float], float]:
    """Return the share in the class by the values of two settings, equal trials of several seeds taken together."""
    sums: dict[tuple[float, float], tuple[float, float]] = {}
    for run in cells:
        place = (run.settings[first], run.settings[second])
        in_class, automata = sums.get(place, (0.0, 0.0))
        sums[place] = (in_class + (run.scores["in_class"] or 0.0), automata + (run.scores["automata"] or 0.0))
    return {place: in_class / automata for place, (in_class, automata) in sums.items()}


def _means(cells: Sequence[Run], command: str) -> Table:
    means = _shares(cells, "states", "letters")
    whole = len(means) == 200
    mean = fmean(means.values())
    nearest = min(means, key=lambda place: abs(means[place] - mean))
    ids = tuple(run.id for run in cells)
    verdict = ("agrees" if abs(mean - PUBLISHED_MEAN) <= TOLERANCE else "differs") if whole else ""
    states, letters = PUBLISHED_CLOSEST
    there = means.get(PUBLISHED_CLOSEST)
    return Table(
        title="Figure 6 in numbers",
        columns=("mean share of SL", "cell nearest to the mean", f"share at {states} states, {letters} letters"),
        rows=(
            (
                f"{len(means)} cells",
                (
                    Cell(f"{mean:.2%}", f"{PUBLISHED_MEAN:.2%}", verdict, trials=ids),
                    Cell(
                        f"{nearest[0]} states, {nearest[1]} letters",
                        f"{states} states, {letters} letters",
                        detail=f"there {means[nearest]:.2%}",
                        trials=ids,
                    ),
                    Cell("" if there is None else f"{there:.2%}", trials=ids if there is not None else ()),
                ),
            ),
        ),
        caption=f"The mean agrees when it is within {TOLERANCE:.1%} (percentage points) of the published one. Several "
        "cells are equally near to it, within the error of the draws.",
        source="van der Poel et al. 2024, section 3.4",
        command=command,
    )
