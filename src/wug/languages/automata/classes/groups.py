"""Group languages, and Zp among them: counting modulo a prime.

The syntactic monoid is a group exactly if every letter permutes the states of the minimal DFA. Zp asks that it has a
prime number p of elements: then it is cyclic, and a sum of letter weights modulo p decides membership (van der Poel et
al. 2024, section 3.1). Neither the empty language nor the full one is in Zp.
"""

import numpy as np

from wug.languages.automata.classes.equations import separated
from wug.languages.automata.classes.grammar import Grammar
from wug.languages.automata.classes.paths import access_word, distinguishing_word
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes
from wug.languages.automata.formulas.syntax import Count


@decision
def group(specimen: Specimen) -> Verdict:
    """Decide Group."""
    actions = specimen.letters.actions
    permutes = (np.sort(actions, axis=1) == np.arange(actions.shape[1])).all(axis=1)
    if permutes.all():
        return yes()
    return no(lambda: _merging(specimen, int(permutes.argmin())))


@decision
def cyclic_of_prime_order(specimen: Specimen) -> Verdict:
    """Decide Zp; k is the prime p."""
    is_group = group(specimen)
    if not is_group:
        return is_group
    order = len(specimen.monoid)
    if order > 1 and all(order % divisor for divisor in range(2, int(order**0.5) + 1)):
        return yes(order, (lambda: _remainders(specimen)) if len(specimen.salient) == 1 else None)
    return no(lambda: Witness(f"the syntactic monoid is a group of prime order; its order is {order}", {}, (), ()))


def _remainders(specimen: Specimen) -> Grammar:
    """Return the grammar of a language that counts one letter."""
    letter, modulus = specimen.alike[0][0], len(specimen.monoid)
    state, remainders = 0, []
    for remainder in range(modulus):
        if specimen.dfa.accepting[state]:
            remainders.append(remainder)
        state = int(specimen.letters.actions[0, state])
    return Grammar(False, (Count(letter, modulus, tuple(remainders)),), None, True)


def _merging(specimen: Specimen, merging_action: int) -> Witness:
    action = specimen.letters.actions[merging_action]
    first, second = np.flatnonzero(action == np.bincount(action).argmax())[:2].tolist()
    u, v, w = access_word(specimen, first), access_word(specimen, second), distinguishing_word(specimen, first, second)
    words = {"u": u, "v": v, "w": w, "a": (int(specimen.letters.representatives[merging_action]),)}
    criterion = "if ua and va lead to the same state then so do u and v (here w tells them apart)"
    return separated(specimen, criterion, words, u + w, v + w)
