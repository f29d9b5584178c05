"""Data sets as files, and the judging of answers that somebody else's system gave for their test strings."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from wug.benchmarks.mlregtest.judge import overall, set_scores
from wug.benchmarks.mlregtest.settings import DataSource, Size
from wug.benchmarks.mlregtest.tasks import TEST_SETS, LanguageJudging, find_language
from wug.benchmarks.protocol import Score
from wug.benchmarks.validation import validate_settings
from wug.errors import InputError
from wug.languages.subregular import SIZES, Format, OnShortage, Order, Plan, language_names, write_data_sets
from wug.languages.subregular.pattern_files import read_pattern_file

ALL = "all"
"""In the place of a language's name: all languages, or all of a class."""


class DataOptions(DataSource):
    """Options of ``wug data mlregtest``."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    class_: str = Field("", description="only languages of this class")
    size: Size | None = Field(None, description="Small, Mid or Large; all three unless given")
    format: Format = Field(Format.TXT, description="txt or parquet")
    order: Order = Field(Order.SORTED, description="sorted or shuffled")
    strings: int | None = Field(None, ge=1, description="strings per set, in place of the three sizes")
    short_lengths: str = Field("20-29", description="lengths of Train, Dev, SR and SA: 8-12 or 8,10,12")
    long_lengths: str = Field("31-50", description="lengths of LR and LA")
    on_shortage: OnShortage = Field(OnShortage.ERROR, description="with too few strings: error, or take all")

    @property
    def plan(self) -> Plan:
        """Sizes, lengths and rules of the sets; InputError for lengths that cannot be read."""
        return Plan(
            sizes=SIZES if self.strings is None else {str(self.strings): self.strings},
            short_lengths=_lengths(self.short_lengths),
            long_lengths=_lengths(self.long_lengths),
            weighting=self.weighting,
            on_shortage=self.on_shortage,
        )


def _lengths(text: str) -> tuple[int, ...]:
    """Return ascending lengths written as ``8-12``, ``8,10,12`` or both.

    >>> _lengths("8-10,20")
    (8, 9, 10, 20)
    """
    lengths: set[int] = set()
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise InputError(f"lengths are written as 8-12 or 8,10,12, not '{text}'")
        lengths.update(range(int(first), int(last or first) + 1))
    return tuple(sorted(lengths))


def data_options(given: Mapping[str, Any]) -> DataOptions:
    """Return the options as they were written on the command line, where ``class`` is no keyword."""
    renamed = {"class_" if name == "class" else name: value for name, value in given.items()}
    return validate_settings(DataOptions, renamed, "wug data mlregtest")


def languages_meant(task: str, options: DataOptions) -> Sequence[str]:
    """Return the names of the languages that a name, or 'all' with a class, means."""
    if task and task != ALL:
        if options.class_:
            raise InputError(f"name a language or a class, not both ('{task}' and class {options.class_})")
        find_language(task, options)
        return [task]
    if options.languages is not None:
        if options.class_:
            raise InputError("the languages of a file have no class to choose by")
        return list(read_pattern_file(options.languages.path()))
    if not task and not options.class_:
        raise InputError("name a language, for example 16.07.TLTT.4.2.3, a class with --class, or 'all'")
    return language_names(options.class_ or None)


def write_data(task: str, options: DataOptions, seed: int, folder: Path) -> Iterable[Path]:
    """Write the six sets of a language in one size or all three."""
    if options.strings is not None and options.size is not None:
        raise InputError(f"name a size or a number of strings, not both ({options.size} and {options.strings})")
    return write_data_sets(
        [find_language(task, options)],
        folder,
        seed=seed,
        sizes=None if options.size is None else [options.size],
        plan=options.plan,
        file_format=options.format,
        order=options.order,
    )


def score_file(judging: LanguageJudging, file: Path) -> list[Score]:
    """Return the scores of answers in a file, for those test sets of which it answers every string.

    The file is a table with the columns ``string`` and either ``probability`` (of being in the language) or ``label``
    (TRUE or FALSE): Parquet, CSV, or tab-separated, without a heading too. A string that is in several sets is answered
    once. InputError where a string is answered twice in different ways, where an answer cannot be read, and where no
    set is answered whole.
    """
    answers = _read(file)
    scores: list[Score] = []
    missing: dict[str, str] = {}
    for of in TEST_SETS:
        strings = judging.test(of)
        words = [strings.corpus.text(i) for i in range(len(strings.corpus))]
        unanswered = next((word for word in words if word not in answers), None)
        if unanswered is not None:
            missing[of] = unanswered
            continue
        probabilities: NDArray[np.float64] = np.array([answers[word] for word in words])
        scores += set_scores(of, strings, probabilities, scores)
    if not scores:
        of, word = next(iter(missing.items()))
        raise InputError(
            f"{file} answers no test set of size {judging.test_size} whole; of {of}, '{word}' is missing "
            "(write the strings with 'wug data mlregtest', and name their size with --set test_size=...)"
        )
    notes = [
        Score(f"accuracy_{of}", None, note=f"not answered: '{word}' is missing in {file.name}")
        for of, word in missing.items()
    ]
    return [overall(scores), *scores, *notes]


_LABELS = {"true": 1.0, "false": 0.0}


def _read(file: Path) -> dict[str, float]:
    """Return the probability given to each string."""
    frame = _table(file)
    name = next((column for column in ("probability", "label") if column in frame.columns), None)
    if "string" not in frame.columns or name is None:
        raise InputError(
            f"{file}: the columns must be 'string' and 'probability' or 'label', not {', '.join(frame.columns)}"
        )
    answers: dict[str, float] = {}
    for row, (string, value) in enumerate(frame.select("string", name).iter_rows(), 1):
        word = "" if string is None else str(string)
        probability = _probability(value, name, f"{file}, row {row} ('{word}')")
        if answers.setdefault(word, probability) != probability:
            raise InputError(f"{file}, row {row}: '{word}' is answered twice, with different answers")
    return answers


def _table(file: Path) -> pl.DataFrame:
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    try:
        if file.suffix == ".parquet":
            return pl.read_parquet(file)
        separator = "," if file.suffix == ".csv" else "\t"
        frame = pl.read_csv(file, separator=separator, infer_schema=False, quote_char=None, has_header=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    first = [str(value) for value in frame.row(0)] if len(frame) else []
    if "string" in first:
        return frame[1:].rename(dict(zip(frame.columns, first, strict=True)))
    if len(frame.columns) != 2:
        raise InputError(f"{file}: a file without a heading has two columns, string and answer, not {len(first)}")
    is_label = set(frame[:, 1].drop_nulls().str.to_lowercase()) <= set(_LABELS)
    return frame.rename(dict(zip(frame.columns, ("string", "label" if is_label else "probability"), strict=True)))


def _probability(value: Any, name: str, where: str) -> float:
    if name == "label":
        label = _LABELS.get(str(value).lower())
        if label is None:
            raise InputError(f"{where}: a label is TRUE or FALSE, not {value!r}")
        return label
    try:
        probability = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {value!r} is no probability") from None
    if not 0 <= probability <= 1:
        raise InputError(f"{where}: a probability is from 0 to 1, not {value}")
    return probability
