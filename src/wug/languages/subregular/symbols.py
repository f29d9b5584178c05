"""The alphabets of MLRegTest and the order of their symbols in its files."""

import string

ACCENTED = "áàǎéèěóòǒúùǔ"

ALPHABET = string.ascii_lowercase + string.ascii_uppercase + ACCENTED
"""The 64 symbols; an alphabet of n symbols is the first n."""

_PUBLISHED_IDS = dict(zip(ACCENTED, [*range(48, 58), 35, 36], strict=True))


def symbol_id(symbol: str) -> int:
    """Return the number of a symbol in MLRegTest's symbol tables, by which words are sorted in its files.

    It is the code point, except for the twelve accented letters. Source: ``src/fstlib/att_format/alph64.txt`` in
    github.com/heinz-jeffrey/subregular-learning.
    """
    return _PUBLISHED_IDS.get(symbol, ord(symbol))


def sorting_ranks(alphabet: tuple[str, ...]) -> list[int]:
    """Return each letter's place, from 0, in the order by which words are sorted in files.

    By symbol id where all letters are single characters, else by the alphabet's own order.
    """
    if any(len(letter) != 1 for letter in alphabet):
        return list(range(len(alphabet)))
    order = sorted(range(len(alphabet)), key=lambda letter: symbol_id(alphabet[letter]))
    return [order.index(letter) for letter in range(len(alphabet))]
