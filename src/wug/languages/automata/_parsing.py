"""What the small grammars share: one sentence with a column for what cannot be read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from wug.errors import InputError

Result = TypeVar("Result")

_LONGEST_QUOTE = 80


def syntax_tree(parser: Lark, text: str, *, kind: str, names: Mapping[str, str]) -> Tree[Token]:
    """Return the syntax tree; InputError names the column and what could stand there.

    ``names`` says how the grammar's terminals are called in the sentence; those it leaves out are not suggested, and
    the first one, where it could stand, is suggested alone.
    """
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        if isinstance(error, UnexpectedToken):
            expected = error.accepts or error.expected
            found = "the end" if error.token.type == "$END" else repr(str(error.token))
            place = len(text) if error.token.type == "$END" else error.token.start_pos
        elif isinstance(error, UnexpectedCharacters):
            expected, found, place = error.allowed or set(), repr(error.char), error.pos_in_stream
        else:
            raise
        possible = [name for name in names if name in expected]
        if possible and possible[0] == next(iter(names)):
            possible = possible[:1]
        suggestions = " or ".join(names[name] for name in possible)
        sentence = f"expected {suggestions}, found {found}" if suggestions else f"{found} has no place here"
        raise error_at(place or 0, text, kind, sentence) from None


def error_at(place: int, text: str, kind: str, sentence: str) -> InputError:
    """Return the error for what stands at the character ``place``, counted from 0, of the text."""
    quoted = (text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + " ...").replace("\n", " ")
    return InputError(f"{kind} '{quoted}', column {place + 1}: {sentence}")


def transformed(transformer: "Transformer[Token, Result]", tree: Tree[Token]) -> Result:
    """Return what the transformer makes of the tree, its InputErrors as they are."""
    try:
        return transformer.transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            raise error.orig_exc from None
        raise


@contextmanager
def deep_nesting_refused(kind: str) -> Iterator[None]:
    """Turn a RecursionError into a sentence."""
    try:
        yield
    except RecursionError:
        raise InputError(f"the {kind} is nested too deeply") from None
