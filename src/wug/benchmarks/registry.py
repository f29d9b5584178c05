"""Finds the benchmarks: the folders beside this module, and packages named by entry points ``wug.benchmarks``.

An entry point's name is the benchmark's name, its value the package, laid out like a folder here (see ``protocol``).
"""

import importlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import wug.benchmarks
from wug.benchmarks.protocol import Benchmark, Card, StudyFile
from wug.errors import unknown_name


@cache
def find_packages() -> dict[str, str]:
    """Return the package of each benchmark by name, in order of name."""
    folder = Path(wug.benchmarks.__path__[0])
    packages = {
        module.name: f"wug.benchmarks.{module.name}"
        for module in iter_modules([str(folder)])
        if (folder / module.name / "benchmark.py").exists()
    }
    packages |= {point.name: point.value for point in entry_points(group="wug.benchmarks")}
    return dict(sorted(packages.items()))


def _package(name: str) -> str:
    if name not in find_packages():
        raise unknown_name("benchmark", name, find_packages())
    return find_packages()[name]


def benchmark_names() -> list[str]:
    """Return the names of all benchmarks."""
    return list(find_packages())


def cards() -> list[Card]:
    """Return the cards of all benchmarks; imports no benchmark."""
    return [importlib.import_module(package).CARD for package in find_packages().values()]


def benchmark(name: str) -> Benchmark:
    """Return the benchmark of this name, imported when first asked for."""
    found: Benchmark = importlib.import_module(f"{_package(name)}.benchmark").BENCHMARK
    return found


def study_files() -> Iterator[StudyFile]:
    """Yield the studies that come with the benchmarks, in order of name."""
    for name, package in find_packages().items():
        specification = find_spec(package)
        folders = specification.submodule_search_locations if specification else None
        for folder in folders or ():
            for path in sorted(Path(folder, "studies").glob("*.toml")):
                yield StudyFile(f"{name}/{path.stem}", path)
