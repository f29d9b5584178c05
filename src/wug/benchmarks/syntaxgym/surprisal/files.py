"""Surprisals made elsewhere: a table with a row for each token of each sentence.

Columns ``suite, item, condition, start, end, token, surprisal_bits``: ``start`` and ``end`` are offsets of the token in
the sentence, in characters. Rows of a sentence stand in the order of its tokens. A start symbol has offsets 0 and 0;
an end symbol twice the length of the sentence.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from wug.benchmarks.syntaxgym.suites import Suite
from wug.errors import InputError
from wug.learners.protocols import ScoredText

COLUMNS = {
    "suite": pl.String,
    "item": pl.Int64,
    "condition": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
    "token": pl.String,
    "surprisal_bits": pl.Float64,
}
Key = tuple[str, int, str]
"""(suite, item, condition)."""


def read_surprisals(file: Path, suites: Sequence[Suite]) -> dict[Key, ScoredText]:
    """Return the tokens of each sentence of the suites that the file has.

    Raises InputError for a file that is not such a table, has none of the suites, or lacks a sentence of one of them.
    """
    table = _table(file)
    known = {suite.name for suite in suites}
    table = table.filter(pl.col("suite").is_in(sorted(known)))
    present = set(table["suite"])
    if not present:
        raise InputError(f"{file} has none of the suites {', '.join(sorted(known)[:5])} ...")
    scored = {
        (str(suite), int(item), str(condition)): ScoredText(
            tuple(rows["token"].to_list()),
            rows["start"].to_numpy().astype(np.int64),
            rows["end"].to_numpy().astype(np.int64),
            rows["surprisal_bits"].to_numpy().astype(np.float64),
        )
        for (suite, item, condition), rows in table.group_by("suite", "item", "condition", maintain_order=True)
    }
    for suite in suites:
        if suite.name not in present:
            continue
        for item, condition, _ in suite.sentences():
            if (suite.name, item.number, condition) not in scored:
                raise InputError(f"{file} has no tokens of suite {suite.name}, item {item.number}, {condition}")
    return scored


def write_surprisals(scored: Mapping[Key, ScoredText], file: Path) -> None:
    """Write such a table, separated by tabs; tabs and line ends in tokens are written ``\\t`` and ``\\n``."""
    rows = [
        (*key, start, stop, token.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r"), bits)
        for key, text in scored.items()
        for token, start, stop, bits in zip(
            text.tokens, text.starts.tolist(), text.stops.tolist(), text.bits.tolist(), strict=True
        )
    ]
    pl.DataFrame(rows, schema=COLUMNS, orient="row").write_csv(file, separator="\t", quote_style="never")


def _table(file: Path) -> pl.DataFrame:
    try:
        if file.suffix == ".parquet":
            table = pl.read_parquet(file)
        else:
            separator = "," if file.suffix == ".csv" else "\t"
            quote = '"' if file.suffix == ".csv" else None
            table = pl.read_csv(file, separator=separator, quote_char=quote, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{file} cannot be read as a table: {reason}") from None
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise InputError(f"{file} has no column '{missing[0]}'; its columns must be {', '.join(COLUMNS)}")
    columns = []
    for name, kind in COLUMNS.items():
        column = (table[name].fill_null("") if name == "token" else table[name]).cast(kind, strict=False)
        if column.null_count():
            row = int(column.is_null().arg_max() or 0)
            raise InputError(f"{file}, row {row + 1}: '{table[name][row]}' cannot be {name}")
        columns.append(column)
    return pl.DataFrame(columns)
