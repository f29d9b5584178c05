import doctest
import pkgutil
from importlib import import_module

import pytest

from wug.learners import symbolic

MODULES = ["wug.learners.symbolic"] + [
    module.name for module in pkgutil.iter_modules(symbolic.__path__, "wug.learners.symbolic.")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_right(module):
    assert doctest.testmod(import_module(module)).failed == 0
