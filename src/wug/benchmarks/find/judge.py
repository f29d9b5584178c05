"""From what seeds gave to the scores of a trial."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from wug.benchmarks.find.encoding import Encoding
from wug.benchmarks.find.fitting import SeedFit
from wug.benchmarks.find.measures import (
    Answer,
    CodeLengths,
    Kinds,
    agrees,
    answers_of,
    mean_of,
    paired_difference,
    wilson,
)
from wug.benchmarks.find.measures.agreement import OTHER
from wug.benchmarks.find.settings import FindSettings
from wug.benchmarks.find.tasks import FindTask, Symbols, shown
from wug.benchmarks.protocol import Score

NATS_PER_BIT = math.log(2)


@dataclass(frozen=True)
class FindJudging:
    """What is needed to judge models of one task."""

    task: FindTask
    """With the probes that are asked."""
    encoding: Encoding
    kinds: Kinds
    options: FindSettings
    measured: tuple[str, ...]
    """The rules whose description length is measured."""
    seeds: tuple[int, ...]
    """The seeds that the trial trains."""


@dataclass(frozen=True)
class Verdict:
    """What one seed's model answered, and which rules it follows."""

    seed: int
    answers: Mapping[Symbols, Answer]
    """To the probes and to the training inputs."""
    agrees: Mapping[str, bool]
    """Whether it agrees with a rule on every probe."""
    agrees_on_hold_out: Mapping[str, bool]
    """Whether it does on the probes that were not trained."""
    lengths: Mapping[str, CodeLengths]


def verdict(judging: FindJudging, fit: SeedFit) -> Verdict:
    """Return what one seed gave, judged."""
    task = judging.task
    inputs = list(dict.fromkeys([*task.probes, *(pair.source for pair in task.training)]))
    answers = answers_of(
        fit.model,
        judging.encoding,
        inputs,
        max_length=judging.options.max_len,
        min_length=judging.options.min_len,
    )
    return judged_answers(judging, fit.seed, answers, fit.lengths)


def judged_answers(
    judging: FindJudging, seed: int, answers: Mapping[Symbols, Answer], lengths: Mapping[str, CodeLengths]
) -> Verdict:
    """Return one seed's answers to the probes, judged."""
    task = judging.task
    held_out = [source for source in task.probes if source not in task.trained_sources]
    return Verdict(
        seed=seed,
        answers=answers,
        agrees={rule: agrees(answers, task.answers(rule), task.probes) for rule in task.rules},
        agrees_on_hold_out={rule: agrees(answers, task.answers(rule), held_out) for rule in task.rules},
        lengths=lengths,
    )


def scores_of(judging: FindJudging, verdicts: Sequence[Verdict]) -> list[Score]:
    """Return the scores of a trial: of its one seed, or of several with FPA over them."""
    if len(judging.seeds) == 1:
        return [*_probe_scores(judging), *_seed_scores(judging, verdicts[0])]
    return scores_over_seeds(judging, verdicts)


def scores_over_seeds(judging: FindJudging, verdicts: Sequence[Verdict]) -> list[Score]:
    """Return FPA, kinds of answers and description lengths over seeds."""
    return [*_probe_scores(judging), Score("seeds", len(verdicts)), *_over_seeds(judging, verdicts)]


def _probe_scores(judging: FindJudging) -> list[Score]:
    held_out = sum(source not in judging.task.trained_sources for source in judging.task.probes)
    return [Score("probes", len(judging.task.probes)), Score("probes_held_out", held_out)]


# --- one seed ---------------------------------------------------------------------------------------------------------


def _seed_scores(judging: FindJudging, one: Verdict) -> Iterator[Score]:
    for rule, agreed in one.agrees.items():
        yield Score(f"agrees:{rule}", int(agreed))
    for rule, agreed in one.agrees_on_hold_out.items():
        yield Score(f"agrees_hold_out:{rule}", int(agreed))
    if all(pair.source in one.answers for pair in judging.task.training):
        yield Score("training_share", _training_share(judging, one))
    yield from _shares(judging, [one])
    for rule, lengths in one.lengths.items():
        yield from _length_scores(rule, lengths)
        yield from _block_scores(rule, lengths)
    yield from _responses(judging, one, "")


def _length_scores(rule: str, lengths: CodeLengths, item: str = "") -> Iterator[Score]:
    impossible = lengths.impossible()
    yield _length_score(f"L_nats:{rule}", lengths.total_nats, impossible, item)
    yield _length_score(f"L_bits:{rule}", lengths.total_nats / NATS_PER_BIT, impossible, item)


def _block_scores(rule: str, lengths: CodeLengths, prefix: str = "") -> Iterator[Score]:
    for number, nats in enumerate(lengths.block_nats, 1):
        impossible = lengths.impossible(slice(number - 1, number))
        yield _length_score(f"L_nats:{rule}", nats, impossible, f"{prefix}block {number}")


def _length_score(measure: str, value: float, impossible: Symbols | None, item: str = "") -> Score:
    if impossible is None:
        return Score(measure, value, item)
    return Score(measure, None, item, f"infinite: the output of '{shown(impossible)}' has probability 0")


