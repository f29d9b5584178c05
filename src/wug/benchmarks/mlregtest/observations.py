"""Observations: what the statistics are made from, a row per trial and test set.

alph, tier, class, k, j, i      what spells the language; class is text, the others are integers
nn_type                         the learner: srn, gru, lstm and transformer are the paper's four, any other may stand
train_size, test_type           Small, Mid or Large; SR, SA, LR or LA
accuracy                        from 0 to 1
auc, brier, fscore              other measures, empty where they are not defined
trial                           the trial's id, empty where there is none
"""

import polars as pl

from wug.benchmarks.mlregtest.statistics.factors import LANGUAGE, LEVELS
from wug.errors import InputError

SCHEMA: dict[str, pl.DataType] = {
    **{name: pl.String() if name == "class" else pl.Int64() for name in LANGUAGE},
    "nn_type": pl.String(),
    "train_size": pl.String(),
    "test_type": pl.String(),
    "accuracy": pl.Float64(),
    "auc": pl.Float64(),
    "brier": pl.Float64(),
    "fscore": pl.Float64(),
    "trial": pl.String(),
}
MEASURES = ("accuracy", "auc", "brier", "fscore")
OPTIONAL = ("auc", "brier", "fscore", "trial")
"""Columns that may be missing or have empty fields."""


def checked(frame: pl.DataFrame, where: str = "observations") -> pl.DataFrame:
    """Return the frame with the columns of ``SCHEMA`` in order; the optional ones are added where missing.

    InputError, beginning with ``where``, for a missing column, an empty or unknown entry, or a measure out of range.
    """
    missing = [name for name in SCHEMA if name not in frame.columns and name not in OPTIONAL]
    if missing:
        raise InputError(f"{where}: there is no column {' or '.join(missing)}")
    full = frame.with_columns(pl.lit(None).alias(name) for name in OPTIONAL if name not in frame.columns)
    try:
        full = full.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{where}: {str(error).splitlines()[0]}") from None
    for name in SCHEMA:
        if name not in OPTIONAL:
            _refuse(full, pl.col(name).is_null(), name, f"{where}, row {{row}}: {name} is empty")
    for name in ("class", "train_size", "test_type"):
        known = f"{{value!r}} is none of {', '.join(LEVELS[name])}"
        _refuse(full, ~pl.col(name).is_in(LEVELS[name]), name, f"{where}, row {{row}}: {name} {known}")
    alphabets = [int(size) for size in LEVELS["alph"]]
    _refuse(full, ~pl.col("alph").is_in(alphabets), "alph", f"{where}, row {{row}}: alph is 4, 16 or 64, not {{value}}")
    for name in MEASURES:
        outside = ~pl.col(name).is_between(0, 1) | pl.col(name).is_nan()
        _refuse(full, outside, name, f"{where}, row {{row}}: {name} is from 0 to 1, not {{value}}")
    return full


def _refuse(frame: pl.DataFrame, wrong: pl.Expr, name: str, sentence: str) -> None:
    """Raise InputError for the first row that is wrong; rows count from 1."""
    rows = frame.with_row_index("row", offset=1).filter(wrong)
    if len(rows):
        raise InputError(sentence.format(row=rows["row"][0], value=rows[name][0]))
