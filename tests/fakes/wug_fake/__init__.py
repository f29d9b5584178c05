"""A benchmark whose trials end in milliseconds: what studies, store and commands are tested with."""

from wug.benchmarks.protocol import Card

CARD = Card(
    name="fake",
    title="Nothing in particular",
    paper="none",
    measures="nothing in particular",
    setting="language_modelling",
    tasks=("plain", "other", "shared"),
)
