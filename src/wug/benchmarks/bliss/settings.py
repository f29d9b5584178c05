"""The settings of a bliss trial."""

from enum import StrEnum
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wug.benchmarks.bliss.measures import Tie
from wug.benchmarks.bliss.tasks import AdditionList, DyckList


class Aggregate(StrEnum):
    """What has to be within the margin for a test list to count as learnt (spec of the index, 1.2)."""

    POOLED = "pooled"
    """All relevant steps of the list together: the only reading that fits the paper's figures."""
    STRING = "string"
    """Every string by itself: the paper's wording."""


class Scan(StrEnum):
    """Which b is the index."""

    MAX = "max"
    """The largest successful b: the paper's definition."""
    CONTIGUOUS = "contiguous"
    """The largest b such that every smaller one succeeds too."""


class Select(StrEnum):
    """Which of several trained networks stands for its architecture."""

    TRAIN_LOSS = "train_loss"
    """The one with the lowest cross-entropy on the training sample."""
    VAL_LOSS = "val_loss"
    """The one with the lowest cross-entropy on a validation sample from the same distribution."""
    BEST_INDEX = "best_index"
    """The one with the highest score on the test list: an upper bound, chosen with the answers in hand."""


class BlissSettings(BaseModel):
    """Settings of a trial; ``train`` and ``b`` follow from each other unless both are given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    N: int = Field(3, ge=0, le=6, description="order of magnitude: 10^N strings, divided by and multiplied with b")
    train: int = Field(0, ge=1, description="|C|, number of training strings; 10^N / b unless given")
    b: float = Field(0, gt=0, description="the test list has 10^N * b strings; 10^N / train unless given")
    eps: str = Field("0.005", description="error margin, a decimal number or a fraction, compared exactly")
    aggregate: Aggregate = Field(Aggregate.POOLED, description="what must be within the margin: pooled or string")
    tie: Tie = Field(Tie.FAIL, description="what counts as predicted when classes tie: fail or lowest")
    twice: bool = Field(False, description="let M_cat's share of right steps miss 1 by eps as well")
    addition_list: AdditionList = Field(AdditionList.GRID, description="test list of languages with two parameters")
    dyck_list: DyckList = Field(DyckList.AFTER, description="test list of Dyck languages")
    scan: Scan = Field(Scan.MAX, description="which b is the index: max or contiguous")
    select: Select = Field(Select.TRAIN_LOSS, description="which of several networks stands for its architecture")
    data_seed: int = Field(100, ge=0, lt=2**32, description="seed of the training sample")
    validation: int = Field(0, ge=0, description="strings of a validation sample, for stopping and selection")
    up_to: int = Field(1000, ge=0, description="strings, from the smallest on, searched for the first failure")
    verdict_only: bool = Field(False, description="stop judging as soon as the verdict is decided")
    operations: float = Field(
        1e12, gt=0, description="floating-point operations per test list for encoders without 'step'"
    )

    @field_validator("eps", mode="before")
    @classmethod
    def _exact(cls, value: Any) -> str:
        try:
            epsilon = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"eps must be a number from 0 to 1, not {value!r}") from None
        if not 0 <= epsilon <= 1:
            raise ValueError(f"eps must be from 0 to 1, not {value}")
        return str(float(epsilon)) if Fraction(str(float(epsilon))) == epsilon else str(epsilon)

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        values = dict(values)
        try:
            base = 10 ** int(values.get("N", 3))
            train, b = values.get("train"), values.get("b")
            if train is None and b is None:
                values["b"] = b = 1
            if train is None and float(b) > 0:
                values["train"] = round_half_up(Fraction(base) / Fraction(str(b)))
            elif train is not None and b is None:
                values["b"] = float(Fraction(base, int(train)))
        except (ValueError, TypeError, ZeroDivisionError):
            pass  # the field's own check says what is wrong
        return values

    @property
    def epsilon(self) -> Fraction:
        """The error margin as an exact number."""
        return Fraction(self.eps)

    @property
    def test_strings(self) -> int:
        """|T| = 10^N * b, rounded half up."""
        return round_half_up(10**self.N * Fraction(str(self.b)))


def round_half_up(value: Fraction) -> int:
    """Return the nearest integer; of two equally near ones the larger.

    >>> round_half_up(Fraction(5, 2))
    3
    """
    return int((2 * value + 1) // 2)


def format_factor(b: float) -> str:
    """Return b as it is printed: ``10``, ``2``, ``0.5``."""
    return f"{b:g}"
