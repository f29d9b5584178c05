"""Equations between monoid elements, and the strings that show that one fails.

An equation is written as in the literature: ``exeye = eyexe``, ``(xy)^ω x = (xy)^ω``. A variable is one letter and
stands for an element, so each side is a word; two words with different elements have a context in which exactly one
of them belongs to the language.
"""

from collections.abc import Mapping

from wug.languages.automata.classes.paths import accepts, access_word, distinguishing_word, spell
from wug.languages.automata.classes.specimen import Columns, Specimen
from wug.languages.automata.classes.verdict import Witness


def failed_equation(
    specimen: Specimen, criterion: str, equation: str, elements: Mapping[str, int], *, tier: bool | None = None
) -> Witness:
    """Return the witness of an equation that fails for these elements.

    ``criterion`` says in words where the variables range. They stand for non-empty words, of salient letters alone
    with ``tier``; with None an element that only the empty word induces is spelt so. The strings are the two sides
    between the words ``before`` and ``after``.
    """
    monoid = specimen.monoid
    words = {name: monoid.word(element) for name, element in elements.items()}
    if tier is not None:
        words = {name: word or monoid.unit_word(tier) for name, word in words.items()}
    left, right = (_expand(specimen, side, words) for side in equation.split("="))
    first, second = monoid.elements[[monoid.element(left), monoid.element(right)]]
    state = int((first != second).argmax())
    before, after = access_word(specimen, state), distinguishing_word(specimen, int(first[state]), int(second[state]))
    words |= {"before": before, "after": after}
    return separated(specimen, f"{equation} {criterion}", words, before + left + after, before + right + after)


def separated(
    specimen: Specimen, criterion: str, words: Mapping[str, Columns], first: Columns, second: Columns
) -> Witness:
    """Return the witness made of two strings exactly one of which is in the language."""
    accepted, rejected = (first, second) if accepts(specimen, first) else (second, first)
    spelt = {name: spell(specimen, word) for name, word in words.items()}
    return Witness(criterion, spelt, (spell(specimen, accepted),), (spell(specimen, rejected),))


def _expand(specimen: Specimen, side: str, words: Mapping[str, Columns]) -> Columns:
    """Return the word of one side; ^ω repeats a factor until its element is idempotent."""
    expanded: Columns = ()
    position = 0
    while position < len(side):
        if side[position] == " ":
            position += 1
            continue
        if side[position] == "(":
            end = side.index(")", position)
            factor: Columns = ()
            for name in side[position + 1 : end]:
                factor += words[name]
        else:
            end = position
            factor = words[side[position]]
        position = end + 1
        if side.startswith("^ω", position):
            position += 2
            factor *= _exponent(specimen, factor)
        expanded += factor
    return expanded


def _exponent(specimen: Specimen, word: Columns) -> int:
    """Return the smallest positive power of the word that acts as an idempotent."""
    element = power = specimen.monoid.element(word)
    exponent = 1
    while not specimen.monoid.is_idempotent[power]:
        power = int(specimen.monoid.table[power, element])
        exponent += 1
    return exponent
