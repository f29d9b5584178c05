"""The documentation says what is true: links lead somewhere, commands exist, examples work."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
import typer
import yaml

from wug.cli.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONTENTS = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]


def pages_of(entries):
    for entry in entries:
        for value in entry.values():
            yield from pages_of(value) if isinstance(value, list) else [value]


NAMES = [f"docs/{page}" for page in pages_of(CONTENTS)]


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`|^    [^\n]*$", "", text, flags=re.S | re.M)


def commands(text):
    """Return the commands in a page's code, one a line: those that begin with wug, without their comments."""
    code = re.findall(r"^    (.*)$", text, re.M) + re.findall(r"`([^`\n]+)`", text)
    code += [line for block in re.findall(r"```(?:sh|bash)?\n(.*?)```", text, re.S) for line in block.splitlines()]
    lines = [part.split(" # ")[0].strip() for line in code for part in re.split(r"; |&& ", line)]
    return [line for line in lines if line.startswith("wug ") and "..." not in line and "…" not in line]


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_files(name):
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", without_code(text_of(name))):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert ((ROOT / name).parent / target).exists(), target


@pytest.mark.parametrize("name", NAMES)
def test_commands_can_be_parsed(name):
    group = typer.main.get_command(app)
    for command in commands(text_of(name)):
        words = shlex.split(command)[1:]
        if words[0].startswith("-") or words[-1] == "--help":
            continue
        found = group.get_command(click.Context(group), words[0])
        assert found is not None, command
        if len(words) > 1:  # a command by itself is only mentioned
            found.make_context(words[0], words[1:], resilient_parsing=False)


def examples(page, ending):
    """Return the code blocks of a page that begin with a comment naming their file."""
    return dict(re.findall(rf"```\w+\n# (\w+\.{ending})\n(.*?)```", text_of(page), re.S))


@pytest.mark.parametrize("file", ["mynet.py", "bigram.py"])
def test_the_learners_of_the_page_keep_their_contract(file, tmp_path):
    from wug.learners.checks import check_learner
    from wug.learners.registry import build_learner, parse_learner

    source = examples("docs/learners.md", "py")[file]
    (tmp_path / file).write_text(source)
    name = re.findall(r"^class (\w+)", source, re.M)[0]
    checks = check_learner(build_learner(parse_learner(f"{tmp_path / file}:{name}")))
    assert [check.message for check in checks if check.outcome == "failed"] == []
    assert len(checks) >= 5


def test_the_training_options_of_the_page_are_the_programs():
    from wug.learners.training.settings import TrainingSettings

    table = text_of("docs/learners.md").split("## How it is trained")[1].split("\n## ")[0]
    named = {name for row in re.findall(r"^\| (`[^|]*) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert named == set(TrainingSettings.model_fields)


def test_the_study_of_the_page_can_be_planned(tmp_path):
    from wug.studies.expansion import plan_study
    from wug.studies.study import find_study

    (file, source), *_ = examples("docs/studies.md", "toml").items()
    (tmp_path / file).write_text(source)
    study = find_study(str(tmp_path / file))
    assert tomllib.loads(source)["title"] == study.document.title
    assert len(plan_study(study, study.choose_scale("paper")).trials) == 60
    assert len(plan_study(study, study.choose_scale("smoke")).trials) == 20
