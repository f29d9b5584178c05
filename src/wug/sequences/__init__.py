"""Ragged integer sequences, vocabularies and prefix trees."""

from wug.sequences.corpus import Corpus
from wug.sequences.prefix_tree import PrefixNodes, PrefixTree
from wug.sequences.vocabulary import Vocabulary

__all__ = ["Corpus", "PrefixNodes", "PrefixTree", "Vocabulary"]
