"""Every rule that the data sets of a language must keep, checked on the text of their files."""

from collections import Counter
from itertools import pairwise

from wug.languages.subregular.datasets import DataSets
from wug.languages.subregular.files import text_lines
from wug.languages.subregular.plan import Set

SYMBOL_IDS = dict(zip("áàǎéèěóòǒúùǔ", [*range(48, 58), 35, 36], strict=True))
TO_SYMBOL_IDS = {ord(letter): symbol_id for letter, symbol_id in SYMBOL_IDS.items()}


def lines_of(sets: DataSets, of: Set, size: str) -> list[tuple[str, bool]]:
    """Return (word, label of the source of the strings) in file order."""
    is_exchanged = sets.language.complement_of is not None
    text = text_lines(sets.strings(of, size)).decode()
    assert text.endswith("\n")
    pairs = [line.split("\t") for line in text[:-1].split("\n")]
    assert {label for _, label in pairs} == {"TRUE", "FALSE"}
    return [(word, (label == "TRUE") != is_exchanged) for word, label in pairs]


def border_pairs(lines: list[tuple[str, bool]]) -> list[tuple[str, str]]:
    """Return the pairs of an adversarial set: blocks of TRUE words, each followed by the partners in the same order."""
    pairs: list[tuple[str, str]] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end][1] and len(lines[end][0]) == len(lines[start][0]):
            end += 1
        block = end - start
        partners = lines[end : end + block]
        assert len(partners) == block > 0
        assert not any(label for _, label in partners)
        pairs += [(x, y) for (x, _), (y, _) in zip(lines[start:end], partners, strict=True)]
        start = end + block
    return pairs


def one_edit_apart(x: str, y: str) -> bool:
    same = 0
    while same < min(len(x), len(y)) and x[same] == y[same]:
        same += 1
    a, b = x[same:], y[same:]
    return x != y and (a[1:] == b[1:] or a[1:] == b or a == b[1:])


def check_order(of: Set, lines: list[tuple[str, bool]], lengths: tuple[int, ...]) -> None:
    """Length ascending, TRUE before FALSE, each block sorted by symbol ids; partners go with their words."""
    listed = [(x, True) for x, _ in border_pairs(lines)] if of.is_adversarial else lines
    by_ids = "\n".join(word for word, _ in listed).translate(TO_SYMBOL_IDS).split("\n")
    keys = [(len(word), not label, word) for word, (_, label) in zip(by_ids, listed, strict=True)]
    assert keys == sorted(keys)
    assert sorted({key[0] for key in keys}) == list(lengths)


def check_data_sets(sets: DataSets) -> None:
    """Check one language's sets in all sizes that were drawn."""
    plan = sets.plan
    smaller: dict[Set, Counter] = {}
    for size in sets.sizes:
        words: dict[Set, list[str]] = {}
        for of in Set:
            lines = lines_of(sets, of, size)
            strings = sets.strings(of, size)
            assert (sets.language.contains(strings.corpus) == strings.labels).all()
            words[of] = [word for word, _ in lines]
            assert len(lines) == plan.sizes[size]
            per_length = plan.per_length(of, size)
            counts = Counter((len(word), label) for word, label in lines)
            lengths = plan.lengths(of)
            assert all(counts[length, True] == per_length for length in lengths)
            assert sum(n for (_, label), n in counts.items() if label) == plan.sizes[size] // 2
            if of.is_adversarial:
                pairs = border_pairs(lines)
                assert all(one_edit_apart(x, y) for x, y in pairs)
                assert all(abs(len(x) - len(y)) <= 1 for x, y in pairs)
                content = Counter(pairs)
            else:
                assert all(counts[length, False] == per_length for length in lengths)
                content = Counter(lines)
            check_order(of, lines, lengths)
            assert not smaller.get(of, Counter()) - content
            smaller[of] = content
        for of in (Set.DEV, Set.SR, Set.LR, Set.SA, Set.LA):
            assert len(set(words[of])) == len(words[of])
        for one, other in [("Train", "Dev"), ("Train", "SR"), ("Dev", "SR"), ("Train", "SA"), ("Dev", "SA")]:
            assert not set(words[Set(one)]) & set(words[Set(other)])
        assert not set(words[Set.SA]) & set(words[Set.LA])
        assert all(small != large for small, large in pairwise(sets.sizes))
