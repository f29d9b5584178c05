"""The settings of a find trial: those of every task, and the parameters of each."""

from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator, model_validator

from wug.contents import Content

ALL, NONE = "all", "none"
"""In the place of rules' names."""


class Probes(StrEnum):
    """Which inputs are asked for the agreement with rules."""

    PAPER = "paper"
    """Those of the published code, the trained ones among them."""
    HOLD_OUT = "hold-out"
    """Without the trained ones: the paper's wording."""
    NON_EMPTY = "non-empty"
    """Those of the published code without the empty input."""
    TELLING = "telling"
    """Inputs that are searched for so that they tell the candidates and their rivals apart."""


class OptimizerState(StrEnum):
    """What becomes of the optimiser's state when the next block of the description length is trained."""

    FRESH = "fresh"
    """It starts anew, as the paper says."""
    CARRY = "carry"
    """It is kept while the weights start anew, as the published code does."""


class FindSettings(BaseModel):
    """What every task takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    probes: Probes = Field(Probes.PAPER, description="inputs asked for FPA: paper, hold-out, non-empty or telling")
    min_len: int = Field(0, ge=0, description="least number of symbols in an answer; the published code's is 1")
    max_len: int = Field(200, ge=1, description="an answer without end symbol after so many symbols is not terminated")
    description_length: str = Field(
        ALL, description="rules whose description length is measured: all, none, or names joined by commas"
    )
    block: int | None = Field(
        None,
        ge=0,
        description="inputs in a block of the description length: 1, or 4 on nested strings, unless given; 0 for all",
    )
    optimizer_state: OptimizerState = Field(
        OptimizerState.FRESH, description="optimiser at each block: fresh, or carry as in the published code"
    )
    vocab_padding: int = Field(8, ge=1, description="vocabularies are filled up to a multiple of this; 1 adds nothing")
    rivals: bool = Field(True, description="look for further simple rules that fit, and count answers of their kind")
    seeds: int = Field(1, ge=1, description="seeds trained in one trial, from the trial's own on; several give FPA")
    stop_when_decided: bool = Field(False, description="train no further seeds once the preferred rule is decided")

    @model_validator(mode="after")
    def _check_lengths(self) -> "FindSettings":
        if self.min_len > self.max_len:
            raise ValueError(f"min_len ({self.min_len}) must not exceed max_len ({self.max_len})")
        return self

    @property
    def block_size(self) -> int:
        """Inputs in a block, once the task's own number stands where none was given."""
        assert self.block is not None
        return self.block


class CountSettings(FindSettings):
    """Count-or-Memorization."""

    l: int = Field(40, ge=1, description="length of the trained input; 40, or 20 of add-or-multiply")  # noqa: E741


class AddSettings(FindSettings):
    """Add-or-Multiply."""

    l: int = Field(20, ge=1, description="length of the trained input; 40, or 20 of add-or-multiply")  # noqa: E741


class NestedSettings(FindSettings):
    """Tasks on nested strings of one trained depth."""

    d: int = Field(4, ge=1, description="depth of the trained inputs of hierarchical and odd-one-out")


class DrawnSettings(FindSettings):
    """Tasks whose training pairs are drawn."""

    data_seed: int = Field(1, ge=0, description="seed of the training pairs of tasks that draw theirs")


class ControlledSettings(FindSettings):
    """Composition tasks with a fixed hold-out."""

    M: int = Field(36, ge=1, description="composites among the training pairs of the composition tasks")


class CompositionSettings(ControlledSettings):
    """Composition-or-Memorization."""

    N: int = Field(40, ge=2, description="primitives of composition")


class ScanSettings(FindSettings):
    """SCAN."""

    scan: Content = Field(description="folder with your copy of SCAN, for the task scan")
    split: str = Field("addprim_jump", description="split of SCAN: what follows tasks_train_ in the file's name")
    rivals: bool = Field(False, description="look for further simple rules that fit, and count answers of their kind")

    @field_validator("scan", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return _content(value)


class OwnSettings(FindSettings):
    """A task of one's own."""

    tasks: Content = Field(description="TOML or Python file with tasks of your own, for tasks that it defines")

    @field_validator("tasks", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return _content(value)


def _content(value: Any) -> Any:
    return Content.of(value) if isinstance(value, str | Path) else value


def _all_settings(*families: type[FindSettings]) -> type[BaseModel]:
    """Return a model with the fields of all families, without a default where they have different ones."""
    fields: dict[str, Any] = {}
    for family in families:
        for name, field in family.model_fields.items():
            annotation: Any = field.annotation
            known = fields.setdefault(name, (annotation, field))[1]
            if known.default != field.default:
                fields[name] = (annotation | None, Field(None, description=known.description))
    return create_model("AllSettings", **fields)


AllSettings = _all_settings(
    CountSettings, AddSettings, NestedSettings, DrawnSettings, CompositionSettings, ScanSettings, OwnSettings
)
"""What tasks take, all together; each task takes its own and refuses the others."""
