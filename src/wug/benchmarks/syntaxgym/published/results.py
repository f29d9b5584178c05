"""The per-item results and perplexities that the authors of the paper published.

Source: github.com/cpllab/syntactic-generalization, folder ``data/raw`` (MIT): ``sg_results/syntaxgym_results_*.csv``
with the columns model, suite, item, correct (model is NAME_CORPUS_SEED), and ``perplexity.csv``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from wug.benchmarks.syntaxgym.scores import SUITE_NAMES
from wug.errors import InputError

ADDRESS = "github.com/cpllab/syntactic-generalization (folder data/raw)"
FOLDERS = (".", "sg_results", "raw", "data/raw/sg_results", "raw/sg_results")
"""Where the result files may lie in the folder that is given."""
CORRECTIONS = "gpt2_repro_branch"
"""Folder with the GPT-2 results of the branch gpt-2-repro of the same repository."""

MODELS = {
    "vanilla": "LSTM",
    "ordered-neurons": "ON-LSTM",
    "rnng": "RNNG",
    "gpt-2": "GPT-2",
    "ngram": "n-gram",
    "ngram-no-rand": "n-gram without random tie-breaking",
    "1gram": "1-gram",
    "gpt-2-pretrained": "GPT-2 (pretrained)",
    "gpt-2-xl-pretrained": "GPT-2-XL (pretrained)",
    "transformer-xl": "Transformer-XL (pretrained)",
    "jrnn": "JRNN (pretrained)",
    "grnn": "GRNN (pretrained)",
}
"""Names of the files, and what the paper calls them."""
CONTROLLED = ("GPT-2", "n-gram", "ON-LSTM", "RNNG", "LSTM")
"""Trained by the authors on all four corpora, in the order of the files' names; the first is the reference."""
SIZES = {"xs": 1.0, "sm": 4.8, "md": 14.0, "lg": 42.0}
"""Millions of words in each corpus."""


@dataclass(frozen=True)
class PublishedResults:
    """What the files say."""

    accuracies: pl.DataFrame
    """model, size ('' without corpus), seed, suite, n_items, n_correct; n-grams after the vote of their seeds."""
    perplexities: pl.DataFrame
    """model, size, seed, perplexity; without rows where the file is not there."""

    def without(self, model: str, sizes: Iterable[str]) -> pl.DataFrame:
        """Return the accuracies without a model's at some sizes."""
        return self.accuracies.filter(~((pl.col("model") == model) & pl.col("size").is_in(list(sizes))))


def read_results(folder: Path) -> PublishedResults:
    """Return the published results in a folder; InputError where there are none, or a file is not one of them."""
    files = _result_files(folder)
    accuracies = _accuracies(_rows(files))
    places = (files[0].parent / "perplexity.csv", files[0].parent.parent / "perplexity.csv")
    perplexities = next((_perplexities(place) for place in places if place.exists()), _no_perplexities())
    return PublishedResults(accuracies, perplexities)


def read_corrections(folder: Path, original: PublishedResults) -> PublishedResults | None:
    """Return the results with the controlled GPT-2 of MD and LG as re-run after publication; None without the files."""
    corrections = folder / CORRECTIONS
    if not corrections.is_dir():
        return None
    found = read_results(corrections)
    known = original.accuracies.select("model", "size", "seed").unique()
    new = found.accuracies.join(known, on=["model", "size", "seed"], how="anti")
    new_perplexities = found.perplexities.join(
        new.select("model", "size", "seed").unique(), on=["model", "size", "seed"], how="semi"
    )
    kept = original.without("GPT-2", new["size"].unique().to_list())
    return PublishedResults(pl.concat([kept, new]), new_perplexities)


def _result_files(folder: Path) -> list[Path]:
    for place in FOLDERS:
        files = sorted(
            file for ending in ("csv", "csv.gz") for file in (folder / place).glob(f"syntaxgym_results_*.{ending}")
        )
        files = [file for file in files if "random" not in file.name]
        if files:
            return files
    raise InputError(f"{folder} has no files syntaxgym_results_*.csv; they are published at {ADDRESS}")


def _rows(files: Iterable[Path]) -> pl.DataFrame:
    frames = []
    for file in files:
        try:
            frame = pl.read_csv(file, infer_schema=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"{file} cannot be read as a table: {reason}") from None
        missing = [name for name in ("model", "suite", "item", "correct") if name not in frame.columns]
        if missing:
            raise InputError(f"{file} has no column '{missing[0]}'")
        wrong = frame.filter(~pl.col("correct").is_in(["True", "False"]))
        if len(wrong):
            raise InputError(f"{file}: correct must be True or False, not '{wrong['correct'][0]}'")
        strange = sorted(set(frame["suite"]) - set(SUITE_NAMES))
        if strange:
            raise InputError(f"{file}: there is no suite '{strange[0]}'")
        frames.append(frame.select("model", "suite", "item", pl.col("correct") == "True"))
    return pl.concat(frames)


def _accuracies(rows: pl.DataFrame) -> pl.DataFrame:
    parts = pl.col("model").str.extract_groups(r"^(?<name>.+)_(?<corpus>[^_]*)_(?<seed>\d+)$").alias("parts")
    named = rows.with_columns(parts).unnest("parts")
    unnamed = named.filter(pl.col("name").is_null() | ~pl.col("name").is_in(list(MODELS)))
    if len(unnamed):
        raise InputError(f"the model '{unnamed['model'][0]}' of the results is none of the paper's")
    tidy = named.select(
        pl.col("name").replace_strict(MODELS).alias("model"),
        _size(pl.col("corpus")).alias("size"),
        pl.col("seed").cast(pl.Int64),
        "suite",
        "item",
        "correct",
    )
    voted = (
        tidy.filter(pl.col("model") == "n-gram")
        .group_by("model", "size", "suite", "item")
        .agg(pl.lit(0, dtype=pl.Int64).alias("seed"), (pl.col("correct").mean() > 0.5).alias("correct"))
        .select(tidy.columns)
    )
    return (
        pl.concat([tidy.filter(pl.col("model") != "n-gram"), voted])
        .group_by("model", "size", "seed", "suite")
        .agg(pl.len().cast(pl.Int64).alias("n_items"), pl.col("correct").sum().cast(pl.Int64).alias("n_correct"))
        .sort("model", "size", "seed", "suite")
    )


def _size(corpus: pl.Expr) -> pl.Expr:
    return corpus.str.extract(r"^bllip-(xs|sm|md|lg)(?:-gptbpe)?$").fill_null("")


def _no_perplexities() -> pl.DataFrame:
    return pl.DataFrame(
        schema={"model": pl.String, "size": pl.String, "seed": pl.Int64, "perplexity": pl.Float64},
    )


def _perplexities(file: Path) -> pl.DataFrame:
    try:
        frame = pl.read_csv(file, infer_schema=False, comment_prefix="#")
        return (
            frame.filter(pl.col("model").is_in(list(MODELS)))
            .filter((pl.col("model") != "gpt-2") | pl.col("corpus").str.ends_with("-gptbpe"))
            .filter((pl.col("model") == "gpt-2") | ~pl.col("corpus").str.contains("bpe"))
            .select(
                pl.col("model").replace_strict(MODELS),
                _size(pl.col("corpus")).alias("size"),
                pl.col("seed").cast(pl.Int64),
                pl.col("test_ppl").cast(pl.Float64).alias("perplexity"),
            )
        )
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{file} cannot be read as the table of perplexities: {reason}") from None
