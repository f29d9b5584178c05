"""Strings to answer, and next-symbol probabilities that other people's systems gave for them."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.bliss import judge
from wug.benchmarks.bliss.settings import BlissSettings
from wug.benchmarks.protocol import Score, Task
from wug.errors import InputError
from wug.learners.protocols import Coverage
from wug.sequences import Corpus

_ROWS = 1 << 18
_SUM_TOLERANCE = 1e-4


def write_data(task: str, settings: BlissSettings, built: Task, folder: Path) -> list[Path]:
    """Write ``train.txt`` and ``test.txt`` (one string a line between ``#``) and ``task.json``; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    judging = built.judging
    paths = [folder / "train.txt", folder / "test.txt", folder / "task.json"]
    judging.training.write_text(paths[0])
    judging.test.corpus.write_text(paths[1])
    vocabulary = judging.training.vocabulary
    about = {
        "benchmark": "bliss",
        "task": task,
        "language": judging.language.language.name,
        "settings": settings.model_dump(mode="json"),
        "symbols": list(vocabulary.symbols),
        "training_strings": len(judging.training),
        "test_strings": len(judging.test.corpus),
        "answer": (
            "for string i of test.txt (from 0) and step t (0 after the first #, then after each symbol, the last one "
            "predicts the final #) the probability of each symbol: Parquet with the columns string, step and one for "
            "each symbol; or .npz with an array 'probabilities' (all steps of string 0, then of string 1, ...; symbols)"
        ),
    }
    paths[2].write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    return paths


def score_file(settings: BlissSettings, judging: Any, file: Path) -> list[Score]:
    """Return the scores of next-symbol probabilities for every step of every test string.

    Raises InputError where the file does not give each step once, or gives no distribution.
    """
    if not file.exists():
        raise InputError(f"{file} does not exist")
    corpus: Corpus = judging.test.corpus
    language = judging.language
    if file.suffix == ".npz":
        blocks = _npz_blocks(file, corpus)
    elif file.suffix == ".parquet":
        blocks = _parquet_blocks(file, corpus)
    else:
        raise InputError(f"{file}: next-symbol probabilities are read from .parquet or .npz, not '{file.suffix}'")
    tally = judge.new_tally(language, corpus, settings)
    first_row = 0
    for probabilities in blocks:
        _check_rows(probabilities, first_row, corpus, file)
        strings, steps = _places(corpus, np.arange(first_row, first_row + len(probabilities)))
        with np.errstate(divide="ignore"):
            tally.observe(strings, steps, steps + 1, np.log(probabilities))
        first_row += len(probabilities)
    coverage = Coverage(strings=len(corpus), operations=0.0)
    return judge.list_scores(language, tally, coverage, settings) + judge.baseline_scores(language, corpus, settings)


def _places(corpus: Corpus, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (string, step) of rows that count all steps of string 0, then of string 1, ..."""
    starts = corpus.offsets[:-1] + np.arange(len(corpus))
    strings = np.searchsorted(starts, rows, side="right") - 1
    return strings, rows - starts[strings]


def _n_rows(corpus: Corpus) -> int:
    return corpus.n_symbols + len(corpus)


def _check_rows(probabilities: NDArray[np.float64], first_row: int, corpus: Corpus, file: Path) -> None:
    with np.errstate(invalid="ignore"):
        good = (np.abs(probabilities.sum(axis=1) - 1) <= _SUM_TOLERANCE) & (probabilities >= 0).all(axis=1)
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        strings, steps = _places(corpus, np.array([first_row + row]))
        shown = ", ".join(f"{value:g}" for value in probabilities[row])
        raise InputError(
            f"{file}: string {strings[0]}, step {steps[0]}: ({shown}) is no distribution; "
            "probabilities must be from 0 to 1 and sum to 1"
        )


def _npz_blocks(file: Path, corpus: Corpus) -> Iterator[NDArray[np.float64]]:
    try:
        with np.load(file, allow_pickle=False) as archive:
            if "probabilities" not in archive:
                raise InputError(
                    f"{file}: there is no array 'probabilities', only {', '.join(archive.files) or 'none'}"
                )
            probabilities = archive["probabilities"]
    except (ValueError, zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{file} cannot be read as .npz: {error}") from None
    expected = (_n_rows(corpus), corpus.vocabulary.size)
    if probabilities.shape != expected:
        symbols = " ".join(corpus.vocabulary.symbols)
        raise InputError(
            f"{file}: 'probabilities' must have the shape {expected} "
            f"(all steps of all test strings; the symbols {symbols}), not {probabilities.shape}"
        )
    for first in range(0, len(probabilities), _ROWS):
        yield probabilities[first : first + _ROWS].astype(np.float64)


def _parquet_blocks(file: Path, corpus: Corpus) -> Iterator[NDArray[np.float64]]:
    import polars as pl

    symbols = list(corpus.vocabulary.symbols)
    try:
        frame = pl.read_parquet(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{file} cannot be read as Parquet: {error}") from None
    missing = [column for column in ("string", "step", *symbols) if column not in frame.columns]
    if missing:
        raise InputError(f"{file}: the column '{missing[0]}' is missing; needed: string, step, {', '.join(symbols)}")
    try:
        frame = frame.select(
            pl.col("string", "step").cast(pl.Int64, strict=True), pl.col(symbols).cast(pl.Float64, strict=True)
        ).sort("string", "step")
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{file}: {str(error).splitlines()[0]}") from None
    strings, steps = _places(corpus, np.arange(_n_rows(corpus)))
    given = frame.select("string", "step").to_numpy()
    wanted = np.stack([strings, steps], axis=1)
    shared = min(len(given), len(wanted))
    different = np.flatnonzero((given[:shared] != wanted[:shared]).any(axis=1))
    if len(different) or len(given) != len(wanted):
        row = int(different[0]) if len(different) else shared
        if row < len(wanted):
            place = f"string {wanted[row][0]}, step {wanted[row][1]} is expected here"
            found = f"string {given[row][0]}, step {given[row][1]} is given" if row < len(given) else "the file ends"
        else:
            place, found = "the file should end here", f"string {given[row][0]}, step {given[row][1]} is given"
        raise InputError(f"{file}: in order of string and step, {place}, but {found}; each step must be given once")
    values = frame.select(symbols).to_numpy()
    for first in range(0, len(values), _ROWS):
        yield np.asarray(values[first : first + _ROWS], dtype=np.float64)
