"""Suites of wug's own: the published types, with any number of items from a seed."""

from wug.benchmarks.syntaxgym.own_suites.generation import find_fault, make_suite, own_suites
from wug.benchmarks.syntaxgym.own_suites.grammar import Grammar, english
from wug.benchmarks.syntaxgym.own_suites.template import Template
from wug.benchmarks.syntaxgym.own_suites.templates import templates

__all__ = ["Grammar", "Template", "english", "find_fault", "make_suite", "own_suites", "templates"]
