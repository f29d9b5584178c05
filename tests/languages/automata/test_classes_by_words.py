"""Classes that are defined by what occurs in a word, decided from words: all of them, sorted by what occurs in them.

A *profile* of a word is what a class looks at: its factors of width k with the ends marked, or its subsequences of
length up to k. Profiles grow letter by letter, so the words of a profile are those that lead to a node of a finite
graph; in its product with a DFA one sees whether some word of the profile is accepted and whether some is rejected.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
import pytest
from automata_worlds import words
from plain_classes import small_world

from wug.languages.automata.boolean import complement
from wug.languages.automata.classes import Classification, classify
from wug.languages.automata.dfa import DFA


@dataclass(frozen=True)
class Profiles:
    """The graph of all profiles of one kind over {a, b}."""

    following: np.ndarray
    """(n_nodes, 2) the node after one more letter; node 0 is the empty word's."""
    profile: np.ndarray
    """(n_nodes,) profile of the words that lead to the node; a node may say more, such as how they end."""
    occurring: np.ndarray
    """(n_profiles,) what occurs, as a set of bits."""


def profiles(grow: Callable[[tuple, str], tuple], start: tuple, items: Callable[[tuple], frozenset[str]]) -> Profiles:
    number, nodes, following = {start: 0}, [start], []
    for node in nodes:
        targets = [grow(node, letter) for letter in "ab"]
        for target in targets:
            if target not in number:
                number[target] = len(nodes)
                nodes.append(target)
        following.append([number[target] for target in targets])
    bit: dict[str, int] = {}
    masks = [sum(1 << bit.setdefault(item, len(bit)) for item in items(node)) for node in nodes]
    assert len(bit) < 64
    occurring, profile = np.unique(np.array(masks, np.uint64), return_inverse=True)
    return Profiles(np.array(following), profile, occurring)


def factor_profiles(k: int) -> Profiles:
    def cut(word: str) -> frozenset[str]:
        return frozenset(word[i : i + k] for i in range(max(1, len(word) - k + 1)))

    def grow(node: tuple, letter: str) -> tuple:
        end, seen = node
        longer = end + letter
        return longer[-k:], seen | cut(longer) if len(longer) >= k else seen

    return profiles(grow, ("<", frozenset("<") if k == 1 else frozenset()), lambda n: n[1] | cut(n[0] + ">"))


def subsequence_profiles(k: int) -> Profiles:
    def grow(node: tuple, letter: str) -> tuple:
        return (node[0] | {word + letter for word in node[0] if len(word) < k},)

    return profiles(grow, (frozenset({""}),), lambda node: node[0])


@numba.njit
def _outcomes(following: np.ndarray, profile: np.ndarray, transitions: np.ndarray, accepting: np.ndarray) -> np.ndarray:
    """Return (n_profiles, 2) whether some word of the profile is rejected, and whether some is accepted."""
    n_nodes, n_states = len(following), len(transitions)
    reached = np.zeros(n_nodes * n_states, np.bool_)
    reached[0] = True
    stack = np.empty(n_nodes * n_states, np.int64)
    stack[0] = 0
    height = 1
    outcomes = np.zeros((profile.max() + 1, 2), np.bool_)
    while height:
        height -= 1
        node, state = stack[height] // n_states, stack[height] % n_states
        outcomes[profile[node], np.int64(accepting[state])] = True
        for letter in range(2):
            target = following[node, letter] * n_states + transitions[state, letter]
            if not reached[target]:
                reached[target] = True
                stack[height] = target
                height += 1
    return outcomes


@dataclass(frozen=True)
class Outcomes:
    """What becomes of the words of each profile of one kind."""

    occurring: np.ndarray
    mixed: np.ndarray
    """(n_profiles, 2) whether some word is rejected, and whether some is accepted."""

    def decide(self) -> bool:
        """Return whether words of equal profile are treated alike."""
        return not self.mixed.all(axis=1).any()

    def forbid(self, inside: int) -> bool:
        """Return whether every word made of what occurs in accepted words is accepted (rejected ones with 0)."""
        allowed = np.bitwise_or.reduce(self.occurring[self.mixed[:, inside]], initial=np.uint64(0))
        return not self.mixed[self.occurring & ~allowed == 0, 1 - inside].any()


def outcomes(dfa: DFA, kinds: list[Profiles]) -> list[Outcomes]:
    return [
        Outcomes(kind.occurring, _outcomes(kind.following, kind.profile, dfa.transitions, dfa.accepting))
        for kind in kinds
    ]


