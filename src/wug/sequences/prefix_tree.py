"""What strings that begin alike share: as branches that leave one another, or as nodes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wug.errors import InputError
from wug.sequences.corpus import Corpus
from wug.sequences.vocabulary import Tokens


@dataclass(frozen=True, eq=False)
class PrefixTree:
    """The prefix tree of a corpus as branches: a few numbers per string, however long the strings are.

    Every string owns one branch. Where strings part, the longest of those that pass (of equal ones the first in
    lexicographic order) stays on the branch, each other one *leaves* it there. A string that is the prefix of another
    one, or equal to an earlier one, leaves at its own length and so owns no symbols.

    >>> from wug.sequences import Vocabulary
    >>> tree = PrefixTree.from_corpus(Corpus.from_strings(["ab", "aabb", "aa"], Vocabulary(("#", "a", "b"))))
    >>> tree.parent, tree.split, tree.order
    (array([ 1, -1,  1]), array([1, 0, 2]), array([1, 0, 2]))
    """

    corpus: Corpus
    order: NDArray[np.int64]
    """(n_strings,) string numbers by rising split, equal ones in lexicographic order; parents precede children."""
    parent: NDArray[np.int64]
    """(n_strings,) the string that each string leaves, or -1 where it shares no first symbol with a longer branch."""
    split: NDArray[np.int64]
    """(n_strings,) number of first symbols that it shares with its parent, more than its parent's own split; 0 for
    a string without parent."""
    sorted: NDArray[np.int64]
    """(n_strings,) string numbers in lexicographic order of classes, prefixes first, equal strings by number."""
    common: NDArray[np.int64]
    """(n_strings,) length of the longest common prefix of each string of ``sorted`` with the one before; first 0."""

    @classmethod
    def from_corpus(cls, corpus: Corpus) -> "PrefixTree":
        """Return the tree of a corpus, whose strings may repeat."""
        from wug.sequences import _prefix_kernels as kernels

        in_order, common = kernels.sort_strings(corpus.tokens, corpus.offsets)
        parent, split = kernels.branches(in_order, common, corpus.lengths)
        order = in_order[np.argsort(split[in_order], kind="stable")]
        return cls(corpus, order, parent, split, in_order, common)

    @property
    def n_nodes(self) -> int:
        """Number of nodes: of different prefixes, the empty one included."""
        return 1 + int((self.corpus.lengths - self.split).sum())

    def nodes(self, weights: ArrayLike | None = None) -> "PrefixNodes":
        """Return the tree node by node, for data small enough; each string counts ``weights`` (n_strings,), else 1."""
        from wug.sequences import _prefix_kernels as kernels

        counts = np.ones(len(self.corpus), dtype=np.int64) if weights is None else np.asarray(weights)
        if counts.shape != (len(self.corpus),):
            raise InputError(f"there must be one weight for each of {len(self.corpus)} strings, not {counts.shape}")
        parent, symbol, depth, last = kernels.grow(
            self.corpus.tokens,
            self.corpus.offsets,
            self.sorted,
            self.common,
            self.n_nodes,
            self.corpus.vocabulary.start,
        )
        ending = np.zeros(self.n_nodes, dtype=counts.dtype)
        np.add.at(ending, last, counts)
        children = np.argsort(parent[1:], kind="stable") + 1
        first_child = np.concatenate(([0], np.cumsum(np.bincount(parent[1:], minlength=self.n_nodes))))
        return PrefixNodes(parent, symbol, depth, kernels.passing(parent, ending), ending, last, children, first_child)


@dataclass(frozen=True, eq=False)
class PrefixNodes:
    """The nodes of a prefix tree in lexicographic order of their prefixes; node 0 is the empty prefix."""

    parent: NDArray[np.int64]
    """(n_nodes,) the node one symbol shorter, which has a smaller number; -1 for node 0."""
    symbol: Tokens
    """(n_nodes,) last class of the prefix; the start symbol for node 0."""
    depth: NDArray[np.int64]
    """(n_nodes,) length of the prefix."""
    passing: NDArray[Any]
    """(n_nodes,) weight of the strings that begin with the prefix."""
    ending: NDArray[Any]
    """(n_nodes,) weight of the strings that equal the prefix."""
    last: NDArray[np.int64]
    """(n_strings,) the node at which each string ends."""
    children: NDArray[np.int64]
    """(n_nodes - 1,) the children of node 0, of node 1 ..., each node's by rising symbol."""
    first_child: NDArray[np.int64]
    """(n_nodes + 1,) node v has the children ``children[first_child[v]:first_child[v + 1]]``."""
