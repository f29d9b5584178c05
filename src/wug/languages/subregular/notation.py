"""Pattern notation: formulas with parameters, written out for given values.

A pattern is a formula in the notation of ``wug.languages.automata.formulas`` in which, besides, may stand

    ==========================  =========================================================================
    ``a^k  (ab)^(k/2)``         exponents that are expressions over the parameters; so, too, ``occ>=j(w)``,
                                ``j x f`` and ``mod k``
    ``s_i  s_(i+1)``            letters by number, from 0
    ``AND_{i<m}(f)``            a conjunction over i = 0, 1, .. below m; likewise ``OR_``, ``SEQ_`` for blocks
                                ``v ~ w ~ ..`` and ``CAT_`` for one thing after the other
    ``AND_{i=0,2..<m}(f)``      the same over i = 0, 2, 4, .. below m
    ``NAME(m,k)``               a shorthand with arguments
    ==========================  =========================================================================

Division is whole. MLRegTest's patterns have the parameters k (factor width), j (threshold or number of blocks) and B
(binary logarithm of the alphabet's size).

>>> write_out("ST(k) and AND_{i<m}(not [s_i^k])", {"m": 2, "k": 4}, "abcd", {"ST(k)": "^a^(k-1)"})
'(^a^3) and (not [a^4] and not [b^4])'
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from wug.errors import InputError, unknown_name

_JOINTS = {"AND": " and ", "OR": " or ", "SEQ": " ~ ", "CAT": ""}
_TERM = r"(\w+|\([^()]*\))"
_BIG = re.compile(r"\b(AND|OR|SEQ|CAT)_\{(\w+)(?:=(\d+),(\d+)\.\.)?<([^{}]+)\}\(")
_CALL = re.compile(r"\b([A-Z][A-Z0-9]*)\(([^()]*)\)")
_NUMBERED = re.compile(rf"\bs_{_TERM}( (?=s_))?")
_NUMBER = re.compile(rf"(?<=[\w)']\^){_TERM}|(?<=>=){_TERM}(?=\()|(?<=mod ){_TERM}|(?<![\w^$'\\]){_TERM}(?= x )")
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
}


def write_out(
    pattern: str, parameters: Mapping[str, int], alphabet: Sequence[str], shorthands: Mapping[str, str]
) -> str:
    """Return the formula that a pattern is for these values; InputError says what is unknown or impossible in it.

    ``shorthands`` maps a head such as ``OCP(m,k)`` to a pattern in those parameters.
    """
    definitions = {}
    for head, body in shorthands.items():
        name, _, arguments = head.rstrip(")").partition("(")
        definitions[name] = ([argument.strip() for argument in arguments.split(",") if argument.strip()], body)
    return _Writer(pattern, alphabet, definitions).write(pattern, parameters)


def quoted(letter: str) -> str:
    """Return a letter as it is written in a formula."""
    if len(letter) > 1:
        return f"'{letter}'"
    return letter if letter.isalnum() else "\\" + letter


class _Writer:
    def __init__(self, pattern: str, alphabet: Sequence[str], definitions: Mapping[str, tuple[list[str], str]]) -> None:
        self._pattern = pattern
        self._alphabet = alphabet
        self._definitions = definitions

    def write(self, text: str, values: Mapping[str, int]) -> str:
        while big := _BIG.search(text):
            end = self._closing(text, big.end())
            text = text[: big.start()] + self._joined(big, text[big.end() : end], values) + text[end + 1 :]
        text = _CALL.sub(lambda call: self._called(call[1], call[2], values), text)
        text = _NUMBERED.sub(lambda match: self._letter(self._value(match[1], values)), text)
        return _NUMBER.sub(lambda match: str(self._value(match[0], values)), text)

    def _joined(self, big: re.Match[str], body: str, values: Mapping[str, int]) -> str:
        kind, index, first, second, end = big.groups()
        start, step = (int(first), int(second) - int(first)) if first else (0, 1)
        if step < 1:
            raise self._error(f"the numbers {first},{second}.. must ascend")
        numbers = range(start, self._value(end, values), step)
        if not numbers and kind != "CAT":
            raise self._error(f"{big[0]}..) ranges over no number at all")
        joined = _JOINTS[kind].join(self.write(body, {**values, index: number}) for number in numbers)
        return f"({joined})" if kind in ("AND", "OR") else joined

    def _called(self, name: str, arguments: str, values: Mapping[str, int]) -> str:
        if name not in self._definitions:
            raise unknown_name("shorthand", name, self._definitions)
        parameters, body = self._definitions[name]
        given = [self._value(argument, values) for argument in arguments.split(",") if argument.strip()]
        if len(given) != len(parameters):
            raise self._error(f"{name} takes {len(parameters)} arguments, not {len(given)}")
        return f"({self.write(body, dict(zip(parameters, given, strict=True)))})"

    def _letter(self, number: int) -> str:
        if not 0 <= number < len(self._alphabet):
            raise self._error(f"there is no letter s_{number}; letters go up to s_{len(self._alphabet) - 1}")
        return quoted(self._alphabet[number])

    def _value(self, expression: str, values: Mapping[str, int]) -> int:
        try:
            return self._evaluated(ast.parse(expression.strip(), mode="eval").body, values)
        except SyntaxError:
            raise self._error(f"'{expression}' is no expression over {', '.join(sorted(values))}") from None

    def _evaluated(self, node: ast.expr, values: Mapping[str, int]) -> int:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name) if name in values:
                return values[name]
            case ast.Name(id=name):
                raise self._error(f"unknown parameter '{name}'; known: {', '.join(sorted(values))}")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                a, b = self._evaluated(left, values), self._evaluated(right, values)
                if isinstance(op, ast.Div) and not b:
                    raise self._error("division by zero")
                return _OPERATIONS[type(op)](a, b)
        raise SyntaxError

    def _closing(self, text: str, start: int) -> int:
        depth = 1
        for place in range(start, len(text)):
            depth += (text[place] == "(") - (text[place] == ")")
            if not depth:
                return place
        raise self._error("a bracket is not closed")

    def _error(self, sentence: str) -> InputError:
        return InputError(f"pattern '{self._pattern}': {sentence}")
