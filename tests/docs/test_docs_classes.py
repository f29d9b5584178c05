"""The page about the classes shows what ``wug classify`` prints, and its picture what it draws."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wug.cli.main import app

DOCS = Path(__file__).parents[2] / "docs/languages"
EXAMPLES = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", (DOCS / "classes.md").read_text("utf-8"))


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_printed_output_is_real(command: str, printed: str) -> None:
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exception is None
    assert result.stdout == printed


def test_picture_is_drawn_by_the_command(tmp_path: Path) -> None:
    command = shlex.split(EXAMPLES[0][0])[1:]
    CliRunner().invoke(app, [*command, "--picture", str(tmp_path / "classes.svg")])
    assert (tmp_path / "classes.svg").read_text("utf-8") == (DOCS / "classes.svg").read_text("utf-8")


def test_python_example_says_what_it_gives() -> None:
    [code] = re.findall(r"```python\n(.*?)```", (DOCS / "classes.md").read_text("utf-8"), re.S)
    names: dict[str, object] = {}
    for line in code.splitlines():
        statement, _, comment = (part.strip() for part in line.partition("  # "))
        if " = " in statement or statement.startswith("from"):
            exec(statement, names)
        elif statement:
            value = eval(statement, names)  # noqa: S307
            if comment.startswith(("'", "(", "[")):
                assert repr(value) == comment
