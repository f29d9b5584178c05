"""Perfect agreement with a rule, and what kind of answer each probe gets.

Source: Kharitonov & Chaabouni 2021, section 2: FPA is the share of seeds whose answers all equal the rule's. Two
sequences are equal when all their symbols are and they end at the same place; there is no partial credit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wug.benchmarks.find.encoding import Encoding, read_symbols
from wug.benchmarks.find.tasks import FindTask, Rule, Symbols
from wug.errors import TrialError
from wug.learners.protocols import Transducer

OTHER, NOT_TERMINATED = "other", "not-terminated"
"""Kinds of answers that no rule gives."""


@dataclass(frozen=True)
class Answer:
    """What a model answered to one input."""

    output: Symbols
    terminated: bool = True
    """Whether the end symbol came within the length allowed; without it the answer equals no rule's."""


def answers_of(
    model: Transducer, encoding: Encoding, inputs: Sequence[Symbols], *, max_length: int, min_length: int
) -> dict[Symbols, Answer]:
    """Return a model's greedy answers; TrialError where they are not one for each input."""
    sources = encoding.sources(inputs)
    outputs = model.transduce(sources, max_length=max_length, min_length=min_length)
    terminated = np.asarray(outputs.terminated)
    if len(outputs.targets) != len(inputs) or terminated.shape != (len(inputs),):
        raise TrialError(
            f"the model was asked {len(inputs)} inputs and gave {len(outputs.targets)} outputs "
            f"with {terminated.size} marks of termination"
        )
    if outputs.targets.vocabulary != encoding.target:
        raise TrialError("the model's outputs must have the vocabulary of the data's targets")
    return {
        source: Answer(output, bool(ended))
        for source, output, ended in zip(inputs, read_symbols(outputs.targets), terminated, strict=True)
    }


def agrees(answers: Mapping[Symbols, Answer], expected: Mapping[Symbols, Symbols], inputs: Sequence[Symbols]) -> bool:
    """Return whether every answer is the expected one."""
    return all(answers[source] == Answer(expected[source]) for source in inputs)


class Kinds:
    """The kinds of answers to a list of probes: those of the candidates, of rival rules and of other responses.

    A rival that answers every probe as a candidate does is that candidate, as far as these probes can tell.
    """

    def __init__(self, task: FindTask, probes: Sequence[Symbols], rivals: Mapping[str, Rule]) -> None:
        """Work out what each rule answers to the probes."""
        self.probes = tuple(probes)
        self.outputs: dict[str, list[frozenset[Symbols]]] = {}
        """The outputs of each kind, probe by probe."""
        self.same_as: dict[str, str] = {}
        """Rivals by the kind before them that has the same outputs."""
        for name, rule in {**task.rules, **rivals}.items():
            outputs = [frozenset([tuple(rule(source))]) for source in probes]
            twin = next((known for known, others in self.outputs.items() if others == outputs), None)
            if twin is None or name in task.rules:
                self.outputs[name] = outputs
            else:
                self.same_as[name] = twin
        for name, response in task.responses.items():
            self.outputs[name] = [frozenset(response(source)) for source in probes]

    @property
    def names(self) -> tuple[str, ...]:
        """All kinds: candidates, rivals, other responses, and the two that no rule gives."""
        return (*self.outputs, OTHER, NOT_TERMINATED)

    def of(self, place: int, answer: Answer) -> tuple[str, ...]:
        """Return all kinds to which the answer to a probe belongs, by the probe's place."""
        if not answer.terminated:
            return (NOT_TERMINATED,)
        return tuple(name for name, outputs in self.outputs.items() if answer.output in outputs[place]) or (OTHER,)
