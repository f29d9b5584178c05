"""The command that repeats a trial says what has to be said, and nothing that the defaults say."""

import json
import shlex
from itertools import pairwise

import pytest

from wug.benchmarks.registry import benchmark
from wug.cli._commands import trial_command
from wug.cli._settings import parse_assignments
from wug.learners.registry import parse_learner
from wug.studies.trial import plan_trials


def spec(settings, learner="lstm", options=None):
    return json.loads(
        json.dumps(
            {
                "benchmark": "bliss",
                "task": "anbn",
                "seed": 3,
                "settings": benchmark("bliss").resolve("anbn", settings),
                "learner": parse_learner(learner, options or {}).identity(),
                "version": benchmark("bliss").version,
            }
        )
    )


def assignments(command):
    words = shlex.split(command)
    return parse_assignments(word for before, word in pairwise(words) if before == "--set")


def test_defaults_are_not_said():
    assert trial_command(spec({}), {}) == ("wug trial bliss anbn --learner lstm --seed 3", True)


@pytest.mark.parametrize(
    "settings",
    [{"train": 100}, {"b": 4}, {"train": 1000, "b": 2}, {"eps": "0"}, {"aggregate": "string", "twice": True}],
)
def test_what_is_said_makes_the_same_trial(settings):
    wanted = spec(settings, options={"width": 8, "dtype": "float64"})
    command, same = trial_command(wanted, {})
    assert same
    given = assignments(command)
    options = {name: given.pop(f"learner.{name}") for name in ("width", "dtype")}
    (trial,) = plan_trials("bliss", "anbn", given, [parse_learner("lstm", options)], [3])
    assert trial.spec == wanted


def test_settings_that_depend_on_each_other_are_said_in_full():
    given = assignments(trial_command(spec({"train": 1000, "b": 2}), {})[0])
    assert (given["train"], given["b"]) == (1000, 2.0)


def test_a_changed_version_or_default_makes_another_trial():
    assert not trial_command(spec({}) | {"version": 0}, {})[1]
    old = spec({})
    del old["settings"]["verdict_only"]
    assert not trial_command(old, {})[1]


def test_a_users_learner_is_named_by_its_file(tmp_path):
    file = tmp_path / "my net.py"
    source = (
        "import torch\n\nclass MyNet(torch.nn.Module):\n"
        "    def __init__(self, vocabulary_size: int, width: int = 64):\n        super().__init__()\n"
        "    def forward(self, ids): ...\n"
    )
    file.write_text(source)
    location = f"{file}:MyNet"
    wanted = spec({}, location, {"width": 8})
    command, same = trial_command(wanted, {"learner": location})
    assert same
    assert shlex.split(command)[4:6] == ["--learner", location]
    assert assignments(command) == {"learner.width": 8}


def test_a_users_learner_that_is_gone_is_named_all_the_same(tmp_path):
    location = f"{tmp_path}/gone.py:MyNet"
    wanted = spec({})
    wanted["learner"] = {"name": "MyNet", "options": {"width": 8, "depth": None}, "content": "0" * 64}
    command, same = trial_command(wanted, {"learner": location})
    assert not same
    assert shlex.split(command)[5] == location
    assert assignments(command) == {"learner.width": 8}
    assert "--learner FILE.py:MyNet" in trial_command(wanted, {})[0]


def test_files_in_settings_are_named_by_their_place():
    wanted = spec({})
    wanted["settings"]["suites"] = {"sha256": "0" * 64}
    assert assignments(trial_command(wanted, {"suites": "data/my suites"})[0])["suites"] == "data/my suites"
    assert assignments(trial_command(wanted, {})[0])["suites"] == "SUITES"


def test_a_learner_or_benchmark_that_is_gone_is_still_named():
    wanted = spec({}) | {"benchmark": "gone"}
    wanted["learner"] = {"name": "vanished", "options": {"width": 3}, "content": None}
    command, same = trial_command(wanted, {})
    assert not same
    assert command.startswith("wug trial gone anbn --learner vanished --seed 3 --set ")
    assert assignments(command)["learner.width"] == 3


@pytest.mark.parametrize(
    "value", ["word", "a/b.py:C", "true", "1", "1e3", "nan", "", " x", 'q"t', "é", 2, 0.1, False, [1, "a"]]
)
def test_values_are_written_as_they_are_read(value):
    wanted = spec({}) | {"benchmark": "gone", "settings": {"x": value}}
    assert assignments(trial_command(wanted, {})[0]) == {"x": value}
