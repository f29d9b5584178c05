import doctest
import pkgutil
from importlib import import_module

import pytest

from wug.languages import automata

MODULES = [info.name for info in pkgutil.walk_packages(automata.__path__, f"{automata.__name__}.")]


@pytest.mark.parametrize("module", [automata.__name__, *MODULES])
def test_examples_in_docstrings_are_true(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0
