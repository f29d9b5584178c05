"""The program ``wug``: finds its commands, turns errors into sentences and exit statuses.

Every other module of this folder is one command, named after its file (``check_learner.py`` is ``wug check-learner``;
a trailing underscore as in ``import_.py`` is dropped; a leading one marks a helper). To add a command, add a module
that defines ``app = wug.cli._frame.command_app()`` and one ``@app.command()`` function, or several for a command that
has subcommands (``wug data mlregtest``). Nothing has to be registered. ``wug --help`` imports all of them and ``wug X``
imports X, so a module keeps every import but ``typer``, ``wug.errors`` and ``wug.cli._*`` inside its functions.
The help groups commands by ``@app.command(rich_help_panel=...)``: Run, Look, Exchange or Models.

A command raises ``InputError`` for a wrong request (exit status 2) and another ``WugError`` for work that failed (1);
the sentence goes to standard error. ``--debug``, anywhere on the line, shows the traceback as well.
"""

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Iterator, MutableMapping
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

import wug.cli
from wug.errors import InputError, WugError, WugWarning


class CommandModules(MutableMapping[str, Any]):
    """The commands by name, each imported when it is asked for."""

    def __init__(self) -> None:
        names = [module.name for module in pkgutil.iter_modules(wug.cli.__path__)]
        modules = [name for name in names if name != "main" and not name.startswith("_")]
        self._modules = {name.rstrip("_").replace("_", "-"): name for name in modules}
        self._commands: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._commands:
            module = importlib.import_module(f"wug.cli.{self._modules[name]}")
            command = typer.main.get_command(module.app)
            command.name = name
            self._commands[name] = command
        return self._commands[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._modules.setdefault(name, name)
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._modules[name]
        self._commands.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class CommandGroup(TyperGroup):
    """A group whose commands are the modules of this folder."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = CommandModules()


app = typer.Typer(
    cls=CommandGroup,
    rich_markup_mode="rich",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wug {wug.__version__}")
        raise typer.Exit


@app.callback()
def wug_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks; may stand anywhere on the line.")] = False,
) -> None:
    """Measure what a sequence model does beyond its training data."""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of wug as one sentence, and others as Python does."""
    if issubclass(category, WugWarning):
        typer.echo(f"Warning: {message}", err=True)
    else:
        typer.echo(warnings.formatwarning(message, category, filename, lineno, line), err=True)


def run() -> None:
    """Run the program on the arguments it was started with."""
    warnings.showwarning = _show_warning
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    show_tracebacks = len(arguments) < len(sys.argv) - 1
    try:
        app(arguments, prog_name="wug")
    except WugError as error:
        if show_tracebacks:
            raise
        typer.echo(f"Error: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError) else 1)
