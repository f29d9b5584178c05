"""Which suites belong together: circuits, the suites of the mean, pairs with and without a modifier.

Source: Hu et al. 2020, section 3 and the analysis code published with it (cpllab/syntactic-generalization,
notebooks/main.py), which takes 31 of the 34 suites into the mean.
"""

import re
from enum import StrEnum

CIRCUITS = {
    "number": "Agreement",
    "center": "Center Embedding",
    "npz": "Garden-Path Effects",
    "mvrr": "Garden-Path Effects",
    "subordination": "Gross Syntactic State",
    "npi": "Licensing",
    "reflexive": "Licensing",
    "fgd": "Long-Distance Dependencies",
    "cleft": "Long-Distance Dependencies",
}
"""Circuit of a suite, by what stands before the first of ``-``, ``_`` or a digit in its name."""

MODIFIER_PAIRS = (
    ("center_embed", "center_embed_mod"),
    ("cleft", "cleft_modifier"),
    ("mvrr", "mvrr_mod"),
    ("npz_ambig", "npz_ambig_mod"),
    ("npz_obj", "npz_obj_mod"),
)
"""(suite, the same with a modifier between)."""

SUITE_NAMES = (
    *("center_embed", "center_embed_mod", "cleft", "cleft_modifier", "fgd-embed3", "fgd-embed4", "fgd_hierarchy"),
    *("fgd_object", "fgd_pp", "fgd_subject", "mvrr", "mvrr_mod", "nn-nv-rpl"),
    *("npi_orc_any", "npi_orc_ever", "npi_src_any", "npi_src_ever"),
    *("npz_ambig", "npz_ambig_mod", "npz_obj", "npz_obj_mod", "number_orc", "number_prep", "number_src"),
    *("reflexive_orc_fem", "reflexive_orc_masc", "reflexive_prep_fem", "reflexive_prep_masc"),
    *("reflexive_src_fem", "reflexive_src_masc"),
    *("subordination", "subordination_orc-orc", "subordination_pp-pp", "subordination_src-src"),
)
"""The published suites."""
DEMONSTRATION = ("nn-nv-rpl",)
EMBEDDED = ("fgd-embed3", "fgd-embed4")


class SuiteSet(StrEnum):
    """Which suites enter the SG score."""

    PAPER = "31"
    """Those of the paper's figures and regressions."""
    ALL = "33"
    """With fgd-embed3 and fgd-embed4: all but the demonstration nn-nv-rpl."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the suites."""
        left_out = (*DEMONSTRATION, *EMBEDDED) if self is SuiteSet.PAPER else DEMONSTRATION
        return tuple(name for name in SUITE_NAMES if name not in left_out)


def circuit_of(suite: str) -> str:
    """Return the circuit of a suite; '' where it has none.

    >>> circuit_of("fgd-embed3")
    'Long-Distance Dependencies'
    """
    return CIRCUITS.get(re.split(r"[-_\d]", suite, maxsplit=1)[0], "")
