"""Writes suites as files that ``reading`` reads back: JSON in either dialect, and CSV."""

import csv
import io
import json
from pathlib import Path

from wug.benchmarks.syntaxgym.suites.formulas import Cell, Formula, fold
from wug.benchmarks.syntaxgym.suites.reading import CSV_HEADER
from wug.benchmarks.syntaxgym.suites.suite import Dialect, Suite
from wug.sequences.text import replace_file


def formula_text(formula: Formula, dialect: Dialect) -> str:
    """Return the formula, fully grouped, in a dialect.

    >>> from wug.benchmarks.syntaxgym.suites.formulas import parse_formula
    >>> formula_text(parse_formula("(1;%a%) + 1 < (2;%a%)"), Dialect.BRACKETS)
    '[[(1;%a%) + 1] < (2;%a%)]'
    """
    begin, end = "[]" if dialect is Dialect.BRACKETS else "()"

    def push(operand: Cell | float) -> str:
        return str(operand) if isinstance(operand, Cell) else repr(operand).removesuffix(".0")

    written = fold(formula.program, push, lambda step, left, right: f"{begin}{left} {step.operator} {right}{end}")
    return str(written)


def write_suite(suite: Suite, path: Path, dialect: Dialect = Dialect.PARENTHESES) -> None:
    """Write a suite as CSV where the path ends in ``.csv``, and as JSON otherwise."""
    text = _csv(suite, dialect) if path.suffix == ".csv" else _json(suite, dialect)
    replace_file(path, text.encode())


def _json(suite: Suite, dialect: Dialect) -> str:
    document = {
        "meta": {"name": suite.name, "metric": suite.metric.value, **suite.meta},
        "region_meta": {str(number): name for number, name in enumerate(suite.regions, 1)},
        "predictions": [{"type": "formula", "formula": formula_text(one, dialect)} for one in suite.predictions],
        "items": [
            {
                "item_number": item.number,
                "conditions": [
                    {
                        "condition_name": condition,
                        "regions": [
                            {"region_number": number, "content": content} for number, content in enumerate(contents, 1)
                        ],
                    }
                    for condition, contents in item.conditions.items()
                ],
            }
            for item in suite.items
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _csv(suite: Suite, dialect: Dialect) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("# name", suite.name))
    writer.writerow(("# metric", suite.metric.value))
    for key, value in suite.meta.items():
        writer.writerow((f"# {key}", str(value)))
    for formula in suite.predictions:
        writer.writerow(("# prediction", formula_text(formula, dialect)))
    writer.writerow((*CSV_HEADER, *suite.regions))
    for item in suite.items:
        writer.writerows((item.number, condition, *contents) for condition, contents in item.conditions.items())
    return text.getvalue()
