"""The text format of the AT&T finite-state tools, which OpenFst and foma read too.

A line is an arc, ``source target letter [letter] [weight]``, or a final state, ``state [weight]``; the source of the
first line is the start state and arcs that are missing lead nowhere. A symbol table has a line ``symbol number`` for
every letter, the empty word being number 0. Files whose arcs change letters or weigh anything are refused.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states
from wug.languages.automata.formats._assembly import Arc, assemble
from wug.languages.automata.formats._lines import read_text, write_text, wrong_line
from wug.languages.automata.minimisation import reachable

EMPTY_WORD = "<EPS>"
"""How the empty word is written; ``<eps>`` and ``<epsilon>`` are read as well."""


def read(path: Path | str, *, symbols: Path | str | None = None, alphabet: Iterable[str] | None = None) -> DFA:
    """Return the DFA of a file; InputError names the line.

    With a symbol table, arcs may name letters or their numbers, and the alphabet is the table's in its order. Without,
    arcs name letters, and the alphabet is that of the arcs in code point order. ``alphabet`` overrules both.
    """
    table = None if symbols is None else read_symbols(symbols)
    if alphabet is None and table is not None:
        alphabet = [symbol for symbol, number in table.items() if number != 0]
    return from_text(read_text(path), source=str(path), symbols=table, alphabet=alphabet)


def read_symbols(path: Path | str) -> dict[str, int]:
    """Return a symbol table's symbols with their numbers, in the file's order."""
    table: dict[str, int] = {}
    numbers: set[int] = set()
    for line, text in enumerate(read_text(path).splitlines(), start=1):
        fields = text.split()
        if not fields:
            continue
        if len(fields) != 2 or not _is_number(fields[1]):
            raise wrong_line(path, line, "expected a symbol and its number")
        symbol, number = fields[0], int(fields[1])
        if symbol in table or number in numbers:
            raise wrong_line(path, line, f"the symbol '{symbol}' or its number {number} is there twice")
        table[symbol] = number
        numbers.add(number)
    return table


def from_text(
    text: str,
    *,
    source: str = "AT&T text",
    symbols: dict[str, int] | None = None,
    alphabet: Iterable[str] | None = None,
) -> DFA:
    """Return the DFA of the text; see ``read``."""
    arcs: list[Arc] = []
    starts: list[str] = []
    accepting: list[str] = []
    for line, written in enumerate(text.splitlines(), start=1):
        fields = written.split()
        if not fields:
            continue
        starts = starts or [fields[0]]
        if len(fields) <= 2:
            _refuse_weight(fields[1:], source, line)
            accepting.append(fields[0])
        elif len(fields) <= 5:
            letter, rest = fields[2], fields[3:]
            is_weight = len(rest) == 1 and _is_weightless(rest[0]) and rest[0] not in (symbols or {})
            if rest and rest[0] != letter and not is_weight:
                raise wrong_line(source, line, f"the arc changes '{letter}' into '{rest[0]}'; only acceptors are read")
            _refuse_weight(rest[1:], source, line)
            arcs.append(Arc(fields[0], _letter(letter, symbols, source, line), fields[1], line))
        else:
            raise wrong_line(source, line, f"expected an arc or a final state, found {len(fields)} fields")
    return assemble(arcs, starts or ["no state"], accepting, alphabet, source)


def write(dfa: DFA, path: Path | str, *, symbols: Path | str | None = None) -> None:
    """Write the DFA without its dead states and, if wanted, its symbol table; a crash leaves old or new files."""
    write_text(path, to_text(dfa))
    if symbols is not None:
        write_text(symbols, symbols_text(dfa.alphabet))


def to_text(dfa: DFA) -> str:
    """Return the text of the DFA's reachable live states, breadth first; the empty language has no lines."""
    _refuse_unwritable(dfa.alphabet)
    found = reachable(dfa)
    live = live_states(found)
    lines = []
    if live[0]:
        for source, column in np.argwhere(live[:, None] & live[found.transitions]).tolist():
            letter = found.alphabet[column]
            lines.append(f"{source}\t{found.transitions[source, column]}\t{letter}\t{letter}\n")
        lines += [f"{state}\n" for state in np.flatnonzero(found.accepting).tolist()]
    return "".join(lines)


def symbols_text(alphabet: tuple[str, ...]) -> str:
    """Return the text of a symbol table: the empty word is 0, the letters are 1, 2, ..."""
    _refuse_unwritable(alphabet)
    return "".join(f"{symbol}\t{number}\n" for number, symbol in enumerate((EMPTY_WORD, *alphabet)))


def _letter(label: str, symbols: dict[str, int] | None, source: str, line: int) -> str | None:
    if symbols is None:
        return None if _is_empty_word(label) else label
    if label not in symbols:
        named = [symbol for symbol, number in symbols.items() if _is_number(label) and number == int(label)]
        if not named:
            raise wrong_line(source, line, f"'{label}' is neither a symbol nor a number of the symbol table")
        label = named[0]
    return None if symbols[label] == 0 else label


def _refuse_weight(weight: list[str], source: str, line: int) -> None:
    if weight and not _is_weightless(weight[0]):
        raise wrong_line(source, line, f"the weight '{weight[0]}' has no meaning here; only 0 is read")


def _refuse_unwritable(alphabet: tuple[str, ...]) -> None:
    for letter in alphabet:
        if _is_empty_word(letter) or any(character.isspace() for character in letter):
            raise InputError(f"the letter {letter!r} cannot be written in AT&T text")


def _is_weightless(text: str) -> bool:
    try:
        return float(text) == 0.0
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _is_empty_word(label: str) -> bool:
    return label.lower() in ("<eps>", "<epsilon>")
