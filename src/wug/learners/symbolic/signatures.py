"""What a string shows, as a fingerprint; languages that are unions of classes of strings that show the same.

    kind                   two strings are alike if                                                unions are
    counted windows        each window of width k occurs equally often in both, counted up to t    LTT(k, t), LT(k)
    block sequences        the same sequences of at most j blocks of at most k symbols occur       PLT(k, j)
    ... of single letters  the same subsequences of at most k letters occur (Simon's congruence)   PT(k)

Each is a congruence of finite index: what a string shows and the next letter decide what the longer string shows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wug.errors import InputError
from wug.languages.automata.dfa import DFA
from wug.languages.automata.minimisation import minimise
from wug.learners.symbolic import _key_sets, _signature_kernels
from wug.learners.symbolic.strings import Strings

_AT_ONCE = 1 << 16
_SALTS = np.array([0x243F6A8885A308D3, 0x13198A2E03707344], dtype=np.uint64)
LARGEST_AUTOMATON = 500_000
"""Classes after which no automaton is built."""

Signature = Callable[[Strings], NDArray[np.uint64]]
"""strings -> (n_strings, 2) fingerprints of what each string shows."""


def counted_windows(k: int, t: int) -> Signature:
    """Return the signature of the windows of width k (see ``_key_sets``), each counted up to t."""

    def signature(strings: Strings) -> NDArray[np.uint64]:
        keys = _key_sets.window_keys(strings.columns, strings.offsets, k, len(strings.alphabet) + 1)
        return _signature_kernels.counted_windows(keys, strings.offsets, t, _SALTS)

    return signature


def block_sequences(k: int, blocks: int, *, with_ends: bool) -> Signature:
    """Return the signature of sequences of blocks, which may hold the ends of the string ``with_ends``."""

    def signature(strings: Strings) -> NDArray[np.uint64]:
        return _signature_kernels.block_sequences(
            strings.columns, strings.offsets, k, blocks, with_ends, len(strings.alphabet) + 1, _SALTS
        )

    return signature


@dataclass(frozen=True, eq=False)
class SignatureSet:
    """The signatures that a sample shows."""

    known: frozenset[bytes]
    signature: Signature
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, strings: Strings, signature: Signature) -> "SignatureSet":
        """Return the signatures of some strings."""
        return cls(frozenset(_as_bytes(signature(strings))), signature, strings.alphabet)

    def hold(self, strings: Strings) -> NDArray[np.bool_]:
        """Return (n_strings,) whether the signature of each string is in the set."""
        found = (one in self.known for one in _as_bytes(self.signature(strings)))
        return np.fromiter(found, dtype=np.bool_, count=len(strings))

    def to_dfa(self) -> DFA:
        """Return the minimal DFA of the strings with these signatures.

        Its states before minimisation are all the classes that there are, each explored by its first string in order
        of length. InputError where there are more than ``LARGEST_AUTOMATON``.
        """
        transitions, signatures = explore_classes(self.signature, self.alphabet)
        accepting = np.fromiter((one in self.known for one in signatures), dtype=np.bool_, count=len(signatures))
        return minimise(DFA(transitions, accepting, self.alphabet))


def explore_classes(
    signature: Signature, alphabet: tuple[str, ...], largest: int = LARGEST_AUTOMATON
) -> tuple[NDArray[np.int32], list[bytes]]:
    """Return (n_classes, n_letters) where each letter leads from each class of strings, and the classes' signatures.

    Class 0 is that of the empty string. InputError where there are more than ``largest``.
    """
    n_letters = len(alphabet)
    words = np.empty((1, 0), dtype=np.int32)
    signatures = _as_bytes(signature(_rows(words, alphabet)))
    numbers = {signatures[0]: 0}
    rows: list[NDArray[np.int32]] = []
    while len(words):
        found = [np.empty((0, words.shape[1] + 1), dtype=np.int32)]
        for first in range(0, len(words), _AT_ONCE // n_letters + 1):
            longer = _extended(words[first : first + _AT_ONCE // n_letters + 1], n_letters)
            targets = np.empty(len(longer), dtype=np.int32)
            fresh = []
            for index, one in enumerate(_as_bytes(signature(_rows(longer, alphabet)))):
                if one not in numbers:
                    numbers[one] = len(numbers)
                    fresh.append(index)
                targets[index] = numbers[one]
            rows.append(targets)
            found.append(longer[fresh])
            if len(numbers) > largest:
                raise InputError(f"the automaton is too large: it has more than {largest:,} states")
        words = np.concatenate(found)
    return np.concatenate(rows).reshape(len(numbers), n_letters), list(numbers)


def _extended(words: NDArray[np.int32], n_letters: int) -> NDArray[np.int32]:
    """Return (n_words * n_letters, length + 1) each word with each letter behind it."""
    last = np.tile(np.arange(n_letters, dtype=np.int32), len(words))
    return np.column_stack([np.repeat(words, n_letters, axis=0), last])


def _rows(words: NDArray[np.int32], alphabet: tuple[str, ...]) -> Strings:
    """Return (n_words, length) columns as strings."""
    offsets = np.arange(len(words) + 1, dtype=np.int64) * words.shape[1]
    return Strings(np.ascontiguousarray(words, dtype=np.int32).ravel(), offsets, alphabet)


def _as_bytes(prints: NDArray[np.uint64]) -> list[bytes]:
    """Return each row of fingerprints as 16 bytes."""
    return list(np.ascontiguousarray(prints).view("V16").ravel().tolist())
