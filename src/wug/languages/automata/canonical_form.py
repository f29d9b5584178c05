"""The canonical text of a regular language and its SHA-256."""

import hashlib

from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise


def canonical(dfa: DFA) -> DFA:
    """Return the complete minimal DFA, states numbered breadth first from the start in alphabet order."""
    return minimise(dfa)


def canonical_text(dfa: DFA) -> str:
    r"""Return the text that two DFAs share exactly if their languages are equal up to the names of the letters.

    ASCII: a line ``n_states n_letters``, then for each state of the canonical DFA ``f t0 t1 ...`` with f = 1 if it
    accepts, else 0, and the target of each letter. The letters themselves are not part of the text.

    >>> from wug.languages.automata.building import from_table
    >>> canonical_text(from_table([[1, 0], [1, 0]], [1], "ab"))
    '2 2\n0 1 0\n1 1 0\n'
    """
    minimal = canonical(dfa)
    lines = [f"{minimal.n_states} {minimal.n_letters}"]
    for accepts, row in zip(minimal.accepting.tolist(), minimal.transitions.tolist(), strict=True):
        lines.append(" ".join(map(str, [int(accepts), *row])))
    return "\n".join(lines) + "\n"


def sha256(dfa: DFA) -> str:
    """Return the lower-case hexadecimal SHA-256 of the canonical text."""
    return hashlib.sha256(canonical_text(dfa).encode("ascii")).hexdigest()
