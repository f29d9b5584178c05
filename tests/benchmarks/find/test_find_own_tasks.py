"""Tasks of one's own, in TOML and in Python files."""

import pytest

from wug.benchmarks.find.tasks import read_task, read_tasks
from wug.errors import InputError

TOML = """
[[tasks]]
name = "plural"
training = [["dax", "dax dax"], ["wug", "wug wug"]]
probes = ["dax", "fep", "dax wug"]
{more}

[tasks.rules]
twice = {{ "fep" = "dax wug", "dax wug" = "dax wug" }}
same = "output-of-same-first"
"""

PYTHON = """
from wug.benchmarks.find.tasks import new_task

TASK = new_task(
    "double",
    training={"a a": "b b b b"},
    probes=["a", "a a a"],
    rules={"mul": lambda source: ["b"] * 2 * len(source), "mem": lambda source: ["b"] * 4},
)
"""


def write(tmp_path, content, name="mine.toml"):
    path = tmp_path / name
    path.write_text(content)
    return path


def plural(**keys):
    more = "\n".join(f"{name} = {value}" for name, value in keys.items())
    return TOML.format(more=more).replace('"fep", "dax wug"]', '"dax wug"]').replace('"fep" = "dax wug", ', "")


def test_a_task_in_toml(tmp_path):
    task = read_task(write(tmp_path, plural(block_size=2)), "plural")
    assert (task.block_size, task.hold_out) == (2, (("dax", "wug"),))
    assert task.answers("twice")[("dax", "wug")] == ("dax", "wug")
    assert task.answers("twice")[("dax",)] == ("dax", "dax")
    assert task.answers("same")[("dax", "wug")] == ("dax", "dax")


def test_a_task_in_python(tmp_path):
    path = write(tmp_path, PYTHON, "mine.py")
    assert read_task(path, "double").answers("mul")[("a",)] == ("b", "b")
    with pytest.raises(InputError, match="did you mean 'double'"):
        read_task(path, "duoble")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('name = "plural"', "", "'name' is missing"),
        ('name = "plural"', "name = 3", "must be text"),
        ('name = "plural"', 'name = "plural"\nprobs = 1', "did you mean 'probes'"),
        ('["wug", "wug wug"]', '["wug"]', r"a training pair is \[input, output\]"),
        ('probes = ["dax", "dax wug"]', 'probes = "dax"', "'probes' must be a list"),
        ('probes = ["dax", "dax wug"]', 'probes = ["dax", "dax wug"]\nblock_size = -1', "'block_size'"),
        ('twice = { "dax wug"', 'twice = { "wug fep"', "'twice' has no answer to 'dax wug'"),
        ('twice = { "dax wug"', 'twice = { "wug" = "wug", "dax wug"', "'twice' .* disagrees .* 'wug', not 'wug wug'"),
        ('same = "output-of-same-first"', 'same = "output-of-same-frist"', "did you mean 'output-of-same-first'"),
        ('same = "output-of-same-first"', "same = 3", "must be a table of outputs"),
        ('same = "output-of-same-first"', 'same = { "dax wug" = "dax wug" }', "nowhere differ"),
        ("[[tasks]]", "[[task]]", "there is no task"),
        ("[[tasks]]", "[[tasks]", "is not TOML"),
    ],
)
def test_files_that_hold_no_task(tmp_path, old, new, reason):
    content = plural()
    assert old in content
    with pytest.raises(InputError, match=reason):
        read_tasks(write(tmp_path, content.replace(old, new)))


def test_a_name_is_taken_once(tmp_path):
    with pytest.raises(InputError, match="'plural' is taken"):
        read_tasks(write(tmp_path, plural() + plural()))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("x = 1", "makes no task"),
        ("x = ", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        (PYTHON.replace('"b b b b"', '"b b b"'), "'mul' of the task 'double' disagrees"),
    ],
)
def test_python_files_that_make_no_task(tmp_path, content, reason):
    with pytest.raises(InputError, match=reason):
        read_tasks(write(tmp_path, content, "mine.py"))


def test_other_files(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_tasks(tmp_path / "missing.toml")
    with pytest.raises(InputError, match=r"\.toml and \.py"):
        read_tasks(write(tmp_path, "", "mine.json"))
