"""From the text of a grammar to its rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from wug.errors import InputError
from wug.languages.pcfg.grammar import Grammar, Rule, Symbol

_TOKEN = re.compile(
    r"""
      (?P<blank>       [^\S\n]+ | \#[^\n]* )
    | (?P<newline>     \n )
    | (?P<arrow>       -> | → )
    | (?P<bar>         \| )
    | (?P<probability> \[ [^\]\n]* \] )
    | (?P<terminal>    " (?: [^"\\\n] | \\. )* " | ' (?: [^'\\\n] | \\. )* ' )
    | (?P<nonterminal> (?: (?!->) [^\s"'|\[\]\#→] )+ )
    """,
    re.VERBOSE,
)
_FRACTION = re.compile(r"\d{1,99}(/0*[1-9]\d{0,99})?", re.ASCII)
_DECIMAL = re.compile(r"(\d{1,99}\.?\d{0,99}|\.\d{1,99})([eE][+-]?\d\d?)?", re.ASCII)
_UNCLOSED = {'"': "the quoted terminal is not closed", "'": "the quoted terminal is not closed", "[": "']' is missing"}


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    column: int


def read_grammar(text: str, source: str = "grammar") -> Grammar:
    """Return the rules in a text; raises InputError that names line and column of what cannot be read.

    ``S -> "a" X [0.7] | [3/10]``: terminals in single or double quotes, a backslash before a quote or backslash inside
    them; nonterminals bare; after each alternative its probability in brackets, a decimal or a fraction; nothing before
    the bracket for the empty string. A rule may go over several lines, and a nonterminal may have several rules.
    ``#`` begins a comment. Whether the rules make a language is checked by ``checks.checked``.
    """
    tokens = list(_tokens(text, source))
    rules: list[Rule] = []
    position, left = 0, ""
    while tokens[position].kind != "end":
        if _begins_rule(tokens, position):
            left = tokens[position].text
            position += 2
        elif tokens[position].kind == "bar" and left:
            position += 1
        elif tokens[position].kind == "nonterminal":
            raise _unexpected(tokens[position + 1], source, f"'->' after {tokens[position].text!r}")
        else:
            raise _unexpected(tokens[position], source, 'a rule such as X -> "a" X [0.5] | [0.5]')
        rule, position = _alternative(tokens, position, left, source)
        rules.append(rule)
    if not rules:
        raise InputError(f"{source}: there is no rule")
    return Grammar(tuple(rules), source)


def _tokens(text: str, source: str) -> Iterator[_Token]:
    line, line_start, position = 1, 0, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        column = position - line_start + 1
        if match is None:
            problem = _UNCLOSED.get(text[position], f"{text[position]!r} does not belong here")
            raise InputError(f"{source}, line {line}, column {column}: {problem}")
        kind = str(match.lastgroup)
        position = match.end()
        if kind == "newline":
            line, line_start = line + 1, position
        elif kind != "blank":
            yield _Token(kind, match.group(), line, column)
    yield _Token("end", "the end of the text", line, len(text) - line_start + 1)


def _begins_rule(tokens: list[_Token], position: int) -> bool:
    return tokens[position].kind == "nonterminal" and tokens[position + 1].kind == "arrow"


def _alternative(tokens: list[_Token], position: int, left: str, source: str) -> tuple[Rule, int]:
    """Return the alternative that begins at a token, and the position behind it."""
    right = []
    line = tokens[position].line
    while tokens[position].kind in ("terminal", "nonterminal") and not _begins_rule(tokens, position):
        right.append(_symbol(tokens[position], source))
        position += 1
    if tokens[position].kind != "probability":
        raise _unexpected(tokens[position], source, f"a probability in brackets to end the alternative of {left!r}")
    probability, is_exact = _probability(tokens[position], source)
    return Rule(left, tuple(right), probability, is_exact, line), position + 1


def _symbol(token: _Token, source: str) -> Symbol:
    if token.kind == "nonterminal":
        return Symbol(token.text, is_terminal=False)
    name = re.sub(r"\\(.)", r"\1", token.text[1:-1])
    if not name or any(character.isspace() for character in name):
        raise InputError(
            f"{source}, line {token.line}, column {token.column}: a terminal must be one or more characters without "
            f"blanks, not {token.text}; the empty string is written as nothing"
        )
    return Symbol(name, is_terminal=True)


def _probability(token: _Token, source: str) -> tuple[Fraction, bool]:
    """Return the probability and whether it was written as a fraction or whole number."""
    written = "".join(token.text[1:-1].split())
    is_exact = _FRACTION.fullmatch(written) is not None
    probability = Fraction(written) if is_exact or _DECIMAL.fullmatch(written) else Fraction(0)
    if not 0 < probability <= 1:
        raise InputError(
            f"{source}, line {token.line}, column {token.column}: a probability must be a decimal or a fraction above "
            f"0 and at most 1, such as [0.7] or [7/10], not {token.text}"
        )
    return probability, is_exact


def _unexpected(token: _Token, source: str, wanted: str) -> InputError:
    found = token.text if token.kind == "end" else repr(token.text)
    return InputError(f"{source}, line {token.line}, column {token.column}: expected {wanted}, found {found}")
