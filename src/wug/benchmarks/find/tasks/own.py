"""Tasks of one's own, in a TOML or a Python file.

    # mytask.toml
    [[tasks]]
    name = "plural"
    training = [["dax", "dax dax"], ["wug", "wug wug"]]     # inputs and outputs, blanks between symbols
    probes = ["dax", "dax wug", "wug dax"]
    hold_out = ["dax wug"]                                  # optional: the probes that are not in training
    block_size = 1                                          # optional

    [tasks.rules]
    twice = { "dax wug" = "dax wug dax wug", "wug dax" = "wug dax wug dax" }    # training pairs need not be repeated
    same = { "dax wug" = "dax dax", "wug dax" = "dax dax" }
    last = "last-2-times"                                   # or a simple rule by its name (see ``rivals``)

A Python file binds its tasks, made by ``new_task``, to names of any kind; its rules are functions.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wug.benchmarks.find.tasks.rivals import rival_rules
from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols, check_task, shown, symbols_of
from wug.errors import InputError, unknown_name

_KEYS = ("name", "training", "probes", "rules", "hold_out", "block_size")


def read_task(path: Path, name: str) -> FindTask:
    """Return a task of a file by its name; InputError names the file and what is wrong."""
    tasks = read_tasks(path)
    if name not in tasks:
        raise unknown_name(f"task in {path}", name, tasks)
    return tasks[name]


def read_tasks(path: Path) -> dict[str, FindTask]:
    """Return the tasks of a file by name, in order."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"the file {path} with tasks cannot be read: {error.strerror}") from None
    if path.suffix == ".py":
        return _of_python(path, source)
    if path.suffix == ".toml":
        return _of_toml(path, source)
    raise InputError(f"tasks are read from .toml and .py files, not from {path}")


def _of_python(path: Path, source: bytes) -> dict[str, FindTask]:
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    try:
        exec(compile(source, str(path), "exec"), names)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except Exception as error:
        raise InputError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    tasks = {value.name: value for value in names.values() if isinstance(value, FindTask)}
    if not tasks:
        raise InputError(f"{path} makes no task; bind one to a name, such as TASK = new_task(...)")
    for task in tasks.values():
        _check(path, task)
    return tasks


def _of_toml(path: Path, source: bytes) -> dict[str, FindTask]:
    try:
        content = tomllib.loads(source.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    entries = content.get("tasks")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path}: there is no task; each is a table [[tasks]] with name, training, probes and rules")
    tasks: dict[str, FindTask] = {}
    for number, entry in enumerate(entries, 1):
        task = _task(f"{path}, task {number}", entry)
        if task.name in tasks:
            raise InputError(f"{path}, task {number}: the name '{task.name}' is taken")
        _check(path, task)
        tasks[task.name] = task
    return tasks


def _check(path: Path, task: FindTask) -> None:
    try:
        check_task(task)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _task(where: str, entry: Any) -> FindTask:
    if not isinstance(entry, dict):
        raise InputError(f"{where}: a task is a table, not {entry!r}")
    for key in entry:
        if key not in _KEYS:
            raise unknown_name(f"key of {where}", key, _KEYS)
    for key in _KEYS[:4]:
        if key not in entry:
            raise InputError(f"{where}: '{key}' is missing")
    name, block_size = entry["name"], entry.get("block_size", 1)
    if not isinstance(name, str) or not name:
        raise InputError(f"{where}: 'name' must be text, not {name!r}")
    if not isinstance(block_size, int) or isinstance(block_size, bool) or block_size < 0:
        raise InputError(f"{where}: 'block_size' must be a number of inputs, or 0 for one block, not {block_size!r}")
    training = tuple(Pair(*pair) for pair in _pairs(where, entry["training"]))
    probes = _inputs(where, "probes", entry["probes"])
    trained = {pair.source for pair in training}
    hold_out = tuple(source for source in probes if source not in trained)
    if "hold_out" in entry:
        hold_out = _inputs(where, "hold_out", entry["hold_out"])
    bare = FindTask(name, training, probes, hold_out, {}, block_size)
    return FindTask(name, training, probes, hold_out, _rules(where, entry["rules"], bare), block_size)


def _pairs(where: str, value: Any) -> list[tuple[Symbols, Symbols]]:
    if not isinstance(value, list):
        raise InputError(f"{where}: 'training' must be a list of pairs [input, output], not {value!r}")
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise InputError(f"{where}: a training pair is [input, output], both text, not {pair!r}")
    return [(symbols_of(source), symbols_of(target)) for source, target in value]


def _inputs(where: str, key: str, value: Any) -> tuple[Symbols, ...]:
    if not isinstance(value, list) or not all(isinstance(source, str) for source in value):
        raise InputError(f"{where}: '{key}' must be a list of inputs, each text, not {value!r}")
    return tuple(map(symbols_of, value))


def _rules(where: str, value: Any, task: FindTask) -> dict[str, Rule]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: 'rules' must be a table of rules by name, not {value!r}")
    simple = rival_rules(task) if task.training else {}
    rules: dict[str, Rule] = {}
    for name, rule in value.items():
        if isinstance(rule, str):
            if rule not in simple:
                raise unknown_name(f"simple rule that fits the training pairs ({where}, rule '{name}')", rule, simple)
            rules[name] = simple[rule]
        elif isinstance(rule, dict) and all(isinstance(output, str) for output in rule.values()):
            rules[name] = _table(rule, task)
        else:
            raise InputError(
                f"{where}: the rule '{name}' must be a table of outputs by input, or the name of a simple rule, "
                f"not {rule!r}"
            )
    return rules


def _table(outputs: Mapping[str, str], task: FindTask) -> Rule:
    """Return the rule that answers as a table says or, on training inputs that are not in it, as trained."""
    known = {pair.source: pair.target for pair in task.training}
    known |= {symbols_of(source): symbols_of(output) for source, output in outputs.items()}

    def rule(source: Symbols) -> Symbols:
        if source not in known:
            raise ValueError(f"its table has no output for '{shown(source)}'")
        return known[source]

    return rule
