import subprocess
import sys
from importlib import import_module

import pytest

from wug.languages import automata


def test_exported_names_are_sorted_and_those_of_their_modules() -> None:
    assert automata.__all__ == sorted(automata.__all__) == dir(automata)
    for name, module in automata._MODULE_OF.items():
        assert getattr(automata, name) is getattr(import_module(f"wug.languages.automata.{module}"), name)


def test_no_exported_name_is_a_module_too() -> None:
    for name in automata.__all__:
        with pytest.raises(ModuleNotFoundError):
            import_module(f"wug.languages.automata.{name}")


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'minimize'"):
        automata.minimize  # noqa: B018


def test_importing_the_package_loads_neither_numba_nor_lark() -> None:
    code = "import sys, wug.languages.automata; print([m for m in ('numba', 'lark', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
