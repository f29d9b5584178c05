"""The settings of an mlregtest trial: of a language, or of a distribution over random automata."""

from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from wug.contents import Content
from wug.languages.automata.borders import Weighting


class Size(StrEnum):
    """A size of the data sets, by the paper's name; ``small`` is understood too."""

    SMALL = "Small"
    """1,000 strings per set."""
    MID = "Mid"
    """10,000 strings per set."""
    LARGE = "Large"
    """100,000 strings per set."""

    @classmethod
    def _missing_(cls, value: object) -> "Size | None":
        return next((size for size in cls if isinstance(value, str) and size.lower() == value.lower()), None)


class DataSource(BaseModel):
    """Which languages there are, and how their strings are drawn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    weighting: Weighting = Field(Weighting.PAIRS, description="what is equally likely in border sets: pairs or paths")
    languages: Content | None = Field(None, description="file with languages of your own, for tasks that it defines")

    @field_validator("languages", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        if isinstance(value, str | Path):
            return Content.of(value) if str(value) else None
        return value


class LanguageSettings(DataSource):
    """Settings of a trial on a language."""

    train_size: Size = Field(Size.SMALL, description="size of the training data: Small, Mid or Large")
    test_size: Size = Field(Size.MID, description="size of the four test sets; the paper's is Large")
    data_seed: int = Field(1, ge=0, lt=2**32, description="seed of the data sets")
    extract: int = Field(
        0, ge=0, description="most states of an automaton to be extracted from the model by L*; 0 for no extraction"
    )

    @field_validator("extract")
    @classmethod
    def _check_extract(cls, value: int) -> int:
        if value == 1:
            raise ValueError("should be 0, or 2 or more")
        return value


class RandomAutomataSettings(BaseModel):
    """Settings of the task ``random-automata``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    states: int = Field(7, ge=1, description="states of a random automaton")
    letters: int = Field(8, ge=1, le=52, description="letters of its alphabet")
    arcs: float = Field(0.5, ge=0, le=1, description="p_e, probability of each arc")
    accepting: float = Field(0.5, ge=0, le=1, description="p_f, probability of each state to accept")
    automata: int = Field(10_000, ge=1, description="random automata drawn")
    membership: str = Field("SL", description="class whose share among them is counted")


class MLRegTestSettings(LanguageSettings, RandomAutomataSettings):
    """All settings; the first part goes with languages, the second with ``random-automata``."""
