"""Tasks whose training pairs several rules explain; one's own are made by ``new_task``."""

from wug.benchmarks.find.tasks.arithmetic import add_or_multiply_task, count_task
from wug.benchmarks.find.tasks.composition import composition_task, controlled_task
from wug.benchmarks.find.tasks.hierarchical import (
    hierarchical_task,
    mirror_task,
    odd_one_out_depths_task,
    odd_one_out_task,
)
from wug.benchmarks.find.tasks.own import read_task, read_tasks
from wug.benchmarks.find.tasks.rivals import rival_rules, telling_probes
from wug.benchmarks.find.tasks.scan import scan_task
from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols, check_task, new_task, shown, symbols_of

__all__ = [
    "FindTask",
    "Pair",
    "Rule",
    "Symbols",
    "add_or_multiply_task",
    "check_task",
    "composition_task",
    "controlled_task",
    "count_task",
    "hierarchical_task",
    "mirror_task",
    "new_task",
    "odd_one_out_depths_task",
    "odd_one_out_task",
    "read_task",
    "read_tasks",
    "rival_rules",
    "scan_task",
    "shown",
    "symbols_of",
    "telling_probes",
]
