r"""Formulas for subregular languages, in the notation of the benchmark's specification.

Atoms, for words w over an alphabet (no boundary symbols are added to a word):

    =====================  ====================================================================================
    ``[w]``                w occurs as a factor, that is, contiguously; ``[]`` is true of every word
    ``[v ~ w ~ ...]``      the blocks occur in this order without overlap, with gaps between them or none
    ``<w>``                the letters of w occur in this order: blocks of one letter each
    ``^w``, ``w$``         the word begins with w, ends with w
    ``occ>=3(w)``          w occurs at three places or more, overlaps counted
    ``#a mod 3 in {0,1}``  the number of a's leaves remainder 0 or 1
    ``/r/``                the word matches the regular expression r (see ``wug.languages.automata.regex``)
    =====================  ====================================================================================

Connectives, from the tightest to the loosest binding:

    =====================  ====================================================================================
    ``not f``, ``3 x f``   negation; f three times in a row (disjoint occurrences, when f is about factors)
    ``f · g``              concatenation: the word is a word of f followed by one of g; a plain ``.`` will do
    ``f and g``
    ``f xor g``            an odd number of the operands hold
    ``f or g``
    ``f -> g``             implication, to the right: ``f -> g -> h`` is ``f -> (g -> h)``
    ``{a,b,c}: f``         tier: f holds after deleting all other letters; reaches as far right as it can
    =====================  ====================================================================================

Words are written without blanks: ``aab``; ``a^6`` and ``(ab)^3`` are powers; ``'tsch'`` is one letter of several
characters; a special character, one of ``[ ] < > ~ ^ $ ( ) { } : # , ' / . · - =`` or the backslash, follows a
backslash. In a tier, ``{abc}`` and ``{a,b,c}`` are the same, and every letter of the body must be on the tier.

    >>> from wug.languages.automata.formulas import from_formula, parse_formula
    >>> print(parse_formula("{abc}: [aa] -> [bb]"))
    {a,b,c}: [aa] -> [bb]
    >>> from_formula("not [aa] and not [bb]", "abcd").n_states
    4
"""

from wug.languages.automata.formulas.compiling import compile_formula, from_formula
from wug.languages.automata.formulas.parsing import parse_formula
from wug.languages.automata.formulas.syntax import (
    And,
    Blocks,
    Concatenation,
    Count,
    Formula,
    Implies,
    Matches,
    Not,
    Occurrences,
    Or,
    Prefix,
    Suffix,
    Tier,
    Times,
    Xor,
)

__all__ = [
    "And",
    "Blocks",
    "Concatenation",
    "Count",
    "Formula",
    "Implies",
    "Matches",
    "Not",
    "Occurrences",
    "Or",
    "Prefix",
    "Suffix",
    "Tier",
    "Times",
    "Xor",
    "compile_formula",
    "from_formula",
    "parse_formula",
]
