"""Random automata: what is certain about them, and the published shares of strictly local languages."""

import csv

import numpy as np
import pytest
from automata_worlds import shared_file
from scipy.stats import fisher_exact

from wug.errors import InputError
from wug.languages.automata.random import RandomAutomaton, figure_6, figure_7, heat_map


def test_no_arcs_or_no_accepting_state_leave_next_to_nothing():
    rng = np.random.default_rng(0)
    assert RandomAutomaton(5, 3, accepting_probability=0).draw(rng=rng).n_states == 1
    only_empty_word = RandomAutomaton(5, 3, arc_probability=0, accepting_probability=1).draw(rng=rng)
    assert (only_empty_word.n_states, only_empty_word.accepting.tolist()) == (2, [True, False])
    everything = RandomAutomaton(5, 3, arc_probability=1, accepting_probability=1).draw(rng=rng)
    assert (everything.n_states, everything.accepting.tolist()) == (1, [True])


def test_automata_where_every_state_accepts_need_not_be_trivial():
    # contrary to a remark in section 3.4 of the paper: words without a run are rejected
    assert RandomAutomaton(7, 8, 0.2, 1.0).count_in_class(50, seed=1) == 0


def test_counts_are_a_function_of_the_seed():
    model = RandomAutomaton(4, 2)
    counts = [model.count_in_class(40, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert counts[0] == counts[1]
    assert len(set(counts)) > 1


def test_the_grids_are_the_papers():
    assert len(list(figure_6())) == 200
    assert len(list(figure_7())) == 121
    assert {(model.n_states, model.n_letters) for model in figure_7()} == {(7, 8)}


@pytest.mark.golden
@pytest.mark.parametrize(
    ("model", "share"),
    # shares of 2,000 (figure 6) and 1,000 (figure 7) automata of an independent program
    [
        (RandomAutomaton(2, 4), 0.61),
        (RandomAutomaton(3, 3), 0.52),
        (RandomAutomaton(5, 5), 0.69),
        (RandomAutomaton(7, 8), 0.89),
        (RandomAutomaton(7, 8, 0.4, 0.5), 0.45),
        (RandomAutomaton(7, 8, 0.1, 0.5), 0.02),
    ],
)
def test_shares_of_strictly_local_languages(model, share):
    n_automata = 600
    deviation = np.sqrt(share * (1 - share) * (1 / n_automata + 1 / 1000)) + 0.005  # and rounding to two digits
    assert model.count_in_class(n_automata, seed=5) / n_automata == pytest.approx(share, abs=4 * deviation)


@pytest.mark.golden
@pytest.mark.parametrize("figure", [6, 7])
def test_both_heat_maps_agree_with_the_shared_ones(figure):
    n_automata = 20
    with shared_file(f"random_automata_fig{figure}.csv").open() as file:
        rows = [(int(row["strictly_local"]), int(row["trials"])) for row in csv.DictReader(file)]
    models = list(figure_6() if figure == 6 else figure_7())
    n_cells = len(models)
    counts = heat_map(models, n_automata, seed=figure)["in_class"].to_list()
    # cell by cell, whether both samples can be from one distribution
    probabilities = [
        fisher_exact([[own, n_automata - own], [other, trials - other]]).pvalue
        for own, (other, trials) in zip(counts, rows, strict=True)
    ]
    assert min(probabilities) > 0.001 / n_cells
    shares = np.array([other / trials for other, trials in rows])
    variance = (shares * (1 - shares) * (1 / n_automata + 1 / rows[0][1])).sum() / n_cells**2
    assert np.mean(counts) / n_automata == pytest.approx(shares.mean(), abs=4 * np.sqrt(variance))


def test_cells_do_not_depend_on_the_others():
    models = list(figure_7())[50:56]
    together = heat_map(models, 10, seed=3)
    assert together.columns[:4] == ["n_states", "n_letters", "arc_probability", "accepting_probability"]
    assert heat_map(models[3:4], 10, seed=3).rows() == together[3:4].rows()
    assert together["share"].to_list() == [count / 10 for count in together["in_class"]]


def test_impossible_models_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="at least one state"):
        RandomAutomaton(0, 3).draw(rng=rng)
    with pytest.raises(InputError, match=r"arc probability must be from 0 to 1, not 1\.5"):
        RandomAutomaton(3, 3, 1.5).draw(rng=rng)
    with pytest.raises(InputError, match="unknown class 'SLL'; did you mean 'SL'"):
        RandomAutomaton(3, 3).count_in_class(1, seed=1, class_="SLL")
