"""What a model of a language has learnt: an automaton extracted from it, beside the model and beside the language."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wug.benchmarks.mlregtest.settings import LanguageSettings
from wug.benchmarks.mlregtest.tasks import TEST_SETS, LanguageJudging
from wug.benchmarks.protocol import Score, Task
from wug.errors import InputError
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
class ExtractedModel:
    """An automaton extracted from a model, and how good it is."""

    extraction: Extraction
    agreement: dict[Set, Agreement]
    classes: "Classes | None"
    """The subregular classes of the automaton's language; None where its syntactic monoid is too large."""


def extract_model(
    data: Classification, judging: LanguageJudging, model: Classifier, *, rng: np.random.Generator, limits: Limits
) -> ExtractedModel:
    """Return the automaton of a model, to which the strings of Train and Dev are shown in every test."""
    from wug.languages.automata.classes import classify

    samples = [data.training] if data.validation is None else [data.training, data.validation]
    found = extract_automaton(model, rng=rng, limits=limits, samples=Corpus.concatenate(samples))
    agreement = {}
    for of in TEST_SETS:
        strings = judging.test(of)
        answers = accepts_corpus(found.dfa, strings.corpus)
        models = np.asarray(model.classify(strings.corpus)) > 0.5
        agreement[of] = Agreement(
            len(answers),
            float((answers == models).mean()),
            float((answers == strings.labels).mean()),
            float((models == strings.labels).mean()),
        )
    try:
        classes = classify(found.dfa)
    except InputError:
        classes = None
    return ExtractedModel(found, agreement, classes)


def extraction_scores(task: Task, model: Classifier, settings: LanguageSettings) -> list[Score]:
    """Return size, agreement and classes of the automaton extracted from a trial's model; a function of data and model.

    ``automaton_in`` is 1 or 0 for each of the sixteen classes.
    """
    from wug.languages.automata.classes import COVERS

    rng = generator(settings.data_seed, "extract", task.name)
    found = extract_model(task.data, task.judging, model, rng=rng, limits=Limits(states=settings.extract))
    ending = found.extraction.ending
    scores = [
        Score("automaton_states", found.extraction.dfa.n_states, note="" if ending == Ending.AGREES else str(ending)),
        Score("automaton_queries", found.extraction.queries),
    ]
    for of, shares in found.agreement.items():
        scores.append(Score(f"automaton_agreement_{of}", shares.with_model))
        scores.append(Score(f"automaton_accuracy_{of}", shares.with_language))
    for key in COVERS:
        if found.classes is None:
            scores.append(Score("automaton_in", None, item=key, note="the automaton's syntactic monoid is too large"))
        else:
            scores.append(Score("automaton_in", float(found.classes.classes[key]), item=key))
    return scores
