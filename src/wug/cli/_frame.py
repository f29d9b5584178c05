"""What every command module starts from."""

import typer


def command_app() -> typer.Typer:
    """Return the empty ``app`` of a command module."""
    return typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
