"""The canonical hashes of MLRegTest's 1,800 automata, to check what is compiled here against what was published.

``hashes.tsv`` was written by compiling ``patterns.toml``. The hashes agree with those of the automata published in
github.com/heinz-jeffrey/subregular-learning (van der Poel et al., CC BY 4.0), state of 2024-07-09.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

HASH_OF_HASHES = "a6eed30b8a1a55c9cc96f76cc61865688e6ffec4e7d8fdb61d79d0ccba7c1809"
"""``hash_of_hashes`` of the published automata."""


@cache
def published_hashes() -> Mapping[str, str]:
    """Return the SHA-256 of each language's canonical text (see ``wug.languages.automata.canonical_form``) by name."""
    text = resources.files("wug.languages.subregular").joinpath("hashes.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType(dict(rows))


def hash_of_hashes(hashes: Mapping[str, str]) -> str:
    """Return the SHA-256 over the hashes, each followed by a line feed, sorted by language name."""
    text = "".join(f"{hashes[name]}\n" for name in sorted(hashes))
    return hashlib.sha256(text.encode()).hexdigest()