def _training_share(judging: FindJudging, one: Verdict) -> float:
    """Return the share of training pairs that the model reproduces."""
    pairs = judging.task.training
    return sum(one.answers[pair.source] == Answer(pair.target) for pair in pairs) / len(pairs)


def _shares(judging: FindJudging, verdicts: Sequence[Verdict]) -> Iterator[Score]:
    """Yield the share of all seeds' answers that belong to each kind, and of those where two candidates differ."""
    counts = dict.fromkeys(judging.kinds.names, 0)
    for one in verdicts:
        for place, source in enumerate(judging.kinds.probes):
            for kind in judging.kinds.of(place, one.answers[source]):
                counts[kind] += 1
    total = len(verdicts) * len(judging.kinds.probes)
    for kind, count in counts.items():
        yield Score(f"share:{kind}", count / total)
    for first, second in permutations(judging.task.rules, 2):
        yield _apart(judging, verdicts, first, second)
    for rival, twin in judging.kinds.same_as.items():
        yield Score(f"share:{rival}", counts[twin] / total, note=f"answers these probes as '{twin}' does")


def _apart(judging: FindJudging, verdicts: Sequence[Verdict], first: str, second: str) -> Score:
    """Return the share that answers as the first rule says, of the answers to probes on which two rules differ."""
    task = judging.task
    expected = task.answers(first)
    apart = [source for source in task.probes if expected[source] != task.answers(second)[source]]
    measure = f"share:{first}|{second}"
    if not apart:
        return Score(measure, None, note=f"'{first}' and '{second}' answer all probes alike")
    following = sum(one.answers[source] == Answer(expected[source]) for one in verdicts for source in apart)
    return Score(measure, following / (len(verdicts) * len(apart)))


def _responses(judging: FindJudging, one: Verdict, prefix: str) -> Iterator[Score]:
    """Yield 1 for each kind to which the answer to each probe belongs; the note shows an answer of no known kind."""
    for place, source in enumerate(judging.kinds.probes):
        answer = one.answers[source]
        for kind in judging.kinds.of(place, answer):
            note = shown(answer.output) if kind == OTHER else ""
            yield Score(f"response:{kind}", 1, f"{prefix}{shown(source)}", note)


# --- several seeds ----------------------------------------------------------------------------------------------------


def _over_seeds(judging: FindJudging, verdicts: Sequence[Verdict]) -> Iterator[Score]:
    n = len(verdicts)
    for rule in judging.task.rules:
        count = sum(one.agrees[rule] for one in verdicts)
        interval = wilson(count, n)
        yield Score(f"FPA:{rule}", count / n)
        yield Score(f"FPA_low:{rule}", interval.low)
        yield Score(f"FPA_high:{rule}", interval.high)
        yield Score(f"FPA_hold_out:{rule}", sum(one.agrees_on_hold_out[rule] for one in verdicts) / n)
        for one in verdicts:
            yield Score(f"agrees:{rule}", int(one.agrees[rule]), f"seed {one.seed}")
    if all(pair.source in verdicts[0].answers for pair in judging.task.training):
        for one in verdicts:
            yield Score("training_share", _training_share(judging, one), f"seed {one.seed}")
    yield from _shares(judging, verdicts)
    yield from lengths_over_seeds({one.seed: one.lengths for one in verdicts})
    for one in verdicts:
        yield from _responses(judging, one, f"seed {one.seed}: ")


def lengths_over_seeds(by_seed: Mapping[int, Mapping[str, CodeLengths]]) -> Iterator[Score]:
    """Yield each rule's mean description length with its standard error, the seeds', and paired differences."""
    rules = list(next(iter(by_seed.values())))
    for rule in rules:
        lengths = {seed: lengths_of[rule] for seed, lengths_of in by_seed.items()}
        infinite = next((seed for seed, one in lengths.items() if math.isinf(one.total_nats)), None)
        for unit, per_unit in (("nats", 1.0), ("bits", NATS_PER_BIT)):
            if infinite is not None:
                note = f"infinite under seed {infinite}"
                yield Score(f"L_{unit}:{rule}", None, note=note)
                continue
            estimate = mean_of([one.total_nats / per_unit for one in lengths.values()])
            yield Score(f"L_{unit}:{rule}", estimate.mean)
            if estimate.error is not None:
                yield Score(f"L_{unit}_error:{rule}", estimate.error)
        for seed, one in lengths.items():
            yield from _length_scores(rule, one, f"seed {seed}")
            yield from _block_scores(rule, one, f"seed {seed}, ")
    for first, second in combinations(rules, 2):
        totals = [[of[rule].total_nats for of in by_seed.values()] for rule in (first, second)]
        if all(map(math.isfinite, (*totals[0], *totals[1]))):
            difference = paired_difference(totals[0], totals[1])
            yield Score(f"L_nats_difference:{first}-{second}", difference.mean)
            if difference.error is not None:
                yield Score(f"L_nats_difference_error:{first}-{second}", difference.error)
