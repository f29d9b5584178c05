"""How the sixteen classes of MLRegTest include each other, and when a language represents one of them."""

from collections.abc import Mapping

COVERS: Mapping[str, tuple[str, ...]] = {
    "SL": ("LT", "TSL"),
    "coSL": ("LT", "TcoSL"),
    "TSL": ("TLT",),
    "TcoSL": ("TLT",),
    "SP": ("PT",),
    "coSP": ("PT",),
    "LT": ("LTT", "TLT"),
    "TLT": ("TLTT",),
    "PT": ("PLT",),
    "LTT": ("PLT", "TLTT"),
    "TLTT": ("TPLT",),
    "PLT": ("TPLT",),
    "TPLT": ("SF",),
    "SF": ("Reg",),
    "Zp": ("Reg",),
    "Reg": (),
}
"""The smallest classes that properly include each class: the arrows of Figure 1 of van der Poel et al. 2024."""


def superclasses(key: str) -> frozenset[str]:
    """Return the classes of the sixteen that properly include a class.

    >>> sorted(superclasses("SP"))
    ['PLT', 'PT', 'Reg', 'SF', 'TPLT']
    """
    above = frozenset(COVERS[key])
    return above.union(*(superclasses(cover) for cover in above))


def represents(key: str, classes: Mapping[str, bool]) -> bool:
    """Return whether a language counts as a representative of a class, given its memberships.

    It does if it belongs to the class and to none of the sixteen that is a subset of the class or incomparable with it
    (van der Poel et al. 2024, section 3.3).

    >>> represents("LT", {other: other in {"LT", "Reg"} | superclasses("LT") for other in COVERS})
    True
    """
    allowed = superclasses(key) | {key}
    return classes[key] and not any(classes[other] for other in COVERS if other not in allowed)


def represented_class(classes: Mapping[str, bool]) -> str | None:
    """Return the class that the language represents; None where it represents none of the sixteen."""
    return next((key for key in COVERS if represents(key, classes)), None)
