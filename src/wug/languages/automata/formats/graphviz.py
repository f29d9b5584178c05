r"""Graphviz drawings of DFAs, and back from the subset of the language that is written here.

One statement a line: the graph, whose attribute ``alphabet`` keeps the letters' order; a state, drawn as
``doublecircle`` if it accepts; an arc, labelled with all its letters; an arc from the point ``start``. In labels,
letters are separated by commas; a comma or backslash in a letter follows a backslash.
"""

import re
from pathlib import Path

import numpy as np

from wug.languages.automata.building import from_transitions
from wug.languages.automata.dfa import DFA
from wug.languages.automata.facts import live_states
from wug.languages.automata.formats._lines import read_text, write_text, wrong_line

_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_NUMBER = "([0-9]{1,9})"
_GRAPH = re.compile(rf"digraph\s+{_QUOTED}\s*{{")
_ALPHABET = re.compile(rf"alphabet\s*=\s*{_QUOTED}\s*;?")
_DRAWING = re.compile(r"rankdir\s*=\s*\w+\s*;?|node\s*\[[^\]]*\]\s*;?|start\s*\[\s*shape\s*=\s*point\s*\]\s*;?")
_STATE = re.compile(rf"{_NUMBER}\s*\[\s*shape\s*=\s*(circle|doublecircle)\s*\]\s*;?")
_START = re.compile(rf"start\s*->\s*{_NUMBER}\s*;?")
_ARC = re.compile(rf"{_NUMBER}\s*->\s*{_NUMBER}\s*\[\s*label\s*=\s*{_QUOTED}\s*\]\s*;?")


def read(path: Path | str) -> DFA:
    """Return the DFA of a drawing written by ``write``; InputError names the line."""
    return from_text(read_text(path), source=str(path))


def from_text(text: str, *, source: str = "Graphviz text") -> DFA:
    """Return the DFA of the text; arcs that are missing lead to a dead state."""
    letters: list[str] | None = None
    arcs: list[tuple[int, str, int]] = []
    target_of: dict[tuple[int, str], int] = {}
    accepting: list[int] = []
    starts: list[int] = []
    lines = text.splitlines()
    for line, statement in enumerate(map(str.strip, lines), start=1):
        if matched := _ALPHABET.fullmatch(statement):
            letters = _letters(matched[1])
        elif matched := _STATE.fullmatch(statement):
            accepting += [int(matched[1])] if matched[2] == "doublecircle" else []
        elif matched := _START.fullmatch(statement):
            starts.append(int(matched[1]))
        elif matched := _ARC.fullmatch(statement):
            source_state, target = int(matched[1]), int(matched[2])
            for letter in _letters(matched[3]):
                if letters is None or letter not in letters:
                    raise wrong_line(source, line, f"'{letter}' is not in the graph's attribute 'alphabet'")
                if target_of.setdefault((source_state, letter), target) != target:
                    raise wrong_line(source, line, f"state {source_state} has another arc by '{letter}'")
                arcs.append((source_state, letter, target))
        elif statement not in ("", "}") and not _GRAPH.fullmatch(statement) and not _DRAWING.fullmatch(statement):
            raise wrong_line(source, line, f"not a statement of a drawn automaton: {statement[:60]}")
    if letters is None:
        raise wrong_line(source, len(lines), "the graph has no attribute 'alphabet'")
    if len(starts) != 1:
        raise wrong_line(source, len(lines), f"expected one arc from 'start', found {len(starts)}")
    return from_transitions(arcs, accepting, starts[0], letters)


def write(dfa: DFA, path: Path | str, *, name: str = "", with_dead: bool = False) -> None:
    """Write the drawing; a crash leaves the old file or the new one."""
    write_text(path, to_text(dfa, name=name, with_dead=with_dead))


def to_text(dfa: DFA, *, name: str = "", with_dead: bool = False) -> str:
    """Return the text of the drawing, dead states left out unless wanted (or the start is dead)."""
    shown = live_states(dfa) | with_dead
    shown[dfa.start] = True
    lines = [
        f"digraph {_quoted(name)} {{",
        f"  alphabet={_quoted(_label(dfa.alphabet))};",
        "  rankdir=LR;",
        "  node [shape=circle];",
        "  start [shape=point];",
    ]
    for state in np.flatnonzero(shown).tolist():
        lines.append(f"  {state} [shape={'doublecircle' if dfa.accepting[state] else 'circle'}];")
    lines.append(f"  start -> {dfa.start};")
    for state in np.flatnonzero(shown).tolist():
        letters_to: dict[int, list[str]] = {}
        for letter, target in zip(dfa.alphabet, dfa.transitions[state].tolist(), strict=True):
            if shown[target]:
                letters_to.setdefault(target, []).append(letter)
        for target, letters in letters_to.items():
            lines.append(f"  {state} -> {target} [label={_quoted(_label(letters))}];")
    return "\n".join([*lines, "}"]) + "\n"


def _label(letters: tuple[str, ...] | list[str]) -> str:
    return ", ".join(re.sub(r"([,\\])", r"\\\1", letter) for letter in letters)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _letters(quoted: str) -> list[str]:
    label = re.sub(r'\\(["\\])', r"\1", quoted)
    return [re.sub(r"\\(.)", r"\1", letter) for letter in re.findall(r"(?:^|, )((?:[^,\\]|\\.)+)", label)]
