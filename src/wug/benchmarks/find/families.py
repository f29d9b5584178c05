"""From a task's name and settings to the task."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wug.benchmarks.find.settings import (
    ALL,
    NONE,
    AddSettings,
    CompositionSettings,
    ControlledSettings,
    CountSettings,
    DrawnSettings,
    FindSettings,
    NestedSettings,
    OwnSettings,
    Probes,
    ScanSettings,
)
from wug.benchmarks.find.tasks import (
    FindTask,
    Rule,
    Symbols,
    add_or_multiply_task,
    check_task,
    composition_task,
    controlled_task,
    count_task,
    hierarchical_task,
    mirror_task,
    odd_one_out_depths_task,
    odd_one_out_task,
    read_task,
    rival_rules,
    scan_task,
    telling_probes,
)
from wug.benchmarks.validation import validate_settings
from wug.errors import InputError, unknown_name

TELLING_PROBES = 20
"""How many probes are searched for where they are to tell rules apart."""


@dataclass(frozen=True)
class Family:
    """How a task is made, and which settings it takes."""

    settings: type[FindSettings]
    make: Callable[[Any], FindTask]
    parameters: tuple[str, ...]
    """The settings that decide its pairs and probes."""


def _mirror(name: str, *, brackets: bool, drawn_depths: bool) -> Family:
    def make(options: DrawnSettings) -> FindTask:
        return mirror_task(name, options.data_seed, brackets=brackets, drawn_depths=drawn_depths)

    return Family(DrawnSettings, make, ("data_seed",))


def _controlled(name: str, **kind: bool) -> Family:
    def make(options: ControlledSettings) -> FindTask:
        return controlled_task(name, options.M, **kind)

    return Family(ControlledSettings, make, ("M",))


FAMILIES: dict[str, Family] = {
    "count": Family(CountSettings, lambda options: count_task(options.l), ("l",)),
    "add-or-multiply": Family(AddSettings, lambda options: add_or_multiply_task(options.l), ("l",)),
    "hierarchical": Family(NestedSettings, lambda options: hierarchical_task(options.d), ("d",)),
    "composition": Family(CompositionSettings, lambda options: composition_task(options.N, options.M), ("N", "M")),
    "odd-one-out": Family(NestedSettings, lambda options: odd_one_out_task(options.d), ("d",)),
    "odd-one-out-depths": Family(
        DrawnSettings, lambda options: odd_one_out_depths_task(options.data_seed), ("data_seed",)
    ),
    "odd-one-out-mirror": _mirror("odd-one-out-mirror", brackets=False, drawn_depths=False),
    "odd-one-out-mirror-depths": _mirror("odd-one-out-mirror-depths", brackets=False, drawn_depths=True),
    "odd-one-out-brackets": _mirror("odd-one-out-brackets", brackets=True, drawn_depths=False),
    "odd-one-out-brackets-depths": _mirror("odd-one-out-brackets-depths", brackets=True, drawn_depths=True),
    "composition-controlled": _controlled("composition-controlled"),
    "composition-proportion": _controlled("composition-proportion", constant_proportion=True),
    "composition-two-functions": _controlled("composition-two-functions", constant_proportion=True, two_functions=True),
    "scan": Family(ScanSettings, lambda options: scan_task(options.scan.path(), options.split), ("scan", "split")),
}


def family_of(task: str, settings: Mapping[str, Any]) -> Family:
    """Return the family of a task by its name, or of a task of one's own where a file of tasks is given."""
    if settings.get("tasks"):
        return Family(OwnSettings, lambda options: read_task(options.tasks.path(), task), ("tasks",))
    if task not in FAMILIES:
        raise unknown_name("task of find", task, FAMILIES)
    return FAMILIES[task]


def parse(task: str, given: Mapping[str, Any]) -> tuple[FindTask, FindSettings]:
    """Return the task, checked, and its settings, all filled in; InputError for names and values that do not suit."""
    family = family_of(task, given)
    missing = [
        name for name, field in family.settings.model_fields.items() if field.is_required() and not given.get(name)
    ]
    if missing:
        raise InputError(
            f"the task '{task}' of find needs the setting '{missing[0]}': {_described(family, missing[0])}"
        )
    options = validate_settings(family.settings, given, f"find {task}")
    made = family.make(options)
    check_task(made)
    if options.block is None:
        options = options.model_copy(update={"block": made.block_size})
    measured_rules(made, options)
    return made, options


def _described(family: Family, name: str) -> str:
    return family.settings.model_fields[name].description or ""


def measured_rules(task: FindTask, options: FindSettings) -> tuple[str, ...]:
    """Return the rules whose description length is measured."""
    if options.description_length in (ALL, NONE):
        return tuple(task.rules) if options.description_length == ALL else ()
    names = tuple(dict.fromkeys(part.strip() for part in options.description_length.split(",")))
    for name in names:
        if name not in task.rules:
            raise unknown_name(f"rule of {task.name} (setting 'description_length')", name, [*task.rules, ALL, NONE])
    return names


def rivals_of(task: FindTask, options: FindSettings) -> dict[str, Rule]:
    """Return the rival rules that are looked for: those that fit, or none."""
    return rival_rules(task) if options.rivals or options.probes is Probes.TELLING else {}


def probes_of(task: FindTask, options: FindSettings, rivals: Mapping[str, Rule]) -> tuple[Symbols, ...]:
    """Return the inputs that are asked; InputError where none is left."""
    if options.probes is Probes.TELLING:
        around = [*(pair.source for pair in task.training), *task.probes]
        probes = telling_probes({**task.rules, **rivals}, around, task.source_symbols, TELLING_PROBES)
    else:
        probes = tuple(
            source
            for source in task.probes
            if not (options.probes is Probes.HOLD_OUT and source in task.trained_sources)
            and not (options.probes is Probes.NON_EMPTY and not source)
        )
    if not probes:
        raise InputError(f"probes={options.probes} leaves no probe of the task '{task.name}'")
    return probes
