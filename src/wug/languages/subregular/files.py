"""Data sets as files: MLRegTest's text format or Parquet, with a manifest per language."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import wug
from wug.errors import InputError, unknown_name
from wug.languages.subregular._line_kernels import write_lines
from wug.languages.subregular.datasets import DataSets, LabelledStrings, Order
from wug.languages.subregular.languages import RegularLanguage
from wug.languages.subregular.names import LanguageName
from wug.languages.subregular.plan import Plan, Set
from wug.sequences.text import replace_file

MANIFESTS = "manifests"
"""Folder of the manifests; inside it, one folder per size."""


class Format(StrEnum):
    """How a set is written."""

    TXT = "txt"
    """Lines ``word TAB TRUE|FALSE`` in UTF-8, as MLRegTest publishes them."""
    PARQUET = "parquet"
    """Columns ``string``, ``label`` and ``pair`` (number of the border pair, null where there is none)."""


def file_name(language: str, of: Set, file_format: Format | str = Format.TXT) -> str:
    """Return a set's file name: ``<language>_Train.txt``, ``_Dev``, ``_TestSR``, ``_TestLR``, ``_TestSA``, ``_TestLA``.

    >>> file_name("04.04.SL.2.1.0", Set.SR)
    '04.04.SL.2.1.0_TestSR.txt'
    """
    tag = of if of in (Set.TRAIN, Set.DEV) else f"Test{of}"
    return f"{language}_{tag}.{file_format}"


def write_data_sets(
    languages: Iterable[RegularLanguage | str],
    folder: Path,
    *,
    seed: int,
    sizes: Sequence[str] | None = None,
    plan: Plan | None = None,
    file_format: Format | str = Format.TXT,
    order: Order | str = Order.SORTED,
    progress: Callable[[str], None] | None = None,
) -> list[Path]:
    """Write the six sets of each language into a folder per size, with a manifest per size; return the files written.

    ``languages`` are languages or names of MLRegTest's. ``sizes`` defaults to all sizes of the plan, the paper's unless
    another is given. ``progress`` is called with a language's name when its files are there. Wrong names are refused
    before anything is written. A file is replaced whole, so a crash leaves the old one or the new one;
    the manifest of a size, with the hashes of its files, is written last.
    """
    plan = plan or Plan()
    wanted = _checked_sizes(plan, sizes)
    if file_format not in list(Format):
        raise unknown_name("format", file_format, Format)
    if order not in list(Order):
        raise unknown_name("order", order, Order)
    chosen = list(languages)
    for given in chosen:
        _check_language(given)
    for size in wanted:
        (folder / size).mkdir(parents=True, exist_ok=True)
        (folder / MANIFESTS / size).mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for given in chosen:
        language = RegularLanguage.named(given) if isinstance(given, str) else given
        sets = DataSets(language, seed, plan, largest=wanted[-1])
        written += _write_language(sets, wanted, folder, Format(file_format), Order(order))
        if progress:
            progress(language.name)
    return written


def _checked_sizes(plan: Plan, sizes: Sequence[str] | None) -> list[str]:
    """Return the sizes asked for in the plan's order."""
    plan.check()
    names = list(plan.sizes) if sizes is None else list(sizes)
    for name in names:
        plan.upto(name)
    if not names:
        raise InputError("no size is asked for; there are: " + ", ".join(plan.sizes))
    return [name for name in plan.sizes if name in names]


def _check_language(given: RegularLanguage | str) -> None:
    if isinstance(given, str):
        LanguageName.parse(given)
    elif Path(given.name).name != given.name:
        raise InputError(f"a language's name becomes part of file names, which '{given.name}' cannot be")


def _write_language(sets: DataSets, sizes: list[str], folder: Path, file_format: Format, order: Order) -> list[Path]:
    written = []
    for size in sizes:
        records = {}
        for of in Set:
            strings = sets.strings(of, size, order)
            content = text_lines(strings) if file_format is Format.TXT else parquet_bytes(strings)
            path = folder / size / file_name(sets.language.name, of, file_format)
            replace_file(path, content)
            written.append(path)
            records[str(of)] = {"file": path.name} | describe(strings, content)
        path = folder / MANIFESTS / size / f"{sets.language.name}.json"
        replace_file(path, _manifest(sets, size, order, records).encode())
        written.append(path)
    return written


