"""The command that repeats a trial says what has to be said, and nothing that the defaults say."""

import json
import shlex
from itertools import pairwise

import pytest

from wug.benchmarks.registry import benchmark
from wug.cli._settings import parse_assignments
from wug.learners.registry import parse_learner
from wug.reports.commands import trial_command


def spec(settings, learner="lstm", options=None):
    return json.loads(
        json.dumps(
            {
                "benchmark": "bliss",
                "task": "anbn",
                "seed": 3,
                "settings": benchmark("bliss").resolve("anbn", settings),
                "learner": parse_learner(learner, options or {}).identity(),
            }
        )
    )


def assignments(command):
    words = shlex.split(command)
    return parse_assignments(word for before, word in pairwise(words) if before == "--set")


def test_defaults_are_not_said():
    assert trial_command(spec({}), {}) == "wug trial bliss anbn --learner lstm --seed 3"


@pytest.mark.parametrize(
    "settings",
    [{"train": 100}, {"b": 4}, {"train": 1000, "b": 2}, {"eps": "0"}, {"aggregate": "string", "twice": True}],
)
def test_what_is_said_resolves_to_the_same_settings(settings):
    wanted = spec(settings, options={"width": 8})
    given = assignments(trial_command(wanted, {}))
    assert given.pop("learner.width") == 8
    assert benchmark("bliss").resolve("anbn", given) == wanted["settings"]


def test_settings_that_depend_on_each_other_are_said_in_full():
    given = assignments(trial_command(spec({"train": 1000, "b": 2}), {}))
    assert (given["train"], given["b"]) == (1000, 2.0)


def test_a_users_learner_is_named_by_its_file(tmp_path):
    file = tmp_path / "my net.py"
    file.write_text(
        "import torch\n\nclass MyNet(torch.nn.Module):\n"
        "    def __init__(self, vocabulary_size: int, width: int = 64):\n        super().__init__()\n"
        "    def forward(self, ids): ...\n"
    )
    location = f"{file}:MyNet"
    wanted = spec({}, location, {"width": 8})
    words = shlex.split(trial_command(wanted, {"learner": location}))
    assert words[4:6] == ["--learner", location]
    assert words[-2:] == ["--set", "learner.width=8"]
    file.unlink()
    assert "learner.width=8" in trial_command(wanted, {"learner": location})
    assert "--learner FILE.py:MyNet" in trial_command(wanted, {})


def test_files_in_settings_are_named_by_their_place():
    wanted = spec({})
    wanted["settings"]["suites"] = {"sha256": "0" * 64}
    assert assignments(trial_command(wanted, {"suites": "data/my suites"}))["suites"] == "data/my suites"
    assert assignments(trial_command(wanted, {}))["suites"] == "SUITES"


def test_a_learner_or_benchmark_that_is_gone_is_still_named():
    wanted = spec({}) | {"benchmark": "gone"}
    wanted["learner"] = {"name": "vanished", "options": {"width": 3}, "content": None}
    command = trial_command(wanted, {})
    assert command.startswith("wug trial gone anbn --learner vanished --seed 3 --set ")
    assert "learner.width=3" in command
