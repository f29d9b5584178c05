from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.sequences import Corpus, PrefixTree, Vocabulary

VOCABULARY = Vocabulary(("#", "a", "b", "c"))
strings = st.lists(st.text("abc", max_size=7), max_size=25)


def tree_of(written: list[str]) -> PrefixTree:
    return PrefixTree.from_corpus(Corpus.from_strings(written, VOCABULARY))


@settings(deadline=None)
@given(strings)
def test_order_is_lexicographic_with_common_prefixes(written):
    tree = tree_of(written)
    expected = sorted(range(len(written)), key=lambda i: written[i])
    assert tree.sorted.tolist() == expected
    for place in range(1, len(written)):
        one, other = written[expected[place - 1]], written[expected[place]]
        shared = max(t for t in range(len(one) + 1) if other.startswith(one[:t]))
        assert tree.common[place] == shared


@settings(deadline=None)
@given(strings)
def test_every_prefix_belongs_to_exactly_one_branch(written):
    tree = tree_of(written)
    owned = [string[:t] for i, string in enumerate(written) for t in range(tree.split[i] + 1, len(string) + 1)]
    prefixes = {string[:t] for string in written for t in range(1, len(string) + 1)}
    assert Counter(owned) == dict.fromkeys(prefixes, 1)
    assert tree.n_nodes == len(prefixes) + 1


@settings(deadline=None)
@given(strings)
def test_parents_own_the_prefix_and_precede_their_children(written):
    tree = tree_of(written)
    assert sorted(tree.order.tolist()) == list(range(len(written)))
    place = {string: position for position, string in enumerate(tree.order.tolist())}
    for i, (parent, split) in enumerate(zip(tree.parent.tolist(), tree.split.tolist(), strict=True)):
        if parent < 0:
            assert split == 0
            continue
        assert written[parent][:split] == written[i][:split]
        assert tree.split[parent] < split <= len(written[parent])
        assert len(written[parent]) >= len(written[i])
        assert place[parent] < place[i]


def test_a_prefix_leaves_at_its_own_length():
    tree = tree_of(["ab", "aabb", "aa", "aabb", ""])
    assert tree.parent.tolist() == [1, -1, 1, 1, -1]
    assert tree.split.tolist() == [1, 0, 2, 4, 0]


@settings(deadline=None)
@given(st.lists(st.tuples(st.text("abc", max_size=6), st.integers(0, 9)), max_size=20))
def test_nodes_count_prefixes(weighted):
    written = [string for string, _ in weighted]
    weights = np.array([weight for _, weight in weighted], dtype=np.int64)
    nodes = tree_of(written).nodes(weights)
    prefixes = sorted({string[:t] for string in written for t in range(len(string) + 1)} | {""})
    number = {prefix: node for node, prefix in enumerate(prefixes)}
    assert len(nodes.parent) == len(prefixes)
    assert nodes.symbol[0] == VOCABULARY.start
    for prefix, node in number.items():
        assert nodes.depth[node] == len(prefix)
        assert nodes.passing[node] == sum(weight for string, weight in weighted if string.startswith(prefix))
        assert nodes.ending[node] == sum(weight for string, weight in weighted if string == prefix)
        children = nodes.children[nodes.first_child[node] : nodes.first_child[node + 1]]
        assert children.tolist() == [number[prefix + symbol] for symbol in "abc" if prefix + symbol in number]
        if prefix:
            assert nodes.parent[node] == number[prefix[:-1]]
            assert VOCABULARY.symbols[nodes.symbol[node]] == prefix[-1]
    assert nodes.last.tolist() == [number[string] for string in written]


def test_nodes_without_weights_count_strings():
    nodes = tree_of(["ab", "a", "ab"]).nodes()
    assert nodes.passing.tolist() == [3, 3, 2]
    assert nodes.ending.tolist() == [0, 1, 2]


def test_weights_must_match():
    with pytest.raises(InputError, match="one weight for each of 2 strings"):
        tree_of(["a", "b"]).nodes([1.0])


def test_long_strings_take_few_nodes_of_memory():
    sizes = np.arange(1, 301)
    corpus = Corpus.from_strings(["a" * n + "b" * n for n in sizes], VOCABULARY)
    tree = PrefixTree.from_corpus(corpus)
    assert tree.n_nodes == 1 + 300 + sizes.sum()
    assert tree.parent.tolist() == [299] * 299 + [-1]
    assert tree.split.tolist() == [*range(1, 300), 0]
