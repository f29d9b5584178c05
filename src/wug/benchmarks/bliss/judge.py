"""From a model's predictions to the scores of a trial.

Source: Lan, Chemla, Katzir 2023, sections 3.1 and 3.5; the two readings of success are those of the index's spec, 1.2.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.bliss.measures import Rules, StopRule, Tally, describe
from wug.benchmarks.bliss.settings import Aggregate, BlissSettings
from wug.benchmarks.bliss.tasks import BlissLanguage, probe_chunks
from wug.benchmarks.protocol import Score
from wug.errors import TrialError
from wug.learners.baselines import Baseline
from wug.learners.protocols import Coverage, LanguageModel, LanguageModelling
from wug.sequences import Corpus

M_PROB_THRESHOLD = 0.99
"""A string's M_prob from which on its distribution counts as known."""


def within(errors: int, steps: int, epsilon: Fraction) -> bool:
    """Return whether the share of errors is at most epsilon, compared in integers.

    >>> within(5, 1000, Fraction("0.005")), within(6, 1000, Fraction("0.005"))
    (True, False)
    """
    return errors * epsilon.denominator <= epsilon.numerator * steps


@dataclass(frozen=True)
class Verdict:
    """Success on a test list under both readings, and strictly."""

    pooled: bool
    """All steps of the list together are within the margin."""
    string: bool
    """Every string is within the margin."""
    strict: bool
    """No error at eps = 0."""
    accepted: NDArray[np.bool_]
    """(n_strings,) whether the string by itself is within the margin."""


def new_tally(language: BlissLanguage, corpus: Corpus, settings: BlissSettings) -> Tally:
    """Return a tally that judges every step of a list of strings."""
    return Tally(corpus, language.language.next_symbols(corpus), Rules(settings.epsilon, settings.tie))


