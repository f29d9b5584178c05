"""Files with languages of one's own: TOML, one table a language, in the notation of ``notation``.

[shorthands]                                     # optional, added to MLRegTest's
"APART(m,n)" = "not [s_m s_n]"

[[languages]]
name = "harmony"
alphabet = "sztaoi"                              # or a list of symbols
tier = "sz"                                      # optional
pattern = "APART(0,1) and APART(1,0)"
parameters = { k = 2 }                           # optional
"""

import tomllib
from pathlib import Path
from typing import Any

from wug.errors import InputError, unknown_name
from wug.languages.subregular.languages import RegularLanguage

_Types = dict[str, type | tuple[type, ...]]
_REQUIRED: _Types = {"name": str, "alphabet": (str, list), "pattern": str}
_OPTIONAL: _Types = {"tier": (str, list), "parameters": dict}


def read_pattern_file(path: Path | str) -> dict[str, RegularLanguage]:
    """Return the languages of a file by name, in order; InputError names file and language for what is wrong."""
    content = _content(Path(path))
    shorthands = content.get("shorthands", {})
    if not isinstance(shorthands, dict) or not all(isinstance(body, str) for body in shorthands.values()):
        raise InputError(f'{path}: [shorthands] must map heads such as "APART(m,n)" to patterns')
    unknown = set(content) - {"languages", "shorthands"}
    if unknown:
        raise unknown_name(f"key of {path}", min(unknown), ["languages", "shorthands"])
    entries = content.get("languages")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path}: there is no language; each is a table [[languages]] with name, alphabet and pattern")
    languages: dict[str, RegularLanguage] = {}
    for number, entry in enumerate(entries, 1):
        where = f"{path}, language {number}"
        _check(entry, where)
        name = entry["name"]
        if name in languages:
            raise InputError(f"{where}: the name '{name}' is taken")
        if not name or Path(name).name != name:
            raise InputError(f"{where}: a name becomes part of file names, which '{name}' cannot be")
        try:
            language = RegularLanguage.from_pattern(
                name,
                entry["pattern"],
                entry["alphabet"],
                entry.get("parameters"),
                tier=entry.get("tier"),
                shorthands=shorthands,
            )
            language.dfa  # noqa: B018 - compiled now, so that what is wrong with a pattern is said here
        except InputError as error:
            raise InputError(f"{path}, language '{name}': {error}") from None
        languages[name] = language
    return languages


def language_in(path: Path | str, name: str) -> RegularLanguage:
    """Return one language of a file; InputError where it has none of this name."""
    languages = read_pattern_file(path)
    if name not in languages:
        raise unknown_name(f"language of {path}", name, languages)
    return languages[name]


def _content(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML file: {error}") from None


def _check(entry: Any, where: str) -> None:
    if not isinstance(entry, dict):
        raise InputError(f"{where} must be a table [[languages]]")
    for key in entry:
        if key not in _REQUIRED and key not in _OPTIONAL:
            raise unknown_name(f"key of {where}", key, [*_REQUIRED, *_OPTIONAL])
    for key, types in {**_REQUIRED, **_OPTIONAL}.items():
        if key not in entry:
            if key in _REQUIRED:
                raise InputError(f"{where} has no '{key}'")
        elif not isinstance(entry[key], types):
            raise InputError(f"{where}: '{key}' cannot be {entry[key]!r}")
    for name, value in entry.get("parameters", {}).items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{where}: the parameter '{name}' must be a whole number, not {value!r}")
    for key in ("alphabet", "tier"):
        if not all(isinstance(symbol, str) for symbol in entry.get(key, ())):
            raise InputError(f"{where}: the symbols of '{key}' must be texts")
