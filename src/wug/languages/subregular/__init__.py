"""Subregular languages: the 1,800 of MLRegTest, patterns of one's own, and data sets of any regular language.

    >>> from wug.languages import subregular
    >>> subregular.language_names("Zp", alphabet_size=4, k=5)
    ('04.04.Zp.5.1.8', '04.04.Zp.5.1.9')
    >>> language = subregular.RegularLanguage.named("16.07.TLTT.4.2.3")
    >>> print(language.formula)
    {a,b,c,d,e,f,g}: not [abab] or 2 x [abab]
    >>> sets = subregular.DataSets(language, seed=1, largest="Small")
    >>> sets.strings("Train", "Small").corpus.text(0)
    'aemkppgmcmbpmmnjldhd'

The names below are looked up in their modules when first used, so that importing the package loads nothing.
"""

from importlib import import_module
from typing import Any

_MODULE_OF = {
    name: module
    for module, names in {
        "datasets": ("DataSets", "LabelledStrings", "Order"),
        "drawing": ("Shortage",),
        "files": ("Format", "file_name", "write_data_sets"),
        "hashes": ("hash_of_hashes", "published_hashes"),
        "languages": ("RegularLanguage",),
        "names": ("LanguageName", "class_names", "factors_frame", "language_names"),
        "notation": ("write_out",),
        "plan": ("OnShortage", "Plan", "SIZES", "Set"),
        "pattern_files": ("language_in", "read_pattern_file"),
    }.items()
    for name in names
}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Return a public name from the module that defines it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
