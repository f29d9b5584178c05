"""The report's section on extracted automata: which class are they in when the language is in class X?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median

import polars as pl

from wug.benchmarks.mlregtest.statistics.factors import LEVELS
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.mlregtest.tasks import TEST_SETS
from wug.benchmarks.protocol import Cell, Results, Section, Table
from wug.languages.automata.classes import smallest_classes
from wug.languages.subregular import LanguageName, RegularLanguage

Memberships = Mapping[str, Mapping[str, bool]]
"""By trial, which of the sixteen classes hold the automaton's language; a trial is missing where nobody can say."""

_COLUMNS = ("languages", "in that class", "smallest classes", "states", "agrees with the model", "is right")

_TEXT = """From each model an automaton was extracted by L\\*: the model is asked about words, and its hypotheses are \
tested on the training strings, on random words and by a conformance test. The smallest of the sixteen classes that \
hold the automaton's language say what the model took the language for."""


def section(runs: Sequence[Run], results: Results) -> Section | None:
    """Return a table per learner; None where no trial extracted an automaton."""
    extracted = [
        run for run in runs if run.scores.get("automaton_states") is not None and run.settings.get("languages") is None
    ]
    if not extracted:
        return None
    memberships = _memberships(results)
    learners = dict.fromkeys(run.learner for run in extracted)
    return Section(
        title="What models have learnt, as automata",
        text=_TEXT,
        blocks=tuple(
            _table(learner, [run for run in extracted if run.learner == learner], memberships, results.command)
            for learner in learners
        ),
    )


def _memberships(results: Results) -> Memberships:
    found: dict[str, dict[str, bool]] = {}
    known = results.scores.filter((pl.col("measure") == "automaton_in") & pl.col("value").is_not_null())
    for trial, item, value in known.select("trial", "item", "value").iter_rows():
        found.setdefault(trial, {})[item] = bool(value)
    return found


def _table(learner: str, runs: Sequence[Run], memberships: Memberships, command: str) -> Table:
    by_class: dict[str, list[Run]] = {}
    for run in runs:
        by_class.setdefault(LanguageName.parse(run.task).class_, []).append(run)
    return Table(
        title=f"Automata extracted from {learner}, by the language's class",
        columns=_COLUMNS,
        rows=tuple(
            (class_, _row(class_, by_class[class_], memberships)) for class_ in LEVELS["class"] if class_ in by_class
        ),
        caption=(
            "'In that class': automata in the language's class. 'Smallest classes': those that hold the automaton's "
            "language and include no other that does, with the number of automata; ? where its syntactic monoid is "
            "too large. States are medians, in brackets the languages'. Agreement with the model and share of strings "
            "that the automaton judges right are means over the four test sets."
        ),
        command=command,
    )


def _row(class_: str, runs: Sequence[Run], memberships: Memberships) -> tuple[Cell, ...]:
    trials = tuple(run.id for run in runs)
    known = [memberships[run.id] for run in runs if run.id in memberships]
    smallest = Counter("+".join(smallest_classes(classes)) for classes in known)
    counts = [f"{classes} {count}" for classes, count in smallest.most_common()]
    if len(known) < len(runs):
        counts.append(f"? {len(runs) - len(known)}")
    states = median(run.scores["automaton_states"] or 0 for run in runs)
    target_states = median(RegularLanguage.named(run.task).dfa.n_states for run in runs)
    return (
        Cell(f"{len({run.task for run in runs})}", trials=trials),
        Cell(f"{sum(classes[class_] for classes in known)} of {len(runs)}"),
        Cell(", ".join(counts)),
        Cell(f"{states:,g} ({target_states:,g})"),
        Cell(_mean(runs, "automaton_agreement")),
        Cell(_mean(runs, "automaton_accuracy")),
    )


def _mean(runs: Sequence[Run], measure: str) -> str:
    values = [run.scores.get(f"{measure}_{of}") for run in runs for of in TEST_SETS]
    return f"{fmean(value for value in values if value is not None):.3f}"
