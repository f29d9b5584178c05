"""The command that runs a trial again, for ``wug show`` and the report."""

import json
import shlex
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from wug.benchmarks.registry import benchmark
from wug.cli._settings import format_value
from wug.errors import WugError
from wug.learners.registry import parse_learner
from wug.studies.trial import canonical_json


class CommandWriter:
    """Writes the commands that run trials again.

    It remembers what it has looked up, files included, as long as it lives: make a new one for each report.
    """

    def __init__(self) -> None:
        self._settings, self._learner = cache(_settings), cache(_learner)

    def __call__(self, spec: Mapping[str, Any], locations: Mapping[str, str]) -> tuple[str, bool]:
        """Return (the command that runs the trial of a spec, whether it makes the same trial today).

        Only what differs from the defaults is written out. ``locations`` says where files and folders of the spec
        were: by ``learner`` or by the name of a setting; where that is not known the command names the file in
        capitals. The trial is another one where the version of the benchmark, a default, or the content of a file has
        changed since.
        """
        name, task = spec["benchmark"], spec["task"]
        places = canonical_json({setting: place for setting, place in locations.items() if setting != "learner"})
        settings, settings_same = self._settings(name, task, canonical_json(spec["settings"]), places)
        learner, options, learner_same = self._learner(locations.get("learner", ""), canonical_json(spec["learner"]))
        words = ["wug", "trial", name, task, "--learner", learner, "--seed", str(spec["seed"])]
        for setting, value in [*settings.items(), *((f"learner.{name}", value) for name, value in options.items())]:
            words += ["--set", f"{setting}={format_value(value)}"]
        return shlex.join(words), settings_same and learner_same and spec["version"] == _version(name)


def trial_command(spec: Mapping[str, Any], locations: Mapping[str, str]) -> tuple[str, bool]:
    """Return what ``CommandWriter`` does for one trial."""
    return CommandWriter()(spec, locations)


def _settings(benchmark_name: str, task: str, settings_json: str, places_json: str) -> tuple[dict[str, Any], bool]:
    def resolve(given: dict[str, Any]) -> Mapping[str, Any]:
        return benchmark(benchmark_name).resolve(task, given)

    return _shortest(json.loads(settings_json), json.loads(places_json), resolve)


def _learner(location: str, identity_json: str) -> tuple[str, dict[str, Any], bool]:
    """Return how the learner is named, its options that have to be given, and whether it is the same today."""
    identity = json.loads(identity_json)
    name = location or identity["name"]

    def resolve(given: dict[str, Any]) -> Mapping[str, Any]:
        return parse_learner(name, given).identity()["options"]

    options, same = _shortest(identity["options"], {}, resolve)
    try:
        content = parse_learner(name, options).content
    except WugError:
        return name if location or identity["content"] is None else f"FILE.py:{name}", options, False
    return name, options, same and content == identity["content"]


def _version(benchmark_name: str) -> int | None:
    try:
        return benchmark(benchmark_name).version
    except WugError:
        return None


def _shortest(
    wanted: dict[str, Any], places: Mapping[str, str], resolve: Callable[[dict[str, Any]], Mapping[str, Any]]
) -> tuple[dict[str, Any], bool]:
    """Return (the values that have to be given, whether they and the defaults make up what is wanted).

    All values have to be given where some default depends on them, or where they cannot be checked any more.
    """
    target = canonical_json(wanted)
    everything = {
        name: places.get(name, name.upper()) if isinstance(value, dict) and value.keys() == {"sha256"} else value
        for name, value in wanted.items()
        if value is not None
    }
    try:
        defaults = json.loads(canonical_json(resolve({})))
    except WugError:
        defaults = {}
    differing = {name: value for name, value in everything.items() if defaults.get(name) != wanted[name]}
    for given in (differing, everything):
        try:
            if canonical_json(resolve(given)) == target:
                return given, True
        except WugError:
            pass
    return everything, False
