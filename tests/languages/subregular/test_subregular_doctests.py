import doctest
import pkgutil
from importlib import import_module

import pytest

from wug.languages import subregular

MODULES = ["wug.languages.subregular"] + [
    module.name for module in pkgutil.iter_modules(subregular.__path__, "wug.languages.subregular.")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_right(module):
    assert doctest.testmod(import_module(module)).failed == 0


def test_the_list_of_public_names_is_complete_and_sorted():
    assert subregular.__all__ == sorted(subregular.__all__)
    assert all(getattr(subregular, name) is not None for name in subregular.__all__)
