"""What is decided before a sentence gets a surprisal; stored with every score, for it moves scores by 14 points."""

from dataclasses import dataclass
from enum import StrEnum

NO_START = "none"
"""No start symbol: the first token of a sentence has surprisal 0 by definition."""
DECLARED_START = "declared"
"""The start symbol that tokenizer or model declares."""


class Punctuation(StrEnum):
    """How punctuation stands in the sentences."""

    SPACED = "spaced"
    """Behind a space, as the suites have it."""
    ATTACHED = "attached"
    """Without a space before it, as in running text."""


class WordBoundary(StrEnum):
    """Whether the probability that a word ends is counted, where tokens mark the beginnings of words alone."""

    RAW = "raw"
    """As the product of the tokens' probabilities has it: with the word that follows."""
    CORRECTED = "corrected"
    """With the word itself (Oh & Schuler 2024; Pimentel & Meister 2024)."""


@dataclass(frozen=True)
class Policies:
    """The decisions behind a set of surprisals."""

    start: str = DECLARED_START
    """'none', 'declared', or the start symbol itself."""
    end: str = "none"
    """The end symbol whose surprisal is part of the last region; 'none' where there is none."""
    punctuation: Punctuation = Punctuation.SPACED
    word_boundary: WordBoundary = WordBoundary.RAW

    def __str__(self) -> str:
        return (
            f"start symbol {self.start}, end symbol {self.end}, punctuation {self.punctuation.value}, "
            f"word boundaries {self.word_boundary.value}"
        )
