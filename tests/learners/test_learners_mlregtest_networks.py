"""MLRegTest's four networks: their size, and training as replicas."""

import numpy as np
import pytest

from wug.errors import TrialError
from wug.languages.subregular import DataSets, RegularLanguage
from wug.learners.protocols import Classification
from wug.learners.registry import build_learner, parse_learner

NETWORKS = ("srn", "gru", "lstm", "transformer")
TABLE_6 = {
    4: (17_090, 13_026, 547_458, 1_091_714),
    16: (17_474, 13_410, 550_530, 1_094_786),
    64: (19_010, 14_946, 562_818, 1_107_074),
}
"""Parameters of the four networks by size of the alphabet (paper, Table 6)."""
SMALL = {"epochs": 2, "width": 8, "dtype": "float64"}


def sample(name, n_strings=96):
    strings = DataSets(RegularLanguage.named(name), seed=1, largest="Small").strings("Train", "Small")
    chosen = np.arange(0, 1000, 1000 // n_strings)[:n_strings]
    corpus = strings.corpus.select(chosen)
    return Classification(corpus.vocabulary, corpus, strings.labels[chosen])


@pytest.fixture(scope="module")
def samples():
    return [sample(name) for name in ("04.04.SL.2.1.0", "04.04.PT.2.1.0", "04.04.Zp.2.1.0")]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("alphabet", TABLE_6)
def test_parameter_counts_are_those_of_table_6(network, alphabet):
    data = sample(f"{alphabet:02}.{alphabet:02}.SL.2.1.0", n_strings=8)
    learner = build_learner(parse_learner(f"mlregtest-{network}", {"epochs": 0}))
    assert learner.fit(data, 1).values.numel() == TABLE_6[alphabet][NETWORKS.index(network)]


@pytest.mark.parametrize("network", NETWORKS)
def test_together_gives_what_alone_gives(network, samples):
    learner = build_learner(parse_learner(f"mlregtest-{network}", SMALL))
    seeds = [1, 2, 3]
    together = learner.fit_together(samples, seeds)
    for data, seed, model in zip(samples, seeds, together, strict=True):
        alone = learner.fit(data, seed)
        np.testing.assert_allclose(model.values.numpy(), alone.values.numpy(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.classify(data.training), alone.classify(data.training), atol=1e-9)


def test_equal_seeds_give_equal_models_and_others_do_not(samples):
    learner = build_learner(parse_learner("mlregtest-gru", SMALL))
    one, again, other = (learner.fit(samples[0], seed).values.numpy() for seed in (1, 1, 2))
    assert (one == again).all()
    assert not np.allclose(one, other)


def test_a_replica_that_diverges_does_not_touch_the_others(samples):
    options = {**SMALL, "optimizer": "sgd", "learning_rate": 1e200, "epochs": 3}
    learner = build_learner(parse_learner("mlregtest-srn", options))
    (failed,) = learner.fit_together(samples[:1], [1])
    assert isinstance(failed, TrialError)
    calm = build_learner(parse_learner("mlregtest-srn", SMALL))
    assert all(not isinstance(model, TrialError) for model in calm.fit_together(samples, [1, 2, 3]))


@pytest.mark.parametrize("network", NETWORKS)
def test_probabilities_do_not_depend_on_company(network, samples):
    model = build_learner(parse_learner(f"mlregtest-{network}", SMALL)).fit(samples[0], 1)
    strings = samples[1].training
    whole = model.classify(strings)
    assert ((whole > 0) & (whole < 1)).all()
    np.testing.assert_allclose(model.classify(strings.select([5, 2])), whole[[5, 2]], rtol=1e-9)


def test_masked_padding_reads_the_string_alone(samples):
    masked = build_learner(parse_learner("mlregtest-gru", {**SMALL, "padding": "masked"})).fit(samples[0], 1)
    read = build_learner(parse_learner("mlregtest-gru", SMALL)).fit(samples[0], 1)
    assert not np.allclose(masked.classify(samples[0].training), read.classify(samples[0].training))
