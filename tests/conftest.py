"""What tests of several rooms share."""

from pathlib import Path

import pytest

FAKES = Path(__file__).parent / "fakes"


@pytest.fixture
def fake_benchmark(monkeypatch):
    """Installs the benchmark ``fake`` as a distribution of its own, for this process and those that it starts."""
    from wug.benchmarks import registry

    monkeypatch.syspath_prepend(str(FAKES))
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    registry.find_packages.cache_clear()
    yield registry.benchmark("fake")
    registry.find_packages.cache_clear()


@pytest.fixture
def fake_learner():
    """Returns the text that names a learner of fakes/learners.py."""
    return lambda name: f"{FAKES / 'learners.py'}:{name}"
