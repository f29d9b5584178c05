"""Settings as they are written on the command line: ``--set NAME=VALUE``, values as in TOML."""

import json
import tomllib
from collections.abc import Iterable
from typing import Any

from wug.errors import InputError


def parse_assignments(assignments: Iterable[str]) -> dict[str, Any]:
    """Return the settings of ``NAME=VALUE`` arguments; a name given twice takes its last value.

    >>> parse_assignments(["train=100", "learner.cell=lstm", "b=[1, 2]"])
    {'train': 100, 'learner.cell': 'lstm', 'b': [1, 2]}
    """
    settings = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set takes NAME=VALUE, for example --set train=100, not '{assignment}'")
        settings[name.strip()] = parse_value(value.strip())
    return settings


def parse_value(text: str) -> Any:
    """Return a TOML number, boolean, string or list of them; any other text as it stands.

    >>> parse_value("1e-3"), parse_value("true"), parse_value("anbn"), parse_value('"1"'), parse_value("2023-01-01")
    (0.001, True, 'anbn', '1', '2023-01-01')
    """
    try:
        value = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return value["value"] if value.keys() == {"value"} and _is_plain(value["value"]) else text


def format_value(value: Any) -> str:
    """Return the text that ``parse_value`` reads as this number, boolean, string or list.

    >>> format_value(1.0), format_value(True), format_value("anbn"), format_value("1"), format_value([1, "a"])
    ('1.0', 'true', 'anbn', '"1"', '[1, "a"]')
    """
    if isinstance(value, str) and value and value == value.strip() and parse_value(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML, unlike JSON, wants escaped


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | float | str)
