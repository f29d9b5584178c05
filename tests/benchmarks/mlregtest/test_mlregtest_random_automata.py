"""Figures 6 and 7 of the paper, as trials."""

import pytest

from wug.benchmarks.mlregtest import random_automata
from wug.benchmarks.mlregtest.benchmark import BENCHMARK
from wug.benchmarks.mlregtest.summary import Run
from wug.benchmarks.protocol import Heatmap, Table
from wug.learners.registry import build_learner, parse_learner
from wug.studies.expansion import plan_study
from wug.studies.study import Scale, find_study


def share(settings, seed=1):
    resolved = BENCHMARK.resolve("random-automata", settings)
    task = BENCHMARK.build("random-automata", resolved, seed)
    model = build_learner(parse_learner("oracle")).fit(task.data, seed)
    scores = {score.measure: score.value for score in BENCHMARK.judge(task, model, resolved)}
    assert scores["share"] == scores["in_class"] / scores["automata"]
    return scores["share"]


def test_one_state_without_arcs_is_always_strictly_local():
    assert share({"states": 1, "letters": 2, "automata": 50}) == 1


@pytest.mark.parametrize(("states", "letters", "replicated"), [(2, 6, 0.45), (3, 4, 0.33), (7, 8, 0.89), (12, 5, 1.0)])
def test_cells_agree_with_a_replication_of_the_paper(states, letters, replicated):
    """Shares of 2,000 machines by an independent program, with the error of 400 machines here (four deviations)."""
    measured = share({"states": states, "letters": letters, "automata": 400})
    assert abs(measured - replicated) <= 4 * max(replicated * (1 - replicated), 0.01) ** 0.5 / 400**0.5 + 0.01


def test_equal_seeds_draw_equal_automata():
    settings = {"states": 3, "letters": 3, "automata": 60}
    assert share(settings) == share(settings)
    assert len({share(settings, seed) for seed in range(1, 6)}) > 1


def test_another_class_can_be_counted():
    assert share({"states": 3, "letters": 2, "automata": 30, "membership": "Reg"}) == 1


def test_each_distribution_of_the_study_is_a_training_of_its_own():
    plan = plan_study(find_study("mlregtest/random-automata"), Scale.SMOKE)
    assert len({trial.training_key for trial in plan.trials}) == 320  # one cell is in both figures
    paper = plan_study(find_study("mlregtest/random-automata"), Scale.PAPER).trials
    assert len(paper) == 321
    assert {trial.settings["automata"] for trial in paper} == {1_000, 10_000}


def cell(states, letters, in_class, automata=10, arcs=0.5):
    settings = {"states": states, "letters": letters, "arcs": arcs, "accepting": 0.5, "automata": automata}
    scores = {"automata": automata, "in_class": in_class, "share": in_class / automata}
    return Run(f"{states}-{letters}-{arcs}-{in_class}", "random-automata", "oracle", 1, settings, scores)


def test_the_section_pools_seeds_and_marks_what_was_not_run():
    cells = [cell(1, 1, 10), cell(1, 2, 5), cell(1, 2, 1, automata=2), cell(2, 1, 0)]
    figure, table = random_automata.section(cells, "wug run x").blocks
    assert isinstance(figure, Heatmap)
    assert figure.values[0] == (1.0, 6 / 12)
    assert figure.values[1][0] == 0
    assert figure.values[1][1] != figure.values[1][1]
    assert isinstance(table, Table)
    assert table.rows[0][1][0].verdict == ""  # no verdict on a part of the figure


def test_a_whole_figure_gets_a_verdict():
    cells = [cell(states, letters, 8757, 10_000) for states in range(1, 21) for letters in range(1, 11)]
    table = random_automata.section(cells, "").blocks[1]
    assert table.rows[0][1][0].verdict == "agrees"
    assert table.rows[0][1][0].measured == "87.57%"


def test_figure_7_needs_several_arc_probabilities():
    cells = [cell(7, 8, 5, arcs=arcs) for arcs in (0.1, 0.2)]
    (figure,) = random_automata.section(cells, "").blocks
    assert figure.y_names == ("0.1", "0.2")
    assert random_automata.section([], "") is None
