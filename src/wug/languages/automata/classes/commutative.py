"""CB, Acom, Comm, Band, LB and TLB: commutative and idempotent monoids.

Comm: the order of letters never matters. CB: only which letters occur matters (semilattice). Acom: only how often each
letter occurs, counted up to a threshold (commutative and aperiodic). Band: every word acts like its square. LB and TLB:
every eSe is a band, of the syntactic semigroup or of its part that the salient letters generate (Eilenberg 1976;
Pin 2021, Handbook of automata theory, chapters 16 and 19).
"""

import numpy as np

from wug.languages.automata.classes.equations import failed_equation
from wug.languages.automata.classes.local_elements import shortest_inner
from wug.languages.automata.classes.specimen import Specimen, decision
from wug.languages.automata.classes.star_free import star_free
from wug.languages.automata.classes.verdict import Verdict, Witness, no, yes


@decision
def commutative(specimen: Specimen) -> Verdict:
    """Decide Comm; it is enough that letters commute."""
    right = specimen.monoid.right
    by_letter = right[right[0]]
    different = by_letter != by_letter.T
    if not different.any():
        return yes()
    x, y = right[0, np.argwhere(different)[0]].tolist()
    return no(lambda: failed_equation(specimen, "for all words x, y", "xy = yx", {"x": x, "y": y}))


@decision
def band(specimen: Specimen) -> Verdict:
    """Decide Band."""
    moves = ~specimen.monoid.is_idempotent
    if not moves.any():
        return yes()
    return no(lambda: failed_equation(specimen, "for every word x", "xx = x", {"x": int(moves.argmax())}))


@decision
def alphabet_testable(specimen: Specimen) -> Verdict:
    """Decide CB: commutative, and every letter idempotent."""
    commutes = commutative(specimen)
    if not commutes:
        return commutes
    letters = specimen.monoid.right[0]
    moves = ~specimen.monoid.is_idempotent[letters]
    if not moves.any():
        return yes()
    return no(lambda: failed_equation(specimen, "for every word x", "xx = x", {"x": int(letters[moves.argmax()])}))


@decision
def aperiodic_commutative(specimen: Specimen) -> Verdict:
    """Decide Acom; k is the threshold, the most distinct positive powers that a letter has."""
    commutes = commutative(specimen)
    if not commutes:
        return commutes
    aperiodic = star_free(specimen)
    return yes(_threshold(specimen)) if aperiodic else aperiodic


@decision
def locally_band(specimen: Specimen) -> Verdict:
    """Decide LB."""
    return _locally_band(specimen, tier=False)


@decision
def tier_locally_band(specimen: Specimen) -> Verdict:
    """Decide TLB."""
    if specimen.shortcuts and not specimen.neutral:
        return locally_band(specimen)
    return _locally_band(specimen, tier=True)


def _locally_band(specimen: Specimen, tier: bool) -> Verdict:
    offsets, members = specimen.local_monoids
    start = int(offsets[specimen.start(tier)])
    moves = ~specimen.monoid.is_idempotent[members[start:]]
    if not moves.any():
        return yes()
    position = start + int(moves.argmax())
    index = np.searchsorted(offsets, position, side="right") - 1
    return no(lambda: _failure(specimen, int(specimen.objects[index]), int(members[position]), tier))


def _failure(specimen: Specimen, e: int, x: int, tier: bool) -> Witness:
    elements = {"e": e, "x": shortest_inner(specimen, e, x, tier=tier)}
    return failed_equation(specimen, "for every word x and idempotent e", "exexe = exe", elements, tier=tier)


def _threshold(specimen: Specimen) -> int:
    table = specimen.monoid.table
    threshold = 0
    for letter in specimen.monoid.right[0].tolist():
        power, distinct = letter, 1
        while (following := int(table[power, letter])) != power:
            power, distinct = following, distinct + 1
        threshold = max(threshold, distinct)
    return threshold
