"""bliss: the generalization index B (Lan, Chemla, Katzir 2023)."""

from wug.benchmarks.protocol import Card

CARD = Card(
    name="bliss",
    title="The generalization index B on formal languages",
    paper="Lan, Chemla, Katzir 2023: Benchmarking Neural Network Generalization for Grammar Induction. "
    "arXiv:2308.08253",
    measures="how little training data suffices to generalise to how many longer strings of a formal language",
    setting="language_modelling",
    tasks=("anbn", "anbncn", "anbncndn", "anbmcnm", "dyck1", "dyck2"),
)
