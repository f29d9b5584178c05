"""Prediction formulas: comparisons of region surprisals, as the suite files write them.

    formula    := comparison { ("&" | "|") comparison }       left associative; & and | bind equally
    comparison := sum [ ("<" | ">" | "=") sum ]               a comparison does not chain
    sum        := atom { ("+" | "-") atom }                   left associative
    atom       := region | number | "(" formula ")" | "[" formula "]"
    region     := "(" ( digits | "*" ) ";%" condition "%" ")"

Brackets and parentheses both group: the published files exist in a dialect of either (Hu et al. 2020, test suites;
SyntaxGym, Gauthier et al. 2020). ``*`` stands for the sum over all regions of the condition. A formula is kept as a
postfix program, so neither its length nor its depth is limited.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from wug.errors import InputError

ABSOLUTE_TOLERANCE_BITS = 1e-3
RELATIVE_TOLERANCE = 1e-5
"""``x = y`` holds when ``|x - y| <= ABSOLUTE_TOLERANCE_BITS + RELATIVE_TOLERANCE * |y|`` (SyntaxGym 0.8)."""
ROUNDING_BITS = 1e-9
"""Sides of ``<`` or ``>`` that differ by no more are tied: sums of equal surprisals differ by rounding alone."""

_GRAMMAR = r"""
?formula: comparison | formula LOGIC comparison -> combined
?comparison: sum | sum COMPARE sum -> compared
?sum: atom | sum SIGN atom -> summed
?atom: REGION -> region
    | NUMBER -> number
    | "(" formula ")" -> grouped
    | "[" formula "]" -> grouped
LOGIC: "&" | "|"
COMPARE: "<" | ">" | "="
SIGN: "+" | "-"
REGION.2: /\(\s*(\d+|\*)\s*;%\s*[A-Za-z0-9_-]+\s*%\s*\)/
NUMBER: /[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/
%ignore /\s+/
"""


@dataclass(frozen=True, order=True)
class Cell:
    """A region of a condition, as a formula names it."""

    region: int
    """From 1; 0 for all regions of the condition (``*``)."""
    condition: str

    def __str__(self) -> str:
        return f"({self.region or '*'};%{self.condition}%)"


@dataclass(frozen=True)
class Step:
    """One instruction of a formula's postfix program: push an operand, or combine the two on top."""

    operand: Cell | float | None
    """A cell or number to push; None for an operator."""
    operator: str = ""
    """One of + - < > = & |."""
    position: int = 1
    """Where it stands in the text, from 1."""


@dataclass(frozen=True)
class Comparison:
    """One comparison of a formula, evaluated."""

    operator: str
    left_bits: float
    right_bits: float

    @property
    def is_tied(self) -> bool:
        """Whether a strict comparison fails because its sides are equal."""
        return self.operator != "=" and abs(self.left_bits - self.right_bits) <= ROUNDING_BITS

    @property
    def holds(self) -> bool:
        """Whether the comparison holds; a tie does not, and nothing holds of sides that are not finite."""
        difference = self.left_bits - self.right_bits
        if self.operator == "=":
            return abs(difference) <= ABSOLUTE_TOLERANCE_BITS + RELATIVE_TOLERANCE * abs(self.right_bits)
        return difference < -ROUNDING_BITS if self.operator == "<" else difference > ROUNDING_BITS

    @property
    def margin_bits(self) -> float:
        """By how much the side that should be greater is; minus the distance of the sides for ``=``."""
        difference = self.left_bits - self.right_bits
        return {"<": -difference, ">": difference, "=": -abs(difference)}[self.operator]


@dataclass(frozen=True)
class Evaluation:
    """What a formula gives for one item."""

    holds: bool
    comparisons: tuple[Comparison, ...]
    """In the order of the text."""

    @property
    def is_tied(self) -> bool:
        """Whether the formula does not hold and one of its comparisons is tied."""
        return not self.holds and any(comparison.is_tied for comparison in self.comparisons)


@dataclass(frozen=True)
class Formula:
    """A prediction: true or false of the region surprisals of one item.

    >>> formula = parse_formula("[(1;%a%) + 1 < (1;%b%)] & (2;%a%) = 3")
    >>> values = {Cell(1, "a"): 2.0, Cell(1, "b"): 4.0, Cell(2, "a"): 3.0009}
    >>> formula.evaluate(values.__getitem__).holds
    True
    >>> str(formula)
    '((((1;%a%) + 1) < (1;%b%)) & ((2;%a%) = 3))'
    """

    text: str
    program: tuple[Step, ...]
    mixes_and_or: bool = False
    """Whether & and | stand side by side without parentheses, which bind equally here and not elsewhere."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it refers to, each once, in the order of the text."""
        return tuple(dict.fromkeys(step.operand for step in self.program if isinstance(step.operand, Cell)))

    @property
    def cell_steps(self) -> Iterator[tuple[Cell, int]]:
        """Each reference to a cell with its place in the text, from 1."""
        return ((step.operand, step.position) for step in self.program if isinstance(step.operand, Cell))

    def evaluate(self, value: Callable[[Cell], float]) -> Evaluation:
        """Return whether it holds where each cell has the value, in bits, that ``value`` gives."""
        comparisons: list[Comparison] = []

        def combine(step: Step, left: Any, right: Any) -> Any:
            if step.operator in "+-":
                return left + right if step.operator == "+" else left - right
            if step.operator in "&|":
                return (left and right) if step.operator == "&" else (left or right)
            comparisons.append(Comparison(step.operator, left, right))
            return comparisons[-1].holds

        holds = fold(self.program, lambda operand: value(operand) if isinstance(operand, Cell) else operand, combine)
        return Evaluation(holds, tuple(comparisons))

    def __str__(self) -> str:
        def push(operand: Cell | float) -> str:
            return str(operand) if isinstance(operand, Cell) else repr(operand).removesuffix(".0")

        return str(fold(self.program, push, lambda step, left, right: f"({left} {step.operator} {right})"))


def fold(program: Iterable[Step], push: Callable[[Cell | float], Any], combine: Callable[[Step, Any, Any], Any]) -> Any:
    """Return what a postfix program gives when operands and operators mean what ``push`` and ``combine`` say."""
    stack: list[Any] = []
    for step in program:
        if step.operand is not None:
            stack.append(push(step.operand))
        else:
            right = stack.pop()
            stack.append(combine(step, stack.pop(), right))
    (result,) = stack
    return result


def parse_formula(text: str) -> Formula:
    """Return the formula that a text writes; InputError names the position of what is wrong."""
    try:
        parsed: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise InputError(f"{_reason(error, text)}: {_shown(text)}") from None
    except _MisuseError as error:
        raise InputError(f"{error}: {_shown(text)}") from None
    if not parsed.is_truth:
        raise InputError(f"a formula must be true or false, and this one is a number: {_shown(text)}")
    return Formula(text, tuple(parsed.program), parsed.mixes)


class _MisuseError(Exception):
    """An operator whose operands are of the wrong kind."""


@dataclass
class _Part:
    """A parsed piece: its program, and what may stand beside it."""

    program: list[Step]
    is_truth: bool
    logic: str = ""
    """The operator & or | outside all parentheses, if any."""
    mixes: bool = False


def _position(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Builder(Transformer[Token, _Part]):
    def region(self, token: Token) -> _Part:
        region, _, name = str(token)[1:-1].partition(";")
        number = 0 if region.strip() == "*" else int(region)
        if number == 0 and region.strip() != "*":
            raise _MisuseError(f"position {_position(token)}: regions are counted from 1")
        return _Part([Step(Cell(number, name.strip().strip("%").strip()), position=_position(token))], False)

    def number(self, token: Token) -> _Part:
        if not math.isfinite(float(token)):
            raise _MisuseError(f"position {_position(token)}: the number {token} is too large")
        return _Part([Step(float(token), position=_position(token))], False)

    def summed(self, left: _Part, operator: Token, right: _Part) -> _Part:
        return self._numeric(left, operator, right, False)

    def compared(self, left: _Part, operator: Token, right: _Part) -> _Part:
        return self._numeric(left, operator, right, True)

    def combined(self, left: _Part, operator: Token, right: _Part) -> _Part:
        if not (left.is_truth and right.is_truth):
            raise _MisuseError(f"position {_position(operator)}: '{operator}' joins comparisons, not numbers")
        mixes = left.mixes or right.mixes or left.logic not in ("", str(operator))
        return self._joined(left, operator, right, _Part([], True, str(operator), mixes))

    def grouped(self, inner: _Part) -> _Part:
        return _Part(inner.program, inner.is_truth, "", inner.mixes)

    def _numeric(self, left: _Part, operator: Token, right: _Part, is_truth: bool) -> _Part:
        if left.is_truth or right.is_truth:
            raise _MisuseError(f"position {_position(operator)}: '{operator}' takes numbers, not a comparison")
        return self._joined(left, operator, right, _Part([], is_truth))

    def _joined(self, left: _Part, operator: Token, right: _Part, result: _Part) -> _Part:
        result.program = left.program
        result.program += right.program
        result.program.append(Step(None, str(operator), _position(operator)))
        return result


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, start="formula", parser="lalr", transformer=_Builder())


def _reason(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "the formula ends too early"
    position = (error.pos_in_stream or 0) + 1
    if isinstance(error, UnexpectedToken) and error.token.type == "COMPARE" and text[position - 2] not in "<>=":
        return f"position {position}: comparisons do not chain"
    if isinstance(error, UnexpectedCharacters | UnexpectedToken) and position <= len(text):
        return f"position {position}: unexpected '{text[position - 1]}'"
    return f"position {position}: not a formula"


def _shown(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."
