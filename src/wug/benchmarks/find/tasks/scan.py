"""SCAN, read from the user's copy of its files.

Source: Lake & Baroni 2018, "Generalization without Systematicity", ICML (arXiv:1711.00350): the grammar of commands and
their meaning. The files are those of github.com/brendenlake/SCAN; each line is ``IN: jump twice OUT: I_JUMP I_JUMP``.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from wug.benchmarks.find.tasks.task import FindTask, Pair, Rule, Symbols, shown
from wug.errors import InputError, unknown_name

PRIMITIVES = {"walk": "I_WALK", "look": "I_LOOK", "run": "I_RUN", "jump": "I_JUMP"}
TURNS = {"left": "I_TURN_LEFT", "right": "I_TURN_RIGHT"}
TIMES = {"twice": 2, "thrice": 3}


def actions(command: Symbols) -> Symbols:
    """Return the actions that a command stands for; ValueError where it is none.

    >>> " ".join(actions(("jump", "opposite", "left", "after", "walk", "twice")))
    'I_WALK I_WALK I_TURN_LEFT I_TURN_LEFT I_JUMP'
    """
    for conjunction in ("and", "after"):
        if conjunction in command:
            place = command.index(conjunction)
            first, second = actions(command[:place]), actions(command[place + 1 :])
            return first + second if conjunction == "and" else second + first
    if command and command[-1] in TIMES:
        return _phrase(command[:-1]) * TIMES[command[-1]]
    return _phrase(command)


def _phrase(command: Symbols) -> Symbols:
    match command:
        case (verb,) if verb in PRIMITIVES:
            return (PRIMITIVES[verb],)
        case (verb, side) if verb in (*PRIMITIVES, "turn") and side in TURNS:
            return (TURNS[side], *_verb(verb))
        case (verb, "opposite", side) if verb in (*PRIMITIVES, "turn") and side in TURNS:
            return (TURNS[side],) * 2 + _verb(verb)
        case (verb, "around", side) if verb in (*PRIMITIVES, "turn") and side in TURNS:
            return (TURNS[side], *_verb(verb)) * 4
    raise ValueError(f"'{shown(command)}' is no command of SCAN")


def _verb(verb: str) -> Symbols:
    return (PRIMITIVES[verb],) if verb in PRIMITIVES else ()


def scan_task(folder: Path, split: str) -> FindTask:
    """Return a split as a task; ``folder`` is the copy of SCAN, ``split`` is 'addprim_jump' or the like.

    Rules: ``comp`` gives the actions that the command stands for. Where the split holds out the combinations of a
    command that is trained by itself alone (jump), ``mem`` answers with that command's own output. The hold-out is one
    block.
    """
    training = _read(_file(folder, "train", split))
    asked = tuple(dict.fromkeys(pair.source for pair in _read(_file(folder, "test", split))))
    rules: dict[str, Rule] = {"comp": actions}
    memorised = _memorised(training, asked)
    if memorised is not None:
        rules["mem"] = memorised
    trained = {pair.source for pair in training}
    held_out = tuple(source for source in asked if source not in trained)
    return FindTask(f"scan {split}", training, asked, held_out, rules, block_size=0)


def _memorised(training: tuple[Pair, ...], asked: Iterable[Symbols]) -> Rule | None:
    """Return the rule that answers with the output of the held-out command by itself; None where there is no such."""
    known = {pair.source: pair.target for pair in training}
    alone = [command for command in known if len(command) <= 2 and _is_alone(command, known)]
    held_out = next((command for command in alone if all(_contains(source, command) for source in asked)), None)
    if held_out is None:
        return None
    return lambda source: known[source] if source in known else known[held_out]


def _is_alone(command: Symbols, known: Iterable[Symbols]) -> bool:
    return not any(_contains(other, command) for other in known if other != command)


def _contains(source: Symbols, part: Symbols) -> bool:
    return any(source[start : start + len(part)] == part for start in range(len(source) - len(part) + 1))


def _file(folder: Path, part: str, split: str) -> Path:
    """Return the one file of a split's part, wherever it is in the folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; 'scan' takes the folder with your copy of SCAN")
    files = {path.stem.removeprefix(f"tasks_{part}_"): path for path in sorted(folder.rglob(f"tasks_{part}_*.txt"))}
    if not files:
        raise InputError(f"{folder} holds no file tasks_{part}_*.txt, so it is no copy of SCAN")
    if split not in files:
        raise unknown_name(f"split of SCAN in {folder}", split, files)
    return files[split]


def _read(file: Path) -> tuple[Pair, ...]:
    pairs = []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        match = re.fullmatch(r"IN:\s+(.*?)\s+OUT:\s*(.*?)\s*", line)
        if match is None:
            raise InputError(f"{file}, line {number}: a line is 'IN: <command> OUT: <actions>', not '{line}'")
        pairs.append(Pair(tuple(match[1].split()), tuple(match[2].split())))
    if not pairs:
        raise InputError(f"{file} is empty")
    return tuple(pairs)
