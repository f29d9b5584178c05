"""Reads suites from files: JSON in both published dialects, and CSV; every defect is named by item and region.

A CSV suite has the lines ``# name,NAME``, ``# metric,sum``, ``# prediction,FORMULA`` (one for each prediction), then a
header ``item_number,condition_name`` with the regions' names, and a row for each condition of each item.
"""

import csv
import io
import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wug.benchmarks.syntaxgym.suites.formulas import Formula, parse_formula
from wug.benchmarks.syntaxgym.suites.suite import Item, Metric, Suite
from wug.errors import InputError, WugWarning

NAME = re.compile(r"[A-Za-z0-9_.-]+")
CONDITION = re.compile(r"[A-Za-z0-9_-]+")
CSV_HEADER = ("item_number", "condition_name")
ENDINGS = (".json", ".csv")


@dataclass
class Findings:
    """What is wrong with a suite without hindering its use."""

    strict: bool = False
    """Whether the first finding is an error."""
    sentences: list[str] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        """Note a finding; raises InputError where reading is strict."""
        if self.strict:
            raise InputError(sentence)
        self.sentences.append(sentence)

    def warn(self, path: Path) -> None:
        """Give one WugWarning where there are findings."""
        if self.sentences:
            more = f" (and {len(self.sentences) - 1} more)" if len(self.sentences) > 1 else ""
            warnings.warn(f"{path}: {self.sentences[0]}{more}", WugWarning, stacklevel=3)


def read_suites(path: Path, *, strict: bool = False) -> list[Suite]:
    """Return the suites of a file, or of all suite files of a folder in order of name.

    What is wrong without hindering their use is one WugWarning, in strict reading an error. Raises InputError where
    there is none, one cannot be read, or two have one name.
    """
    files = sorted(file for file in path.iterdir() if file.suffix in ENDINGS) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path} has no suites (files that end in {' or '.join(ENDINGS)})")
    findings = Findings(strict)
    suites: dict[str, Suite] = {}
    for file in files:
        suite = check_suite(file, findings)
        if suite.name in suites:
            raise InputError(f"{file}: there is another suite with the name '{suite.name}' in {path}")
        suites[suite.name] = suite
    findings.warn(path)
    return list(suites.values())


def read_suite(path: Path, *, strict: bool = False) -> Suite:
    """Return the suite of a file; what is wrong without hindering its use is a WugWarning, in strict reading an error.

    Raises InputError, naming file, item, region or the position in a formula, for a file that is no suite.
    """
    findings = Findings(strict)
    suite = check_suite(path, findings)
    findings.warn(path)
    return suite


