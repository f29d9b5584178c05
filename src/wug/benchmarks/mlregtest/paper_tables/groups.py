"""Which classes stand in which group: the paper's Tables 13 and 16."""

from wug.benchmarks.mlregtest.paper_tables.sample import Sample
from wug.benchmarks.mlregtest.published import PAPER
from wug.benchmarks.mlregtest.statistics.factors import GROUPS, LANGUAGE, NAMES, in_order
from wug.benchmarks.protocol import Cell, Table
from wug.languages.subregular import language_names

_TABLES = {"logic": "13", "order": "16"}


def groups_table(sample: Sample, factor: str) -> Table:
    """Return the classes of each group that were run, and how many of their languages."""
    seen = sample.observations.select(LANGUAGE).unique()["class"].to_list()
    rows = []
    for group, classes in GROUPS[factor].items():
        run = in_order("class", [name for name in classes if name in seen])
        languages = sum(len(language_names(name)) for name in classes)
        published = ", ".join(in_order("class", classes))
        found = Cell(", ".join(run), published, "" if run else "not run")
        rows.append((group, (found, Cell(f"{sum(map(seen.count, classes)):,} of {languages:,}"))))
    return Table(
        title=f"Table {_TABLES[factor]}: classes by {NAMES[factor]}",
        columns=("classes run", "languages run"),
        rows=tuple(rows),
        caption="In a group every language counts the same, so that classes with more languages weigh more.",
        source=f"{PAPER}, Table {_TABLES[factor]}",
        command=sample.command,
    )
