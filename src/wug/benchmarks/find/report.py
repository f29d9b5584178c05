"""The report's sections: the paper's tables and figures, preferences, kinds of answers, the sweep."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from wug.benchmarks.find import figures
from wug.benchmarks.find.preferences import by_agreement, by_length
from wug.benchmarks.find.summary import Group, groups
from wug.benchmarks.find.tables import kinds_table, preference_table, results_table, sweep_table
from wug.benchmarks.find.tables.comparison import TITLES, deviations
from wug.benchmarks.protocol import Block, Cell, ProfileEntry, Results, Section


def sections(results: Results) -> Sequence[Section]:
    """Return the benchmark's sections for these results."""
    found = groups(results)
    if not found:
        return []
    command, reduced = results.command, _reduced(results)
    swept = sweep_table(found, command)
    by_task: dict[str, list[Group]] = {}
    for group in found:
        by_task.setdefault(group.task, []).append(group)
    paper = {task: members for task, members in by_task.items() if task in TITLES}
    others = {task: members for task, members in by_task.items() if task not in TITLES}
    parts = [
        Section("Which rule a learner follows", _RULES_TEXT, _results(paper, command), reduced, _profile(found)),
        Section("Further tasks", _FURTHER_TEXT, _results(others, command), reduced),
        Section(
            "Which rule it prefers",
            _PREFERENCE_TEXT,
            tuple(preference_table(task, members, command) for task, members in by_task.items()),
        ),
        Section(
            "Kinds of answers, rival rules among them",
            _KINDS_TEXT,
            tuple(kinds_table(task, members, command) for task, members in by_task.items()),
        ),
        Section("The sweep", _SWEEP_TEXT, (swept,) if swept is not None else ()),
        Section(
            "What each seed answered",
            _GRID_TEXT,
            tuple(figures.answer_grid(group, command) for group in found if not deviations(group)),
        ),
    ]
    return [part for part in parts if part.blocks]


def _results(by_task: dict[str, list[Group]], command: str) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for task, members in by_task.items():
        blocks.append(results_table(task, members, command))
        drawn = [group for group in members if group.position is not None]
        if drawn:
            plots = figures.agreement_plot(task, drawn, command), figures.length_plot(task, drawn, command)
            blocks += [plot for plot in plots if plot is not None]
    return tuple(blocks)


_RULES_TEXT = """The training pairs of each task fit several rules, which part on other inputs. FPA is the share of \
seeds whose answers to all probes are those of a rule. L, the description length, is how many nats the rule's outputs \
for the held-out inputs take in the code that the learner makes while it learns them one block after the other: the \
lower, the stronger the bias to that rule.

The text of the paper states some cells of Table 1; the others are not known here."""

_FURTHER_TEXT = """Tasks of later work (Wilson & Frank 2023), of SCAN, and of one's own. In the family odd-one-out the \
probes tell the middle symbol (hierar) from the rarer one (oddone), which the paper's task cannot. In the composition \
tasks with a fixed hold-out the same 50 inputs are asked whatever M is."""

_PREFERENCE_TEXT = """By FPA a learner prefers the rule that most of its seeds follow, by L the rule with the lowest \
mean. Differences of L are paired: seed by seed, in the same order of blocks."""

_KINDS_TEXT = """Besides the candidates, many simple rules fit the training pairs: the first, last, rarest or most \
frequent symbol, a symbol at a fixed place, the output of a trained pair, and others. Those that answer the probes in \
ways of their own are listed, so that one sees what a learner does that follows no candidate."""

_SWEEP_TEXT = """The paper reports that 136 settings of size and dropout changed the preferred rule in three cases, \
without printing the grid. Here one option is changed at a time."""

_GRID_TEXT = """A row for each seed, a column for each probe. A learner with a bias shows bands of one colour."""


def _profile(found: Sequence[Group]) -> tuple[ProfileEntry, ...]:
    """Return, for each learner, how many of the paper's task settings it decides by a rule, and how."""
    entries = []
    for learner in dict.fromkeys(group.learner for group in found if group.task in TITLES):
        members = [group for group in found if group.learner == learner and group.task in TITLES]
        for measure, decide in (("follows a rule in most seeds", by_agreement), ("prefers a rule by L", by_length)):
            decided = [
                preference
                for group in members
                if (preference := decide(group)) is not None
                and preference.is_decided
                and preference.rule in group.rules
            ]
            asked = [group for group in members if decide(group) is not None]
            if asked:
                trials = tuple(dict.fromkeys(trial for group in asked for trial in group.trials))
                cell = Cell(f"{len(decided)} of {len(asked)} settings", trials=trials)
                entries.append(ProfileEntry(learner, measure, len(decided) / len(asked), cell))
    return tuple(entries)


def _reduced(results: Results) -> str:
    """Return what the scales that were run reduce, as the built-in studies say it."""
    sentences = []
    for study, scale in sorted(results.trials.select("study", "scale").unique().iter_rows()):
        path = Path(__file__).parent / "studies" / f"{str(study).removeprefix('find/')}.toml"
        if str(study).startswith("find/") and path.exists():
            for block in tomllib.loads(path.read_text("utf-8"))["trials"]:
                text = block.get("scale", {}).get(scale, {}).get("reduced", "")
                if text:
                    sentences.append(f"{study}, scale {scale}: {text}")
    return " ".join(dict.fromkeys(sentences))
