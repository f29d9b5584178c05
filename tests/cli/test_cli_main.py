import subprocess
import sys

import pytest

from wug.cli.main import CommandModules
from wug.errors import InputError, TrialError


def wug(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from wug.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)


@pytest.fixture
def failing_command(monkeypatch):
    """Runs the program in this process with a command ``broken`` that raises the error given."""

    def run_with(error: Exception, *arguments: str) -> int | str | None:
        from wug.cli import main
        from wug.cli._frame import command_app

        app = command_app()

        @app.command()
        def broken() -> None:
            raise error

        monkeypatch.setattr(CommandModules, "__getitem__", lambda self, name: main.typer.main.get_command(app))
        monkeypatch.setattr(sys, "argv", ["wug", *arguments])
        with pytest.raises(SystemExit) as exit_info:
            main.run()
        return exit_info.value.code

    return run_with


def test_commands_are_the_modules_of_the_folder():
    assert "list" in CommandModules()
    assert not any(name.startswith("-") or name in ("main", "frame") for name in CommandModules())


def test_every_command_has_a_description():
    for name, command in CommandModules().items():
        assert command.get_short_help_str(), name


@pytest.mark.parametrize(("error", "status"), [(InputError("no such thing"), 2), (TrialError("it broke"), 1)])
def test_an_error_is_one_sentence_and_a_status(failing_command, capsys, error, status):
    assert failing_command(error, "list") == status
    captured = capsys.readouterr()
    assert captured.err == f"Error: {error}\n"
    assert captured.out == ""


def test_debug_anywhere_shows_the_traceback(failing_command, monkeypatch):
    with pytest.raises(InputError):
        failing_command(InputError("no such thing"), "list", "--debug")


@pytest.mark.journey
def test_unknown_command_suggests_and_exits_2():
    result = wug("lits")
    assert result.returncode == 2
    assert "Did you mean 'list'" in result.stderr


@pytest.mark.journey
def test_help_and_version():
    assert "list" in wug("--help").stdout
    assert wug("--version").stdout.startswith("wug ")


def test_python_m_is_the_program():
    command = [sys.executable, "-m", "wug", "--version"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == wug("--version").stdout


@pytest.mark.parametrize("arguments", [["--help"], ["list"]])
def test_light_commands_import_nothing_heavy(arguments):
    program = (
        "import sys, contextlib, io\n"
        "from wug.cli.main import run\n"
        f"sys.argv = ['wug', *{arguments!r}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    run()\n"
        "heavy = {'torch', 'matplotlib', 'polars', 'distributed', 'dask', 'numba', 'scipy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
