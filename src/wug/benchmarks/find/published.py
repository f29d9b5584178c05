"""What the paper states, read from ``published.toml``, and how a measured figure compares with it."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from wug.benchmarks.find.measures import Interval

PAPER = "Kharitonov & Chaabouni 2021, Table 1 as stated in section 5"
SWITCHES = "3 of 136 settings"
"""How many settings of the sweep change the preferred rule (section 5, Robustness to hyper-parameters)."""


class Relation(StrEnum):
    """How the measured figure should stand to the published value."""

    EQUALS = "equals"
    ABOVE = "above"
    PREFERRED = "preferred"
    """There is no value: the rule is the preferred one."""
    ONE_SEED = "one seed"
    """A single run, with which nothing can be compared."""


@dataclass(frozen=True)
class Figure:
    """One published figure."""

    task: str
    learner: str
    options: Mapping[str, Any]
    """Options in which the learner differs from the paper's own."""
    parameters: Mapping[str, int]
    measure: str
    """'FPA' or 'L'."""
    rule: str
    relation: Relation
    value: float | None
    printed: str
    source: str

    def agrees(self, mean: float, interval: Interval | None) -> bool:
        """Return whether a measured value agrees: where its 95% interval holds the published value, or reaches above.

        Without an interval the value itself must.
        """
        assert self.value is not None
        low, high = (mean, mean) if interval is None else (interval.low, interval.high)
        return high > self.value if self.relation is Relation.ABOVE else low <= self.value <= high


@cache
def figures() -> tuple[Figure, ...]:
    """Return all published figures, one for each learner, parameter and rule."""
    content = tomllib.loads(Path(__file__).with_name("published.toml").read_text("utf-8"))
    return tuple(figure for entry in content["figures"] for figure in _figures(entry))


def _figures(entry: Mapping[str, Any]) -> Sequence[Figure]:
    rules = entry["rule"] if isinstance(entry["rule"], list) else [entry["rule"]]
    ((parameter, values),) = entry["at"].items()
    variants: list[dict[str, Any]] = [{}]
    for name, choices in entry.get("options", {}).items():
        variants = [{**variant, name: choice} for variant in variants for choice in choices]
    return [
        Figure(
            task=entry["task"],
            learner=learner,
            options=options,
            parameters={parameter: value},
            measure=entry["measure"],
            rule=rule,
            relation=Relation(entry.get("relation", Relation.EQUALS)),
            value=entry.get("value"),
            printed=entry.get("printed", rule),
            source=entry["source"],
        )
        for learner in entry["learner"]
        for options in variants
        for value in values
        for rule in rules
    ]
