"""What a model of a language has learnt: an automaton extracted from it, beside the model and beside the language."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wug.benchmarks.mlregtest.settings import LanguageSettings
from wug.benchmarks.mlregtest.tasks import TEST_SETS, LanguageJudging
from wug.benchmarks.protocol import Score, Task
from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.membership import accepts_corpus
from wug.languages.subregular import Set
from wug.learners.protocols import Classification, Classifier
from wug.learners.symbolic.extraction import Ending, Extraction, Limits, extract_automaton
from wug.randomness import generator
from wug.sequences import Corpus

if TYPE_CHECKING:
    from wug.languages.automata.classes import Classification as Classes


@dataclass(frozen=True)
class Agreement:
    """Shares of a test set's strings."""

    strings: int
    with_model: float
    """On which automaton and model answer alike."""
    with_language: float
    """On which the automaton is right."""
    model_with_language: float
    """On which the model is right; a probability of one half says no, as in the extraction."""


@dataclass(frozen=True, eq=False)
class JudgedAutomaton:
    """An automaton extracted from a model, and how good it is."""

    dfa: DFA
    agreement: dict[Set, Agreement]
    classes: "Classes | None"
    """The subregular classes of the automaton's language; None where its syntactic monoid is too large."""


@dataclass(frozen=True, eq=False)
class ExtractedModel:
    """What was extracted from a model."""

    extraction: Extraction
    final: JudgedAutomaton
    """Of the last hypothesis."""
    coarse: JudgedAutomaton | None
    """Of the first hypothesis that answers nearly all of Train and Dev as the model does."""


def extract_model(
    data: Classification, judging: LanguageJudging, model: Classifier, *, rng: np.random.Generator, limits: Limits
) -> ExtractedModel:
    """Return the automata of a model, to which the strings of Train and Dev are shown in every test."""
    samples = [data.training] if data.validation is None else [data.training, data.validation]
    found = extract_automaton(model, rng=rng, limits=limits, samples=Corpus.concatenate(samples))
    models = {of: np.asarray(model.classify(judging.test(of).corpus)) > 0.5 for of in TEST_SETS}
    coarse = None if found.coarse is None else _judged(found.coarse, judging, models)
    return ExtractedModel(found, _judged(found.dfa, judging, models), coarse)


def _judged(dfa: DFA, judging: LanguageJudging, models: dict[Set, NDArray[np.bool_]]) -> JudgedAutomaton:
    from wug.languages.automata.classes import classify

    agreement = {}
    for of, answered in models.items():
        strings = judging.test(of)
        answers = accepts_corpus(dfa, strings.corpus)
        agreement[of] = Agreement(
            len(answers),
            float((answers == answered).mean()),
            float((answers == strings.labels).mean()),
            float((answered == strings.labels).mean()),
        )
    try:
        classes = classify(dfa)
    except InputError:
        classes = None
    return JudgedAutomaton(dfa, agreement, classes)


def extraction_scores(task: Task, model: Classifier, settings: LanguageSettings) -> list[Score]:
    """Return size, agreement and classes of the automata extracted from a trial's model; a function of data and model.

    The measures ``automaton_...`` are of the last hypothesis, ``coarse_automaton_...`` of the coarse one, if there is
    one; ``..._in`` is 1 or 0 for each of the sixteen classes.
    """
    rng = generator(settings.data_seed, "extract", task.name)
    found = extract_model(task.data, task.judging, model, rng=rng, limits=Limits(states=settings.extract))
    ending = found.extraction.ending
    scores = [
        Score("automaton_queries", found.extraction.queries, note="" if ending == Ending.AGREES else str(ending)),
        *_automaton_scores("automaton", found.final),
    ]
    if found.coarse is not None:
        scores += _automaton_scores("coarse_automaton", found.coarse)
    return scores


def _automaton_scores(name: str, automaton: JudgedAutomaton) -> Iterator[Score]:
    from wug.languages.automata.classes import COVERS

    yield Score(f"{name}_states", automaton.dfa.n_states)
    for of, shares in automaton.agreement.items():
        yield Score(f"{name}_agreement_{of}", shares.with_model)
        yield Score(f"{name}_accuracy_{of}", shares.with_language)
    for key in COVERS:
        if automaton.classes is None:
            yield Score(f"{name}_in", None, item=key, note="the automaton's syntactic monoid is too large")
        else:
            yield Score(f"{name}_in", float(automaton.classes.classes[key]), item=key)
