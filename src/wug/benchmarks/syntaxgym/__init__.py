"""syntaxgym: targeted syntactic evaluation of language models (Hu et al. 2020)."""

from wug.benchmarks.protocol import Card

SUITES = "suites"
"""The task whose items are the suites."""
PUBLISHED = "published"
"""The task that recomputes the paper's figures from the authors' results."""

CARD = Card(
    name="syntaxgym",
    title="What language models know of syntax",
    paper="Hu, Gauthier, Qian, Wilcox, Levy 2020: A systematic assessment of syntactic generalization in neural "
    "language models. ACL 2020. arXiv:2005.03692",
    measures="whether a language model's surprisals satisfy what grammar predicts of minimal pairs, in 34 suites",
    setting="language_modelling, decision",
    tasks=(SUITES, PUBLISHED),
)
