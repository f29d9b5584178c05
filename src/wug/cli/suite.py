"""``wug suite``: checks test suites of syntaxgym."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json
from wug.errors import InputError

app = command_app()

_SHOWN = 5
"""Findings printed of one suite."""


@dataclass(frozen=True)
class _Check:
    """What is known of one file after its check."""

    file: str
    suite: str = ""
    items: int = 0
    conditions: int = 0
    regions: int = 0
    chance: list[str] = field(default_factory=list)
    """How often each prediction holds by chance: a fraction, or bounds."""
    findings: list[str] = field(default_factory=list)
    error: str = ""


@app.callback(rich_help_panel="Exchange")
def suite_command() -> None:
    """Check test suites of syntaxgym."""


@app.command("check")
def check_suites(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Suites, as JSON or CSV.")],
    strict: Annotated[bool, typer.Option("--strict", help="Fail on what reading forgives, such as blanks.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check suites: regions, conditions, formulas; name the item, region or position of what is wrong.

    [bold]Example[/bold]

      wug suite check suites/*.json
    """
    from wug.benchmarks.syntaxgym.suites import Findings, chance, check_suite

    checks = []
    for file in files:
        findings = Findings()
        try:
            suite = check_suite(file, findings)
        except InputError as error:
            checks.append(_Check(str(file), error=str(error)))
            continue
        levels = [chance([formula], suite) for formula in suite.predictions]
        checks.append(
            _Check(
                str(file),
                suite.name,
                len(suite.items),
                len(suite.conditions),
                len(suite.regions),
                [f"{level.low} to {level.high}" if level.value is None else str(level.value) for level in levels],
                findings.sentences,
            )
        )
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        for check in checks:
            _print(check)
    wrong = [check for check in checks if check.error or (strict and check.findings)]
    if wrong:
        raise InputError(f"{len(wrong)} of {len(checks)} suites cannot be used as they are")


def _print(check: _Check) -> None:
    if check.error:
        typer.echo(check.error)
        return
    typer.echo(
        f"{check.file}: {check.suite}, {check.items} items, {check.conditions} conditions, {check.regions} regions; "
        f"by chance {', '.join(check.chance)}"
    )
    for sentence in check.findings[:_SHOWN]:
        typer.echo(f"  {sentence}")
    if len(check.findings) > _SHOWN:
        typer.echo(f"  and {len(check.findings) - _SHOWN} more")
