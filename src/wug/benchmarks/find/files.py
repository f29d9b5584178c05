"""A task as files to fill in, and the judging of what somebody else's system wrote into them."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from wug.benchmarks.find.judge import FindJudging, Verdict, judged_answers, lengths_over_seeds, scores_over_seeds
from wug.benchmarks.find.measures import Answer, CodeLengths, blocks_of
from wug.benchmarks.find.tasks import Symbols, shown, symbols_of
from wug.benchmarks.protocol import Score
from wug.contents import Content
from wug.errors import InputError
from wug.sequences.text import replace_file

UNANSWERED = "?"
"""Stands in the files where an answer belongs."""
PREDICTIONS = ("seed", "source", "output")
NATS = ("seed", "rule", "block", "source", "nats")
_TRUTHS = {"true": True, "false": False}


# --- writing ----------------------------------------------------------------------------------------------------------


def write_data(judging: FindJudging, settings: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write training pairs, the rules' outputs and the two files to fill in; return their paths.

    Symbols stand between blanks, columns between tabs.
    """
    task = judging.task
    folder.mkdir(parents=True, exist_ok=True)
    asked = list(dict.fromkeys([*task.probes, *task.hold_out]))
    tables: dict[str, tuple[Sequence[str], Iterable[Sequence[Any]]]] = {
        "train.tsv": (("source", "target"), ((_written(p.source), _written(p.target)) for p in task.training)),
        "rules.tsv": (
            ("rule", "source", "output"),
            ((rule, _written(x), _written(task.answers(rule)[x])) for rule in task.rules for x in asked),
        ),
        "predictions.tsv": (
            PREDICTIONS,
            ((seed, _written(x), UNANSWERED) for seed in judging.seeds for x in task.probes),
        ),
    }
    if judging.measured:
        tables["nats.tsv"] = (NATS, _nats_rows(judging))
    paths = []
    for name, (columns, rows) in tables.items():
        lines = ["\t".join(map(str, row)) for row in (columns, *rows)]
        replace_file(folder / name, ("\n".join(lines) + "\n").encode())
        paths.append(folder / name)
    about = {
        "benchmark": "find",
        "task": task.name,
        "settings": settings,
        "training_pairs": len(task.training),
        "probes": len(task.probes),
        "held_out": len(task.hold_out),
        "rules": list(task.rules),
        "source_classes": judging.encoding.source.size,
        "target_classes": judging.encoding.target.size,
        "predictions.tsv": "output: the greedy answer to the source, symbols between blanks, after training on "
        "train.tsv with the seed; a column 'terminated' (TRUE, FALSE) may say whether it ended by itself",
        "nats.tsv": "nats: minus the natural logarithm of the probability of the rule's output (rules.tsv) with its "
        "end symbol, under the model trained with the seed on train.tsv and the rule's outputs for all blocks before",
    }
    written = json.dumps(about, indent=2, ensure_ascii=False, default=_content_as_hash)
    replace_file(folder / "task.json", f"{written}\n".encode())
    return [*paths, folder / "task.json"]


def _content_as_hash(value: Content) -> dict[str, str]:
    return {"sha256": value.sha256}


def _nats_rows(judging: FindJudging) -> Iterable[Sequence[Any]]:
    for seed in judging.seeds:
        blocks = blocks_of(judging.task.hold_out, judging.options.block_size, seed)
        for rule in judging.measured:
            for number, block in enumerate(blocks, 1):
                for source in block:
                    yield seed, rule, number, _written(source), UNANSWERED


def _written(symbols: Symbols) -> str:
    return " ".join(symbols)


# --- reading ----------------------------------------------------------------------------------------------------------


def score_file(judging: FindJudging, file: Path) -> list[Score]:
    """Return the scores of a file of outputs (FPA, kinds of answers) or of nats (description lengths).

    InputError names the row where something is missing, doubled or unreadable.
    """
    frame = _read(file)
    if set(NATS) <= set(frame.columns):
        return list(lengths_over_seeds(_lengths(judging, frame, file)))
    if set(PREDICTIONS) <= set(frame.columns):
        return scores_over_seeds(judging, _verdicts(judging, frame, file))
    raise InputError(
        f"{file}: the columns must be {', '.join(PREDICTIONS)} (answers) or {', '.join(NATS)} (code lengths), "
        f"not {', '.join(frame.columns)}"
    )


def _read(file: Path) -> pl.DataFrame:
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    try:
        if file.suffix == ".parquet":
            return pl.read_parquet(file).cast(pl.String)
        separator = "," if file.suffix == ".csv" else "\t"
        quote = '"' if file.suffix == ".csv" else None
        return pl.read_csv(file, separator=separator, infer_schema=False, quote_char=quote)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None


