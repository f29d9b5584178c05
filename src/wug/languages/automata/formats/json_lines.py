"""JSON lines, one complete DFA a line.

    {"name": "no-aa", "alphabet": "ab", "states": 3, "start": 0, "accept": [0, 1], "delta": [[1, 0], [2, 0], [2, 2]]}

``alphabet`` is a string of one-character letters or a list of letters; ``delta`` has one row a state, one column a
letter. Further keys are ignored.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wug.errors import InputError
from wug.languages.automata.building import from_table
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formats._lines import read_text, write_text, wrong_line


def read(path: Path | str) -> dict[str, DFA]:
    """Return the DFAs of a file (compressed if its name ends in .gz) by name; InputError names the line."""
    return from_text(read_text(path), source=str(path))


def from_text(text: str, *, source: str = "JSON lines") -> dict[str, DFA]:
    """Return the DFAs of the text by name; see ``read``."""
    automata: dict[str, DFA] = {}
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            record = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise wrong_line(source, line, f"not a JSON object ({error})") from None
        try:
            name, dfa = _automaton(record)
        except InputError as error:
            raise wrong_line(source, line, str(error)) from None
        if name in automata:
            raise wrong_line(source, line, f"the name '{name}' is there twice")
        automata[name] = dfa
    return automata


def write(automata: Mapping[str, DFA], path: Path | str) -> None:
    """Write the DFAs, one a line; a crash leaves the old file or the new one."""
    write_text(path, to_text(automata))


def to_text(automata: Mapping[str, DFA]) -> str:
    """Return the text of the DFAs, one a line, every state kept."""
    lines = []
    for name, dfa in automata.items():
        is_single = all(len(letter) == 1 for letter in dfa.alphabet)
        record = {
            "name": name,
            "alphabet": "".join(dfa.alphabet) if is_single else list(dfa.alphabet),
            "states": dfa.n_states,
            "start": dfa.start,
            "accept": np.flatnonzero(dfa.accepting).tolist(),
            "delta": dfa.transitions.tolist(),
        }
        lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    return "".join(lines)


def _automaton(record: Any) -> tuple[str, DFA]:
    if not isinstance(record, dict):
        raise InputError("expected a JSON object")
    for key, kind in (("name", str), ("alphabet", (str, list)), ("accept", list), ("delta", list)):
        if not isinstance(record.get(key), kind):
            raise InputError(f"the key '{key}' is missing or has a value of the wrong kind")
    start = record.get("start", 0)
    if not _is_integer(start):
        raise InputError(f"'start' must be a state, got {start!r}")
    letters = record["alphabet"]
    if not all(isinstance(letter, str) for letter in letters):
        raise InputError("'alphabet' must be a string or a list of strings")
    rows = record["delta"]
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(letters) or not all(map(_is_integer, row)):
            raise InputError(f"row {number} of 'delta' must be a list of {len(letters)} states")
    if not all(map(_is_integer, record["accept"])):
        raise InputError("'accept' must be a list of states")
    if "states" in record and record["states"] != len(rows):
        raise InputError(f"'states' is {record['states']!r}, but 'delta' has {len(rows)} rows")
    table = np.array(rows, dtype=object).reshape(len(rows), len(letters))
    if any(not 0 <= state < len(rows) for state in [*table.flat, *record["accept"]]):
        wrong = next(state for state in [*table.flat, *record["accept"]] if not 0 <= state < len(rows))
        raise InputError(f"there is no state {wrong}; states are 0..{len(rows) - 1}")
    return record["name"], from_table(table.astype(np.int32), record["accept"], letters, start)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
