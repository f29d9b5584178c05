"""The factors of the experimental design and their levels (paper, Tables 7, 13 and 16)."""

from collections.abc import Iterable, Mapping

from wug.languages.subregular import class_names

LANGUAGE = ("alph", "tier", "class", "k", "j", "i")
"""What spells a language; the letters of its name's fields."""
FACTORS = ("alph", "class", "train_size", "nn_type", "test_type")
"""What the cells of the design are indexed by; accuracies of one cell are averaged over tier, k, j and i."""
WITHIN = ("train_size", "nn_type", "test_type")
"""Factors that vary while the language stays."""

NETWORKS: Mapping[str, str] = {"srn": "RNN", "gru": "GRU", "lstm": "LSTM", "transformer": "Transformer"}
"""The paper's four networks: the learner's name here, and the paper's."""

LOGIC: Mapping[str, tuple[str, ...]] = {
    "CNL": ("SL", "SP", "TSL"),
    "DPL": ("coSL", "coSP", "TcoSL"),
    "PROP": ("LT", "PLT", "PT", "TLT", "TPLT"),
    "FO": ("LTT", "TLTT", "SF"),
    "MSO": ("Zp", "Reg"),
}
"""Table 13: conjunctions of negative and disjunctions of positive literals; propositional, first and second order."""
ORDER: Mapping[str, tuple[str, ...]] = {
    "SUCC": ("SL", "coSL", "LT", "LTT"),
    "PREC": ("SP", "coSP", "PT", "SF"),
    "TSUCC": ("TSL", "TcoSL", "TLT", "TLTT"),
    "OTHER": ("PLT", "TPLT", "Zp", "Reg"),
}
"""Table 16: successor, precedence, tier-successor, or several of them or none."""
GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {"logic": LOGIC, "order": ORDER}

LEVELS: Mapping[str, tuple[str, ...]] = {
    "alph": ("4", "16", "64"),
    "class": class_names(),
    "train_size": ("Small", "Mid", "Large"),
    "nn_type": tuple(NETWORKS),
    "test_type": ("SR", "LR", "SA", "LA"),
    "logic": tuple(LOGIC),
    "order": tuple(ORDER),
}
"""The paper's levels in the order in which they are shown."""
TRAINING_STRINGS: Mapping[str, int] = {"Small": 1_000, "Mid": 10_000, "Large": 100_000}

NAMES: Mapping[str, str] = {
    "train_size": "size of training",
    "test_type": "kind of test set",
    "class": "language class",
    "logic": "logical level",
    "order": "order relation",
    "alph": "size of alphabet",
    "nn_type": "network",
}
"""Of the factors, as tables are titled."""

COMPLEMENTS = (("SL", "coSL"), ("SP", "coSP"), ("TSL", "TcoSL"))
"""Classes whose languages and data are each other's complements."""


def in_order(factor: str, levels: Iterable[str]) -> list[str]:
    """Return levels in the order in which they are shown, those that the paper does not have last and sorted."""
    known = LEVELS[factor]
    return sorted(set(levels), key=lambda level: (known.index(level) if level in known else len(known), level))


def shown(factor: str, level: str) -> str:
    """Return a level as tables print it: ``srn`` is the paper's RNN."""
    return NETWORKS.get(level, level) if factor == "nn_type" else level
