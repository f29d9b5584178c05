"""All words that the data sets of one language hold, each once, with the sets that hold it."""

import numba
import numpy as np
from numpy.typing import NDArray

_FREE = -1


class WordLedger:
    """Words of any lengths, each with a number and with marks for the sets that it is in.

    A mark is one bit. ``admit`` is the one rule for all sets: a word (or both words of a pair) is taken unless it bears
    one of the forbidden marks; then it is marked. A set without duplicates forbids its own mark.

    Besides, the ledger counts how many words of a length and label bear which marks, so that one knows exactly how many
    are left to draw.
    """

    def __init__(self, n_letters: int, longest: int, n_marks: int) -> None:
        self._letters = np.empty(1 << 16, dtype=np.min_scalar_type(n_letters))
        self._starts = np.zeros(1 << 10, dtype=np.int64)
        self._marks = np.zeros(1 << 10, dtype=np.uint8)
        self._slots = np.full(1 << 11, _FREE, dtype=np.int32)
        self._n_words = 0
        self._tally = np.zeros((longest + 1, 2, 1 << n_marks), dtype=np.int64)

    def __len__(self) -> int:
        """Return the number of different words."""
        return self._n_words

    def admit(
        self,
        words: NDArray[np.int32],
        lengths: NDArray[np.int64],
        accepted: bool,
        *,
        forbidden: int,
        mark: int,
        limit: int,
    ) -> NDArray[np.int64]:
        """Return the numbers of the first ``limit`` words that are admitted, in order.

        ``words`` (n, width) holds a word in the first ``lengths[i]`` letters of each row; all have the label
        ``accepted``. A repeated word is admitted again unless ``mark`` is among the forbidden ones.
        """
        return self.admit_pairs([(words, lengths, accepted)], forbidden=forbidden, mark=mark, limit=limit)[:, 0]

    def admit_pairs(
        self,
        sides: list[tuple[NDArray[np.int32], NDArray[np.int64], bool]],
        *,
        forbidden: int,
        mark: int,
        limit: int,
    ) -> NDArray[np.int64]:
        """Return (n_admitted, n_sides) numbers of the rows all of whose words are admitted together.

        Each side is (words, lengths, accepted) as in ``admit``; row i of every side belong together and are different.
        """
        n_rows = len(sides[0][0])
        self._make_room(len(sides) * n_rows, sum(int(lengths.sum()) for _, lengths, _ in sides))
        admitted = np.empty((n_rows, len(sides)), dtype=np.int64)
        width = max(words.shape[1] for words, _, _ in sides)
        stacked = np.zeros((n_rows, len(sides), width), dtype=self._letters.dtype)
        for side, (words, _, _) in enumerate(sides):
            stacked[:, side, : words.shape[1]] = words
        n_admitted, self._n_words = _admit(
            stacked,
            np.stack([lengths for _, lengths, _ in sides], axis=1),
            np.array([int(accepted) for _, _, accepted in sides]),
            forbidden,
            mark,
            limit,
            self._letters,
            self._starts,
            self._marks,
            self._slots,
            self._n_words,
            self._tally,
            admitted,
        )
        return admitted[:n_admitted]

    def n_marked(self, length: int, accepted: bool, marks: int) -> int:
        """Return how many words of a length and label bear at least one of the marks."""
        tally = self._tally[length, int(accepted)]
        return int(tally[(np.arange(len(tally)) & marks) > 0].sum())

    def words(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.integer], NDArray[np.int64]]:
        """Return flat letters and offsets of the words with these numbers, repetitions kept."""
        starts = self._starts[numbers]
        offsets = np.concatenate(([0], np.cumsum(self._starts[numbers + 1] - starts)))
        return _gather(self._letters, starts, offsets), offsets

    def _make_room(self, n_words: int, n_letters: int) -> None:
        words, letters = self._n_words + n_words, int(self._starts[self._n_words]) + n_letters
        if letters > len(self._letters):
            self._letters = np.resize(self._letters, 2 * letters)
        if words + 1 > len(self._marks):
            self._starts = np.resize(self._starts, 2 * words + 1)
            self._marks = np.concatenate(
                (self._marks[: self._n_words], np.zeros(2 * words + 1 - self._n_words, np.uint8))
            )
        if 2 * words > len(self._slots):
            self._slots = np.full(1 << (4 * words).bit_length(), _FREE, dtype=np.int32)
            _enter_all(self._letters, self._starts, self._slots, self._n_words)


