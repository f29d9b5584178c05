"""What a class's constructor takes: read from source without running it, or from the class itself.

Reading the source keeps torch out of the coordinating process: options are checked, and defaults enter a trial's id,
before anything is imported.
"""

import ast
import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_type_hints

from pydantic import PydanticSchemaGenerationError, TypeAdapter, ValidationError

from wug.errors import InputError, unknown_name

_SIMPLE_TYPES: dict[str, Any] = {"int": int, "float": float, "str": str, "bool": bool, "None": None}


@dataclass(frozen=True)
class Option:
    """One parameter of a constructor."""

    type: Any
    """A type that pydantic can convert to; Any where the annotation is missing or not simple."""
    default: Any
    """The default value, or ``inspect.Parameter.empty`` where the option must be given."""


@dataclass(frozen=True)
class Constructor:
    """The options of a class, in order, and whether its instances are learners."""

    name: str
    options: Mapping[str, Option]
    fits: bool
    """True for a class with a method ``fit`` (a learner), False for an encoder."""

    @property
    def defaults(self) -> dict[str, Any]:
        """The values of the options that need not be given, as far as they are plain; others are the class's affair."""
        return {name: option.default for name, option in self.options.items() if isinstance(option.default, _PLAIN)}

    def convert(self, name: str, value: Any) -> Any:
        """Return the value in the option's type; InputError names the option and what it must be."""
        try:
            converted = TypeAdapter(self.options[name].type).validate_python(value)
        except ValidationError as error:
            reason = error.errors()[0]["msg"].lower()
            raise InputError(f"option '{name}' of {self.name} cannot be {value!r}: {reason}") from None
        if isinstance(converted, float) and not math.isfinite(converted):
            raise InputError(f"option '{name}' of {self.name} must be finite, not {value!r}")
        return converted

    def check(self, options: Mapping[str, Any], also: frozenset[str] = frozenset()) -> None:
        """Raise InputError for an option that neither the constructor nor ``also`` knows, or one that is missing."""
        for name in options:
            if name not in self.options and name not in also:
                known = sorted({*self.options, *also})
                if not known:
                    raise InputError(f"{self.name} takes no options, but '{name}' was given")
                raise unknown_name(f"option of {self.name}", name, known)
            if name in self.options and name in also:
                raise InputError(
                    f"option '{name}' is ambiguous: it is a parameter of {self.name} and a training setting; "
                    f"rename the parameter"
                )
        for name, option in self.options.items():
            if option.default is _REQUIRED and name not in options:
                raise InputError(f"{self.name} needs the option '{name}' (--set learner.{name}=...)")


_REQUIRED = inspect.Parameter.empty
_PLAIN = (int, float, str, bool, type(None))


def constructor_of(subject: type) -> Constructor:
    """Return the constructor of an imported class."""
    fits = hasattr(subject, "fit")
    parameters = list(inspect.signature(subject).parameters.values())
    try:
        hints = get_type_hints(subject.__init__, include_extras=True)  # type: ignore[misc]
    except (NameError, TypeError):  # annotations that only a type checker can resolve
        hints = {}
    options = {
        parameter.name: Option(_convertible(hints.get(parameter.name, Any)), parameter.default)
        for parameter in (parameters if fits else parameters[1:])
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    return Constructor(subject.__name__, options, fits)


def _convertible(hint: Any) -> Any:
    """Return the type where values can be converted to it, otherwise Any."""
    try:
        TypeAdapter(hint)
    except PydanticSchemaGenerationError:
        return Any
    return hint


def read_constructor(tree: ast.Module, class_name: str) -> Constructor | None:
    """Return the constructor of a class in parsed source, or None where only running it would tell.

    >>> source = "class Net(torch.nn.Module):\\n def __init__(self, vocabulary_size, width: int = 64): ..."
    >>> read_constructor(ast.parse(source + "\\n def forward(self, ids): ..."), "Net").defaults
    {'width': 64}
    """
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name]
    if len(classes) != 1 or classes[0].decorator_list:
        return None
    methods = {node.name: node for node in classes[0].body if isinstance(node, ast.FunctionDef)}
    fits = "fit" in methods
    if fits and "__init__" not in methods and not (classes[0].bases or classes[0].keywords):
        return Constructor(class_name, {}, fits)
    if "__init__" not in methods or not (fits or "forward" in methods):
        return None
    arguments = methods["__init__"].args
    if arguments.vararg or arguments.kwarg or methods["__init__"].decorator_list:
        return None
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(positional, [*[None] * missing, *arguments.defaults], strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    options = {}
    try:
        for argument, default in pairs[1:] if fits else pairs[2:]:
            value = _REQUIRED if default is None else ast.literal_eval(default)
            if not isinstance(value, _PLAIN) and value is not _REQUIRED:
                return None
            options[argument.arg] = Option(_type(argument.annotation), value)
    except ValueError:  # a default that has to be computed
        return None
    return Constructor(class_name, options, fits)


def _type(annotation: ast.expr | None) -> Any:
    """Return the type that a simple annotation names, Any for all others."""
    match annotation:
        case ast.Name(id=name):
            return _SIMPLE_TYPES.get(name, Any)
        case ast.Constant(value=None):
            return None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            either = _type(left), _type(right)
            return Any if Any in either else either[0] | either[1]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Constant(value=value)):
            return Literal[value]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=elements)):
            values = [element.value for element in elements if isinstance(element, ast.Constant)]
            return Literal.__getitem__(tuple(values)) if len(values) == len(elements) else Any
    return Any
