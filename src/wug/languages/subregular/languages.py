"""The 1,800 languages of MLRegTest by name, and languages of one's own from patterns, formulas or automata."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.boolean import complement
from wug.languages.automata.building import checked_alphabet
from wug.languages.automata.canonical_form import canonical, sha256
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formulas import Formula, Not, compile_formula, parse_formula
from wug.languages.automata.membership import accepts, accepts_corpus
from wug.languages.automata.uniform import UniformLanguage, letter_vocabulary
from wug.languages.subregular.names import LanguageName, pattern_table
from wug.languages.subregular.notation import quoted, write_out
from wug.languages.subregular.symbols import ALPHABET
from wug.sequences import Corpus, Vocabulary


@dataclass(frozen=True, eq=False)
class RegularLanguage:
    """A regular language with its name and, where it has one, its formula.

    >>> language = RegularLanguage.named("04.04.SL.2.1.1")
    >>> print(language.formula)
    not [ab]
    >>> language.accepts("ba"), language.accepts("cab")
    (True, False)
    """

    name: str
    alphabet: tuple[str, ...]
    formula: Formula | None = None
    """Its definition; None where it was given as an automaton."""
    automaton: DFA | None = None
    """The automaton that it was given as."""
    factors: LanguageName | None = None
    """What its name spells, for a language of MLRegTest."""
    complement_of: "RegularLanguage | None" = None
    """The language whose complement it is defined as (coSL, coSP, TcoSL); both then share their data sets."""

    @classmethod
    def named(cls, name: str) -> "RegularLanguage":
        """Return a language of MLRegTest; InputError for an unknown name, with the nearest ones."""
        factors = LanguageName.parse(name)
        entry = pattern_table()["classes"][factors.class_]
        alphabet = tuple(ALPHABET[: factors.alphabet_size])
        if factors.partner is not None:
            partner = cls.named(str(factors.partner))
            assert partner.formula is not None
            formula = partner.formula.body if isinstance(partner.formula, Not) else Not(partner.formula)
            return cls(name, alphabet, formula, factors=factors, complement_of=partner)
        pattern = _base_pattern(pattern_table()["classes"][entry.get("on_the_tier", factors.class_)], factors.i)
        parameters = {"k": factors.k, "j": factors.j, "B": factors.alphabet_size.bit_length() - 1}
        tier = alphabet[: factors.tier_size] if entry["tier"] else None
        return replace(cls.from_pattern(name, pattern, alphabet, parameters, tier=tier), factors=factors)

    @classmethod
    def from_pattern(
        cls,
        name: str,
        pattern: str,
        alphabet: Iterable[str],
        parameters: Mapping[str, int] | None = None,
        *,
        tier: Iterable[str] | None = None,
        shorthands: Mapping[str, str] | None = None,
    ) -> "RegularLanguage":
        """Return the language of a pattern in the notation of ``wug.languages.subregular.notation``.

        ``tier`` evaluates the pattern on those letters alone. ``shorthands`` are added to those of MLRegTest. A formula
        is a pattern without parameters. InputError for what cannot be read.

        >>> sibilants = RegularLanguage.from_pattern("harmony", "not [ab] and not [ba]", "abc", tier="ab")
        >>> sibilants.accepts("aca"), sibilants.accepts("acb")
        (True, False)
        """
        letters = checked_alphabet(alphabet)
        known = {**pattern_table()["shorthands"], **(shorthands or {})}
        text = write_out(pattern, parameters or {}, letters, known)
        if tier is not None:
            text = f"{{{','.join(map(quoted, tier))}}}: ({text})"
        return cls(name, letters, parse_formula(text))

    @classmethod
    def from_dfa(cls, name: str, dfa: DFA) -> "RegularLanguage":
        """Return the language of an automaton."""
        return cls(name, dfa.alphabet, automaton=dfa)

    @cached_property
    def dfa(self) -> DFA:
        """The canonical minimal automaton."""
        if self.complement_of is not None:
            return complement(self.complement_of.dfa)
        if self.automaton is not None:
            return canonical(self.automaton)
        if self.formula is None:
            raise InputError(f"{self.name}: a language needs a formula or an automaton")
        return compile_formula(self.formula, self.alphabet)

    @cached_property
    def sha256(self) -> str:
        """The hash of the canonical automaton."""
        return sha256(self.dfa)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The letters with a start and end symbol in front, so that letter number c is class c + 1."""
        return letter_vocabulary(self.alphabet)

    def accepts(self, word: str) -> bool:
        """Return whether a written word is in the language; InputError for a letter outside the alphabet."""
        return accepts(self.dfa, word)

    def contains(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Return (n_strings,) whether each string is in the language; InputError for a letter outside the alphabet."""
        return accepts_corpus(self.dfa, corpus)

    def uniform(self, lengths: Iterable[int] = range(20, 30)) -> UniformLanguage:
        """Return the language as a distribution: the given lengths equally likely, and all words of a length.

        The default are the lengths of MLRegTest's training data. InputError for a length that no word has.
        """
        return UniformLanguage(self.name, self.dfa, lengths)


def _base_pattern(entry: Mapping[str, list[str] | str], number: int) -> str:
    patterns = entry["patterns"]
    if number < len(patterns):
        return patterns[number]
    return f"{entry['further']} and ({patterns[number - len(patterns)]})"
