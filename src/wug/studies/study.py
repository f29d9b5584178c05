"""Study files: a grid of trials, in TOML.

    title = "..."
    description = "..."

    [[trials]]                                  # as many blocks as wanted
    benchmark = "bliss"
    task = ["anbn", "dyck1"]                    # or one; or by their factors: {class = "SL", k = [2, 4]}
    learner = ["lstm", {name = "gru", width = 16}]
    seeds = 3                                   # 1, 2, 3; or a list of seeds

    [trials.set]                                # a list is an axis of the grid, any other value is fixed
    train = [1000, 500]
    "learner.epochs" = 500                      # goes to the learners that have such an option

    [trials.scale.smoke]                        # what differs at a scale, for the block above ...
    reduced = "5 epochs instead of 500, one seed instead of three"
    seeds = 1
    set = {"learner.epochs" = 5}

    [scale.laptop]                              # ... or for all blocks
    reduced = "..."

A file without scales is run as it is written. In one with scales, ``paper`` is what is written unless the file says
otherwise. Paths (of learners, or in settings) are relative to where the command is run.
"""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from wug.benchmarks.registry import study_files
from wug.errors import InputError, unknown_name


class Scale(StrEnum):
    """How much of a study is run; changes sizes, never definitions."""

    SMOKE = "smoke"
    """Seconds."""
    LAPTOP = "laptop"
    """Two cores, about an hour, or a night where the study says so."""
    PAPER = "paper"
    """The paper's numbers."""


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _as_seeds(value: Any) -> Any:
    """Return the list of seeds that a count stands for; anything else as it is, for pydantic to refuse."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    if value < 1:
        raise ValueError("the number of seeds must be at least 1")
    return list(range(1, value + 1))


class LearnerEntry(BaseModel):
    """A learner: its name or ``path/file.py:Class``, and options of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @property
    def options(self) -> dict[str, Any]:
        """The options given with the name."""
        return dict(self.__pydantic_extra__ or {})


Seed = Annotated[int, Field(ge=0, lt=2**63)]
Seeds = Annotated[list[Seed], BeforeValidator(_as_seeds), Field(min_length=1)]
Factors = dict[str, Any]
"""Values of factors (one, or a list) that choose tasks."""
Tasks = Annotated[list[str | Factors], BeforeValidator(_as_list), Field(min_length=1)]
Learners = Annotated[list[LearnerEntry], BeforeValidator(_as_list), Field(min_length=1)]


class ScaleEntry(BaseModel):
    """What differs at one scale."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reduced: str = ""
    """What the scale reduces, in a sentence that the report prints."""
    task: Tasks | None = None
    learner: Learners | None = None
    seeds: Seeds | None = None
    set: dict[str, Any] = {}


class Block(BaseModel):
    """One grid: tasks x settings x learners x seeds of one benchmark."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    benchmark: str
    task: Tasks
    learner: Learners
    seeds: Seeds = [1]
    set: dict[str, Any] = {}
    scale: dict[Scale, ScaleEntry] = {}


class StudyDocument(BaseModel):
    """A study file's content."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    description: str = ""
    trials: Annotated[list[Block], Field(min_length=1)]
    scale: dict[Scale, ScaleEntry] = {}


@dataclass(frozen=True)
class Study:
    """A study that was read and checked, with its name."""

    name: str
    """``bliss/table-2`` for a benchmark's study, the file's name without ending otherwise."""
    path: Path
    document: StudyDocument

    @property
    def scales(self) -> list[Scale]:
        """The scales that it distinguishes, small to large; none where the file has no scales."""
        named = set(self.document.scale).union(*(block.scale for block in self.document.trials))
        return [scale for scale in Scale if scale in named or (named and scale is Scale.PAPER)]

    def choose_scale(self, wanted: str | None) -> Scale | None:
        """Return the scale to run: the one wanted, else laptop, else paper; None where the study has no scales."""
        if wanted is not None and wanted not in self.scales:
            if not self.scales:
                raise InputError(f"the study {self.name} has no scales; run it without --scale")
            raise unknown_name(f"scale of {self.name}", wanted, self.scales)
        if wanted is not None:
            return Scale(wanted)
        if not self.scales:
            return None
        return Scale.LAPTOP if Scale.LAPTOP in self.scales else Scale.PAPER

    def reduced(self, scale: Scale | None) -> str:
        """Return what the scale reduces, sentences of all blocks."""
        if scale is None:
            return ""
        entries = [self.document.scale.get(scale), *(block.scale.get(scale) for block in self.document.trials)]
        return " ".join(dict.fromkeys(entry.reduced.strip() for entry in entries if entry and entry.reduced))


def builtin_studies() -> dict[str, Path]:
    """Return the files of the studies that come with wug and its benchmarks, by name."""
    across_benchmarks = sorted(Path(__file__).with_name("builtin").glob("*.toml"))
    return {path.stem: path for path in across_benchmarks} | {study.name: study.path for study in study_files()}


def find_study(name: str) -> Study:
    """Return a study by the path of its file or by its built-in name."""
    known = builtin_studies()
    if name in known:
        return read_study(known[name], name)
    path = Path(name).expanduser()
    if path.suffix == ".toml" or path.is_file():
        return read_study(path, path.stem)
    raise unknown_name("study", name, [*known, "PATH/FILE.toml"])


def read_study(path: Path, name: str) -> Study:
    """Read and check a study file; InputError names the file, the key and what would be right."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"the study file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the study file {path} is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    try:
        document = StudyDocument.model_validate(content)
    except ValidationError as error:
        raise InputError(f"{path}: {_explain(error, content)}") from None
    places = [("scale", document.scale)]
    places += [(f"trials.{number}.scale", block.scale) for number, block in enumerate(document.trials, 1)]
    for key, entries in places:
        for scale, entry in entries.items():
            if scale is not Scale.PAPER and not entry.reduced:
                raise InputError(f"{path}: '{key}.{scale}' must say under 'reduced' what it reduces, in a sentence")
    return Study(name, path, document)


_FIELDS: Mapping[str, type[BaseModel]] = {"trials": Block, "scale": ScaleEntry}
"""Which model the parts of a key lead to, from the file's top."""


def _explain(error: ValidationError, content: Mapping[str, Any]) -> str:
    """Return the first mistake as one sentence: key, what is wrong, what would be right."""
    first = error.errors()[0]
    parts = [part for part in first["loc"] if part != "[key]"]
    key = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in parts)
    match first["type"]:
        case "extra_forbidden":
            model: type[BaseModel] = StudyDocument
            for part in parts[:-1]:
                model = _FIELDS.get(str(part), model)
            close = difflib.get_close_matches(str(parts[-1]), model.model_fields, n=1)
            hint = f"did you mean '{close[0]}'?" if close else "known: " + ", ".join(model.model_fields)
            return f"unknown key '{key}'; {hint}"
        case "missing":
            return f"the key '{key}' is missing"
        case "too_short":
            return f"'{key}' must not be empty"
        case "enum":
            return f"'{key}': the scales are {', '.join(Scale)}"
    value = first["input"]
    shown = f", not {value!r}" if isinstance(value, str | int | float | bool) else ""
    message = first["msg"].removeprefix("Value error, ")
    return f"'{key}': {message[:1].lower()}{message[1:]}{shown}"
