"""The names of MLRegTest's 1,800 languages and the factors that they spell. Needs the standard library alone.

A name is ``AA.TT.Class.k.j.i``: alphabet size, tier size (both two digits), class, factor width k, threshold or number
of blocks j, base pattern i. Which combinations exist stands in ``patterns.toml``.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from wug.errors import InputError, unknown_name

if TYPE_CHECKING:
    import polars as pl

_FORM = re.compile(r"(\d\d)\.(\d\d)\.([A-Za-z]+)\.(\d+)\.(\d+)\.(\d+)")


@dataclass(frozen=True, order=True)
class LanguageName:
    """The factors of a language of MLRegTest.

    >>> LanguageName.parse("16.07.TLTT.4.2.3").tier_size
    7
    """

    alphabet_size: int
    tier_size: int
    """Size of the tier; the alphabet's size where the class has no tier."""
    class_: str
    k: int
    """Width of factors; the modulus for Zp; 0 for SF and Reg."""
    j: int
    """Threshold for LTT and TLTT, number of blocks for PLT and TPLT, 0 for SF and Reg, else 1."""
    i: int
    """Number of the base pattern."""

    @classmethod
    def parse(cls, name: str) -> "LanguageName":
        """Return the factors of a name; InputError for one that is none of the 1,800, with the nearest ones."""
        if name not in _known():
            raise unknown_name("MLRegTest language", name, _known()) if _FORM.fullmatch(name) else _malformed(name)
        return _known()[name]

    @property
    def partner(self) -> "LanguageName | None":
        """The language whose complement it is defined as, for coSL, coSP and TcoSL."""
        class_ = pattern_table()["classes"][self.class_].get("complement_of")
        return replace(self, class_=class_) if class_ else None

    def __str__(self) -> str:
        """Return the name."""
        return f"{self.alphabet_size:02}.{self.tier_size:02}.{self.class_}.{self.k}.{self.j}.{self.i}"


def language_names(
    class_: str | None = None,
    *,
    alphabet_size: int | None = None,
    tier_size: int | None = None,
    k: int | None = None,
    j: int | None = None,
    i: int | None = None,
) -> tuple[str, ...]:
    """Return the names of the languages with the given factors, all of them where none is given, sorted.

    InputError for an unknown class; no name where no language has such factors.

    >>> len(language_names()), language_names("Zp", alphabet_size=4, k=2)
    (1800, ('04.04.Zp.2.1.0', '04.04.Zp.2.1.1'))
    """
    if class_ is not None and class_ not in class_names():
        raise unknown_name("class", class_, class_names())
    wanted = {"class_": class_, "alphabet_size": alphabet_size, "tier_size": tier_size, "k": k, "j": j, "i": i}
    asked = {factor: value for factor, value in wanted.items() if value is not None}
    return tuple(
        name
        for name, factors in _known().items()
        if all(getattr(factors, factor) == value for factor, value in asked.items())
    )


def factors_frame(names: Iterable[str] | None = None) -> "pl.DataFrame":
    """Return a row per language, all 1,800 by default: name, alphabet_size, tier_size, class, k, j, i, complement_of.

    >>> factors_frame(language_names("TcoSL", k=2))["complement_of"][0]
    '04.03.TSL.2.1.0'
    """
    import polars as pl

    factors = [LanguageName.parse(name) for name in (language_names() if names is None else names)]
    columns = {
        "name": [str(name) for name in factors],
        "alphabet_size": [name.alphabet_size for name in factors],
        "tier_size": [name.tier_size for name in factors],
        "class": [name.class_ for name in factors],
        "k": [name.k for name in factors],
        "j": [name.j for name in factors],
        "i": [name.i for name in factors],
        "complement_of": [None if name.partner is None else str(name.partner) for name in factors],
    }
    return pl.DataFrame(columns, schema_overrides={"complement_of": pl.String})


def class_names() -> tuple[str, ...]:
    """Return the 16 classes: SL, coSL, TSL, TcoSL, SP and so on."""
    return tuple(pattern_table()["classes"])


@cache
def pattern_table() -> dict[str, Any]:
    """Return the content of ``patterns.toml``."""
    return tomllib.loads(resources.files("wug.languages.subregular").joinpath("patterns.toml").read_text("utf-8"))


@cache
def _known() -> dict[str, LanguageName]:
    table = pattern_table()
    names = []
    for class_, entry in table["classes"].items():
        tiers = table["sizes"]["tiers" if entry["tier"] else "whole"]
        for alphabet_size, tier_size in tiers:
            for k, j, *patterns in entry["factors"]:
                for i in patterns or range(10):
                    names.append(LanguageName(alphabet_size, tier_size, class_, k, j, i))
    return {str(name): name for name in sorted(names, key=str)}


def _malformed(name: str) -> InputError:
    return InputError(f"a language of MLRegTest is named AA.TT.Class.k.j.i, for example 16.07.TLTT.4.2.3, not '{name}'")
