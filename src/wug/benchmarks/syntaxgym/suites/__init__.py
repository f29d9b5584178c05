"""Suites: the data model, the formula language, files, and chance levels."""

from wug.benchmarks.syntaxgym.suites.chance import Chance, chance
from wug.benchmarks.syntaxgym.suites.formulas import Cell, Comparison, Evaluation, Formula, parse_formula
from wug.benchmarks.syntaxgym.suites.reading import Findings, check_suite, read_suite, read_suites
from wug.benchmarks.syntaxgym.suites.suite import Dialect, Item, Metric, Sentence, Suite
from wug.benchmarks.syntaxgym.suites.writing import formula_text, write_suite

__all__ = [
    "Cell",
    "Chance",
    "Comparison",
    "Dialect",
    "Evaluation",
    "Findings",
    "Formula",
    "Item",
    "Metric",
    "Sentence",
    "Suite",
    "chance",
    "check_suite",
    "formula_text",
    "parse_formula",
    "read_suite",
    "read_suites",
    "write_suite",
]
