"""The report's sections."""

from collections.abc import Sequence

from wug.benchmarks.mlregtest import random_automata, summary
from wug.benchmarks.protocol import Results, Section


def sections(results: Results) -> Sequence[Section]:
    """Return the benchmark's sections for these results."""
    found = summary.runs(results)
    parts = [random_automata.section(found, results.command)]
    return [part for part in parts if part is not None]
