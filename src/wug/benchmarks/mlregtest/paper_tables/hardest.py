"""The languages that were learnt worst."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from wug.benchmarks.mlregtest.paper_tables.correlations import with_sizes
from wug.benchmarks.mlregtest.paper_tables.printing import difference, mean
from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.statistics.factors import LEVELS, WITHIN
from wug.benchmarks.protocol import Cell, StateDiagram, StateDiagrams, Table
from wug.languages.automata.facts import live_states
from wug.languages.subregular import RegularLanguage

_SHOWN = 20
_LARGEST_DRAWN = 8
_DRAWN = 6
_LETTERS_NAMED = 4


def hardest_table(sample: Sample, n_languages: int = _SHOWN) -> Table:
    """Return the languages farthest below what the same networks reach at the same sizes on the same kinds of set.

    Judged so, a language that only a weak network was trained on is not hard for that.
    """
    return Table(
        title="The hardest languages",
        columns=("definition", "below the mean", "accuracy", *LEVELS["test_type"]),
        rows=tuple(
            (
                row["name"],
                (
                    _definition(row["name"], row["states"], row["monoid"]),
                    Cell(difference(row["below"]), trials=tuple(row["trials"])),
                    *(
                        Cell("" if row[name] is None else mean(row[name]))
                        for name in ("accuracy", *LEVELS["test_type"])
                    ),
                ),
            )
            for row in _hardest(sample).head(n_languages).iter_rows(named=True)
        ),
        caption=(
            f"{sample.part} Sorted by how far accuracy is below the mean of the same network, size of training and "
            "kind of test set."
        ),
        command=sample.command,
    )


def hardest_diagrams(sample: Sample) -> StateDiagrams | None:
    """Return pictures of the hardest languages that are small enough to be drawn; None without any."""
    hardest = _hardest(sample).head(_SHOWN)
    small = hardest.filter(pl.col("states") <= _LARGEST_DRAWN + 1)
    diagrams = [
        _diagram(row["name"], f"{row['name']} ({mean(row['accuracy'])})") for row in small.iter_rows(named=True)
    ]
    drawn = [diagram for diagram in diagrams if len(diagram.accepting) <= _LARGEST_DRAWN][:_DRAWN]
    if not drawn:
        return None
    return StateDiagrams(
        title="What the hardest languages are",
        name="mlregtest-hardest",
        diagrams=tuple(drawn),
        alt="State diagrams of languages that were learnt worst.",
        caption=(
            f"Of the {len(hardest)} hardest languages those with at most {_LARGEST_DRAWN} states, with their mean "
            "accuracy. A state from which no string is accepted is left out, with the arcs that lead to it; "
            "Σ stands for all letters."
        ),
        command=sample.command,
    )


def _hardest(sample: Sample) -> pl.DataFrame:
    """Return a row per language, the hardest first."""
    rows = sample.rows.with_columns(below=pl.col("accuracy") - pl.col("accuracy").mean().over(WITHIN))
    return (
        with_sizes(rows)
        .group_by("name", "states", "monoid")
        .agg(
            pl.col("below").mean(),
            pl.col("accuracy").mean(),
            pl.col("trials").explode().drop_nulls().unique().sort(),
            *(
                pl.col("accuracy").filter(pl.col("test_type") == test).mean().alias(test)
                for test in LEVELS["test_type"]
            ),
        )
        .sort(pl.col("below").round(9), "name")
    )


def _diagram(name: str, title: str) -> StateDiagram:
    dfa = RegularLanguage.named(name).dfa
    live = live_states(dfa)
    states = [dfa.start, *(int(state) for state in np.flatnonzero(live) if state != dfa.start)]
    place = {state: number for number, state in enumerate(states)}
    arcs = []
    for source in states:
        for target in states:
            letters = [letter for letter, to in zip(dfa.alphabet, dfa.transitions[source], strict=True) if to == target]
            if letters:
                arcs.append((place[source], place[target], _shown(letters, dfa.alphabet)))
    return StateDiagram(title, tuple(bool(dfa.accepting[state]) for state in states), tuple(arcs))


def _shown(letters: Sequence[str], alphabet: Sequence[str]) -> str:
    """Return letters, or those that are missing where these are fewer."""
    missing = [letter for letter in alphabet if letter not in letters]
    if not missing:
        return "Σ"
    if len(letters) <= _LETTERS_NAMED:
        return " ".join(letters)
    return f"Σ − {' '.join(missing)}" if len(missing) <= _LETTERS_NAMED else f"{len(letters)} letters"


def _definition(name: str, states: int, monoid: int) -> Cell:
    return Cell(f"{states:,} states, monoid {monoid:,}", detail=str(RegularLanguage.named(name).formula))
