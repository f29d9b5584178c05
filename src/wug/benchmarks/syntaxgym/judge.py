"""From a model to scores: the model's surprisals of all sentences, and what they make of the suites."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wug.benchmarks.protocol import Score
from wug.benchmarks.syntaxgym.oracle import SuiteOracle
from wug.benchmarks.syntaxgym.scores import SuiteOutcome, evaluate_suite, scores_of
from wug.benchmarks.syntaxgym.settings import Regions, SuitesSettings
from wug.benchmarks.syntaxgym.suites import Item, Sentence, Suite
from wug.benchmarks.syntaxgym.surprisal import Key, Punctuation, WordBoundary, WordScorer, attach_punctuation
from wug.errors import InputError, TrialError
from wug.learners.protocols import ScoredText, TextScorer


@dataclass(frozen=True)
class SuitesJudging:
    """What it takes to judge a model."""

    suites: tuple[Suite, ...]
    options: SuitesSettings
    seed: int
    """Of the bootstrap."""

    def sentence(self, item: Item, condition: str) -> Sentence:
        """Return an item's sentence with its punctuation as asked for."""
        sentence = item.sentence(condition)
        return attach_punctuation(sentence) if self.options.punctuation is Punctuation.ATTACHED else sentence

    def sentences(self, suite: Suite) -> Iterator[tuple[Item, str, Sentence]]:
        """Yield (item, condition, sentence) of a suite, with punctuation as asked for."""
        for item, condition, _ in suite.sentences():
            yield item, condition, self.sentence(item, condition)


def judge(judging: SuitesJudging, model: Any) -> list[Score]:
    """Return the scores of a model: the oracle, one with a tokenizer of its own, or a language model over words."""
    if isinstance(model, SuiteOracle):
        outcomes = [_evaluate_oracle(judging, suite, model) for suite in judging.suites]
        return outcome_scores(judging, outcomes, str(judging.options.policies))
    scorer: TextScorer = model if hasattr(model, "score_texts") else WordScorer(model)
    outcomes = [_evaluate(judging, suite, scorer) for suite in judging.suites]
    return outcome_scores(judging, outcomes, str(judging.options.policies))


def _evaluate_oracle(judging: SuitesJudging, suite: Suite, oracle: SuiteOracle) -> SuiteOutcome:
    def answer(item: Item, condition: str) -> tuple[Sentence, ScoredText]:
        sentence = judging.sentence(item, condition)
        return sentence, oracle.score_sentence(suite, item, condition, sentence)

    return evaluate_suite(suite, answer)


def _evaluate(judging: SuitesJudging, suite: Suite, scorer: TextScorer) -> SuiteOutcome:
    """Return a suite's outcome; equal texts are asked once, with all that any of them needs."""
    needed: dict[str, int] = {}
    for _, condition, sentence in judging.sentences(suite):
        regions = suite.needed_regions[condition] if judging.options.regions is Regions.NEEDED else None
        stop = (
            len(sentence.text) if regions is None else max((sentence.spans[one - 1][1] for one in regions), default=0)
        )
        needed[sentence.text] = max(stop, needed.get(sentence.text, 0))
    try:
        answers = scorer.score_texts(list(needed), list(needed.values()), judging.options.start)
    except InputError as error:
        raise TrialError(f"suite {suite.name}: {error}") from None
    scored = dict(zip(needed, answers, strict=True))
    if judging.options.word_boundary is WordBoundary.RAW:
        scored = {text: replace(answer, word_start_bits=None) for text, answer in scored.items()}

    def answer(item: Item, condition: str) -> tuple[Sentence, ScoredText]:
        sentence = judging.sentence(item, condition)
        return sentence, scored[sentence.text]

    return evaluate_suite(suite, answer)


def judge_surprisals(judging: SuitesJudging, scored: Mapping[Key, ScoredText]) -> list[Score]:
    """Return the scores of surprisals made elsewhere, of those suites that they have."""
    present = {suite for suite, _, _ in scored}

    def outcome(suite: Suite) -> SuiteOutcome:
        return evaluate_suite(
            suite,
            lambda item, condition: (judging.sentence(item, condition), scored[suite.name, item.number, condition]),
        )

    outcomes = [outcome(suite) for suite in judging.suites if suite.name in present]
    return outcome_scores(judging, outcomes, "start, end and tokens as in the file")


def outcome_scores(judging: SuitesJudging, outcomes: Sequence[SuiteOutcome], policies: str) -> list[Score]:
    """Return the scores of outcomes and, where all regions are asked for, their surprisals.

    ``policies`` says how the surprisals were made; it is noted with the SG score.
    """
    scores = scores_of(outcomes, judging.options.suite_set, judging.seed, policies)
    if judging.options.regions is Regions.ALL:
        scores += [
            Score("surprisal_bits", bits, f"{outcome.suite.name}: {item.number}: {condition}: {number}")
            for outcome in outcomes
            for item in outcome.items
            if not item.failure
            for condition, regions in item.regions.items()
            for number, bits in enumerate(regions, 1)
            if bits == bits
        ]
    return scores
