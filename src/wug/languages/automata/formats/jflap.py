"""Finite automata of JFLAP, the teaching tool (files ``.jff``).

Read are deterministic and nondeterministic finite automata; an empty label reads nothing. Document types and
entities are refused, so that no file can make the parser expand or fetch anything.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states
from wug.languages.automata.formats._assembly import Arc, assemble
from wug.languages.automata.formats._lines import read_text, write_text, wrong_line

_STATE_DISTANCE = 120.0
"""Pixels between neighbouring states in a written file, on a circle."""


@dataclass
class _Element:
    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: "list[_Element]" = field(default_factory=list)

    def child(self, tag: str) -> "_Element | None":
        return next((child for child in self.children if child.tag == tag), None)


def read(path: Path | str, *, alphabet: Iterable[str] | None = None) -> DFA:
    """Return the DFA of a file; InputError names the line.

    Without ``alphabet`` the letters are those of the arcs, in code point order.
    """
    return from_text(read_text(path), source=str(path), alphabet=alphabet)


def from_text(text: str, *, source: str = "JFLAP text", alphabet: Iterable[str] | None = None) -> DFA:
    """Return the DFA of the text; see ``read``."""
    root = _parse(text, source)
    kind = root.child("type")
    if root.tag != "structure" or kind is None or kind.text.strip() != "fa":
        place = root if root.tag != "structure" or kind is None else kind
        raise wrong_line(source, place.line, "not a finite automaton of JFLAP: <structure> with <type>fa</type>")
    body = root.child("automaton") or root
    starts: list[str] = []
    accepting: list[str] = []
    states: set[str] = set()
    for state in (child for child in body.children if child.tag == "state"):
        name = state.attributes.get("id")
        if name is None or name in states:
            raise wrong_line(source, state.line, "every <state> needs an id of its own")
        states.add(name)
        starts += [name] if state.child("initial") else []
        accepting += [name] if state.child("final") else []
    if not starts:
        raise wrong_line(source, body.line, "no state is <initial/>")
    arcs = [_arc(child, states, source) for child in body.children if child.tag == "transition"]
    return assemble(arcs, starts, accepting, alphabet, source)


def write(dfa: DFA, path: Path | str) -> None:
    """Write the DFA; a crash leaves the old file or the new one."""
    write_text(path, to_text(dfa))


def to_text(dfa: DFA) -> str:
    """Return the text of the DFA without its dead states (a dead start is kept), states on a circle."""
    for letter in dfa.alphabet:
        if letter != letter.strip() or not letter.isprintable():
            raise InputError(f"the letter {letter!r} cannot be written in a JFLAP file")
    shown = live_states(dfa)
    shown[dfa.start] = True
    numbers = np.flatnonzero(shown).tolist()
    radius = _STATE_DISTANCE * max(1.0, len(numbers) / (2 * math.pi))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<structure>", "  <type>fa</type>", "  <automaton>"]
    for place, state in enumerate(numbers):
        angle = 2 * math.pi * place / len(numbers)
        x, y = radius * (1.2 + math.cos(angle)), radius * (1.2 + math.sin(angle))
        marks = "<initial/>" * (state == dfa.start) + "<final/>" * bool(dfa.accepting[state])
        lines.append(f'    <state id="{state}" name="q{state}"><x>{x:.1f}</x><y>{y:.1f}</y>{marks}</state>')
    for state in numbers:
        for letter, target in zip(dfa.alphabet, dfa.transitions[state].tolist(), strict=True):
            if shown[target]:
                arc = f"<from>{state}</from><to>{target}</to><read>{escape(letter)}</read>"
                lines.append(f"    <transition>{arc}</transition>")
    return "\n".join([*lines, "  </automaton>", "</structure>"]) + "\n"


def _arc(transition: _Element, states: set[str], source: str) -> Arc:
    ends = []
    for tag in ("from", "to"):
        end = transition.child(tag)
        if end is None or end.text.strip() not in states:
            raise wrong_line(source, (end or transition).line, f"<{tag}> must name the id of a state")
        ends.append(end.text.strip())
    label = transition.child("read")
    return Arc(ends[0], (label.text.strip() if label else "") or None, ends[1], transition.line)


def _parse(text: str, source: str) -> _Element:
    parser = expat.ParserCreate("utf-8")
    document = _Element("", {}, 1)
    path = [document]

    def refuse(*_: object) -> None:
        raise wrong_line(source, parser.CurrentLineNumber, "document types and entities are not read")

    def open_element(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes, parser.CurrentLineNumber)
        path[-1].children.append(element)
        path.append(element)

    def close_element(_: str) -> None:
        path.pop()

    def add_text(characters: str) -> None:
        path[-1].text += characters

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = open_element
    parser.EndElementHandler = close_element
    parser.CharacterDataHandler = add_text
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise wrong_line(source, error.lineno, f"not XML ({expat.errors.messages[error.code]})") from None
    return document.children[0]