def check_suite(path: Path, findings: Findings) -> Suite:
    """Return the suite of a file; what does not hinder its use is added to ``findings``."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start + 1})") from None
    try:
        return (_from_csv if path.suffix == ".csv" else _from_json)(text, findings)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


# --- the two formats --------------------------------------------------------------------------------------------------


def _from_json(text: str, findings: Findings) -> Suite:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError("not a suite: lists within lists without end") from None
    _check_type(document, dict, "the file")
    meta = _member(document, "meta", dict, "the file")
    name, metric = _member(meta, "name", str, "meta"), _member(meta, "metric", str, "meta")
    regions = _region_names(_member(document, "region_meta", dict, "the file"))
    formulas = [
        _formula(entry, index) for index, entry in enumerate(_member(document, "predictions", list, "the file"))
    ]
    items = []
    for place, entry in enumerate(_member(document, "items", list, "the file"), 1):
        _check_type(entry, dict, f"entry {place} of items")
        number = _member(entry, "item_number", int, f"entry {place} of items")
        conditions: list[tuple[str, Sequence[str]]] = []
        for condition in _member(entry, "conditions", list, f"item {number}"):
            _check_type(condition, dict, f"a condition of item {number}")
            condition_name = _member(condition, "condition_name", str, f"a condition of item {number}")
            where = f"item {number}, {condition_name}"
            conditions.append((condition_name, _contents(_member(condition, "regions", list, where), regions, where)))
        items.append((number, conditions))
    others = {key: value for key, value in meta.items() if key not in ("name", "metric")}
    return _suite(name, metric, regions, formulas, items, others, findings)


def _region_names(region_meta: Mapping[str, Any]) -> tuple[str, ...]:
    names = []
    for number in range(1, len(region_meta) + 1):
        if str(number) not in region_meta:
            raise InputError(f"region_meta has no region {number}, though it has {len(region_meta)} regions")
        names.append(str(region_meta[str(number)]))
    return tuple(names)


def _formula(entry: Any, index: int) -> str:
    where = f"prediction {index}"
    _check_type(entry, dict, where)
    kind = _member(entry, "type", str, where)
    if kind != "formula":
        raise InputError(f"{where}: its type must be 'formula', not '{kind}'")
    text: str = _member(entry, "formula", str, where)
    return text


def _contents(entries: Sequence[Any], regions: Sequence[str], where: str) -> list[str]:
    contents: dict[int, str] = {}
    for entry in entries:
        _check_type(entry, dict, f"{where}: a region")
        number = _member(entry, "region_number", int, f"{where}: a region")
        if not 1 <= number <= len(regions):
            raise InputError(f"{where}: region {number} is not one of the {len(regions)} of region_meta")
        if number in contents:
            raise InputError(f"{where}: region {number} is there twice")
        contents[number] = _member(entry, "content", str, f"{where}, region {number}")
    for number, name in enumerate(regions, 1):
        if number not in contents:
            raise InputError(f"{where}: region {number} ({name}) is missing")
    return [contents[number] for number in range(1, len(regions) + 1)]


def _from_csv(text: str, findings: Findings) -> Suite:
    told: dict[str, list[str]] = {}
    header: list[str] | None = None
    items: dict[int, list[tuple[str, Sequence[str]]]] = {}
    reader = csv.reader(io.StringIO(text))
    try:
        for row in reader:
            line = reader.line_num
            if not any(row):
                continue
            if header is None and row[0].startswith("#"):
                filled = [field for field in row[1:] if field]
                told.setdefault(row[0].removeprefix("#").strip(), []).append(",".join(filled))
            elif header is None:
                header = row
                if tuple(header[:2]) != CSV_HEADER or len(header) < 3:
                    raise InputError(f"line {line}: the header must be {','.join(CSV_HEADER)} and the regions' names")
            else:
                if len(row) != len(header):
                    raise InputError(f"line {line}: {len(row)} columns where the header has {len(header)}")
                if not row[0].isdecimal():
                    raise InputError(f"line {line}: item_number must be a number, not '{row[0]}'")
                items.setdefault(int(row[0]), []).append((row[1], row[2:]))
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: {error}") from None
    if header is None:
        raise InputError("the file has no header")
    if len(told.get("name", ())) != 1:
        raise InputError("the file must have one line '# name,NAME'")
    metric = told.get("metric", [Metric.SUM.value])[0]
    others = {key: " ".join(values) for key, values in told.items() if key not in ("name", "metric", "prediction")}
    formulas = told.get("prediction", [])
    return _suite(told["name"][0], metric, tuple(header[2:]), formulas, list(items.items()), others, findings)


# --- what holds in both -----------------------------------------------------------------------------------------------


def _suite(
    name: str,
    metric: str,
    regions: tuple[str, ...],
    formulas: Sequence[str],
    entries: Sequence[tuple[int, Sequence[tuple[str, Sequence[str]]]]],
    meta: Mapping[str, Any],
    findings: Findings,
) -> Suite:
    if not NAME.fullmatch(name):
        raise InputError(f"the suite's name must be of letters, digits, '_', '-' and '.', not '{name}'")
    if metric not in set(Metric):
        raise InputError(f"the metric must be one of {', '.join(Metric)}, not '{metric}'")
    if not entries:
        raise InputError("the suite has no items")
    if not formulas:
        raise InputError("the suite has no predictions")
    items = _items(entries, regions, findings)
    predictions = tuple(
        _prediction(text, index, items[0].conditions, regions, findings) for index, text in enumerate(formulas)
    )
    suite = Suite(name, Metric(metric), regions, predictions, items, meta)
    _check_emptiness(suite, findings)
    return suite


def _items(
    entries: Sequence[tuple[int, Sequence[tuple[str, Sequence[str]]]]], regions: Sequence[str], findings: Findings
) -> tuple[Item, ...]:
    items: dict[int, Item] = {}
    names: set[str] = set()
    for number, conditions in entries:
        if number in items:
            raise InputError(f"item {number} is there twice")
        made: dict[str, tuple[str, ...]] = {}
        for condition, contents in conditions:
            where = f"item {number}, {condition}"
            if not CONDITION.fullmatch(condition):
                raise InputError(f"{where}: a condition's name must be of letters, digits, '_' and '-'")
            if condition in made:
                raise InputError(f"item {number}: condition '{condition}' is there twice")
            made[condition] = tuple(
                _content(text, f"{where}, region {place} ({region})", findings)
                for place, (text, region) in enumerate(zip(contents, regions, strict=True), 1)
            )
            if not any(made[condition]):
                raise InputError(f"{where}: all regions are empty")
        names = names or set(made)
        if set(made) != names or not names:
            missing, extra = sorted(names - set(made)), sorted(set(made) - names)
            wrong = f"lacks condition '{missing[0]}'" if missing else f"has a condition '{extra[0]}'" if extra else ""
            raise InputError(f"item {number} {wrong}, unlike the first item" if wrong else f"item {number} is empty")
        items[number] = Item(number, made)
    return tuple(items.values())


def _content(text: str, where: str, findings: Findings) -> str:
    clean = " ".join(text.split())
    if clean != text:
        kind = "begins or ends with a space" if clean == text.strip() else "has two spaces in a row, or another blank"
        findings.add(f"{where}: '{text}' {kind}")
    return clean


def _prediction(
    text: str, index: int, conditions: Iterable[str], regions: Sequence[str], findings: Findings
) -> Formula:
    try:
        formula = parse_formula(text)
    except InputError as error:
        raise InputError(f"prediction {index}: {error}") from None
    known = list(conditions)
    for cell, position in formula.cell_steps:
        where = f"prediction {index}, position {position}"
        if cell.condition not in known:
            raise InputError(f"{where}: no condition '{cell.condition}'; there are {', '.join(known)}")
        if cell.region > len(regions):
            raise InputError(f"{where}: no region {cell.region}; there are {len(regions)}")
    if formula.mixes_and_or:
        findings.add(f"prediction {index}: & and | bind equally, from left to right; write parentheses")
    return formula


def _check_emptiness(suite: Suite, findings: Findings) -> None:
    """Note cells that a formula of a statistic without a value for empty regions needs, and that are empty."""
    if suite.metric is Metric.SUM:
        return
    for item in suite.items:
        for condition, regions in suite.needed_regions.items():
            for region in sorted(regions):
                if not item.conditions[condition][region - 1]:
                    findings.add(
                        f"item {item.number}, {condition}, region {region}: empty, so it has no {suite.metric.value}"
                    )


def _check_type(value: Any, kind: type, where: str) -> None:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
        raise InputError(f"{where} must be {names[kind]}")


def _member(entry: Mapping[str, Any], key: str, kind: type, where: str) -> Any:
    if key not in entry:
        raise InputError(f"{where} has no '{key}'")
    _check_type(entry[key], kind, f"'{key}' of {where}")
    return entry[key]
