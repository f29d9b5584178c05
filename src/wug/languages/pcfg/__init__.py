"""Probabilistic context-free grammars."""

from wug.languages.pcfg.ambiguity import Ambiguity, Verdict
from wug.languages.pcfg.grammar import Grammar
from wug.languages.pcfg.language import PCFG, EntropyEstimate
from wug.languages.pcfg.reading import read_grammar

__all__ = ["PCFG", "Ambiguity", "EntropyEstimate", "Grammar", "Verdict", "read_grammar"]
