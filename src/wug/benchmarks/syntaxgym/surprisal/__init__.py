"""Surprisals: policies, alignment of tokens to regions, files, and the models that give them."""

from wug.benchmarks.syntaxgym.surprisal.alignment import (
    RegionSurprisals,
    attach_punctuation,
    check_tiling,
    region_surprisals,
)
from wug.benchmarks.syntaxgym.surprisal.files import Key, read_surprisals, write_surprisals
from wug.benchmarks.syntaxgym.surprisal.policies import (
    DECLARED_START,
    NO_START,
    Policies,
    Punctuation,
    WordBoundary,
)
from wug.benchmarks.syntaxgym.surprisal.word_models import WordScorer

__all__ = [
    "DECLARED_START",
    "NO_START",
    "Key",
    "Policies",
    "Punctuation",
    "RegionSurprisals",
    "WordBoundary",
    "WordScorer",
    "attach_punctuation",
    "check_tiling",
    "read_surprisals",
    "region_surprisals",
    "write_surprisals",
]
