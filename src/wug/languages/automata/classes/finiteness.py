"""Trivial, Finite and Cofinite: properties of the DFA's graph.

A language is trivial here if it is empty or full. (Elsewhere 'trivial' also names a syntactic semigroup with one
element, as of Σ+, or a DFA with one live state.) It is finite exactly if no cycle passes through a live state, a state
from which acceptance can be reached; cofinite if its complement is finite.
"""

import numpy as np

from wug.languages.automata._components import strong_components
from wug.languages.automata.classes.paths import access_word, completing_word, connecting_word, spell
from wug.languages.automata.classes.specimen import Columns, Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def trivial(specimen: Specimen) -> Verdict:
    """Decide whether the language is empty or holds every string."""
    if specimen.dfa.n_states == 1:
        return yes()
    return no(lambda: _both_kinds(specimen))


@decision
def finite(specimen: Specimen) -> Verdict:
    """Decide whether the language is finite."""
    return _decide(specimen, complement=False)


@decision
def cofinite(specimen: Specimen) -> Verdict:
    """Decide whether the complement is finite."""
    return _decide(specimen, complement=True)


def _decide(specimen: Specimen, complement: bool) -> Verdict:
    live = specimen.live(complement)
    if not live.any():
        return yes()
    if specimen.neutral:
        return no(lambda: _pumping(specimen, complement, int(live.argmax()), specimen.neutral[:1]))
    actions = specimen.letters.actions
    component = strong_components(specimen.merged.transitions)
    stays = (component[actions] == component) & live
    if not stays.any():
        return yes()
    action, state = np.argwhere(stays)[0].tolist()
    return no(lambda: _pumping(specimen, complement, state, _cycle(specimen, state, action)))


def _cycle(specimen: Specimen, state: int, action: int) -> Columns:
    back = connecting_word(specimen, int(specimen.letters.actions[action, state]), state)
    return (int(specimen.letters.representatives[action]), *back)


def _both_kinds(specimen: Specimen) -> Witness:
    accepted, rejected = (spell(specimen, completing_word(specimen, 0, kind)) for kind in (True, False))
    return Witness("no string is in the language, or every string is", {}, (accepted,), (rejected,))


def _pumping(specimen: Specimen, complement: bool, state: int, loop: Columns) -> Witness:
    words = {"u": access_word(specimen, state), "x": loop, "v": completing_word(specimen, state, not complement)}
    strings = tuple(spell(specimen, words["u"] + loop * times + words["v"]) for times in range(3))
    kind = "outside" if complement else "in"
    criterion = f"finitely many strings are {kind} the language (here uv, uxv, uxxv and so on are)"
    spelt = {name: spell(specimen, word) for name, word in words.items()}
    return Witness(criterion, spelt, *(((), strings) if complement else (strings, ())))
