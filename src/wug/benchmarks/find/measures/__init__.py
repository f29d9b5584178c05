"""What a learner's models answered, and how long the rules' outputs are in the code that they make."""

from wug.benchmarks.find.measures.agreement import Answer, Kinds, agrees, answers_of
from wug.benchmarks.find.measures.description_length import CodeLengths, blocks_of, pair_nats
from wug.benchmarks.find.measures.statistics import Estimate, Interval, mean_of, paired_difference, wilson

__all__ = [
    "Answer",
    "CodeLengths",
    "Estimate",
    "Interval",
    "Kinds",
    "agrees",
    "answers_of",
    "blocks_of",
    "mean_of",
    "pair_nats",
    "paired_difference",
    "wilson",
]
