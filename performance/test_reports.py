"""A report on as many trials as MLRegTest's study has: 21,600, with 16 scores each and five tables of 576 cells.

CPU seconds of one thread; every cell names 37 or 38 trials, as a mean over languages does.
"""

import json

import polars as pl
import pytest

from wug.benchmarks.protocol import Card, Cell, Results, Section, Table
from wug.benchmarks.registry import benchmark
from wug.cli._commands import CommandWriter
from wug.learners.registry import parse_learner
from wug.reports.overview import Chapter
from wug.reports.page import write_report

LEARNERS = ("srn", "gru", "lstm", "transformer")
N_TASKS, N_SIZES, N_SCORES = 1800, 3, 16
ROWS, COLUMNS, N_TABLES = 48, 12, 5


@pytest.fixture(scope="module")
def results():
    identities = {name: parse_learner(name).identity() for name in LEARNERS}
    settings = dict(benchmark("bliss").resolve("anbn", {}))
    specs = {
        (name, size): json.dumps(
            {
                "benchmark": "bliss",
                "learner": identities[name],
                "seed": 1,
                "settings": settings | {"data_seed": size},
                "task": "anbn",
                "version": benchmark("bliss").version,
            }
        )
        for name in LEARNERS
        for size in range(N_SIZES)
    }
    rows = [(task, name, size) for task in range(N_TASKS) for name in LEARNERS for size in range(N_SIZES)]
    ids = [f"{number:016x}" for number in range(len(rows))]
    outcome = {"study": "s", "scale": "paper", "benchmark": "bliss", "seed": 1, "status": "done", "error": ""}
    outcome |= {"traceback": "", "locations": "{}", "wall_s": 60.0, "cpu_s": 59.0, "peak_mb": 400.0, "attempt": 1}
    outcome |= dict.fromkeys(("started", "finished", "host", "worker", "wug_version", "torch_version"), "x")
    trials = pl.DataFrame(
        {
            "id": ids,
            "task": [f"04.04.SL.2.1.{task}" for task, _, _ in rows],
            "learner": [name for _, name, _ in rows],
            "spec": [specs[name, size] for _, name, size in rows],
        }
    ).with_columns(**{name: pl.lit(value) for name, value in outcome.items()})
    scores = pl.DataFrame({"trial": ids}).join(
        pl.DataFrame({"measure": [f"measure_{number}" for number in range(N_SCORES)]}), how="cross"
    )
    return Results(trials, scores.with_columns(item=pl.lit(""), value=pl.lit(0.5), note=pl.lit("")), "wug run s")


def test_report_on_21600_trials(benchmark, results, tmp_path):
    ids = list(results.trials["id"])
    cells = [
        Cell("0.91", "0.93", "agrees", "± 0.01", tuple(ids[number :: ROWS * COLUMNS]))
        for number in range(ROWS * COLUMNS)
    ]
    columns = tuple(f"column {number}" for number in range(COLUMNS))
    rows = tuple((f"row {row}", tuple(cells[row * COLUMNS : (row + 1) * COLUMNS])) for row in range(ROWS))
    tables = tuple(Table(f"Table {number}", columns, rows) for number in range(N_TABLES))
    chapter = Chapter(Card("bliss", "t", "p", "m", "language_modelling", ()), [Section("s", blocks=tables)])
    files = benchmark.pedantic(
        lambda: write_report(results, [chapter], tmp_path / "report", CommandWriter()), rounds=1, warmup_rounds=0
    )
    sizes = [file.stat().st_size for file in files]
    benchmark.extra_info |= {"files": len(files), "megabytes": sum(sizes) / 1e6, "largest_megabytes": max(sizes) / 1e6}
    print(f"{len(files)} files, {sum(sizes) / 1e6:.0f} MB in all, {max(sizes) / 1e6:.1f} MB the largest")
