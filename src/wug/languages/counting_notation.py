"""Reading the notation of counting languages, such as ``a^n b^m c^(n+m)``."""

import re
from dataclasses import dataclass

from wug.errors import InputError

BOUNDARY = "#"
LARGEST_NUMBER = 10**6

_BLOCK = re.compile(r"(?P<symbol>[^\s^()+#])(?:\^(?:(?P<plain>[a-z]|\d+)|\((?P<sum>[^()]*)\)))?(?:\s+|$)")
_TERM = re.compile(r"(?P<factor>\d*) *(?P<parameter>[a-z]?)")


@dataclass(frozen=True)
class Block:
    """A symbol repeated as often as a linear form in the parameters says."""

    symbol: str
    constant: int
    factors: dict[str, int]
    """The factor of each parameter that occurs, at least 1."""

    def __str__(self) -> str:
        """Return the block in its shortest notation."""
        terms = [f"{factor if factor > 1 else ''}{parameter}" for parameter, factor in self.factors.items()]
        terms += [str(self.constant)] if self.constant else []
        exponent = "+".join(terms)
        if exponent == "1":
            return self.symbol
        return f"{self.symbol}^{exponent}" if re.fullmatch(r"[a-z]|\d+", exponent) else f"{self.symbol}^({exponent})"


def parse(notation: str) -> tuple[Block, ...]:
    """Return the blocks of a language; InputError says why a notation is refused.

    A block is a symbol, alone or with an exponent: a number, a parameter (a small letter) or a sum in parentheses.
    Blanks stand between blocks. So that a string's parameters can be read off it from left to right, neighbouring
    blocks have different symbols, and a block has at most one parameter that no block before it has.

    >>> [str(block) for block in parse("a^(1+n + n) b^m c^(n+m)")]
    ['a^(2n+1)', 'b^m', 'c^(n+m)']
    """
    blocks: list[Block] = []
    known: set[str] = set()
    text = notation.strip()
    at = 0
    while at < len(text):
        match = _BLOCK.match(text, at)
        if match is None:
            raise InputError(
                f"cannot read {text[at:]!r} in the language {notation!r}; write blocks such as a, a^2, a^n or "
                f"a^(2n+m+1) with blanks between them (the boundary {BOUNDARY} cannot be a symbol)"
            )
        block = _block(match, notation)
        new = block.factors.keys() - known
        if len(new) > 1:
            raise InputError(
                f"the block {block} of {notation!r} has two new parameters, {' and '.join(sorted(new))}, "
                "which could not be told apart"
            )
        if blocks and blocks[-1].symbol == block.symbol:
            raise InputError(f"the blocks {blocks[-1]} and {block} of {notation!r} must be written as one")
        blocks.append(block)
        known |= new
        at = match.end()
    if not blocks:
        raise InputError("a counting language needs at least one block, such as a^n")
    return tuple(blocks)


def _block(match: re.Match[str], notation: str) -> Block:
    constant, factors = 0, dict[str, int]()
    exponent = match["sum"] if match["sum"] is not None else match["plain"] or "1"
    for term in exponent.split("+"):
        parts = _TERM.fullmatch(term.strip())
        if parts is None or not parts.group():
            raise InputError(
                f"cannot read the exponent {exponent!r} in the language {notation!r}; "
                "it must be a sum of terms such as 2, n or 2n"
            )
        number = int(parts["factor"] or 1)
        if not 1 <= number <= LARGEST_NUMBER:
            raise InputError(f"numbers in the language {notation!r} must be 1 to {LARGEST_NUMBER}, not {number}")
        if parts["parameter"]:
            factors[parts["parameter"]] = factors.get(parts["parameter"], 0) + number
        else:
            constant += number
    return Block(match["symbol"], constant, factors)
