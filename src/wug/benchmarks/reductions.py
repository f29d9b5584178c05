"""What the scales that were run reduce, as the built-in studies say it themselves."""

import tomllib
from pathlib import Path

from wug.benchmarks.protocol import Results


def reduced(results: Results, benchmark: str) -> str:
    """Return a sentence for each study of a benchmark and scale in the results; empty at paper scale."""
    folder = Path(__file__).with_name(benchmark) / "studies"
    sentences = []
    for study, scale in sorted(results.trials.select("study", "scale").unique().iter_rows()):
        owner, _, name = str(study).partition("/")
        path = folder / f"{name}.toml"
        if owner != benchmark or not path.exists():
            continue
        for block in tomllib.loads(path.read_text(encoding="utf-8"))["trials"]:
            text = block.get("scale", {}).get(scale, {}).get("reduced", "")
            if text:
                sentences.append(f"{study}, scale {scale}: {text}")
    return " ".join(dict.fromkeys(sentences))