def first(answers: list[bool], start: int) -> int | None:
    """Return the first parameter that is answered by yes."""
    return answers.index(True) + start if True in answers else None


@pytest.fixture(scope="module")
def world() -> list[tuple[DFA, Classification]]:
    return [(dfa, classify(dfa)) for dfa in small_world(3)]


def test_strictly_local_and_locally_testable(world: list[tuple[DFA, Classification]]) -> None:
    """Three live states have three pairs, so an acyclic pair graph has paths of two arcs at most: SL k is at most 4.

    No such bound is known for LT, but what has a k at all turns out to need at most 3.
    """
    kinds = [factor_profiles(k) for k in range(1, 5)]
    for dfa, classification in world:
        if dfa.accepting[0]:
            continue  # its complement is in the world as well, and what becomes of words is the same, exchanged
        other = classify(complement(dfa))
        found = outcomes(dfa, kinds)
        width = {
            "SL": first([kind.forbid(1) for kind in found], 1),
            "coSL": first([kind.forbid(0) for kind in found], 1),
            "LT": first([kind.decide() for kind in found], 1),
        }
        for key, exchanged in (("SL", "coSL"), ("coSL", "SL"), ("LT", "LT")):
            answer = (width[key] is not None, width[key])
            assert (classification.classes[key], classification.k.get(key)) == answer, key
            assert (other.classes[exchanged], other.k.get(exchanged)) == answer, exchanged


def test_strictly_piecewise_and_piecewise_testable(world: list[tuple[DFA, Classification]]) -> None:
    """Each letter of a minimal forbidden subsequence moves to a new state, so k is at most 2 for SP.

    For PT the length of subsequences is at most the depth of the DFA, 2 too (Klíma and Polák 2013).
    """
    kinds = [subsequence_profiles(k) for k in range(4)]
    for dfa, classification in world:
        found = outcomes(dfa, kinds)
        for key, inside in (("SP", 1), ("coSP", 0)):
            k = first([kind.forbid(inside) for kind in found], 0)
            assert (classification.classes[key], classification.k.get(key)) == (k is not None, k)
        assert classification.classes["PT"] == found[2].decide() == found[3].decide()


def test_beginnings_and_ends(world: list[tuple[DFA, Classification]]) -> None:
    """Words up to length 8 show every definite language of three states, whose k is at most 2."""
    asked = words("ab", 8)
    longest = 3
    keys = {
        "N": lambda word, k: "",
        "D": lambda word, k: word[len(word) - k :],
        "K": lambda word, k: word[:k],
        "GD": lambda word, k: word[:k] + word[len(word) - k :],
    }
    groups = {}
    for key, look in keys.items():
        for k in range(longest + 1):
            seen = [(k, look(word, k)) if len(word) >= k else (len(word), word) for word in asked]
            number = {value: index for index, value in enumerate(dict.fromkeys(seen))}
            groups[key, k] = np.array([number[value] for value in seen])
    for dfa, classification in world:
        states = np.zeros(1, np.int32)
        levels = [states]
        for _ in range(8):
            states = dfa.transitions[states].ravel()
            levels.append(states)
        accepted = dfa.accepting[np.concatenate(levels)]
        for key in keys:

            def decides(k: int, key: str = key, accepted: np.ndarray = accepted) -> bool:
                group = groups[key, k]
                counts = np.bincount(group, weights=accepted) / np.bincount(group)
                return bool(np.isin(counts, [0, 1]).all())

            k = first([decides(k) for k in range(longest + 1)], 0)
            assert (classification.classes[key], classification.k.get(key)) == (k is not None, k)


def test_finite_and_cofinite(world: list[tuple[DFA, Classification]]) -> None:
    """An infinite language of three states has words of length 3, 4 or 5; a finite one has none."""
    asked = [word for word in words("ab", 5) if len(word) >= 3]
    index = [[int(letter == "b") for letter in word] for word in asked]
    for dfa, classification in world:
        table, accepting = dfa.transitions.tolist(), dfa.accepting.tolist()
        outcomes = set()
        for word in index:
            state = 0
            for column in word:
                state = table[state][column]
            outcomes.add(accepting[state])
        assert classification.classes["Finite"] == (True not in outcomes)
        assert classification.classes["Cofinite"] == (False not in outcomes)
