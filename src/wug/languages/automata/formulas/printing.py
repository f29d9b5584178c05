"""Formulas as text."""

from wug.languages.automata.dfa import Word
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

_SPECIAL = frozenset("[]<>~^$(){}:#,'\\/.·-=")


def written(formula: Formula) -> str:
    """Return the formula in the notation that ``parse_formula`` reads; connectives inside one another get brackets."""
    match formula:
        case Blocks(blocks):
            if len(blocks) > 1 and all(len(block) == 1 for block in blocks):
                return f"<{_word(tuple(block[0] for block in blocks))}>"
            return f"[{' ~ '.join(map(_word, blocks))}]"
        case Prefix(word):
            return f"^{_word(word)}"
        case Suffix(word):
            return f"{_word(word)}$"
        case Occurrences(word, at_least):
            return f"occ>={at_least}({_word(word)})"
        case Count(letter, modulus, remainders):
            return f"#{_letter(letter)} mod {modulus} in {{{','.join(map(str, remainders))}}}"
        case Matches(regex):
            return f"/{regex}/"
        case Not(body):
            return f"not {_operand(body)}"
        case Times(number, body):
            return f"{number} x {_operand(body)}"
        case Tier(letters, body):
            return f"{{{','.join(map(_letter, letters))}}}: {written(body)}"
        case Concatenation(parts):
            return " · ".join(map(_operand, parts))
        case And(parts):
            return " and ".join(map(_operand, parts))
        case Xor(parts):
            return " xor ".join(map(_operand, parts))
        case Or(parts):
            return " or ".join(map(_operand, parts))
        case Implies(condition, consequence):
            return f"{_operand(condition)} -> {_operand(consequence)}"
    raise TypeError(f"not a formula: {formula!r}")


def _operand(formula: Formula) -> str:
    match formula:
        case Tier() | Concatenation() | And() | Xor() | Or() | Implies():
            return f"({written(formula)})"
    return written(formula)


def _word(word: Word) -> str:
    """Return the word, as a power where that is shorter."""
    for period in range(1, len(word) // 2 + 1):
        if len(word) % period == 0 and word == word[:period] * (len(word) // period):
            root = "".join(map(_letter, word[:period]))
            power = f"{root if period == 1 else f'({root})'}^{len(word) // period}"
            plain = "".join(map(_letter, word))
            return power if len(power) < len(plain) else plain
    return "".join(map(_letter, word))


def _letter(letter: str) -> str:
    if len(letter) > 1:
        return f"'{letter}'"
    return f"\\{letter}" if letter in _SPECIAL or letter.isspace() else letter
