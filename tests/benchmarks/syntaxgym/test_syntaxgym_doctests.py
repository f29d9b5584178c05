import doctest
import pkgutil
from importlib import import_module

import pytest

from wug.benchmarks import syntaxgym

MODULES = sorted(module.name for module in pkgutil.walk_packages(syntaxgym.__path__, "wug.benchmarks.syntaxgym."))


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_right(module):
    assert doctest.testmod(import_module(module)).failed == 0
