"""mlregtest: 1,800 regular languages in 16 subregular classes (van der Poel et al. 2024)."""

from wug.benchmarks.protocol import Card
from wug.languages.subregular import language_names

RANDOM_AUTOMATA = "random-automata"
"""The task of the paper's section 3.4, in which nothing is learnt."""

CARD = Card(
    name="mlregtest",
    title="1,800 regular languages in 16 subregular classes",
    paper="van der Poel et al. 2024: MLRegTest: A Benchmark for the Machine Learning of Regular Languages. "
    "JMLR 25(283). arXiv:2304.07687",
    measures="how well membership in regular languages of 16 classes is learnt, on random strings and on border pairs",
    setting="classification, decision",
    tasks=(*language_names(), RANDOM_AUTOMATA),
)
