import numpy as np
import polars as pl
import pytest

from wug.languages.subregular import factors_frame

NETWORKS = ("srn", "gru", "lstm", "transformer")
SIZES = ("Small", "Mid", "Large")
TESTS = ("SR", "SA", "LR", "LA")


def made_up_observations(rng, networks=NETWORKS, sizes=SIZES, tests=TESTS, languages=None) -> pl.DataFrame:
    """Accuracies with an effect of every factor and noise, rounded as on sets of 10,000 strings."""
    names = factors_frame(languages).rename({"alphabet_size": "alph", "tier_size": "tier"}).drop("complement_of")
    grid = names.join(pl.DataFrame({"nn_type": networks}), how="cross")
    grid = grid.join(pl.DataFrame({"train_size": sizes}), how="cross")
    grid = grid.with_columns(trial=pl.concat_str("name", "nn_type", "train_size", separator="/"))
    grid = grid.join(pl.DataFrame({"test_type": tests}), how="cross").drop("name")
    effects = (
        {"4": -0.02, "16": 0.0, "64": 0.01},
        {"srn": -0.05, "gru": 0.08, "lstm": 0.0, "transformer": 0.0},
        {"Small": -0.08, "Mid": 0.0, "Large": 0.03},
        {"SR": 0.1, "LR": 0.06, "SA": -0.05, "LA": -0.1},
        {"Zp": -0.07, "Reg": -0.06, "SF": 0.04},
    )
    columns = ("alph", "nn_type", "train_size", "test_type", "class")
    accuracy = sum(
        pl.col(column).cast(pl.String).replace_strict(effect, default=0.0, return_dtype=pl.Float64)
        for column, effect in zip(columns, effects, strict=True)
    )
    noise = pl.Series("noise", rng.normal(0.82, 0.06, len(grid)))
    accuracy = (accuracy + noise).clip(0.3, 1.0).round(4)
    return grid.with_columns(accuracy=accuracy).with_columns(
        auc=pl.col("accuracy") ** 0.5, brier=1 - pl.col("accuracy"), fscore=pl.col("accuracy") ** 2
    )


@pytest.fixture(scope="session")
def observations():
    """All 86,400 observations of the paper's design, with made-up accuracies."""
    return made_up_observations(np.random.default_rng(4))


@pytest.fixture(scope="session")
def make_observations():
    """Makes observations of a part of the design."""
    return made_up_observations
