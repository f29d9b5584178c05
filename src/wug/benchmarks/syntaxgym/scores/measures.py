"""The scores of a model: accuracies, the SG score, circuits, what chance gives, ties, modifiers, effects in bits."""

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean

from wug.benchmarks.protocol import Score
from wug.benchmarks.syntaxgym.scores.bootstrap import bootstrap_items, bootstrap_suites
from wug.benchmarks.syntaxgym.scores.groups import CIRCUITS, MODIFIER_PAIRS, SuiteSet, circuit_of
from wug.benchmarks.syntaxgym.scores.outcomes import SuiteOutcome
from wug.benchmarks.syntaxgym.suites import Formula, chance
from wug.benchmarks.syntaxgym.suites.formulas import Cell, Step, fold
from wug.errors import TrialError
from wug.randomness import generator

SHOWN_FAILURES = 3


def scores_of(outcomes: Sequence[SuiteOutcome], suite_set: SuiteSet, seed: int, policies: str) -> list[Score]:
    """Return all scores; ``seed`` is that of the bootstrap, ``policies`` how the surprisals were made.

    Raises TrialError where every item failed: then there is nothing to score.
    """
    failures = [(outcome.suite.name, item) for outcome in outcomes for item in outcome.failures]
    if len(failures) == sum(len(outcome.items) for outcome in outcomes):
        suite, item = failures[0]
        raise TrialError(f"no item has a value; the first is suite {suite}, item {item.number}, {item.failure}")
    scores = [score for outcome in outcomes for score in _suite_scores(outcome)]
    return [*_sg_scores(outcomes, suite_set, seed, policies), *scores, *_modifier_scores(outcomes)]


def _suite_scores(outcome: SuiteOutcome) -> list[Score]:
    """Return the scores of one suite; those of the first prediction, as the paper's, unless said otherwise."""
    suite = outcome.suite
    name, accuracy = suite.name, outcome.accuracy()
    failed = outcome.failures
    told = "; ".join(f"item {item.number}, {item.failure}" for item in failed[:SHOWN_FAILURES])
    more = f"; and {len(failed) - SHOWN_FAILURES} more" if len(failed) > SHOWN_FAILURES else ""
    scores = [
        Score("accuracy", accuracy, name, f"failed, so counted as false: {told}{more}" if failed else ""),
        Score("ties", float(sum(item.is_tied(0) for item in outcome.items)), name),
        Score("failures", float(len(failed)), name),
    ]
    across = [token for item in outcome.items for token in item.across]
    if across:
        scores.append(Score("tokens_across_regions", float(len(across)), name, f"for example '{across[0]}'"))
    level = chance(suite.predictions[:1], suite)
    if level.value is None:
        scores.append(Score("chance", None, name, f"known only to lie between {level.low} and {level.high}"))
    else:
        scores.append(Score("chance", float(level.value), name))
        if level.value < 1:
            scores.append(Score("accuracy_above_chance", _above_chance(outcome, level.value), name))
    if len(suite.predictions) > 1:
        scores.append(Score("accuracy_all_predictions", outcome.accuracy(None), name))
    for index, formula in enumerate(suite.predictions):
        for place, contrast in enumerate(contrasts(formula)):
            margins = [
                item.evaluations[index].comparisons[place].margin_bits for item in outcome.items if not item.failure
            ]
            if margins:
                scores.append(Score("effect_bits", fmean(margins), f"{name}: {contrast}"))
    return scores


def _above_chance(outcome: SuiteOutcome, level: Fraction) -> float:
    """Return the accuracy on a scale where chance is 0 and certainty is 1, from exact fractions."""
    return float((Fraction(outcome.n_holding(0), len(outcome.items)) - level) / (1 - level))


def _sg_scores(outcomes: Sequence[SuiteOutcome], suite_set: SuiteSet, seed: int, policies: str) -> list[Score]:
    members = [outcome for outcome in outcomes if outcome.suite.name in suite_set.names]
    missing = [name for name in suite_set.names if name not in {outcome.suite.name for outcome in members}]
    if not members:
        return [Score("SG", None, note=f"none of the {len(suite_set.names)} suites of the mean was evaluated")]
    lacking = f", {missing[0]} is missing" if missing else ""
    note = f"mean of {len(members)} of {len(suite_set.names)} suites{lacking}; {policies}"
    holding = [outcome.n_holding(0) for outcome in members]
    totals = [len(outcome.items) for outcome in members]
    over_items = bootstrap_items(holding, totals, rng=generator(seed, "syntaxgym", "bootstrap", "items"))
    over_suites = bootstrap_suites(holding, totals, rng=generator(seed, "syntaxgym", "bootstrap", "suites"))
    levels = [chance(outcome.suite.predictions[:1], outcome.suite).value for outcome in members]
    corrected = [
        _above_chance(outcome, level)
        for outcome, level in zip(members, levels, strict=True)
        if level is not None and level < 1
    ]
    scores = [
        Score("SG", fmean(outcome.accuracy() for outcome in members), note=note),
        Score("SG_low", over_items.low),
        Score("SG_high", over_items.high),
        Score("SG_low_over_suites", over_suites.low),
        Score("SG_high_over_suites", over_suites.high),
        Score("SG_all_predictions", fmean(outcome.accuracy(None) for outcome in members)),
        Score("ties", float(sum(item.is_tied(0) for outcome in members for item in outcome.items))),
        Score("failures", float(sum(len(outcome.failures) for outcome in members))),
    ]
    if corrected:
        partial = (
            "" if len(corrected) == len(members) else f"of the {len(corrected)} suites whose chance level is known"
        )
        scores.append(Score("SG_above_chance", fmean(corrected), note=partial))
    for circuit in dict.fromkeys(CIRCUITS.values()):
        accuracies = [outcome.accuracy() for outcome in members if circuit_of(outcome.suite.name) == circuit]
        if accuracies:
            scores.append(Score("circuit", fmean(accuracies), circuit))
    return scores


def _modifier_scores(outcomes: Sequence[SuiteOutcome]) -> list[Score]:
    """Return the mean accuracies without and with a modifier, over the pairs that are there."""
    by_name = {outcome.suite.name: outcome for outcome in outcomes}
    pairs = [(by_name[one], by_name[two]) for one, two in MODIFIER_PAIRS if one in by_name and two in by_name]
    if not pairs:
        return []
    note = "" if len(pairs) == len(MODIFIER_PAIRS) else f"over {len(pairs)} of {len(MODIFIER_PAIRS)} pairs"
    return [
        Score("without_modifier", fmean(plain.accuracy() for plain, _ in pairs), note=note),
        Score("with_modifier", fmean(modified.accuracy() for _, modified in pairs), note=note),
    ]


def contrasts(formula: Formula) -> list[str]:
    """Return the comparisons of a formula as text, in the order in which it evaluates them.

    >>> from wug.benchmarks.syntaxgym.suites import parse_formula
    >>> contrasts(parse_formula("[(1;%a%) < 2] & [(1;%a%) + 1 > (2;%b%)]"))
    ['1(a) < 2', '1(a) + 1 > 2(b)']
    """
    found: list[str] = []

    def push(operand: Cell | float) -> str:
        if isinstance(operand, Cell):
            return f"{operand.region or '*'}({operand.condition})"
        return repr(operand).removesuffix(".0")

    def combine(step: Step, left: str, right: str) -> str:
        if step.operator in "<>=":
            found.append(f"{left} {step.operator} {right}")
        return (
            f"{left} {step.operator} ({right})"
            if step.operator == "-" and " " in right
            else f"{left} {step.operator} {right}"
        )

    fold(formula.program, push, combine)
    return found
