"""``wug check-learner``: does a learner keep its contract?"""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from wug.cli._frame import command_app
from wug.cli._output import print_json
from wug.errors import InputError

app = command_app()

_MARKS = {"passed": "ok    ", "failed": "FAILED", "noted": "note  "}


@app.command(rich_help_panel="Models")
def check_learner(
    learner: Annotated[str, typer.Argument(metavar="FILE:CLASS", help="path/file.py:Class, or the name of a learner")],
    assignments: Annotated[
        list[str], typer.Option("--set", metavar="learner.NAME=VALUE", help="An option of the learner.")
    ] = [],  # noqa: B006 - typer copies it
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check an encoder or learner of your own and say in words what is wrong.

    Shapes, causality, agreement of step with forward, gradients, determinism, saving, long strings, a short training.
    The exit status is 0 when all is well, 1 when a check failed, 2 when the learner cannot be loaded.

    [bold]Example[/bold]

      wug check-learner mynet.py:MyNet --set learner.width=64
    """
    from wug.cli._settings import parse_assignments
    from wug.learners.checks import check_learner as run_checks
    from wug.learners.registry import build_learner, parse_learner

    spec = parse_learner(learner, _learner_options(parse_assignments(assignments)))
    checks = run_checks(build_learner(spec))
    n_failed = sum(check.outcome == "failed" for check in checks)
    if as_json:
        print_json({"learner": spec.identity(), "passed": n_failed == 0, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            typer.echo(f"{_MARKS[check.outcome]} {check.name}" + (f": {check.message}" if check.message else ""))
        typer.echo(
            f"{spec.label}: " + ("all is well" if n_failed == 0 else f"{n_failed} of {len(checks)} checks failed")
        )
    raise typer.Exit(1 if n_failed else 0)


def _learner_options(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the learner; InputError for a setting of anything else."""
    for name in settings:
        if not name.startswith("learner."):
            raise InputError(f"only options of the learner can be set here (learner.{name}=...), not '{name}'")
    return {name.removeprefix("learner."): value for name, value in settings.items()}
