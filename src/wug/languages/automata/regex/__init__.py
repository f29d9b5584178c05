r"""Regular expressions with intersection, complement and symbol classes.

From the loosest to the tightest binding:

    =====================  ==================================================================
    ``r|s``                union
    ``r&s``                intersection
    ``rs``                 concatenation
    ``~r``                 complement; ``~ab*`` is ``(~a)(b*)``, ``~a*`` is ``~(a*)``
    ``r*  r+  r?``         any number of times, at least once, at most once
    ``r{3} r{2,} r{2,5}``  exactly three, at least two, two to five times
    ``(r)``                grouping; ``()`` is the empty word
    ``a  'tsch'  \*``      a letter; one of several characters in quotes; a special character
    ``.``                  any letter
    ``[abc] [a-f] [^ab]``  one of these letters; a range in alphabet order; any other; ``[]`` is the empty set
    =====================  ==================================================================

Blanks between symbols are ignored; a blank that is a letter is written ``\ ``. Special everywhere, also inside
brackets, are ``| & ~ * + ? { } ( ) [ ] . - ^ ' \``.
"""

from wug.languages.automata.regex.compiling import from_regex

__all__ = ["from_regex"]
