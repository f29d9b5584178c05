"""The report's section on extracted automata: which class are they in when the language is in class X?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import polars as pl

from wug.benchmarks.mlregtest.statistics.factors import LEVELS
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.mlregtest.tasks import TEST_SETS
from wug.benchmarks.protocol import Cell, Results, Section, Table
from wug.languages.automata.classes import smallest_classes
from wug.languages.subregular import LanguageName, RegularLanguage

_COLUMNS = ("languages", "in that class", "smallest classes", "states", "agrees with the model", "is right")

_TEXT = """From each model an automaton was extracted by L\\*: the model is asked about words, and its hypotheses are \
tested on the training strings, on random words and by a conformance test. On strings unlike those in training, \
shorter ones above all, a network may follow no simple rule, and an automaton that answers these as well is large. The \
coarse automaton is the first hypothesis that answers 99 % of Train and Dev as the model does. The smallest of the \
sixteen classes that hold an automaton's language say what kind of pattern it is."""

_CAPTION = """'In that class': automata in the language's class. 'Smallest classes': those that hold the automaton's \
language and include no other that does, with the number of automata; ? where its syntactic monoid is too large. \
States are medians, in brackets the languages'. Agreement with the model and share of strings that the automaton \
judges right are means over the four test sets."""


@dataclass(frozen=True)
class _Kind:
    """Which of a model's automata."""

    prefix: str
    """Of its measures."""
    title: str


_KINDS = (
    _Kind("coarse_automaton", "Coarse automata extracted from {}"),
    _Kind("automaton", "Automata extracted from {}"),
)

_Memberships = Mapping[str, Mapping[str, bool]]
"""By trial, which of the sixteen classes hold the automaton's language; a trial is missing where nobody can say."""


def section(runs: Sequence[Run], results: Results) -> Section | None:
    """Return two tables per learner; None where no trial extracted an automaton."""
    extracted = [run for run in runs if "automaton_states" in run.scores and run.settings.get("languages") is None]
    if not extracted:
        return None
    return Section(
        title="What models have learnt, as automata",
        text=_TEXT,
        blocks=tuple(_tables(extracted, results)),
    )


def _tables(runs: Sequence[Run], results: Results) -> Iterator[Table]:
    for kind in _KINDS:
        memberships = _memberships(results, kind)
        for learner in dict.fromkeys(run.learner for run in runs):
            own = [run for run in runs if run.learner == learner and f"{kind.prefix}_states" in run.scores]
            if own:
                yield _table(kind, learner, own, memberships, results.command)


def _memberships(results: Results, kind: _Kind) -> _Memberships:
    found: dict[str, dict[str, bool]] = {}
    known = results.scores.filter((pl.col("measure") == f"{kind.prefix}_in") & pl.col("value").is_not_null())
    for trial, item, value in known.select("trial", "item", "value").iter_rows():
        found.setdefault(trial, {})[item] = bool(value)
    return found


def _table(kind: _Kind, learner: str, runs: Sequence[Run], memberships: _Memberships, command: str) -> Table:
    by_class: dict[str, list[Run]] = {}
    for run in runs:
        by_class.setdefault(LanguageName.parse(run.task).class_, []).append(run)
    return Table(
        title=f"{kind.title.format(learner)}, by the language's class",
        columns=_COLUMNS,
        rows=tuple(
            (class_, _row(kind, class_, by_class[class_], memberships))
            for class_ in LEVELS["class"]
            if class_ in by_class
        ),
        caption=_CAPTION,
        command=command,
    )


def _row(kind: _Kind, class_: str, runs: Sequence[Run], memberships: _Memberships) -> tuple[Cell, ...]:
    known = [memberships[run.id] for run in runs if run.id in memberships]
    smallest = Counter("+".join(smallest_classes(classes)) for classes in known)
    counts = [f"{classes} {count}" for classes, count in smallest.most_common()]
    if len(known) < len(runs):
        counts.append(f"? {len(runs) - len(known)}")
    states = median(run.scores[f"{kind.prefix}_states"] or 0 for run in runs)
    target_states = median(RegularLanguage.named(run.task).dfa.n_states for run in runs)
    return (
        Cell(f"{len({run.task for run in runs})}", trials=tuple(run.id for run in runs)),
        Cell(f"{sum(classes[class_] for classes in known)} of {len(runs)}"),
        Cell(", ".join(counts)),
        Cell(f"{states:,g} ({target_states:,g})"),
        Cell(_mean(runs, f"{kind.prefix}_agreement")),
        Cell(_mean(runs, f"{kind.prefix}_accuracy")),
    )


def _mean(runs: Sequence[Run], measure: str) -> str:
    values = [run.scores.get(f"{measure}_{of}") for run in runs for of in TEST_SETS]
    return f"{fmean(value for value in values if value is not None):.3f}"
