"""From tokens to regions: one rule for every family of models, by character offsets.

A token belongs to the region in which its first character that is no blank lies. A token without such a character (a
lone space, an empty token) belongs to the last region that is not empty and begins at most one character behind it, so
a start symbol at offset 0 goes to the first region and an end symbol to the last. A token across the border of two
regions goes to that of its first character, and is told. Empty regions get no token: their sum is 0.

This is SyntaxGym's offset algorithm (syntaxgym-core 0.8, ``agg_surprisals.py``) without its left edges, which are wrong
where the first region is empty.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from math import fsum
from statistics import fmean, median

import numpy as np

from wug.benchmarks.syntaxgym.suites import Metric, Sentence
from wug.errors import InputError
from wug.learners.protocols import ScoredText

_STATISTICS: dict[Metric, Callable[[list[float]], float]] = {
    Metric.SUM: fsum,
    Metric.MEAN: fmean,
    Metric.MEDIAN: median,
    Metric.RANGE: lambda bits: max(bits) - min(bits),
    Metric.MAX: max,
    Metric.MIN: min,
}

_MARKS = frozenset(",.;:!?")


@dataclass(frozen=True)
class RegionSurprisals:
    """The surprisals of a sentence's regions."""

    bits: tuple[float, ...]
    """(n_regions,); not a number for an empty region where the metric is not the sum."""
    across: tuple[str, ...] = ()
    """The tokens that lie across the border of two regions."""


def check_tiling(text: str, scored: ScoredText, stop: int | None = None) -> None:
    """Refuse tokens whose offsets do not tile the text up to ``stop``: in order, apart, and leaving blanks at most.

    Raises InputError that names the first token or character that is wrong.
    """
    stop = len(text) if stop is None else stop
    done = 0
    for token, start, end in zip(scored.tokens, scored.starts.tolist(), scored.stops.tolist(), strict=True):
        if not 0 <= start <= end <= len(text):
            raise InputError(f"token '{token}' is said to be at {start} to {end} of a text of {len(text)} characters")
        if start < end and start < done:
            raise InputError(f"token '{token}' is said to begin at {start}, before the token ahead of it ends ({done})")
        if start > done and text[done:start].strip():
            raise InputError(f"no token has the characters '{text[done:start].strip()}' at {done}")
        done = max(done, end)
    if text[done:stop].strip():
        raise InputError(f"no token has the characters '{text[done:stop].strip()}' at {done}")


def region_surprisals(sentence: Sentence, scored: ScoredText, metric: Metric = Metric.SUM) -> RegionSurprisals:
    """Return the surprisals of a sentence's regions.

    Where ``scored`` has ``word_start_bits`` they correct the sums for word boundaries (spec of the correction: Oh &
    Schuler 2024): the region's last word ends, and the word that its first token begins is not paid for twice.
    """
    filled = [region for region in range(1, len(sentence.spans) + 1) if not sentence.is_empty(region)]
    starts = [sentence.spans[region - 1][0] for region in filled]
    members: list[list[int]] = [[] for _ in sentence.spans]
    across = []
    offsets = zip(scored.tokens, scored.starts.tolist(), scored.stops.tolist(), strict=True)
    for place, (token, start, stop) in enumerate(offsets):
        inside = sentence.text[start:stop]
        first = start + len(inside) - len(inside.lstrip()) if inside.strip() else start + 1
        position = max(bisect_right(starts, first) - 1, 0)
        members[filled[position] - 1].append(place)
        if inside.strip() and position + 1 < len(filled):
            last = start + len(inside.rstrip())
            if last > starts[position + 1]:
                across.append(token)
    values = []
    for tokens in members:
        bits = scored.bits[tokens].tolist()
        if scored.word_start_bits is not None and tokens:
            bits.append(float(scored.word_start_bits[tokens[-1] + 1] - scored.word_start_bits[tokens[0]]))
        values.append(_STATISTICS[metric](bits) if bits else 0.0 if metric is Metric.SUM else float(np.nan))
    return RegionSurprisals(tuple(values), tuple(across))


def attach_punctuation(sentence: Sentence) -> Sentence:
    """Return the sentence without the blanks before commas, stops and the like.

    >>> attach_punctuation(Sentence("He ran , she .", ((0, 6), (7, 12), (13, 14))))
    Sentence(text='He ran, she.', spans=((0, 6), (6, 11), (11, 12)))
    """
    text = sentence.text
    kept = [not (text[place] == " " and text[place + 1 : place + 2] in _MARKS) for place in range(len(text))]
    new_place = [0]
    for is_kept in kept:
        new_place.append(new_place[-1] + is_kept)
    return Sentence(
        "".join(character for character, is_kept in zip(text, kept, strict=True) if is_kept),
        tuple((new_place[start], new_place[stop]) for start, stop in sentence.spans),
    )
