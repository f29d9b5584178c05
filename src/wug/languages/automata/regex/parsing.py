"""From the text of a regular expression to its tree."""

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, Tree, v_args

from wug.errors import InputError
from wug.languages.automata._parsing import deep_nesting_refused, error_at, syntax_tree, transformed
from wug.languages.automata.dfa import listed
from wug.languages.automata.regex.syntax import (
    Complement,
    Intersection,
    Regex,
    Repetition,
    Sequence,
    Symbol,
    Union,
)

MOST_REPETITIONS = 10_000
"""The largest number that may stand in braces."""

_KIND = "regular expression"
_NAMES = {
    "LPAR": "an expression",
    "PLAIN": "a letter",
    "VBAR": "an operator",
    "INTEGER": "a number",
    "COMMA": "','",
    "RPAR": "')'",
    "RSQB": "']'",
    "RBRACE": "'}'",
}


@cache
def _parser() -> Lark:
    return Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        start="union",
        parser="lalr",
    )


def check_syntax(text: str) -> Tree[Token]:
    """Return the syntax tree; InputError names the column of what cannot be read."""
    return syntax_tree(_parser(), text, kind=_KIND, names=_NAMES)


def parse(text: str, alphabet: tuple[str, ...]) -> Regex:
    """Return the expression; InputError names the column of what cannot be read or is no letter of the alphabet."""
    with deep_nesting_refused(_KIND):
        return transformed(_TreeBuilder(text, alphabet), check_syntax(text))


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Regex]):
    """One method per rule of the grammar."""

    def __init__(self, text: str, alphabet: tuple[str, ...]) -> None:
        super().__init__()
        self._text = text
        self._alphabet = alphabet
        self._place = {letter: index for index, letter in enumerate(alphabet)}

    def union(self, *parts: Regex) -> Regex:
        return Union(parts)

    def intersection(self, *parts: Regex) -> Regex:
        return Intersection(parts)

    def sequence(self, *parts: Regex) -> Regex:
        return Sequence(parts)

    def complement(self, body: Regex) -> Regex:
        return Complement(body)

    def star(self, body: Regex) -> Regex:
        return Repetition(body, 0, None)

    def plus(self, body: Regex) -> Regex:
        return Repetition(body, 1, None)

    def option(self, body: Regex) -> Regex:
        return Repetition(body, 0, 1)

    def exactly(self, body: Regex, times: Token) -> Regex:
        return Repetition(body, self._number(times), self._number(times))

    def between(self, body: Regex, least: Token, _comma: Token, most: Token | None = None) -> Regex:
        if most is None:
            return Repetition(body, self._number(least), None)
        if self._number(least) > self._number(most):
            raise self._error(least, f"{least} repetitions at least is more than {most} at most")
        return Repetition(body, self._number(least), self._number(most))

    def at_most(self, body: Regex, _comma: Token, most: Token) -> Regex:
        return Repetition(body, 0, self._number(most))

    def empty_word(self) -> Regex:
        return Sequence(())

    def any_letter(self) -> Regex:
        return Symbol(frozenset(self._alphabet))

    def symbol(self, letter: tuple[str, Token]) -> Regex:
        return Symbol(frozenset([letter[0]]))

    def one_of(self, *items: frozenset[str]) -> Regex:
        return Symbol(frozenset().union(*items))

    def none_of(self, *items: frozenset[str]) -> Regex:
        return Symbol(frozenset(self._alphabet).difference(*items))

    def item(self, first: tuple[str, Token], last: tuple[str, Token] | None = None) -> frozenset[str]:
        if last is None:
            return frozenset([first[0]])
        start, end = self._place[first[0]], self._place[last[0]]
        if start > end:
            raise self._error(last[1], f"'{last[0]}' comes before '{first[0]}' in the alphabet")
        return frozenset(self._alphabet[start : end + 1])

    def letter(self, token: Token) -> tuple[str, Token]:
        written: dict[Any, str] = {"PLAIN": str(token), "ESCAPED": token[1:], "QUOTED": token[1:-1]}
        letter = written[token.type]
        if letter not in self._place:
            raise self._error(token, f"'{letter}' is not in the alphabet {listed(self._alphabet)}")
        return letter, token

    def _number(self, token: Token) -> int:
        if len(token) > 9 or int(token) > MOST_REPETITIONS:
            raise self._error(token, f"{token} repetitions are more than {MOST_REPETITIONS}")
        return int(token)

    def _error(self, token: Token, sentence: str) -> InputError:
        return error_at(token.start_pos or 0, self._text, _KIND, sentence)
