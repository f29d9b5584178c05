"""Scores: from surprisals to outcomes, and from outcomes to what is reported."""

from wug.benchmarks.syntaxgym.scores.groups import CIRCUITS, MODIFIER_PAIRS, SUITE_NAMES, SuiteSet, circuit_of
from wug.benchmarks.syntaxgym.scores.measures import contrasts, scores_of
from wug.benchmarks.syntaxgym.scores.outcomes import ItemOutcome, SuiteOutcome, evaluate_suite

__all__ = [
    "CIRCUITS",
    "MODIFIER_PAIRS",
    "SUITE_NAMES",
    "ItemOutcome",
    "SuiteOutcome",
    "SuiteSet",
    "circuit_of",
    "contrasts",
    "evaluate_suite",
    "scores_of",
]
