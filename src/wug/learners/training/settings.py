"""The settings of the training loop."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from wug.errors import InputError, unknown_name

OptimizerName = Literal["adadelta", "adagrad", "adam", "adamax", "adamw", "nadam", "radam", "rmsprop", "sgd"]
ScheduleName = Literal["constant", "cosine", "linear", "inverse-sqrt", "fairseq"]


class TrainingSettings(BaseModel):
    """How a network is trained; the only place where the defaults stand."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)

    optimizer: OptimizerName = "adam"
    """Name of the optimiser; its own constants (momentum, betas, decoupled weight decay) are torch's defaults."""
    learning_rate: float = Field(0.01, gt=0)
    """Highest learning rate of the schedule."""
    schedule: ScheduleName = "constant"
    """After the warm-up: constant, to zero along half a cosine or a line, or falling with the root of the updates;
    'fairseq' falls likewise but counts updates from 0 and warms up from a hundredth."""
    warmup: int = Field(0, ge=0)
    """Updates over which the learning rate rises linearly from zero."""
    clip_norm: float | None = Field(None, gt=0)
    """Longest gradient (Euclidean norm over all parameters); longer ones are scaled down to it."""
    l1: float = Field(0.0, ge=0)
    """Factor of the sum of the absolute values of all parameters, added to the loss in nats."""
    l2: float = Field(0.0, ge=0)
    """Factor of the sum of the squares of all parameters, added to the loss in nats."""
    epochs: int = Field(1000, ge=0)
    """Passes over the training data."""
    batch_size: Literal["all"] | PositiveInt = "all"
    """Strings in an update, repetitions counted; 'all' makes one update a pass."""
    patience: int | None = Field(None, ge=1)
    """Passes without a lower validation loss (training loss where there is no validation data) after which training
    stops."""
    keep: Literal["last", "best"] = "last"
    """Which parameters are kept: those after the last pass, or those with the lowest validation loss (training loss
    where there is no validation data)."""
    dtype: Literal["float32", "float64"] = "float32"
    """Type of parameters and arithmetic."""
    device: str = Field("auto", pattern=r"^(auto|cpu|cuda(:\d+)?|mps)$")
    """Where it runs; 'auto' is CUDA where present, else the CPU."""


def training_settings(options: Mapping[str, Any], owner: str = "training") -> TrainingSettings:
    """Return the settings with these options set; InputError names an option that is unknown or wrong."""
    for name in options:
        if name not in TrainingSettings.model_fields:
            raise unknown_name(f"option of {owner}", name, TrainingSettings.model_fields)
    try:
        return TrainingSettings.model_validate(dict(options))
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        reasons = [problem["msg"].lower() for problem in error.errors() if problem["loc"][0] == name]
        raise InputError(f"option '{name}' of {owner} cannot be {options[name]!r}: {' or '.join(reasons)}") from None
