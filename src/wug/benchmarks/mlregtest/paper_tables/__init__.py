"""The paper's tables and figures from observations, side by side with what it prints.

    tables(observations)        every table of its section 6 and what belongs to it
    figures(observations)       Figures 8 to 11, critical-difference diagrams, learning curves

``observations`` is a frame as ``wug.benchmarks.mlregtest.observations`` describes it; that of the original comes from
``all_evals.read_all_evals`` and is compared by ``Rule.REPRINT``.
"""

import polars as pl

from wug.benchmarks.mlregtest.paper_tables.by_class import FIGURES, accuracy_by_class, diagrams
from wug.benchmarks.mlregtest.paper_tables.claims import claims_table
from wug.benchmarks.mlregtest.paper_tables.consistency import consistency_table
from wug.benchmarks.mlregtest.paper_tables.correlations import measures_table, size_table
from wug.benchmarks.mlregtest.paper_tables.curves import learning_curves
from wug.benchmarks.mlregtest.paper_tables.friedman_tests import friedman_table
from wug.benchmarks.mlregtest.paper_tables.gaps import gap_plot, gap_table
from wug.benchmarks.mlregtest.paper_tables.groups import groups_table
from wug.benchmarks.mlregtest.paper_tables.hardest import hardest_diagrams, hardest_table
from wug.benchmarks.mlregtest.paper_tables.learners import learners_table
from wug.benchmarks.mlregtest.paper_tables.means import means_table, two_way_table
from wug.benchmarks.mlregtest.paper_tables.padding import padding_tables
from wug.benchmarks.mlregtest.paper_tables.pairs import complements_table, pairs_table
from wug.benchmarks.mlregtest.paper_tables.sample import Rule, Sample
from wug.benchmarks.mlregtest.statistics.factors import NETWORKS, in_order
from wug.benchmarks.protocol import Figure, Table

__all__ = ["Rule", "figures", "tables"]


def tables(observations: pl.DataFrame, *, rule: Rule = Rule.RERUN, command: str = "") -> list[Table]:
    """Return the paper's Tables 4, 8 to 24 and 26 in order, its Friedman tests, and tables of our own after them.

    The paper's tables take its four networks alone; other learners stand in the tables of all learners, which come
    first where none of the four was run. InputError for a frame whose columns or entries are no observations.
    """
    everything = Sample.of(observations, rule, command)
    paper = everything.of_paper()
    made = [
        measures_table(paper),
        means_table(paper, "train_size"),
        pairs_table(paper, "train_size"),
        complements_table(paper),
        means_table(paper, "test_type"),
        pairs_table(paper, "test_type"),
        two_way_table(paper, "nn_type", "test_type"),
        means_table(paper, "class"),
        groups_table(paper, "logic"),
        means_table(paper, "logic"),
        pairs_table(paper, "logic"),
        groups_table(paper, "order"),
        means_table(paper, "order"),
        pairs_table(paper, "order"),
        means_table(paper, "alph"),
        pairs_table(paper, "alph"),
        means_table(paper, "nn_type"),
        pairs_table(paper, "nn_type"),
        two_way_table(paper, "nn_type", "train_size"),
        size_table(paper),
        pairs_table(paper, "class"),
        friedman_table(paper),
        consistency_table(),
        claims_table(paper),
        gap_table(everything),
    ]
    own = []
    if set(everything.observations["nn_type"]) - set(NETWORKS):
        for size in in_order("train_size", everything.observations["train_size"].to_list()):
            own += [learners_table(everything, factor, size) for factor in ("test_type", "class")]
    if paper.is_empty:
        return own + made
    return [*made, *own, *padding_tables(everything), hardest_table(paper)]


def figures(observations: pl.DataFrame, *, command: str = "") -> list[Figure]:
    """Return Figures 8 to 11, critical-difference diagrams, learning curves, border gaps and the hardest languages.

    Those without values are left out.
    """
    everything = Sample.of(observations, command=command)
    paper = everything.of_paper()
    found = [
        *(accuracy_by_class(paper, number) for number in FIGURES),
        *diagrams(paper),
        learning_curves(everything),
        gap_plot(everything),
        None if paper.is_empty else hardest_diagrams(paper),
    ]
    return [figure for figure in found if figure is not None]
