"""From the text of a formula to its tree."""

import re
from functools import cache
from pathlib import Path

from lark import Lark, Token, Transformer, v_args

from wug.errors import InputError
from wug.languages.automata._parsing import deep_nesting_refused, error_at, syntax_tree, transformed
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
from wug.languages.automata.regex.parsing import check_syntax

LONGEST_WORD = 10_000
"""Letters of a word after which it is refused; powers make long words short to write."""
LARGEST_NUMBER = 10_000
"""The largest modulus, threshold and number of repetitions."""

_KIND = "formula"
_LETTER = r"[^\s\[\]<>~^$(){}:#,'\\/.·=\-]|\\.|'[^']+'"
_PIECE = rf"(?:({_LETTER})|\(((?:{_LETTER})+)\)(?=\^))(?:\^([0-9]+))?"
"""A letter, perhaps with an exponent, or several letters in brackets with one; groups: letter, letters, exponent."""
_NAMES = {
    "LSQB": "a formula",
    "AND": "a connective",
    "WORD": "a word",
    "INTEGER": "a number",
    "X": "'x'",
    "MOD": "'mod'",
    "IN": "'in'",
    "COMMA": "','",
    "TILDE": "'~'",
    "COLON": "':'",
    "RPAR": "')'",
    "RSQB": "']'",
    "RBRACE": "'}'",
    "LBRACE": "'{'",
    "LPAR": "'('",
    "MORETHAN": "'>'",
}


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    word = f"(?:{_PIECE})+".replace("/", r"\/")
    return Lark(grammar.replace("__WORD__", word), start="formula", parser="lalr")


def parse_formula(text: str) -> Formula:
    """Return the formula; InputError names the column of what cannot be read.

    >>> parse_formula("not a^2$")
    Not(body=Suffix(word=('a', 'a')))
    """
    with deep_nesting_refused(_KIND):
        return transformed(_TreeBuilder(text), syntax_tree(_parser(), text, kind=_KIND, names=_NAMES))


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Formula]):
    """One method per rule of the grammar."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def implies(self, condition: Formula, consequence: Formula) -> Formula:
        return Implies(condition, consequence)

    def disjunction(self, *parts: Formula) -> Formula:
        return Or(parts)

    def exclusion(self, *parts: Formula) -> Formula:
        return Xor(parts)

    def conjunction(self, *parts: Formula) -> Formula:
        return And(parts)

    def concatenation(self, *parts: Formula) -> Formula:
        return Concatenation(parts)

    def negation(self, body: Formula) -> Formula:
        return Not(body)

    def times(self, number: Token, body: Formula) -> Formula:
        return Times(self._number(number), body)

    def tier(self, *items: Token | Formula) -> Formula:
        *tokens, body = items
        words = [self._word(token) for token in tokens if isinstance(token, Token) and token.type == "WORD"]
        assert isinstance(body, Formula)
        return Tier(tuple(dict.fromkeys(letter for word in words for letter in word)), body)

    def everything(self) -> Formula:
        return Blocks(((),))

    def blocks(self, *words: Token) -> Formula:
        return Blocks(tuple(map(self._word, words)))

    def subsequence(self, word: Token) -> Formula:
        return Blocks(tuple((letter,) for letter in self._word(word)))

    def prefix(self, token: Token) -> Formula:
        return Prefix(self._word(token, slice(1, None)))

    def suffix(self, token: Token) -> Formula:
        return Suffix(self._word(token, slice(None, -1)))

    def occurrences(self, at_least: Token, word: Token) -> Formula:
        return Occurrences(self._word(word), self._number(at_least))

    def count(self, letter: Token, modulus: Token, *items: Token) -> Formula:
        counted = self._word(letter)
        if len(counted) != 1:
            raise self._error(letter, "one letter is counted at a time")
        if self._number(modulus) == 0:
            raise self._error(modulus, "a modulus must be at least 1")
        remainders = [item for item in items if item.type == "INTEGER"]
        for remainder in remainders:
            if self._number(remainder) >= int(modulus):
                raise self._error(remainder, f"a remainder modulo {modulus} must be one of 0..{int(modulus) - 1}")
        return Count(counted[0], int(modulus), tuple(sorted({int(remainder) for remainder in remainders})))

    def matches(self, token: Token) -> Formula:
        regex = str(token[1:-1])
        try:
            check_syntax(regex)
        except InputError as error:
            raise self._error(token, str(error)) from None
        return Matches(regex)

    def _word(self, token: Token, part: slice = slice(None)) -> Word:
        letters: list[str] = []
        for single, root, exponent in re.findall(_PIECE, token[part], re.DOTALL):
            spelled = [single] if single else re.findall(_LETTER, root, re.DOTALL)
            times = int(exponent[:9]) if exponent else 1
            if len(letters) + times * len(spelled) > LONGEST_WORD:
                raise self._error(token, f"a word must have at most {LONGEST_WORD} letters")
            letters += [_plain(letter) for letter in spelled] * times
        return tuple(letters)

    def _number(self, token: Token) -> int:
        if len(token) > 9 or int(token) > LARGEST_NUMBER:
            raise self._error(token, f"{token} is more than {LARGEST_NUMBER}")
        return int(token)

    def _error(self, token: Token, sentence: str) -> InputError:
        return error_at(token.start_pos or 0, self._text, _KIND, sentence)


def _plain(letter: str) -> str:
    if letter[0] == "'" and len(letter) > 1:
        return letter[1:-1]
    return letter[1:] if letter[0] == "\\" else letter
