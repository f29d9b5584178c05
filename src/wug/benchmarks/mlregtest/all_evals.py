"""Reads the results of the original, ``analysis/all_evals.csv`` of github.com/heinz-jeffrey/subregular-learning."""

from pathlib import Path

import polars as pl

from wug.benchmarks.mlregtest.observations import SCHEMA, checked
from wug.benchmarks.mlregtest.statistics.factors import NETWORKS
from wug.errors import InputError

_RENAMED = {"network_type": "nn_type", "train_set_size": "train_size"}
_NETWORKS = {"simple": "srn"} | {name: name for name in NETWORKS if name != "srn"}
_MODEL = ("direction", "drop")
"""What sets two models of one language, network and size apart beside the factors."""
_MISSING = ["", "NA", "nan", "NaN", "None"]


def read_all_evals(path: Path) -> pl.DataFrame:
    """Return the file's rows as observations (see ``observations``), without trials.

    The networks simple, gru, lstm and transformer become srn, gru, lstm and transformer; columns that the statistics do
    not use are passed over. InputError, naming the row, for a file that is not one of these.
    """
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    try:
        frame = pl.read_csv(path, infer_schema=False, null_values=_MISSING)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None
    needed = [name for name in (*_original_names(), *_MODEL) if name not in frame.columns]
    if needed:
        raise InputError(f"{path}: an all_evals.csv has a column {needed[0]}, which is missing here")
    _refuse_repeated(frame, path)
    known = pl.col("network_type").is_in(list(_NETWORKS)).fill_null(False)
    unknown = frame.with_row_index("row", offset=1).filter(~known)
    if len(unknown):
        row, network = unknown["row"][0], unknown["network_type"][0]
        raise InputError(f"{path}, row {row}: network_type {network!r} is none of {', '.join(_NETWORKS)}")
    _refuse_words(frame, path)
    named = frame.rename(_RENAMED).with_columns(pl.col("nn_type").replace_strict(_NETWORKS))
    return checked(named.drop("trial", strict=False), str(path))


def _original_names() -> list[str]:
    new = {ours: theirs for theirs, ours in _RENAMED.items()}
    return [new.get(name, name) for name in SCHEMA if name != "trial"]


def _refuse_repeated(frame: pl.DataFrame, path: Path) -> None:
    keys = [name for name in _original_names() if name not in ("accuracy", "auc", "brier", "fscore")]
    rows = frame.with_row_index("row", offset=1)
    repeated = rows.filter(~pl.struct(*keys, *_MODEL).is_first_distinct())
    if len(repeated):
        key = repeated.select(*keys, *_MODEL).row(0, named=True)
        same = [pl.col(name).eq_missing(pl.lit(value)) for name, value in key.items()]
        raise InputError(
            f"{path}: row {repeated['row'][0]} is of the same model and test as row {rows.filter(same)['row'][0]}"
        )


def _refuse_words(frame: pl.DataFrame, path: Path) -> None:
    """Refuse what should be a number and is none, so that the row can be named."""
    numbers = {name: kind for name, kind in SCHEMA.items() if kind.is_numeric()}
    for name, kind in numbers.items():
        read = frame.with_row_index("row", offset=1).with_columns(value=pl.col(name).cast(kind, strict=False))
        wrong = read.filter(pl.col("value").is_null() & pl.col(name).is_not_null())
        if len(wrong):
            raise InputError(f"{path}, row {wrong['row'][0]}: {name} is a number, not {wrong[name][0]!r}")