@numba.njit(cache=True, nogil=True)
def _hash(letters: NDArray[np.integer]) -> np.uint64:
    value = np.uint64(0xCBF29CE484222325)
    for letter in letters:
        value = (value ^ np.uint64(letter)) * np.uint64(0x100000001B3)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    return value ^ (value >> np.uint64(32))


@numba.njit(cache=True, nogil=True)
def _find(
    word: NDArray[np.integer],
    letters: NDArray[np.integer],
    starts: NDArray[np.int64],
    slots: NDArray[np.int32],
) -> tuple[np.int64, np.int64]:
    """Return (number, slot) of a word; the number is negative and the slot the one to enter it if it is new."""
    mask = len(slots) - 1
    slot = np.int64(_hash(word) & np.uint64(mask))
    while slots[slot] != _FREE:
        number = np.int64(slots[slot])
        start = starts[number]
        if starts[number + 1] - start == len(word):
            position = 0
            while position < len(word) and letters[start + position] == word[position]:
                position += 1
            if position == len(word):
                return number, slot
        slot = (slot + 1) & mask
    return np.int64(_FREE), slot


@numba.njit(cache=True, nogil=True)
def _enter_all(letters: NDArray[np.integer], starts: NDArray[np.int64], slots: NDArray[np.int32], n_words: int) -> None:
    for number in range(n_words):
        _, slot = _find(letters[starts[number] : starts[number + 1]], letters, starts, slots)
        slots[slot] = number


@numba.njit(cache=True, nogil=True)
def _admit(
    words: NDArray[np.integer],
    lengths: NDArray[np.int64],
    labels: NDArray[np.int64],
    forbidden: int,
    mark: int,
    limit: int,
    letters: NDArray[np.integer],
    starts: NDArray[np.int64],
    marks: NDArray[np.uint8],
    slots: NDArray[np.int32],
    n_words: int,
    tally: NDArray[np.int64],
    admitted: NDArray[np.int64],
) -> tuple[int, int]:
    n_rows, n_sides = lengths.shape
    n_admitted = 0
    for row in range(n_rows):
        if n_admitted == limit:
            break
        good = True
        for side in range(n_sides):
            number, _ = _find(words[row, side, : lengths[row, side]], letters, starts, slots)
            if number != _FREE and marks[number] & forbidden:
                good = False
                break
        if not good:
            continue
        for side in range(n_sides):
            length = lengths[row, side]
            number, slot = _find(words[row, side, :length], letters, starts, slots)
            if number == _FREE:
                number = n_words
                slots[slot] = number
                letters[starts[number] : starts[number] + length] = words[row, side, :length]
                starts[number + 1] = starts[number] + length
                n_words += 1
            else:
                tally[length, labels[side], marks[number]] -= 1
            marks[number] |= mark
            tally[length, labels[side], marks[number]] += 1
            admitted[n_admitted, side] = number
        n_admitted += 1
    return n_admitted, n_words


@numba.njit(cache=True, nogil=True)
def _gather(letters: NDArray[np.integer], starts: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.integer]:
    gathered = np.empty(offsets[-1], letters.dtype)
    for word in range(len(starts)):
        length = offsets[word + 1] - offsets[word]
        gathered[offsets[word] : offsets[word + 1]] = letters[starts[word] : starts[word] + length]
    return gathered
