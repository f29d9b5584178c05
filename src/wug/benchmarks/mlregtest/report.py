"""The report's sections: what was learnt beside the paper's tables and figures, and random automata."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from wug.benchmarks.mlregtest import RANDOM_AUTOMATA, extracted_automata, random_automata, summary
from wug.benchmarks.mlregtest.all_evals import read_all_evals
from wug.benchmarks.mlregtest.observations import SCHEMA
from wug.benchmarks.mlregtest.paper_tables import Rule, figures, tables
from wug.benchmarks.mlregtest.statistics.factors import NETWORKS, TRAINING_STRINGS, in_order
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.mlregtest.tasks import TEST_SETS
from wug.benchmarks.protocol import Cell, ProfileEntry, Results, Section
from wug.benchmarks.reductions import reduced
from wug.languages.subregular import LanguageName

_PAPER_LEARNERS = {f"mlregtest-{network}": network for network in NETWORKS}


def sections(results: Results) -> Sequence[Section]:
    """Return the benchmark's sections for these results."""
    found = summary.runs(results)
    parts = []
    observed = observations(found)
    if len(observed):
        parts += [
            Section(
                title="What was learnt",
                text=f"{_LEARNT_TEXT} {certainty_text(found)}",
                blocks=tuple(figures(observed, command=results.command)),
                reduced=reduced(results, "mlregtest"),
                profile=tuple(_profile(observed)),
            ),
            Section(
                title="The paper's tables", text=_TABLES_TEXT, blocks=tuple(tables(observed, command=results.command))
            ),
        ]
    more = (extracted_automata.section(found, results), random_automata.section(found, results.command))
    return [*parts, *(section for section in more if section is not None)]


def reprint(file: Path) -> Sequence[Section]:
    """Return tables and figures made from the original's results, which agree with the paper by its own digits."""
    observed = read_all_evals(file)
    return [
        Section("What was learnt", _LEARNT_TEXT, tuple(figures(observed))),
        Section("The paper's tables", _REPRINT_TEXT, tuple(tables(observed, rule=Rule.REPRINT))),
    ]


_LEARNT_TEXT = """Accuracy on strings that were not seen in training: short and long random ones (SR, LR), and border \
pairs (SA, LA), a string of the language beside one outside it that is a single edit away. Half of every set is in the \
language, so guessing gives one half."""

_SHOWN_ACCURACY = 0.8


def certainty_text(runs: Sequence[Run]) -> str:
    """Return, for each size of the test sets, how well it determines one model's accuracy on one set."""
    sizes = in_order("train_size", (run.settings["test_size"] for run in runs if "test_size" in run.settings))
    known = []
    for size in sizes:
        n = TRAINING_STRINGS[size]
        points = 196 * math.sqrt(_SHOWN_ACCURACY * (1 - _SHOWN_ACCURACY) / n)
        known.append(f"{n:,} strings ({size}) within {points:.2f} points")
    return f"One model's accuracy of {_SHOWN_ACCURACY:.0%} on one test set is known from {', from '.join(known)} (95%)."


_TABLES_TEXT = """Every table of the paper's section 6, made from the trials at hand by the paper's own methods, \
beside what it prints. A cell of the design is the mean over languages of one class, alphabet, training size, network \
and test set; Friedman's test and Nemenyi's comparisons rank the levels of a factor within all that else is equal."""


_REPRINT_TEXT = """Every table of the paper's section 6, made from its authors' own results by the paper's methods, \
beside what it prints: a cell agrees when all printed digits do."""


def observations(runs: Sequence[Run]) -> pl.DataFrame:
    """Return a row per trial and test set, for languages of MLRegTest; see ``wug.benchmarks.mlregtest.observations``.

    The paper's classifiers with its hyperparameters go by the paper's names, every other learner by its own.
    """
    rows = []
    for run in runs:
        if run.task == RANDOM_AUTOMATA or run.settings.get("languages") is not None:
            continue
        name = LanguageName.parse(run.task)
        for of in TEST_SETS:
            if run.scores.get(f"accuracy_{of}") is None:
                continue
            rows.append(
                {
                    "alph": name.alphabet_size,
                    "tier": name.tier_size,
                    "class": name.class_,
                    "k": name.k,
                    "j": name.j,
                    "i": name.i,
                    "nn_type": _PAPER_LEARNERS.get(run.learner, run.learner),
                    "train_size": run.settings["train_size"],
                    "test_type": str(of),
                    "accuracy": run.scores[f"accuracy_{of}"],
                    "auc": run.scores.get(f"auc_{of}"),
                    "brier": run.scores.get(f"brier_{of}"),
                    "fscore": run.scores.get(f"f_score_{of}"),
                    "trial": run.id,
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _profile(observed: pl.DataFrame) -> Iterator[ProfileEntry]:
    """Yield each learner's mean accuracy on random strings and on border pairs."""
    own_names = {network: name for name, network in _PAPER_LEARNERS.items()}
    kinds = {"accuracy, random strings": ("SR", "LR"), "accuracy, border pairs": ("SA", "LA")}
    for measure, sets in kinds.items():
        chosen = observed.filter(pl.col("test_type").is_in(sets))
        for (learner,), rows in chosen.group_by("nn_type", maintain_order=True):
            mean = float(rows["accuracy"].to_numpy().mean())
            languages = rows.select("alph", "tier", "class", "k", "j", "i").n_unique()
            cell = Cell(
                measured=f"{mean:.3f}",
                detail=f"{languages:,} language{'s' if languages > 1 else ''}",
                trials=tuple(rows["trial"].unique(maintain_order=True)),
            )
            yield ProfileEntry(own_names.get(str(learner), str(learner)), measure, mean, cell)
