"""The grammar of wug's own suites, and a chart parser for it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

Rules = Mapping[str, tuple[tuple[str, ...], ...]]


@dataclass(frozen=True)
class Grammar:
    """A context-free grammar whose words may have several pieces."""

    rules: Rules
    lexicon: Mapping[str, tuple[str, ...]]

    @cached_property
    def edges(self) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
        """The pieces with which a text of each category can begin, and those with which it can end."""
        found = {
            name: (
                {word.split()[0] for word in self.lexicon.get(name, ())},
                {word.split()[-1] for word in self.lexicon.get(name, ())},
            )
            for name in {*self.rules, *self.lexicon}
        }
        grows = True
        while grows:
            before = sum(len(one) for pair in found.values() for one in pair)
            for name, rights in self.rules.items():
                for right in rights:
                    found[name][0].update(found[right[0]][0])
                    found[name][1].update(found[right[-1]][1])
            grows = sum(len(one) for pair in found.values() for one in pair) > before
        return {name: (frozenset(first), frozenset(last)) for name, (first, last) in found.items()}

    def analyses(self, text: str, category: str = "TOP") -> int:
        """Return in how many ways a text is of a category."""
        words = text.split()
        edges = self.edges
        known: dict[tuple[str, int, int], int] = {}

        def count(name: str, start: int, stop: int) -> int:
            first, last = edges[name]
            if words[start] not in first or words[stop - 1] not in last:
                return 0
            key = name, start, stop
            if key not in known:
                is_word = " ".join(words[start:stop]) in self.lexicon.get(name, ())
                known[key] = is_word + sum(split(right, start, stop) for right in self.rules.get(name, ()))
            return known[key]

        def split(right: tuple[str, ...], start: int, stop: int) -> int:
            if len(right) == 1:
                return count(right[0], start, stop)
            total = 0
            for middle in range(start + 1, stop - len(right) + 2):
                first = count(right[0], start, middle)
                total += first * split(right[1:], middle, stop) if first else 0
            return total

        return count(category, 0, len(words))

    def derives(self, text: str, category: str = "TOP") -> bool:
        """Return whether a text is of a category."""
        return self.analyses(text, category) > 0


@cache
def english() -> Grammar:
    """Return the grammar in grammar.txt with the words in lexicon.toml."""
    rules: dict[str, tuple[tuple[str, ...], ...]] = {}
    for line in Path(__file__).with_name("grammar.txt").read_text("utf-8").splitlines():
        for number in ("sg", "pl") if "{n}" in line else ("",):
            left, arrow, right = line.replace("{n}", number).partition("->")
            if arrow and not line.startswith("#"):
                alternatives = tuple(tuple(one.split()) for one in right.split("|"))
                rules[left.strip()] = rules.get(left.strip(), ()) + alternatives
    lexicon = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))
    return Grammar(rules, {category: tuple(words) for category, words in lexicon.items()})
