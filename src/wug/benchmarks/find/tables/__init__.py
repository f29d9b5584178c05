"""The paper's tables, side by side with what was measured, and what lies behind them."""

from wug.benchmarks.find.tables.kinds import kinds_table
from wug.benchmarks.find.tables.preference import preference_table
from wug.benchmarks.find.tables.results import results_table
from wug.benchmarks.find.tables.sweep import sweep_table

__all__ = ["kinds_table", "preference_table", "results_table", "sweep_table"]
