"""The classes by name, what decides each, and how the sixteen of MLRegTest include each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wug.languages.automata.classes.betweenness import (
    generalised_locally_testable,
    generalised_piecewise_testable,
    two_variable_with_betweenness,
)
from wug.languages.automata.classes.commutative import (
    alphabet_testable,
    aperiodic_commutative,
    band,
    commutative,
    locally_band,
    tier_locally_band,
)
from wug.languages.automata.classes.definite import (
    definite,
    finite_or_cofinite,
    generalised_definite,
    reverse_definite,
    tier_definite,
    tier_finite_or_cofinite,
    tier_generalised_definite,
    tier_reverse_definite,
)
from wug.languages.automata.classes.dot_depth_one import dot_depth_one, tier_dot_depth_one
from wug.languages.automata.classes.finiteness import cofinite, finite, trivial
from wug.languages.automata.classes.groups import cyclic_of_prime_order, group
from wug.languages.automata.classes.half_dot_depth import (
    co_strictly_piecewise_local,
    strictly_piecewise_local,
    tier_co_strictly_piecewise_local,
    tier_strictly_piecewise_local,
)
from wug.languages.automata.classes.locally_testable import locally_testable, tier_locally_testable
from wug.languages.automata.classes.multitier import (
    multitier_definite,
    multitier_finite_or_cofinite,
    multitier_reverse_definite,
)
from wug.languages.automata.classes.one_sided import (
    l_trivial,
    locally_j_trivial,
    locally_l_trivial,
    locally_r_trivial,
    r_trivial,
    tier_locally_j_trivial,
)
from wug.languages.automata.classes.piecewise_testable import piecewise_testable
from wug.languages.automata.classes.specimen import Specimen
from wug.languages.automata.classes.star_free import (
    locally_two_variable,
    star_free,
    tier_locally_two_variable,
    two_variable,
)
from wug.languages.automata.classes.strictly_local import (
    co_strictly_local,
    strictly_local,
    tier_co_strictly_local,
    tier_strictly_local,
)
from wug.languages.automata.classes.strictly_piecewise import co_strictly_piecewise, strictly_piecewise
from wug.languages.automata.classes.threshold_testable import (
    locally_aperiodic_commutative,
    locally_threshold_testable,
    tier_locally_aperiodic_commutative,
    tier_locally_threshold_testable,
)
from wug.languages.automata.classes.verdict import Verdict, yes
from wug.languages.automata.dfa import DFA


def regular(language: DFA | Specimen) -> Verdict:
    """Decide Reg: every DFA's language is regular."""
    return yes()


@dataclass(frozen=True)
class LanguageClass:
    """One class: its short name, its name in words, and its decision."""

    key: str
    title: str
    decide: Callable[[DFA | Specimen], Verdict]


CLASSES: Mapping[str, LanguageClass] = {
    key: LanguageClass(key, title, decide)
    for key, title, decide in [
        ("SL", "strictly local", strictly_local),
        ("coSL", "complement of strictly local", co_strictly_local),
        ("TSL", "tier-based strictly local", tier_strictly_local),
        ("TcoSL", "complement of tier-based strictly local", tier_co_strictly_local),
        ("SP", "strictly piecewise", strictly_piecewise),
        ("coSP", "complement of strictly piecewise", co_strictly_piecewise),
        ("LT", "locally testable", locally_testable),
        ("TLT", "tier-based locally testable", tier_locally_testable),
        ("PT", "piecewise testable", piecewise_testable),
        ("LTT", "locally threshold testable", locally_threshold_testable),
        ("TLTT", "tier-based locally threshold testable", tier_locally_threshold_testable),
        ("PLT", "piecewise locally testable, dot-depth one", dot_depth_one),
        ("TPLT", "tier-based piecewise locally testable", tier_dot_depth_one),
        ("SF", "star-free", star_free),
        ("Zp", "counting modulo a prime", cyclic_of_prime_order),
        ("Reg", "regular", regular),
        ("SPL", "strictly piecewise local", strictly_piecewise_local),
        ("coSPL", "complement of strictly piecewise local", co_strictly_piecewise_local),
        ("TSPL", "tier-based strictly piecewise local", tier_strictly_piecewise_local),
        ("TcoSPL", "complement of tier-based strictly piecewise local", tier_co_strictly_piecewise_local),
        ("LAcom", "locally aperiodic-commutative", locally_aperiodic_commutative),
        ("TLAcom", "tier-based locally aperiodic-commutative", tier_locally_aperiodic_commutative),
        ("PLT_LJ", "locally J-trivial", locally_j_trivial),
        ("TPLT_LJ", "tier-based locally J-trivial", tier_locally_j_trivial),
        ("Trivial", "empty or full", trivial),
        ("Finite", "finite", finite),
        ("Cofinite", "cofinite", cofinite),
        ("N", "finite or cofinite", finite_or_cofinite),
        ("D", "definite", definite),
        ("K", "reverse definite", reverse_definite),
        ("GD", "generalised definite", generalised_definite),
        ("TN", "tier-based finite or cofinite", tier_finite_or_cofinite),
        ("TD", "tier-based definite", tier_definite),
        ("TK", "tier-based reverse definite", tier_reverse_definite),
        ("TGD", "tier-based generalised definite", tier_generalised_definite),
        ("MTN", "multi-tier finite or cofinite", multitier_finite_or_cofinite),
        ("MTD", "multi-tier definite", multitier_definite),
        ("MTK", "multi-tier reverse definite", multitier_reverse_definite),
        ("CB", "alphabet-testable", alphabet_testable),
        ("Acom", "aperiodic and commutative", aperiodic_commutative),
        ("Comm", "commutative", commutative),
        ("Band", "idempotent", band),
        ("LB", "locally idempotent", locally_band),
        ("TLB", "tier-based locally idempotent", tier_locally_band),
        ("R", "R-trivial", r_trivial),
        ("L", "L-trivial", l_trivial),
        ("LRtriv", "locally R-trivial", locally_r_trivial),
        ("LLtriv", "locally L-trivial", locally_l_trivial),
        ("DA", "two-variable first-order with order", two_variable),
        ("LDA", "two-variable first-order with order and successor", locally_two_variable),
        ("TLDA", "two-variable first-order with order and tier successor", tier_locally_two_variable),
        ("FO2B", "two-variable first-order with order and betweenness", two_variable_with_betweenness),
        ("GLT", "generalised locally testable", generalised_locally_testable),
        ("GPT", "generalised piecewise testable", generalised_piecewise_testable),
        ("Group", "permutation automaton", group),
    ]
}
"""Every class by its short name, those of MLRegTest first."""
