"""From the arcs that a file lists, each with its line, to a DFA."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from wug.languages.automata.building import checked_alphabet, from_transitions
from wug.languages.automata.dfa import DFA, listed
from wug.languages.automata.formats._lines import wrong_line
from wug.languages.automata.minimisation import minimise
from wug.languages.automata.nfa import NFA, SILENT, arc_array, determinise


@dataclass(frozen=True)
class Arc:
    """One transition of a file."""

    source: str
    letter: str | None
    """None: the arc reads nothing."""
    target: str
    line: int


def assemble(
    arcs: Sequence[Arc],
    starts: Iterable[str],
    accepting: Iterable[str],
    alphabet: Iterable[str] | None,
    file: str,
) -> DFA:
    """Return the DFA of these arcs; without ``alphabet`` the letters are those of the arcs, in code point order.

    States are numbered when first named, the start first, and missing arcs lead to a dead state. A nondeterministic
    automaton is determinised and minimised.
    """
    used = {arc.letter for arc in arcs if arc.letter is not None}
    letters = checked_alphabet(sorted(used) if alphabet is None else alphabet)
    for arc in arcs:
        if arc.letter is not None and arc.letter not in letters:
            raise wrong_line(file, arc.line, f"'{arc.letter}' is not in the alphabet {listed(letters)}")
    origins, finals = list(dict.fromkeys(starts)), list(accepting)
    targets: dict[tuple[str, str | None], set[str]] = {}
    for arc in arcs:
        targets.setdefault((arc.source, arc.letter), set()).add(arc.target)
    is_deterministic = len(origins) == 1 and all(
        letter is not None and len(reached) == 1 for (_, letter), reached in targets.items()
    )
    if is_deterministic:
        labelled = [(arc.source, arc.letter, arc.target) for arc in arcs if arc.letter is not None]
        return from_transitions(labelled, finals, origins[0], letters)
    number: dict[str, int] = {}
    for name in [*origins, *(name for arc in arcs for name in (arc.source, arc.target)), *finals]:
        number.setdefault(name, len(number))
    column_of = {letter: column for column, letter in enumerate(letters)}
    numbered = [
        (number[arc.source], SILENT if arc.letter is None else column_of[arc.letter], number[arc.target])
        for arc in arcs
    ]
    mask = np.zeros(len(number), dtype=np.bool_)
    mask[[number[name] for name in finals]] = True
    nfa = NFA(arc_array(numbered), np.array([number[name] for name in origins], dtype=np.int32), mask, letters)
    return minimise(determinise(nfa))