def _stop_rule(language: BlissLanguage, tally: Tally, settings: BlissSettings) -> StopRule:
    """Return when a list is known to have failed under the trial's reading of success."""
    epsilon = _margin(language, settings)
    steps = tally.deterministic_steps if language.metric == "M_det" else tally.steps
    if settings.aggregate is Aggregate.STRING:
        return StopRule(language.metric, per_string=steps * epsilon.numerator // epsilon.denominator)
    return StopRule(language.metric, total=int(steps.sum()) * epsilon.numerator // epsilon.denominator)


def _margin(language: BlissLanguage, settings: BlissSettings) -> Fraction:
    """Return the share of wrong steps that success allows; M_cat uses eps inside the step test alone by default."""
    return settings.epsilon if language.metric == "M_det" or settings.twice else Fraction(0)


def verdict(language: BlissLanguage, tally: Tally, settings: BlissSettings) -> Verdict:
    """Return what the predictions amount to; strings that were not judged whole count as failed."""
    whole = bool(tally.judged.all())
    errors, epsilon = tally.errors(language.metric), _margin(language, settings)
    if language.metric == "M_det":
        steps, strict = tally.deterministic_steps, errors
    else:
        steps, strict = tally.steps, tally.strict_errors
    accepted = tally.judged & (errors * epsilon.denominator <= epsilon.numerator * steps)
    return Verdict(
        pooled=whole and within(int(errors.sum()), int(steps.sum()), epsilon),
        string=bool(accepted.all()),
        strict=whole and int(strict.sum()) == 0,
        accepted=accepted,
    )


def m_prob(tally: Tally) -> tuple[float | None, float | None, str]:
    """Return (M_prob, KL in bits per symbol, why there is none) over the strings judged.

    M_prob = 1 - KL(true || model) / KL(true || uniform): 1 at the truth, 0 at a uniform guess. An infinite divergence
    has no value: the first string that has one is named.
    """
    judged = np.flatnonzero(tally.judged)
    if not len(judged):
        return None, None, "no string was judged whole"
    divergence = tally.divergence_nats[judged]
    infinite = np.flatnonzero(~np.isfinite(divergence))
    if len(infinite):
        string = describe(tally.corpus, int(judged[infinite[0]]))
        return None, None, tally.not_a_number or f"infinite: a possible symbol has probability 0 in {string}"
    total, uniform = float(divergence.sum()), float(tally.uniform_divergence_nats[judged].sum())
    steps = int(tally.steps[judged].sum())
    return 1.0 - total / uniform if uniform else 1.0, total / steps / math.log(2), ""


def bits_per_symbol(tally: Tally) -> tuple[float | None, str]:
    """Return (cross-entropy in bits per predicted symbol over the strings judged, why there is none)."""
    judged = np.flatnonzero(tally.judged)
    if not len(judged):
        return None, "no string was judged whole"
    nats = tally.target_nats[judged]
    infinite = np.flatnonzero(~np.isfinite(nats))
    if len(infinite):
        string = describe(tally.corpus, int(judged[infinite[0]]))
        return None, tally.not_a_number or f"infinite: a symbol of {string} has probability 0"
    return float(nats.sum()) / int(tally.steps[judged].sum()) / math.log(2), ""


def judge_list(
    language: BlissLanguage, model: LanguageModel, corpus: Corpus, settings: BlissSettings
) -> tuple[Tally, list[Score]]:
    """Judge a model on a test list; return the tally and the scores of the list."""
    tally = new_tally(language, corpus, settings)
    if settings.verdict_only:
        tally.stop = _stop_rule(language, tally, settings)
    coverage = model.predict(corpus, tally, operations=settings.operations)
    return tally, list_scores(language, tally, coverage, settings)


def list_scores(language: BlissLanguage, tally: Tally, coverage: Coverage, settings: BlissSettings) -> list[Score]:
    """Return the scores of one test list."""
    n_strings = len(tally.corpus)
    result = verdict(language, tally, settings)
    stopped = not tally.judged.all() and not coverage.over_budget
    flag = ""
    if coverage.over_budget:
        flag = f"over budget: {coverage.strings} of {n_strings} strings within {settings.operations:g} operations"
    elif stopped:
        flag = "verdict only: judging ended once the list was known to have failed"
    scores = [
        Score("success", _headline(result, settings), note=flag),
        Score("success_string", result.string, note=flag),
        Score("success_strict", result.strict, note=flag),
        Score("strings", n_strings),
        Score("strings_judged", int(tally.judged.sum())),
        Score("accepted_strings", int(result.accepted.sum())),
        Score("over_budget", coverage.over_budget, note=flag),
    ]
    if stopped:
        return scores
    scores += _metric_scores(language, tally)
    value, note = bits_per_symbol(tally)
    scores.append(Score("bits_per_symbol", value, note=note))
    judged = tally.judged
    entropy = float(tally.entropy_nats[judged].sum()) / max(int(tally.steps[judged].sum()), 1) / math.log(2)
    scores.append(Score("entropy_bits", entropy))
    value, divergence, note = m_prob(tally)
    return [*scores, Score("M_prob", value, note=note), Score("kl_bits", divergence, note=note)]


def _headline(result: Verdict, settings: BlissSettings) -> bool:
    return result.string if settings.aggregate is Aggregate.STRING else result.pooled


def _metric_scores(language: BlissLanguage, tally: Tally, prefix: str = "") -> list[Score]:
    """Return the accuracy over the strings judged, pooled, and the integers that it is made of."""
    judged = tally.judged
    errors = int(tally.errors(language.metric)[judged].sum())
    steps = int((tally.deterministic_steps if language.metric == "M_det" else tally.steps)[judged].sum())
    accuracy = 1.0 - errors / steps if steps else None
    return [
        Score(prefix + language.metric, accuracy, note="" if steps else "no step was judged"),
        Score(prefix + "errors", errors),
        Score(prefix + "steps", steps),
    ]


def baseline_scores(language: BlissLanguage, corpus: Corpus, settings: BlissSettings) -> list[Score]:
    """Return what the degenerate predictor that repeats the last symbol gets on the same list.

    No score at eps > 0 means much without it (spec of the index, 1.2).
    """
    tally = new_tally(language, corpus, settings)
    data = LanguageModelling(language.language.vocabulary, corpus.select([0]), np.ones(1, dtype=np.int64))
    Baseline("repeat-last").fit(data, 0).predict(corpus, tally)
    accuracy, _, _ = _metric_scores(language, tally, "repeat_last_")
    success = _headline(verdict(language, tally, settings), settings)
    return [accuracy, Score("repeat_last_success", success)]


def reach(language: BlissLanguage, model: LanguageModel, settings: BlissSettings) -> list[Score]:
    """Return how far, from the smallest string on, every string is right (the paper's Figure 3).

    ``accepted_up_to``: the largest n (or length) such that every string up to it has no error (M_det at eps = 0; M_cat
    at the trial's eps); ``M_prob_up_to``: the same for an M_prob of at least 0.99 of every string. 0: none.
    ``up_to`` strings are looked at; ``reach_limit`` is the largest value possible with them.
    """
    if settings.up_to == 0:
        return []
    everything = language.language.first_strings(settings.up_to)
    limit = _complete_up_to(language, everything)
    failures: dict[str, int | None] = {"accepted_up_to": None, "M_prob_up_to": None}
    operations, flag = settings.operations, ""
    for corpus in probe_chunks(language, settings.up_to):
        tally = new_tally(language, corpus, settings)
        coverage = model.predict(corpus, tally, operations=operations)
        operations -= coverage.operations
        sizes = language.sizes(corpus)
        errors = tally.errors(language.metric)
        with np.errstate(invalid="ignore"):
            known = tally.divergence_nats <= (1 - M_PROB_THRESHOLD) * tally.uniform_divergence_nats
        for name, right in (("accepted_up_to", errors == 0), ("M_prob_up_to", known)):
            wrong = sizes[~(right & tally.judged)]
            if failures[name] is None and len(wrong):
                failures[name] = int(wrong.min())
        if coverage.over_budget:
            flag = "over budget: strings beyond were not judged and count as failed"
        if all(size is not None for size in failures.values()):
            break
    reached = np.unique(language.sizes(everything))
    scores = [Score("reach_limit", limit)]
    for name, first_failure in failures.items():
        below = reached[reached < first_failure] if first_failure is not None else reached[reached <= limit]
        scores.append(Score(name, int(below.max(initial=0)), note=flag))
    return scores


def _complete_up_to(language: BlissLanguage, corpus: Corpus) -> int:
    """Return the largest size all of whose strings are in the list (the list may end in the middle of a length)."""
    sizes = language.sizes(corpus)
    largest = int(sizes.max())
    if language.size_name == "length" and int((sizes == largest).sum()) < language.language.count(largest):
        return int(sizes[sizes < largest].max(initial=0))
    return largest


class _Recorder:
    """Keeps the predictions along one string."""

    def __init__(self, positions: int, classes: int) -> None:
        self.log_probabilities = np.full((positions, classes), np.nan)

    def fork(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        """Nothing to do: there is one string."""

    def observe(
        self,
        strings: NDArray[np.int64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
        log_probabilities: NDArray[np.floating[Any]],
    ) -> bool:
        cycles = log_probabilities if log_probabilities.ndim == 3 else log_probabilities[:, None]
        for start, stop, cycle in zip(starts, stops, cycles, strict=True):
            self.log_probabilities[start:stop] = cycle[np.arange(stop - start) % len(cycle)]
        return True


def probabilities_along(model: LanguageModel, corpus: Corpus) -> NDArray[np.float64]:
    """Return (length + 1, n_classes) what a model predicts at each position of the one string of ``corpus``."""
    recorder = _Recorder(int(corpus.lengths[0]) + 1, corpus.vocabulary.size)
    model.predict(corpus, recorder)
    return np.exp(recorder.log_probabilities)


def trace_scores(model: LanguageModel, corpus: Corpus) -> list[Score]:
    """Return the probabilities along one string as scores ``p:SYMBOL`` with the item ``POSITION:LAST SYMBOL``."""
    probabilities = probabilities_along(model, corpus)
    vocabulary = corpus.vocabulary
    read = [vocabulary.symbols[vocabulary.start], *(vocabulary.symbols[int(t)] for t in np.asarray(corpus[0]))]
    return [
        Score(f"p:{symbol}", float(probabilities[position, c]), item=f"{position}:{last}")
        for position, last in enumerate(read)
        for c, symbol in enumerate(vocabulary.symbols)
        if np.isfinite(probabilities[position, c])
    ]


def sample_bits(
    language: BlissLanguage, model: LanguageModel, corpus: Corpus, multiplicities: NDArray[np.int64]
) -> tuple[float | None, str]:
    """Return (cross-entropy in bits per predicted symbol on a sample of weighted strings, why there is none)."""
    tally = new_tally(language, corpus, BlissSettings())
    model.predict(corpus, tally)
    nats = float((tally.target_nats * multiplicities).sum())
    if not np.isfinite(nats):
        return None, bits_per_symbol(tally)[1]
    return nats / float((tally.steps * multiplicities).sum()) / math.log(2), ""


def not_a_number(where: str, scores: list[Score]) -> TrialError:
    """Return the error of a model that predicts 'not a number'; the scores, each such step wrong, go with it."""
    return TrialError(f"the model predicts {where}", scores=tuple(scores))
