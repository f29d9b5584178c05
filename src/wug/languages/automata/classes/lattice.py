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

LOGICS = (
    "monadic second order",
    "first order",
    "propositional",
    "no factor may occur",
    "some factor must occur",
)
"""What a formula may do with its literals, from the strongest logic to conjunctions of negative and disjunctions of
positive literals: the rows of Figure 1."""

MODELS = (
    "tier successor",
    "successor",
    "tier successor, precedence",
    "successor, precedence",
    "precedence",
)
"""What the literals look at: the columns of Figure 1."""

PLACES: Mapping[str, tuple[int, int]] = {
    "Zp": (0, 1),
    "Reg": (0, 3),
    "TLTT": (1, 0),
    "LTT": (1, 1),
    "SF": (1, 4),
    "TLT": (2, 0),
    "LT": (2, 1),
    "TPLT": (2, 2),
    "PLT": (2, 3),
    "PT": (2, 4),
    "TSL": (3, 0),
    "SL": (3, 1),
    "SP": (3, 4),
    "TcoSL": (4, 0),
    "coSL": (4, 1),
    "coSP": (4, 4),
}
"""Row and column of each class. Under monadic second-order logic all models define the same languages: Reg."""


def superclasses(key: str) -> frozenset[str]:
    """Return the classes of the sixteen that properly include a class.

    >>> sorted(superclasses("SP"))
    ['PLT', 'PT', 'Reg', 'SF', 'TPLT']
    """
    above = frozenset(COVERS[key])
    return above.union(*(superclasses(cover) for cover in above))


def smallest_classes(classes: Mapping[str, bool]) -> list[str]:
    """Return those of the sixteen classes that hold a language and include no other one that does.

    >>> smallest_classes({"SL": False, "SP": True, "PT": True, "LT": True, "Reg": True})
    ['SP', 'LT']
    """
    held = [key for key in COVERS if classes.get(key, False)]
    return [key for key in held if not any(key in superclasses(other) for other in held)]


def represents(key: str, classes: Mapping[str, bool]) -> bool:
    """Return whether a language counts as a representative of a class, given its memberships.

    It does if it belongs to the class and to none of the sixteen that is a subset of the class or incomparable with it
    (van der Poel et al. 2024, section 3.3).

    >>> represents("LT", {other: other in {"LT", "Reg"} | superclasses("LT") for other in COVERS})
    True
    """
    allowed = superclasses(key) | {key}
    return classes[key] and not any(classes[other] for other in COVERS if other not in allowed)


def closest_misses(classes: Mapping[str, bool]) -> list[str]:
    """Return the classes that a language just misses: not in them, but in every class that includes them.

    Zp counts only where the language is not star-free, as it is disjoint from all the others.

    >>> closest_misses({key: key in {"LT"} | superclasses("LT") for key in COVERS})
    ['TSL', 'TcoSL', 'PT']
    """
    missed = [key for key, covers in COVERS.items() if not classes[key] and all(classes[cover] for cover in covers)]
    return [key for key in missed if key != "Zp" or not classes["SF"]]


def represented_class(classes: Mapping[str, bool]) -> str | None:
    """Return the class that the language represents; None where it represents none of the sixteen."""
    return next((key for key in COVERS if represents(key, classes)), None)