def text_lines(strings: LabelledStrings) -> bytes:
    """Return one line ``word TAB TRUE|FALSE`` per string; letters of several characters have blanks between them."""
    vocabulary = strings.corpus.vocabulary
    symbol_bytes, symbol_ends = _joined(vocabulary.symbols)
    endings, ending_ends = _joined(["\tFALSE\n", "\tTRUE\n"])
    separator = np.frombuffer(vocabulary.separator.encode(), dtype=np.uint8)
    corpus = strings.corpus
    return write_lines(
        corpus.tokens, corpus.offsets, strings.labels, symbol_bytes, symbol_ends, separator, endings, ending_ends
    ).tobytes()


def parquet_bytes(strings: LabelledStrings) -> bytes:
    """Return a Parquet file with the columns string, label and pair."""
    import polars as pl

    is_paired = strings.pairs >= 0
    words = pl.Series("string", [text_lines(strings).decode()[:-1]]).str.split("\n").explode()
    frame = pl.DataFrame(
        {
            "string": words.str.replace("\t.*$", "").head(len(strings.labels)),
            "label": strings.labels,
            "pair": pl.Series(strings.pairs).set(pl.Series(~is_paired), None),
        }
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def describe(strings: LabelledStrings, content: bytes) -> dict[str, Any]:
    """Return what a manifest says of a file: its hash, its counts, and for border pairs their edits."""
    lengths, labels = strings.corpus.lengths, strings.labels
    record: dict[str, Any] = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "strings": len(labels),
        "lengths": {text: _tally(lengths[labels == label]) for label, text in ((True, "TRUE"), (False, "FALSE"))},
    }
    if (strings.pairs >= 0).any():
        record["border_pairs"] = _pair_statistics(strings)
    return record


def _pair_statistics(strings: LabelledStrings) -> dict[str, Any]:
    """Return how often each edit leads from the TRUE to the FALSE word, and how much longer that makes FALSE words."""
    order = np.lexsort((strings.labels, strings.pairs))
    lengths = strings.corpus.lengths[order].reshape(-1, 2)
    longer = lengths[:, 0] - lengths[:, 1]
    edits = {"substitution": int((longer == 0).sum()), "deletion": int((longer < 0).sum())}
    edits["insertion"] = int((longer > 0).sum())
    return {"pairs": len(longer), "edits": edits, "mean_length_false_minus_true": float(longer.sum()) / len(longer)}


def _manifest(sets: DataSets, size: str, order: Order, records: dict[str, Any]) -> str:
    """Return the manifest of a language's sets of one size: JSON, with a line per entry."""
    language, plan = sets.language, sets.plan
    shortages = [
        {
            "sets": [str(of) for of in shortage.sets],
            "length": shortage.length,
            "label": sets.label(shortage.accepted),
            "requested": shortage.requested,
            "available": shortage.available,
        }
        for shortage in sets.shortages
        if shortage.size == size
    ]
    entries = {
        "language": language.name,
        "sha256": language.sha256,
        "complement_of": language.complement_of.name if language.complement_of else None,
        "alphabet": list(language.alphabet),
        "size": size,
        "seed": sets.seed,
        "sizes": {name: plan.sizes[name] for name in plan.upto(size)},
        "short_lengths": list(plan.short_lengths),
        "long_lengths": list(plan.long_lengths),
        "weighting": str(plan.weighting),
        "on_shortage": str(plan.on_shortage),
        "order": str(order),
        "wug": wug.__version__,
        "shortages": shortages,
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entries.items()]
    sets_lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in records.items()]
    lines.append(' "sets": {\n' + ",\n".join(sets_lines) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _tally(lengths: NDArray[np.int64]) -> dict[str, int]:
    return {str(length): n for length, n in sorted(Counter(lengths.tolist()).items())}


def _joined(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends
