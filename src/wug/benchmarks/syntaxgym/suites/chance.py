"""How often a prediction holds by chance: where all region surprisals are independent draws of one distribution.

The order of the cells is then uniform over all permutations. A comparison that every permutation decides, whatever the
distances, is counted exactly (for conjunctions of simple inequalities these are the linear extensions of a partial
order). One that compares differences depends on the distribution; what the distances decide gives bounds, and for
distributions that are symmetric about some point often an exact value as well. A single comparison of sums that differ
only in which cells they have holds in exactly half of the cases.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial, prod

from wug.benchmarks.syntaxgym.suites.formulas import Cell, Comparison, Formula, Step, fold
from wug.benchmarks.syntaxgym.suites.suite import Suite

MAX_CELLS = 7
"""Cells whose permutations are enumerated."""
MAX_VERDICTS = 100_000
"""Comparisons decided in all permutations together; beyond that a formula has bounds alone."""

_CONSTANT = Cell(0, "")
"""Stands for the constant term of a linear form; no condition has an empty name."""
_Form = Mapping[Cell, Fraction]
_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Chance:
    """The probability that a prediction holds by chance."""

    low: Fraction
    """What it is at least, whatever the distribution of surprisals (continuous, the same for all cells)."""
    high: Fraction
    symmetric: Fraction | None
    """What it is for distributions that are symmetric; None where this is not known."""

    @property
    def value(self) -> Fraction | None:
        """The exact value where there is one, else that for symmetric distributions; None where only bounds exist."""
        return self.low if self.low == self.high else self.symmetric


@dataclass(frozen=True)
class _Condition:
    """A truth value as a program over comparisons, each ``form > 0``."""

    program: tuple[Step | int, ...]
    forms: tuple[_Form, ...]

    @property
    def cells(self) -> set[Cell]:
        return {cell for form in self.forms for cell in form if cell != _CONSTANT}


def chance(formulas: Iterable[Formula], suite: Suite) -> Chance:
    """Return how often all of the formulas hold together by chance.

    >>> from wug.benchmarks.syntaxgym.suites.formulas import parse_formula
    >>> from wug.benchmarks.syntaxgym.suites.suite import Metric
    >>> suite = Suite("s", Metric.SUM, ("one",), (), ())
    >>> npi = "(1;%a%) < (1;%c%) & (1;%b%) < (1;%d%) & (1;%a%) < (1;%d%)"
    >>> chance([parse_formula(npi)], suite).value
    Fraction(5, 24)
    """
    conjuncts = [conjunct for formula in formulas for conjunct in _conjuncts(formula, suite)]
    parts = [_chance(group) for group in _connected(conjuncts)]
    symmetric = [part.symmetric for part in parts if part.symmetric is not None]
    return Chance(
        prod((part.low for part in parts), start=Fraction(1)),
        prod((part.high for part in parts), start=Fraction(1)),
        prod(symmetric, start=Fraction(1)) if len(symmetric) == len(parts) else None,
    )


def _conjuncts(formula: Formula, suite: Suite) -> list[_Condition]:
    """Return conditions all of which must hold; each is one comparison, or a disjunction."""

    def push(operand: Cell | float) -> _Form:
        if not isinstance(operand, Cell):
            return {_CONSTANT: Fraction(operand)}
        return {Cell(region, operand.condition): Fraction(1) for region in suite.regions_of(operand)}

    def combine(step: Step, left: object, right: object) -> object:
        if isinstance(left, list) and isinstance(right, list):
            return left + right if step.operator == "&" else [_either(left, right)]
        assert isinstance(left, dict)
        assert isinstance(right, dict)
        if step.operator == "+":
            return _added(left, right, 1)
        difference = _added(right, left, -1) if step.operator == "<" else _added(left, right, -1)
        if step.operator == "-":
            return difference
        if step.operator == "=":  # two draws of a continuous distribution are never equal
            difference = {_CONSTANT: Fraction(1 if _are_equal_constants(left, right) else -1)}
        return [_Condition((0,), (difference,))]

    found: list[_Condition] = fold(formula.program, push, combine)
    return found


def _are_equal_constants(left: _Form, right: _Form) -> bool:
    difference = _added(left, right, -1)
    sides = (float(form.get(_CONSTANT, 0)) for form in (left, right))
    return not (difference.keys() - {_CONSTANT}) and Comparison("=", *sides).holds


def _added(left: _Form, right: _Form, sign: int) -> dict[Cell, Fraction]:
    total = {cell: left.get(cell, Fraction(0)) + sign * right.get(cell, Fraction(0)) for cell in (*left, *right)}
    return {cell: value for cell, value in total.items() if value}


def _either(left: Sequence[_Condition], right: Sequence[_Condition]) -> _Condition:
    joined = [_joined(side, "&") for side in (left, right)]
    return _joined(joined, "|")


def _joined(conditions: Sequence[_Condition], operator: str) -> _Condition:
    program: list[Step | int] = []
    forms: list[_Form] = []
    for place, condition in enumerate(conditions):
        program += [step + len(forms) if isinstance(step, int) else step for step in condition.program]
        forms += condition.forms
        if place:
            program.append(Step(None, operator))
    return _Condition(tuple(program), tuple(forms))


def _connected(conjuncts: Sequence[_Condition]) -> list[list[_Condition]]:
    """Return the conjuncts in groups that share no cells, so are independent."""
    groups: list[tuple[set[Cell], list[_Condition]]] = []
    for conjunct in conjuncts:
        touched = [group for group in groups if group[0] & conjunct.cells]
        groups = [group for group in groups if not any(group is one for one in touched)]
        cells = conjunct.cells.union(*(group[0] for group in touched))
        groups.append((cells, [*(one for group in touched for one in group[1]), conjunct]))
    return [members for _, members in groups]


def _chance(group: Sequence[_Condition]) -> Chance:
    if len(group) == 1 and len(group[0].forms) == 1 and _is_exchangeable(group[0].forms[0]):
        return Chance(_HALF, _HALF, _HALF)
    whole = _joined(group, "&")
    cells = sorted(whole.cells)
    if len(cells) > MAX_CELLS or factorial(len(cells)) * len(whole.forms) > MAX_VERDICTS:
        return Chance(Fraction(0), Fraction(1), None)
    low = high = 0
    symmetric: Fraction | None = Fraction(0)
    for order in permutations(cells):
        verdicts = [_verdict(form, order) for form in whole.forms]
        value = _three_valued(whole.program, verdicts)
        low += value is True
        high += value is not False
        if symmetric is not None:
            share = Fraction(value) if value is not None else _symmetric_share(whole, verdicts, order)
            symmetric = None if share is None else symmetric + share
    total = factorial(len(cells))
    return Chance(Fraction(low, total), Fraction(high, total), None if symmetric is None else symmetric / total)


def _is_exchangeable(form: _Form) -> bool:
    """Whether swapping cells turns the form into its negative, so that it is positive in half of the cases."""
    return bool(form) and _CONSTANT not in form and sorted(form.values()) == sorted(-value for value in form.values())


def _gap_weights(form: _Form, order: Sequence[Cell]) -> list[Fraction]:
    """Return the weights of the distances between neighbours in the order, the least first (sums by parts)."""
    weights = [form.get(cell, Fraction(0)) for cell in order]
    return [sum(weights[place:], Fraction(0)) for place in range(1, len(weights))]


def _verdict(form: _Form, order: Sequence[Cell]) -> bool | None:
    """Return whether the form is positive wherever the cells stand in this order, ascending; None if that varies."""
    constant = form.get(_CONSTANT, Fraction(0))
    total = sum((value for cell, value in form.items() if cell != _CONSTANT), Fraction(0))
    values = [constant, total, *_gap_weights(form, order)]  # surprisals are not negative, so the least counts as a gap
    if all(value >= 0 for value in values):
        return any(value > 0 for value in values)
    if all(value <= 0 for value in values):
        return False
    return None


def _three_valued(program: Sequence[Step | int], verdicts: Sequence[bool | None]) -> bool | None:
    stack: list[bool | None] = []
    for step in program:
        if isinstance(step, int):
            stack.append(verdicts[step])
            continue
        right, left = stack.pop(), stack.pop()
        decisive = step.operator == "|"
        if left is decisive or right is decisive:
            stack.append(decisive)
        else:
            stack.append(None if left is None or right is None else not decisive)
    (value,) = stack
    return value


def _symmetric_share(whole: _Condition, verdicts: Sequence[bool | None], order: Sequence[Cell]) -> Fraction | None:
    """Return how often the condition holds in one order, for a symmetric distribution; None where not known.

    Turning a symmetric distribution round reverses the distances. A form that this turns into its negative is positive
    in half of the cases.
    """
    open_forms = [place for place, verdict in enumerate(verdicts) if verdict is None]
    if len(open_forms) != 1:
        return None
    (place,) = open_forms
    form = whole.forms[place]
    gaps = _gap_weights(form, order)
    if _CONSTANT in form or sum(form.values(), Fraction(0)) or gaps != [-gap for gap in reversed(gaps)]:
        return None
    outcomes = [
        _three_valued(whole.program, [*verdicts[:place], outcome, *verdicts[place + 1 :]]) for outcome in (True, False)
    ]
    return sum((_HALF for outcome in outcomes if outcome), Fraction(0))
