"""Dense complete DFAs: building, operations, canonical form, syntactic monoid, class decisions, file formats.

    >>> from wug.languages import automata
    >>> no_aa = automata.from_formula("not [aa]", "ab")
    >>> even = automata.from_regex("(..)*", "ab")
    >>> automata.shortest_accepted(automata.difference(even, no_aa))
    ('a', 'a')
    >>> automata.count(automata.intersection(no_aa, even), 10)
    144

The names below are looked up in their modules when first used, so that importing the package loads nothing.
"""

from importlib import import_module
from typing import Any

_MODULE_OF = {
    name: module
    for module, names in {
        "alphabets": ("expand", "extend", "lift", "project", "restrict"),
        "boolean": ("complement", "difference", "intersection", "product", "symmetric_difference", "union"),
        "building": ("all_words", "empty_language", "from_table", "from_transitions", "from_words"),
        "canonical_form": ("canonical", "canonical_text", "sha256"),
        "classes": ("CLASSES", "Classification", "classify"),
        "comparison": ("equivalent", "included", "shortest_difference", "shortest_excluded"),
        "counting": ("completions", "count", "counts"),
        "dfa": ("DFA", "Word"),
        "factors": ("with_blocks", "with_count", "with_occurrences", "with_prefix", "with_suffix"),
        "facts": (
            "is_empty",
            "is_finite",
            "is_universal",
            "live_states",
            "longest_length",
            "n_trimmed_states",
            "shortest_accepted",
            "shortest_rejected",
        ),
        "formats": ("read_automata",),
        "formulas": ("compile_formula", "from_formula", "parse_formula"),
        "membership": ("accepts", "accepts_corpus", "accepts_words"),
        "minimisation": ("minimise", "reachable"),
        "monoid": ("SyntacticMonoid", "syntactic_monoid"),
        "nfa": ("NFA", "determinise"),
        "quotients": ("left_quotient", "residual", "right_quotient"),
        "rational": ("concatenation", "power", "reversal", "star"),
        "regex": ("from_regex",),
    }.items()
    for name in names
}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Return a public name from the module that defines it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
