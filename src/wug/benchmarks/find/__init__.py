"""find: what sequence-to-sequence learners do when in doubt (Kharitonov & Chaabouni 2021)."""

from wug.benchmarks.protocol import Card

CARD = Card(
    name="find",
    title="What learners do when in doubt",
    paper="Kharitonov, Chaabouni 2021: What they do when in doubt: a study of inductive biases in seq2seq learners. "
    "ICLR 2021. arXiv:2006.14953",
    measures="which of several rules that fit a handful of training pairs a learner follows on unseen inputs",
    setting="transduction",
    tasks=(
        "count",
        "add-or-multiply",
        "hierarchical",
        "composition",
        "odd-one-out",
        "odd-one-out-depths",
        "odd-one-out-mirror",
        "odd-one-out-mirror-depths",
        "odd-one-out-brackets",
        "odd-one-out-brackets-depths",
        "composition-controlled",
        "composition-proportion",
        "composition-two-functions",
        "scan",
    ),
)
