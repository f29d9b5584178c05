"""Which learners there are, and how a name or a user's file becomes one.

Importable without torch: built-in classes and users' files are read, not run, until ``build_learner``.
"""

import ast
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from wug.errors import InputError, unknown_name
from wug.learners.constructors import Constructor, constructor_of, read_constructor
from wug.learners.protocols import SETTINGS, Learner
from wug.learners.training.settings import TrainingSettings, training_settings
from wug.learners.user_files import UserFile

_ENTRY_POINT_GROUP = "wug.learners"
_TRAINING = frozenset(TrainingSettings.model_fields)


@dataclass(frozen=True)
class LearnerCard:
    """What ``wug list`` tells of a learner without importing it."""

    name: str
    summary: str
    """One line."""
    settings: frozenset[str]
    """Which of wug.learners.protocols.SETTINGS it can be fitted to; empty where only importing it would tell."""


@dataclass(frozen=True)
class _BuiltIn:
    """A built-in encoder or learner."""

    module: str
    """Module in wug.learners, folders and file separated by dots."""
    class_name: str
    summary: str

    def constructor(self) -> Constructor:
        """Return the options of the class, read from its module's file where that tells."""
        source = Path(__file__).parent.joinpath(*self.module.split(".")).with_suffix(".py").read_bytes()
        return read_constructor(ast.parse(source), self.class_name) or constructor_of(self.load())

    def load(self) -> type:
        """Return the class."""
        subject: type = getattr(importlib.import_module(f"wug.learners.{self.module}"), self.class_name)
        return subject


_NETWORKS = {
    "lstm": _BuiltIn("networks.recurrent", "LSTM", "long short-term memory network"),
    "gru": _BuiltIn("networks.recurrent", "GRU", "gated recurrent network"),
    "srn": _BuiltIn("networks.recurrent", "SimpleRNN", "simple recurrent (Elman) network with tanh"),
    "transformer": _BuiltIn("networks.transformer", "Transformer", "causal Transformer, normalised before each layer"),
}
_SYMBOLIC = {
    "string-extension-sl": _BuiltIn(
        "symbolic.strictly_local", "StrictlyLocal", "SL(k), coSL(k): the factors of strings"
    ),
    "string-extension-tsl": _BuiltIn(
        "symbolic.strictly_local", "TierStrictlyLocal", "TSL(k), TcoSL(k): factors on a learnt or given tier"
    ),
    "string-extension-sp": _BuiltIn(
        "symbolic.strictly_piecewise", "StrictlyPiecewise", "SP(k), coSP(k): their subsequences"
    ),
    "string-extension-lt": _BuiltIn("symbolic.testable", "LocallyTestable", "LT(k), TLT(k): sets of factors"),
    "string-extension-ltt": _BuiltIn(
        "symbolic.testable", "ThresholdTestable", "LTT(k, t), TLTT(k, t): counted factors"
    ),
    "string-extension-pt": _BuiltIn("symbolic.testable", "PiecewiseTestable", "PT(k): sets of subsequences"),
    "string-extension-plt": _BuiltIn(
        "symbolic.testable", "PiecewiseLocallyTestable", "PLT(k, blocks), TPLT(k, blocks): sequences of blocks"
    ),
    "rpni": _BuiltIn("symbolic.state_merging", "RPNI", "state merging, the first states that fit"),
    "edsm": _BuiltIn("symbolic.state_merging", "EDSM", "state merging, those with most evidence first"),
    "n-gram": _BuiltIn("symbolic.ngrams", "NGram", "naive Bayes on windows of n letters"),
    "letter-bag": _BuiltIn("symbolic.shortcuts", "LetterBag", "logistic regression on how often each letter occurs"),
    "length-only": _BuiltIn("symbolic.shortcuts", "LengthOnly", "the answer that most strings of the same length have"),
}
_PAPER_CLASSIFIERS = {
    "mlregtest-srn": _BuiltIn("networks.classifiers.learners", "MLRegTestSRN", "MLRegTest's simple recurrent network"),
    "mlregtest-gru": _BuiltIn("networks.classifiers.learners", "MLRegTestGRU", "MLRegTest's gated recurrent network"),
    "mlregtest-lstm": _BuiltIn("networks.classifiers.learners", "MLRegTestLSTM", "MLRegTest's LSTM"),
    "mlregtest-transformer": _BuiltIn(
        "networks.classifiers.learners", "MLRegTestTransformer", "MLRegTest's Transformer, for up to 64 letters"
    ),
}
_CLASSIFIERS = {**_PAPER_CLASSIFIERS, **_SYMBOLIC}
_TRANSDUCERS = {
    "lstm-s2s": _BuiltIn("networks.transducers.learners", "LSTMTransducer", "LSTM encoder and decoder"),
    "lstm-s2s-attention": _BuiltIn(
        "networks.transducers.learners", "LSTMTransducerWithAttention", "LSTM encoder and decoder with attention"
    ),
    "conv-s2s": _BuiltIn(
        "networks.transducers.learners", "ConvolutionalTransducer", "convolutional encoder and decoder with attention"
    ),
    "transformer-s2s": _BuiltIn(
        "networks.transducers.learners", "TransformerTransducer", "Transformer encoder and decoder"
    ),
    "joint-s2s": _BuiltIn(
        "networks.transducers.learners", "JointTransducer", "Transformer with joint attention beside the ordinary one"
    ),
    "joint-s2s-nocross": _BuiltIn(
        "networks.transducers.learners", "JointTransducerWithoutCross", "Transformer with joint attention alone"
    ),
    "n-gram-s2s": _BuiltIn(
        "symbolic.ngram_transducer", "NGramTransducerLearner", "Markov chain along source and target"
    ),
}
_MODELLING = frozenset({"language_modelling"})
_CLASSIFICATION = frozenset({"classification"})
_TRANSDUCTION = frozenset({"transduction"})
_LEARNABLE = _MODELLING | _CLASSIFICATION | _TRANSDUCTION
_BASELINES = {
    "oracle": ("the exact answers; oracle:RULE where a task has several", frozenset(SETTINGS)),
    "uniform": ("every symbol, or both answers, equally probable", _LEARNABLE),
    "constant": ("always the most frequent symbol or answer", _LEARNABLE),
    "repeat-last": ("always the last symbol again", _MODELLING),
    "ignore-source": ("the training targets, by their shares, whatever the source", _TRANSDUCTION),
    "never-end": ("the most frequent symbol again and again, without end", _TRANSDUCTION),
    "nan": ("not a number everywhere: fails on purpose", _LEARNABLE),
}


