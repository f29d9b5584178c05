"""Which subregular classes a regular language belongs to, decided on its minimal DFA and syntactic semigroup.

    >>> from wug.languages.automata.building import from_table
    >>> from wug.languages.automata.classes import CLASSES, classify
    >>> no_aa = from_table([[1, 0], [2, 0], [2, 2]], [0, 1], "ab")
    >>> CLASSES["SL"].decide(no_aa)
    Verdict(holds=True, k=2)
    >>> classification = classify(no_aa)
    >>> [key for key, holds in classification.classes.items() if not holds][:3]
    ['coSL', 'TcoSL', 'SP']
    >>> classification.witness["SP"].rejected
    ('aa',)

One module a family of classes, named after it; each cites the criterion it decides. ``CLASSES`` lists them by short
name.
"""

from wug.languages.automata.classes.classification import Classification, classify
from wug.languages.automata.classes.grammar import Grammar
from wug.languages.automata.classes.lattice import (
    COVERS,
    LOGICS,
    MODELS,
    PLACES,
    closest_misses,
    represented_class,
    represents,
    smallest_classes,
    superclasses,
)
from wug.languages.automata.classes.table import CLASSES, LanguageClass
from wug.languages.automata.classes.verdict import Verdict, Witness

__all__ = [
    "CLASSES",
    "COVERS",
    "LOGICS",
    "MODELS",
    "PLACES",
    "Classification",
    "Grammar",
    "LanguageClass",
    "Verdict",
    "Witness",
    "classify",
    "closest_misses",
    "represented_class",
    "represents",
    "smallest_classes",
    "superclasses",
]
