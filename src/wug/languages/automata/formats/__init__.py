"""Automata and labelled strings in files: AT&T text, JSON lines, Graphviz, JFLAP, Abbadingo.

Each module has ``read`` and ``write`` for files, ``from_text`` and ``to_text`` for their content. A file that is
wrong gets one sentence with its line; reading executes nothing. ``read_automata`` chooses the module by the file's
name.
"""

from collections.abc import Iterable
from pathlib import Path

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formats import abbadingo, att, graphviz, jflap, json_lines

__all__ = ["abbadingo", "att", "graphviz", "jflap", "json_lines", "read_automata"]


def read_automata(
    path: Path | str, *, symbols: Path | str | None = None, alphabet: Iterable[str] | None = None
) -> dict[str, DFA]:
    """Return the automata of a file by name; those that a file does not name are called after it.

    ``.jsonl``, ``.json``: JSON lines; ``.att``, ``.txt``: AT&T text, for which ``symbols`` names the symbol table;
    ``.dot``, ``.gv``: Graphviz; ``.jff``: JFLAP. A further ``.gz`` says that the file is compressed. ``alphabet``
    gives the letters, in order, of formats that leave them open: AT&T text and JFLAP.
    """
    file = Path(path)
    plain = file.with_suffix("") if file.suffix == ".gz" else file
    kind = plain.suffix.lower()
    if kind in (".jsonl", ".json"):
        return json_lines.read(file)
    if kind in (".att", ".txt"):
        return {plain.stem: att.read(file, symbols=symbols, alphabet=alphabet)}
    if kind in (".dot", ".gv"):
        return {plain.stem: graphviz.read(file)}
    if kind == ".jff":
        return {plain.stem: jflap.read(file, alphabet=alphabet)}
    raise InputError(f"{path}: automata are read from files named .jsonl, .json, .att, .txt, .dot, .gv or .jff")
