"""Learners of regular languages without gradients: string extension, state merging, n-grams, shortcuts, extraction.

Each is one class with its options as constructor parameters; ``wug.learners.registry`` knows them by name.

    >>> import numpy as np
    >>> from wug.languages.automata import shortest_rejected
    >>> from wug.learners.protocols import Classification
    >>> from wug.learners.symbolic.strictly_local import TierStrictlyLocal
    >>> from wug.sequences import Corpus, Vocabulary
    >>> vocabulary = Vocabulary(("#", "s", "z", "a"))
    >>> strings = Corpus.from_strings(["", "aasasas", "aazazaz", "aassaa", "aazzaa"], vocabulary)
    >>> data = Classification(vocabulary, strings, np.ones(len(strings), dtype=bool))
    >>> model = TierStrictlyLocal(k=2).fit(data, seed=1)
    >>> model.windows.alphabet
    ('s', 'z')
    >>> model.classify(Corpus.from_strings(["sasa", "saza"], vocabulary))
    array([1., 0.])
    >>> shortest_rejected(model.to_dfa())
    ('s', 'z')
"""