@dataclass(frozen=True)
class LearnerSpec:
    """A learner with its options: what a trial's id is made of, and where to find the code."""

    name: str
    """A built-in name, an entry point's name, or the class's name in a user's file."""
    options: Mapping[str, Any]
    """The options that were given, in their types."""
    content: str | None = None
    """SHA-256 of the code that is not wug's own."""
    location: str | None = field(default=None, compare=False)
    """Where a user's file is: ``/path/file.py:Class``; no part of the identity."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """The options that were not given; a default that changes makes a new trial."""

    def identity(self) -> dict[str, Any]:
        """Return all that decides what is learnt, in canonical order, ready for JSON."""
        options = {**self.defaults, **self.options}
        return {"name": self.name, "options": dict(sorted(options.items())), "content": self.content}

    @property
    def replicas(self) -> int:
        """How many trainings of one shape it does at once: its option ``replicas``, 1 where it has none."""
        return int({**self.defaults, **self.options}.get("replicas", 1))

    @property
    def label(self) -> str:
        """The name and the options that were given, for people."""
        return " ".join([self.name, *(f"{key}={value}" for key, value in sorted(self.options.items()))])


def parse_learner(text: str, options: Mapping[str, Any] | None = None) -> LearnerSpec:
    """Return the spec of a learner written as a name or as ``path/file.py:Class``.

    Raises InputError for a name, file, class or option that does not exist, and for values of the wrong type.

    >>> parse_learner("lstm", {"width": "16"}).label
    'lstm width=16'
    """
    base, colon, _ = text.partition(":")
    content, location = None, None
    if UserFile.is_location(text):
        file = UserFile.read(text)
        name, content, location = file.class_name, file.sha256, f"{file.path.absolute()}:{file.class_name}"
        constructor = file.constructor()
    elif text in _NETWORKS:
        name, constructor = text, _NETWORKS[text].constructor()
    elif text in _CLASSIFIERS:
        name, constructor = text, _CLASSIFIERS[text].constructor()
    elif text in _TRANSDUCERS:
        name, constructor = text, _TRANSDUCERS[text].constructor()
    elif text in _BASELINES or (base == "oracle" and colon):
        name, constructor = text, Constructor(text, {}, fits=True)
    else:
        subject = _entry_point(text)
        name, content = text, UserFile.of(subject).sha256
        constructor = constructor_of(subject) if isinstance(subject, type) else Constructor(text, {}, fits=True)
    converted, defaults = _resolve(constructor, dict(options or {}))
    return LearnerSpec(name, converted, content, location, defaults)


def build_learner(spec: LearnerSpec) -> Learner:
    """Return the learner of a spec, importing what it needs.

    Raises InputError where the code has changed since the spec was made.
    """
    options = {**spec.defaults, **spec.options}
    base, _, rule = spec.name.partition(":")
    subject: Any
    if spec.location is not None:
        file = UserFile.read(spec.location)
        _check_unchanged(spec, file)
        subject = file.load()
    elif spec.name in _NETWORKS:
        return _network_learner(_NETWORKS[spec.name].load(), options)
    elif spec.name in _CLASSIFIERS:
        subject = _CLASSIFIERS[spec.name].load()
    elif spec.name in _TRANSDUCERS:
        subject = _TRANSDUCERS[spec.name].load()
    elif base in _BASELINES:
        from wug.learners.baselines import Baseline

        return Baseline(base, rule, _BASELINES[base][1])
    else:
        subject = _entry_point(spec.name)
        _check_unchanged(spec, UserFile.of(subject))
    if not isinstance(subject, type):
        return cast(Learner, subject)
    if hasattr(subject, "fit"):
        return cast(Learner, subject(**options))
    return _network_learner(subject, options)


def learner_cards() -> list[LearnerCard]:
    """Return the cards of the built-in learners and of installed entry points, importing none."""
    cards = [LearnerCard(name, network.summary, _LEARNABLE) for name, network in _NETWORKS.items()]
    cards += [LearnerCard(name, learner.summary, _CLASSIFICATION) for name, learner in _CLASSIFIERS.items()]
    cards += [LearnerCard(name, learner.summary, _TRANSDUCTION) for name, learner in _TRANSDUCERS.items()]
    cards += [LearnerCard(name, *about) for name, about in _BASELINES.items()]
    for point in sorted(entry_points(group=_ENTRY_POINT_GROUP), key=lambda point: point.name):
        package = point.dist.name if point.dist else point.module
        cards.append(LearnerCard(point.name, f"from the package {package}", frozenset()))
    return cards


def _check_unchanged(spec: LearnerSpec, file: UserFile) -> None:
    if file.sha256 != spec.content:
        raise InputError(f"{file.path} has changed since this trial was planned; start the command again")


def _resolve(constructor: Constructor, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the given options in their types, and the defaults of all others."""
    constructor.check(given, also=frozenset() if constructor.fits else _TRAINING)
    converted = {name: constructor.convert(name, given[name]) for name in given if name in constructor.options}
    defaults = {name: value for name, value in constructor.defaults.items() if name not in given}
    if not constructor.fits:
        settings = training_settings({name: given[name] for name in given if name in _TRAINING}, constructor.name)
        for name, value in settings.model_dump().items():
            if name in given:
                converted[name] = value
            elif name not in constructor.options:
                defaults[name] = value
    return converted, defaults


def _network_learner(encoder: type, options: Mapping[str, Any]) -> Learner:
    from wug.learners.networks.learner import NetworkLearner

    own = constructor_of(encoder).options
    return NetworkLearner(
        encoder,
        {name: value for name, value in options.items() if name in own},
        training_settings({name: value for name, value in options.items() if name not in own}),
    )


def _entry_point(name: str) -> Any:
    """Return the object of an installed entry point."""
    points = {point.name: point for point in entry_points(group=_ENTRY_POINT_GROUP)}
    if name not in points:
        raise unknown_name("learner", name, [*_NETWORKS, *_CLASSIFIERS, *_TRANSDUCERS, *_BASELINES, *points])
    try:
        return points[name].load()
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"the learner '{name}' of the package {points[name].module} cannot be loaded: {error}"
        ) from None
