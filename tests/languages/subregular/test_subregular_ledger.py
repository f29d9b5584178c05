"""The ledger of words against a plain dictionary."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.languages.subregular.ledger import WordLedger

WORD = st.lists(st.integers(0, 2), max_size=4).map(tuple)
REQUEST = st.tuples(st.lists(WORD, max_size=12), st.integers(0, 7), st.sampled_from([1, 2, 4]), st.integers(0, 12))


def rows(words):
    """Return padded letters and lengths."""
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    letters = np.zeros((len(words), 4), dtype=np.int32)
    for index, word in enumerate(words):
        letters[index, : len(word)] = word
    return letters, lengths


def is_accepted(word):
    return sum(word) % 2 == 0


class PlainLedger:
    """What the ledger should do, word by word."""

    def __init__(self):
        self.marks = {}

    def admit(self, words, forbidden, mark, limit):
        admitted = []
        for word in words:
            if len(admitted) < limit and not self.marks.get(word, 0) & forbidden:
                self.marks[word] = self.marks.get(word, 0) | mark
                admitted.append(word)
        return admitted

    def n_marked(self, length, accepted, marks):
        return sum(
            bool(found & marks) and len(word) == length and is_accepted(word) == accepted
            for word, found in self.marks.items()
        )


@settings(deadline=None, max_examples=100)
@given(st.lists(REQUEST, max_size=6))
def test_words_are_admitted_once_per_rule(requests):
    ledger, plain = WordLedger(3, 4, 3), PlainLedger()
    for words, forbidden, mark, limit in requests:
        for accepted in (True, False):
            chosen = [word for word in words if is_accepted(word) == accepted]
            numbers = ledger.admit(*rows(chosen), accepted, forbidden=forbidden, mark=mark, limit=limit)
            letters, offsets = ledger.words(numbers)
            spelled = [tuple(letters[a:b].tolist()) for a, b in pairwise(offsets)]
            assert spelled == plain.admit(chosen, forbidden, mark, limit)
    assert len(ledger) == len(plain.marks)
    for length in range(5):
        for marks in range(8):
            for accepted in (True, False):
                assert ledger.n_marked(length, accepted, marks) == plain.n_marked(length, accepted, marks)


def test_pairs_are_admitted_only_together():
    ledger = WordLedger(3, 4, 3)
    ledger.admit(*rows([(0,)]), True, forbidden=0, mark=1, limit=1)
    inside, outside = [(0,), (2,), (2, 2), (1, 1)], [(1,), (2, 1), (2, 1), (1,)]
    numbers = ledger.admit_pairs([(*rows(inside), True), (*rows(outside), False)], forbidden=1 | 2, mark=2, limit=10)
    # (0,) bears mark 1; (2, 1) is taken when it comes the second time; (1,) was not taken with the first pair
    spelled = [[tuple(ledger.words(numbers[row, side : side + 1])[0].tolist()) for side in (0, 1)] for row in (0, 1)]
    assert spelled == [[(2,), (2, 1)], [(1, 1), (1,)]]
    assert len(numbers) == 2


def test_growing_keeps_every_word():
    rng = np.random.default_rng(0)
    ledger = WordLedger(300, 6, 1)
    words = rng.integers(0, 300, size=(5000, 6)).astype(np.int32)
    numbers = np.concatenate([
        ledger.admit(part, np.full(len(part), 6), True, forbidden=1, mark=1, limit=len(part))
        for part in np.array_split(words, 40)
    ])  # fmt: skip
    letters, _ = ledger.words(numbers)
    assert (letters.reshape(-1, 6) == words[: len(numbers)]).all()
    again = ledger.admit(words, np.full(5000, 6), True, forbidden=1, mark=1, limit=5000)
    assert len(again) == 0
    assert ledger.n_marked(6, True, 1) == len(ledger) == 5000
