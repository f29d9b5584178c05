"""The page about find: its own tasks can be read, and what it computes by hand is what the tool says."""

import json
import math
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wug.benchmarks.find.tasks import read_task
from wug.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs/benchmarks/find.md").read_text("utf-8")


@pytest.mark.parametrize("kind", ["toml", "py"])
def test_a_task_of_one_s_own_can_be_read(tmp_path, kind):
    [text] = re.findall(rf"```{'python' if kind == 'py' else kind}\n(.*?)```", PAGE, re.S)
    file = tmp_path / f"plural.{kind}"
    file.write_text(text, encoding="utf-8")
    task = read_task(file, "plural")
    assert list(task.rules) == ["twice", "last"]
    assert task.rules["twice"](("dax",)) == task.rules["last"](("dax",)) == ("dax", "dax")
    assert task.rules["twice"](("wug", "dax")) == ("wug", "dax", "wug", "dax")
    assert task.rules["last"](("wug", "dax")) == ("dax", "dax")


def test_description_lengths_by_hand():
    [command] = re.findall(r"\$ (wug trial find .*)", PAGE)
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    printed = json.loads(result.stdout)
    for rule in ("hierar", "linear"):
        assert printed["scores"][f"L_nats:{rule}"] == pytest.approx(16 * 2 * math.log(8))
        assert printed["scores"][f"L_bits:{rule}"] == pytest.approx(96)
        assert printed["items"][f"L_nats:{rule}"]["block 1"] == pytest.approx(4 * 2 * math.log(8))
    assert "66.5421 nats = 96 bits" in PAGE
    assert f"{20 * 41 * math.log(8):.1f} nats" in PAGE