def _verdicts(judging: FindJudging, frame: pl.DataFrame, file: Path) -> list[Verdict]:
    answers: dict[int, dict[Symbols, Answer]] = {}
    probes = set(judging.task.probes)
    for number, row in enumerate(frame.iter_rows(named=True), 2):
        where = f"{file}, line {number}"
        seed, source = _seed(row["seed"], where), symbols_of(row["source"] or "")
        if source not in probes:
            raise InputError(f"{where}: '{shown(source)}' is no probe of {judging.task.name} with these settings")
        if row["output"] == UNANSWERED:
            raise InputError(f"{where}: seed {seed} has no answer to '{shown(source)}'")
        of_seed = answers.setdefault(seed, {})
        if source in of_seed:
            raise InputError(f"{where}: seed {seed} answers '{shown(source)}' twice")
        of_seed[source] = Answer(symbols_of(row["output"] or ""), _terminated(row.get("terminated"), where))
    if not answers:
        raise InputError(f"{file} holds no answer")
    for seed, of_seed in answers.items():
        missing = next((source for source in judging.task.probes if source not in of_seed), None)
        if missing is not None:
            raise InputError(f"{file}: seed {seed} has no answer to '{shown(missing)}'")
    return [judged_answers(judging, seed, of_seed, {}) for seed, of_seed in answers.items()]


def _lengths(judging: FindJudging, frame: pl.DataFrame, file: Path) -> dict[int, dict[str, CodeLengths]]:
    found: dict[tuple[int, str], dict[tuple[int, Symbols], float]] = {}
    for number, row in enumerate(frame.iter_rows(named=True), 2):
        where = f"{file}, line {number}"
        seed, rule, source = _seed(row["seed"], where), row["rule"], symbols_of(row["source"] or "")
        if rule not in judging.measured:
            raise InputError(f"{where}: the rule '{rule}' is none of {', '.join(judging.measured) or 'those measured'}")
        try:
            place = int(row["block"]), source
        except (TypeError, ValueError):
            raise InputError(f"{where}: a block is a number, not {row['block']!r}") from None
        of_rule = found.setdefault((seed, rule), {})
        if place in of_rule:
            raise InputError(f"{where}: '{shown(source)}' comes twice for seed {seed}, rule {rule}")
        of_rule[place] = _nats(row["nats"], f"{where} ('{shown(source)}')")
    if not found:
        raise InputError(f"{file} holds no code length")
    seeds = list(dict.fromkeys(seed for seed, _ in found))
    rules = list(dict.fromkeys(rule for _, rule in found))
    return {
        seed: {rule: _code(judging, seed, rule, found.get((seed, rule), {}), file) for rule in rules} for seed in seeds
    }


def _code(
    judging: FindJudging, seed: int, rule: str, given: Mapping[tuple[int, Symbols], float], file: Path
) -> CodeLengths:
    """Return one rule's code lengths under one seed, whose blocks must be those that ``write_data`` writes."""
    blocks = tuple(blocks_of(judging.task.hold_out, judging.options.block_size, seed))
    wanted = [(number, source) for number, block in enumerate(blocks, 1) for source in block]
    for number, source in wanted:
        if (number, source) not in given:
            raise InputError(
                f"{file}: for seed {seed}, rule {rule}, there is no '{shown(source)}' in block {number}; all rules are "
                "compared in the seed's own order, which 'wug data find' writes"
            )
    extra = next((place for place in given if place not in set(wanted)), None)
    if extra is not None:
        raise InputError(f"{file}: seed {seed}, rule {rule}: '{shown(extra[1])}' does not belong in block {extra[0]}")
    values = iter([given[place] for place in wanted])
    return CodeLengths(blocks, tuple(tuple(next(values) for _ in block) for block in blocks))


def _seed(value: Any, where: str) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise InputError(f"{where}: a seed is a whole number, not {value!r}") from None


def _terminated(value: Any, where: str) -> bool:
    if value is None or value == "":
        return True
    if str(value).lower() not in _TRUTHS:
        raise InputError(f"{where}: 'terminated' is TRUE or FALSE, not {value!r}")
    return _TRUTHS[str(value).lower()]


def _nats(value: Any, where: str) -> float:
    if value == UNANSWERED:
        raise InputError(f"{where}: there is no number of nats yet")
    try:
        nats = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {value!r} is no number of nats") from None
    if math.isnan(nats) or nats < 0:
        raise InputError(f"{where}: nats are minus a log probability, from 0 up, not {value}")
    return nats
