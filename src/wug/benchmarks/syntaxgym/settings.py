"""The settings of a syntaxgym trial."""

from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator

from wug.benchmarks.syntaxgym.scores import SuiteSet
from wug.benchmarks.syntaxgym.surprisal import DECLARED_START, NO_START, Policies, Punctuation, WordBoundary
from wug.contents import Content

OWN_SUITES_SETTINGS = ("items", "data_seed")
"""What wug's own suites are made from; not asked where other suites are given."""


class Regions(StrEnum):
    """Of which regions surprisals are computed."""

    NEEDED = "needed"
    """Up to the last that a prediction refers to."""
    ALL = "all"
    """Of all, and kept for plots."""


class SuitesSettings(BaseModel):
    """What the task ``suites`` takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    suites: Content | None = Field(None, description="a suite file, or a folder of them; wug's own where left out")
    items: int = Field(24, ge=1, le=10_000, description="items in each of wug's own suites")
    data_seed: int = Field(1, ge=0, description="seed of wug's own suites")
    start: str = Field(
        DECLARED_START, min_length=1, description="start symbol: none, declared (by tokenizer or model), or the symbol"
    )
    suite_set: SuiteSet = Field(SuiteSet.PAPER, description="suites in the SG score: 31, as the paper's, or 33")
    regions: Regions = Field(Regions.NEEDED, description="regions that get surprisals: needed or all")
    punctuation: Punctuation = Field(
        Punctuation.SPACED, description="commas and stops: spaced, as the suites have them, or attached"
    )
    word_boundary: WordBoundary = Field(
        WordBoundary.RAW, description="surprisals of words: raw, or corrected where tokens mark beginnings of words"
    )

    @property
    def policies(self) -> Policies:
        """What has to be known of every surprisal."""
        return Policies(self.start, punctuation=self.punctuation, word_boundary=self.word_boundary)

    @field_validator("suites", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return _content(value)

    @field_validator("suite_set", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) else value

    @field_validator("start", mode="before")
    @classmethod
    def _one_start(cls, value: Any) -> Any:
        if value == "both":
            raise ValueError(
                f'two starts are two trials of a study: --set \'start=["{NO_START}", "{DECLARED_START}"]\''
            )
        return value


class PublishedSettings(BaseModel):
    """What the task ``published`` takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    results: Content | None = Field(
        None,
        description="folder with your copy of the published per-item results, for the task published; they are at "
        "github.com/cpllab/syntactic-generalization, folder data/raw",
    )

    @field_validator("results", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return _content(value)


def _content(value: Any) -> Any:
    return Content.of(value) if isinstance(value, str | Path) else value


AllSettings = create_model(
    "AllSettings",
    **{
        name: (field.annotation, field)
        for model in (SuitesSettings, PublishedSettings)
        for name, field in model.model_fields.items()
    },  # type: ignore[call-overload]
)
"""What both tasks take, together; each task takes its own and refuses the others."""
