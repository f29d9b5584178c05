"""The command that runs a trial again."""

import shlex
from collections.abc import Mapping
from typing import Any

from wug.cli._settings import format_value
from wug.errors import WugError


def trial_command(spec: Mapping[str, Any], locations: Mapping[str, str]) -> tuple[str, bool]:
    """Return (the command that runs the trial of a spec, whether it makes the same trial today).

    Only what differs from the defaults is written out. The trial is another one where the version of the benchmark,
    a default, or the content of a file has changed since.
    """
    from wug.benchmarks.registry import benchmark
    from wug.learners.registry import parse_learner
    from wug.studies.trial import canonical_json, plan_trials

    learner = locations.get("learner", spec["learner"]["name"])
    settings = {name: locations.get(name, value) for name, value in spec["settings"].items() if value is not None}
    options = {name: value for name, value in spec["learner"]["options"].items() if value is not None}
    same = False
    try:
        defaults = benchmark(spec["benchmark"]).resolve(spec["task"], {})
        settings = {name: value for name, value in settings.items() if defaults.get(name) != value}
        default_options = parse_learner(learner).identity()["options"]
        options = {name: value for name, value in options.items() if default_options.get(name) != value}
    except WugError:
        pass  # a setting or option without a default: all are written out
    try:
        planned = plan_trials(
            spec["benchmark"], spec["task"], settings, [parse_learner(learner, options)], [spec["seed"]]
        )
        same = planned[0].spec_json == canonical_json(spec)
    except WugError:
        pass  # what the trial was made with is no longer there
    words = ["wug", "trial", spec["benchmark"], spec["task"], "--learner", learner, "--seed", str(spec["seed"])]
    for name, value in [*settings.items(), *((f"learner.{name}", value) for name, value in options.items())]:
        words += ["--set", f"{name}={format_value(value)}"]
    return shlex.join(words), same
