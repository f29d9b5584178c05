"""Suites as files for people who compute surprisals elsewhere, and the judging of what they computed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wug.benchmarks.protocol import Score
from wug.benchmarks.syntaxgym.judge import SuitesJudging, judge_surprisals
from wug.benchmarks.syntaxgym.suites import write_suite
from wug.benchmarks.syntaxgym.surprisal import read_surprisals
from wug.benchmarks.syntaxgym.surprisal.files import COLUMNS
from wug.contents import Content
from wug.sequences.text import replace_file

SENTENCES = ("suite", "item", "condition", "sentence", "needed")


def write_data(judging: SuitesJudging, settings: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the suites, the sentences to answer, and what an answer looks like; return the files' paths."""
    suites = folder / "suites"
    suites.mkdir(parents=True, exist_ok=True)
    paths = []
    for suite in judging.suites:
        paths.append(suites / f"{suite.name}.json")
        write_suite(suite, paths[-1])
    lines = ["\t".join(SENTENCES)]
    for suite in judging.suites:
        for item, condition, sentence in judging.sentences(suite):
            stop = max((sentence.spans[region - 1][1] for region in suite.needed_regions[condition]), default=0)
            lines.append("\t".join((suite.name, str(item.number), condition, sentence.text, str(stop))))
    about = {
        "benchmark": "syntaxgym",
        "task": "suites",
        "settings": settings,
        "sentences.tsv": "the sentences to answer; no character from 'needed' on has to be",
        "answers": f"a table with the columns {', '.join(COLUMNS)}, a row for each token in order; start and end are "
        "offsets of the token in the sentence, in characters; a start symbol stands at 0 and 0; the first token has "
        "surprisal 0 where the model reads no start symbol",
    }
    written = json.dumps(about, indent=2, ensure_ascii=False, default=_content_as_hash)
    for name, text in (("sentences.tsv", "\n".join(lines)), ("task.json", written)):
        replace_file(folder / name, f"{text}\n".encode())
        paths.append(folder / name)
    return paths


def score_file(judging: SuitesJudging, file: Path) -> list[Score]:
    """Return the scores of a file of surprisals."""
    return judge_surprisals(judging, read_surprisals(file, judging.suites))


def _content_as_hash(value: Content) -> dict[str, str]:
    return {"sha256": value.sha256}
