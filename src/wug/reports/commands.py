"""The command that repeats one trial."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from wug.benchmarks.registry import benchmark
from wug.errors import InputError
from wug.learners.registry import parse_learner


def trial_command(spec: Mapping[str, Any], locations: Mapping[str, str]) -> str:
    """Return the ``wug trial`` command of a spec, with the settings that are not the defaults.

    ``locations`` says where files and folders of the spec were: by ``learner`` or by the name of a setting. Where a
    place is not known the command names the file in capitals, for the reader to fill in.
    """
    learner = _Learner.of(spec["learner"], locations.get("learner", ""))
    settings = {
        name: locations.get(name, name.upper()) if _is_content(value) else value
        for name, value in _settings(spec["benchmark"], spec["task"], json.dumps(spec["settings"])).items()
    }
    words = ["wug", "trial", spec["benchmark"], spec["task"], "--learner", learner.name, "--seed", str(spec["seed"])]
    for name, value in (settings | {f"learner.{name}": value for name, value in learner.options.items()}).items():
        words += ["--set", f"{name}={_written(value)}"]
    return shlex.join(words)


_WORDS_WITH_MEANING = ("true", "false", "inf", "nan")


class _Learner:
    """How a learner is named on the command line, and which of its options have to be given."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = name
        self.options = options

    @classmethod
    def of(cls, identity: Mapping[str, Any], location: str) -> "_Learner":
        return _learner(location or identity["name"], json.dumps(identity))


@lru_cache(maxsize=4096)
def _learner(name: str, identity_json: str) -> _Learner:
    identity = json.loads(identity_json)
    options = identity["options"]
    try:
        parse_learner(name, options)
    except InputError:
        return _Learner(name if identity["content"] is None or ":" in name else f"FILE.py:{name}", options)
    return _Learner(name, _shortest(options, lambda given: parse_learner(name, given).identity()["options"]))


@lru_cache(maxsize=4096)
def _settings(benchmark_name: str, task: str, settings_json: str) -> dict[str, Any]:
    settings = json.loads(settings_json)
    if any(map(_is_content, settings.values())):
        return settings
    return _shortest(settings, lambda given: benchmark(benchmark_name).resolve(task, given))


def _shortest(wanted: dict[str, Any], resolve: Callable[[dict[str, Any]], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the values that have to be given so that the defaults fill in the others; all where that is not sure."""
    try:
        defaults = resolve({})
        given = {name: value for name, value in wanted.items() if name not in defaults or defaults[name] != value}
        if dict(resolve(given)) == wanted:
            return given
    except InputError:  # a setting without default, or a benchmark, learner or file that is no longer here
        pass
    return wanted


def _is_content(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"sha256"}


def _written(value: Any) -> str:
    """Return a value as ``--set`` reads it: words as they are, all else as in TOML.

    >>> _written("pooled"), _written("0.005"), _written(0.005), _written([1, 2])
    ('pooled', '"0.005"', '0.005', '[1, 2]')
    """
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z_./~][\w./:~-]*", value) and value not in _WORDS_WITH_MEANING:
        return value
    return json.dumps(value, ensure_ascii=False)
