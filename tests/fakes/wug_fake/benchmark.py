import math
import os
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from wug.benchmarks.protocol import Score, Task
from wug.benchmarks.validation import validate_settings
from wug.contents import Content
from wug.errors import TrialError, unknown_name
from wug.randomness import generator
from wug_fake import CARD

BUILT = []
"""(task, seed) of every call of ``build`` in this process."""


class FakeSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int = Field(3, ge=1, description="numbers to learn from")
    level: int = Field(1, description="what the judge multiplies with; no part of the training")
    folder: str = Field("", description="a file or folder of data")
    broken: Literal["", "nan", "twice", "raise"] = Field("", description="what is wrong with the judge")


@dataclass(frozen=True)
class Numbers:
    values: tuple[float, ...]
    setting: str = "language_modelling"


class Fake:
    card = CARD
    version = 1
    settings = FakeSettings

    def select_tasks(self, factors):
        (values,) = factors.values()
        return [task for task in CARD.tasks if task[0] in values]

    def resolve(self, task, settings):
        if task not in CARD.tasks:
            raise unknown_name("task of fake", task, CARD.tasks)
        resolved = validate_settings(FakeSettings, settings, "fake").model_dump()
        if resolved["folder"]:
            resolved["folder"] = Content.of(resolved["folder"])
        return resolved

    def training_settings(self, task, settings):
        own = {name: settings[name] for name in ("size", "folder")}
        return {**own, "task": "plain"} if task == "shared" else own

    def training_shape(self, task, settings):
        return f"{settings['size']}"

    def build(self, task, settings, seed):
        BUILT.append((task, seed))
        if settings["folder"]:
            settings["folder"].path()
        rng = generator(seed, "fake", "plain" if task == "shared" else task)
        return Task(task, Numbers(tuple(rng.random(settings["size"]))), judging=os.getpid())

    def fit(self, task, learner, seed):
        return learner.fit(task.data, seed)

    def judge(self, task, model, settings):
        mean = model(task.data.values)
        level = settings["level"]
        if math.isnan(mean):
            raise TrialError("the model answers not a number to item 1", scores=(Score("size", len(task.data.values)),))
        if settings["broken"] == "raise":
            raise RuntimeError("the judge broke\nin two lines")
        scores = [
            Score("mean", mean * level),
            Score("success", mean > 0),
            Score("missing", None, note="there is none"),
            Score("part", 0.1 + 0.2, item="first", note='a note, with "quotes" and ;'),
            Score("part", mean / 3, item="second"),
        ]
        if settings["broken"] == "nan":
            scores.append(Score("wrong", math.nan, item="first"))
        if settings["broken"] == "twice":
            scores.append(Score("mean", 1.0))
        return scores


BENCHMARK = Fake()
