"""All classes of one language at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wug.languages.automata.classes.grammar import Grammar
from wug.languages.automata.classes.lattice import represented_class
from wug.languages.automata.classes.specimen import Specimen
from wug.languages.automata.classes.table import CLASSES
from wug.languages.automata.classes.verdict import Verdict, Witness
from wug.languages.automata.dfa import DFA
from wug.languages.automata.monoid import DEFAULT_LIMIT


@dataclass(frozen=True, eq=False)
class Classification:
    """Which classes a language is in, with which parameters, and why not in the others."""

    dfa: DFA
    """The complete minimal DFA in canonical numbering."""
    verdicts: Mapping[str, Verdict]
    """The verdict on each class of ``CLASSES``, by short name."""
    states: int
    """States of the complete minimal DFA."""
    states_trim: int
    """States from which acceptance can be reached: the dead state is not counted."""
    monoid: int
    """Elements of the syntactic monoid, identity included."""
    salient: tuple[str, ...]
    """The letters that change some state: the smallest tier."""

    @cached_property
    def classes(self) -> dict[str, bool]:
        """Whether the language is in each class."""
        return {key: verdict.holds for key, verdict in self.verdicts.items()}

    @cached_property
    def k(self) -> dict[str, int]:
        """The smallest parameter of each class that has one and holds the language."""
        return {key: verdict.k for key, verdict in self.verdicts.items() if verdict.k is not None}

    @cached_property
    def witness(self) -> dict[str, Witness]:
        """Why the language is not in each class that does not hold it."""
        return {key: verdict.witness for key, verdict in self.verdicts.items() if verdict.witness is not None}

    @cached_property
    def grammar(self) -> dict[str, Grammar]:
        """What is forbidden or required, for each strict class (or complement of one) that holds the language."""
        return {key: verdict.grammar for key, verdict in self.verdicts.items() if verdict.grammar is not None}

    @property
    def represents(self) -> str | None:
        """The one of MLRegTest's sixteen classes that the language represents, if any."""
        return represented_class(self.classes)


def classify(dfa: DFA, *, limit: int = DEFAULT_LIMIT, shortcuts: bool = True) -> Classification:
    """Return the classes of the DFA's language.

    ``limit`` bounds the syntactic monoid, beyond which InputError is raised; ``shortcuts`` off checks every criterion
    as published, without the help of inclusions between classes: much slower, for tests.
    """
    specimen = Specimen(dfa, limit=limit, shortcuts=shortcuts)
    verdicts = {key: language_class.decide(specimen) for key, language_class in CLASSES.items()}
    return Classification(
        dfa=specimen.dfa,
        verdicts=verdicts,
        states=specimen.dfa.n_states,
        states_trim=int(specimen.live(complement=False).sum()),
        monoid=len(specimen.monoid),
        salient=tuple(specimen.dfa.alphabet[column] for column in specimen.salient),
    )
