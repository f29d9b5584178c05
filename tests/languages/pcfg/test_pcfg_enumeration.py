import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from pcfg_oracle import Oracle, all_strings, grammars, rules_of

from wug.errors import InputError
from wug.languages.pcfg import PCFG
from wug.languages.pcfg.ambiguity import Ambiguity
from wug.languages.pcfg.lr import is_lr1
from wug.sequences import Corpus

PALINDROMES = PCFG.from_text('S -> "a" S "a" [0.3] | "b" S "b" [0.3] | [0.4]', name="palindromes")


def members(language: PCFG, length: int) -> list[str]:
    """The strings up to a length in the language's order, found by trying all."""
    oracle, classes = Oracle(rules_of(language)), language.vocabulary.classes
    strings = [text for text in all_strings("".join(classes)[1:], length) if oracle.string(text) > 0]
    return sorted(strings, key=lambda text: (len(text), [classes[symbol] for symbol in text]))


def one(language: PCFG, text: str) -> Corpus:
    return Corpus.from_strings([text], language.vocabulary)


@settings(deadline=None, max_examples=40)
@given(grammars())
def test_order_and_number(language):
    expected = members(language, 4)
    assert list(language.first_strings(len(expected)).texts()) == expected
    for length in range(5):
        assert language.count(length) == sum(len(text) == length for text in expected)
    for place, text in enumerate(expected):
        behind = language.first_strings(len(expected) - place - 1, after=one(language, text))
        assert list(behind.texts()) == expected[place + 1 :]


def test_palindromes_have_no_dead_ends():
    """Every prefix is viable, but only one continuation in a million fits the length."""
    first = PALINDROMES.first_strings(3, after=one(PALINDROMES, "b" * 58))
    assert list(first.texts()) == ["a" * 60, "a" * 29 + "bb" + "a" * 29, "a" * 28 + "baab" + "a" * 28]
    last = "b" * 30 + "a" * 2 + "b" * 30
    assert list(PALINDROMES.first_strings(2, after=one(PALINDROMES, last)).texts()) == ["b" * 62, "a" * 64]
    assert [PALINDROMES.count(length) for length in (0, 1, 2, 11, 12)] == [1, 0, 2, 0, 64]


def test_lengths_with_gaps():
    language = PCFG.from_text(f'S -> {" ".join(["X"] * 150)} [0.5] | "b" [0.5]  X -> "a" [0.5] | "a" "a" "a" [0.5]')
    assert language.first_strings(152).lengths.tolist() == [1, *range(150, 451, 2)]


def test_long_strings():
    anbn = PCFG.from_text('S -> "a" X "b" [1]  X -> "a" X "b" [0.7] | [0.3]')
    first = anbn.first_strings(300, after=one(anbn, "a" * 20 + "b" * 20))
    assert list(first.texts()) == ["a" * n + "b" * n for n in range(21, 321)]


def test_a_finite_language_runs_out():
    language = PCFG.from_text('S -> A A [0.5] | [0.5]  A -> "a" [0.5] | "b" [0.25] | [0.25]', name="short")
    assert list(language.first_strings(7).texts()) == ["", "a", "b", "aa", "ab", "ba", "bb"]
    assert [language.count(length) for length in range(5)] == [1, 2, 4, 0, 0]
    with pytest.raises(InputError, match="short has only 7 strings, not 8"):
        language.first_strings(8)
    with pytest.raises(InputError, match="short has only 2 strings behind 'ab', not 3"):
        language.first_strings(3, after=one(language, "ab"))
    with pytest.raises(InputError, match="short has only 0 strings behind 'bb', not 1"):
        language.first_strings(1, after=one(language, "bb"))
    nothing = PCFG.from_text("S -> S S [0.25] | [0.75]")
    assert list(nothing.first_strings(1).texts()) == [""]
    assert (nothing.count(0), nothing.count(1)) == (1, 0)
    with pytest.raises(InputError, match="has only 1 strings"):
        nothing.first_strings(2)


def test_what_cannot_be_listed():
    assert len(PALINDROMES.first_strings(0)) == 0
    with pytest.raises(InputError, match="at least 0, not -1"):
        PALINDROMES.first_strings(-1)
    with pytest.raises(InputError, match="after one string, not 2"):
        PALINDROMES.first_strings(1, after=PALINDROMES.first_strings(2))
    with pytest.raises(InputError, match="'ab', which is not in palindromes"):
        PALINDROMES.first_strings(1, after=one(PALINDROMES, "ab"))
    with pytest.raises(InputError, match="must be 0 or more, not -1"):
        PALINDROMES.count(-1)


def test_counting_does_not_visit_strings():
    dyck = PCFG.from_text('S -> S "(" S ")" [0.3] | [0.7]')
    assert dyck.count(300) == math.comb(300, 150) // 151
    assert dyck.ambiguity.ambiguity is Ambiguity.UNAMBIGUOUS


@pytest.mark.parametrize(
    ("text", "is_deterministic"),
    [
        ('S -> "(" S ")" S [0.3] | [0.7]', True),
        ('S -> S "+" T [0.3] | T [0.7]  T -> "(" S ")" [0.1] | "x" [0.9]', True),
        # Aho, Lam, Sethi, Ullman 2006, section 4.7: LR(1), but neither SLR nor LALR
        (
            'S -> "a" A "d" [1/4] | "b" B "d" [1/4] | "a" B "e" [1/4] | "b" A "e" [1/4]  A -> "c" [1]  B -> "c" [1]',
            True,
        ),
        ('S -> L "=" R [0.5] | R [0.5]  L -> "*" R [0.2] | "i" [0.8]  R -> L [1]', True),
        ('S -> A "x" [0.5] | B "y" [0.5]  A -> "a" "b" [1]  B -> "a" "b" [1]', True),
        ('S -> A "b" "x" [0.5] | B "b" "y" [0.5]  A -> "a" [1]  B -> "a" [1]', False),  # needs two symbols
        ('S -> "a" S "a" [0.4] | [0.6]', False),
        ('S -> "i" S [0.2] | "i" S "e" S [0.2] | "x" [0.6]', False),
        ('S -> A [0.5] | B [0.5]  A -> "a" [1]  B -> "a" [1]', False),
    ],
)
def test_lookahead(text, is_deterministic):
    assert is_lr1(PCFG.from_text(text).grammar) == is_deterministic


@settings(deadline=None, max_examples=60)
@given(grammars())
def test_verdicts_on_ambiguity_agree_with_derivations(language):
    """Derivations are counted in plain Python where there are finitely many."""
    verdict = language.ambiguity
    counts = derivation_counts(language, 4)
    is_ambiguous = any(count > 1 for count in counts.values())
    if is_ambiguous:
        assert verdict.ambiguity is Ambiguity.AMBIGUOUS
    if verdict.ambiguity is Ambiguity.AMBIGUOUS and "derivations" in verdict.reason:
        witness = verdict.reason.split("'")[1]
        stated = float(verdict.reason.split()[-2])
        assert stated > 1
        assert len(witness) > 4 or counts[witness] == stated


def derivation_counts(language: PCFG, length: int) -> dict[str, float]:
    """Number of derivations of every string up to a length; infinite where a symbol derives itself."""
    counts: dict[tuple[str, str], float] = {}
    rules = rules_of(language)
    texts = all_strings("".join(language.vocabulary.symbols[1:]), length)

    def of_sequence(right: tuple[str, ...], text: str) -> float:
        if not right:
            return float(text == "")
        if right[0].islower():
            return of_sequence(right[1:], text[1:]) if text[:1] == right[0] else 0.0
        total = 0.0
        for cut in range(len(text) + 1):
            ways = counts.get((right[0], text[:cut]), 0.0)
            total += ways * of_sequence(right[1:], text[cut:]) if ways else 0.0
        return total

    for text in texts:
        n_rounds = 3 * len(rules)  # enough for chains of units; growth beyond it means a cycle
        for round_number in range(2 * n_rounds):
            for left in rules:
                new = sum(of_sequence(right, text) for _, right in rules[left])
                has_grown = new > counts.get((left, text), 0.0)
                counts[left, text] = math.inf if has_grown and round_number >= n_rounds else new
    return {text: counts["S", text] for text in texts}


def test_reasons():
    cyclic = PCFG.from_text('S -> A [0.3] | "a" [0.7]  A -> S [0.5] | "b" [0.5]')
    assert "'S' derives itself" in cyclic.ambiguity.reason
    empty = PCFG.from_text('S -> A "a" [1]  A -> B [0.5] | [0.5]  B -> [1]')
    assert (empty.ambiguity.ambiguity, empty.count(1)) == (Ambiguity.AMBIGUOUS, 1)
    several = PCFG.from_text('S -> S S [0.3] | "a" [0.7]')
    assert several.ambiguity.reason == "'aaa' has 2 derivations"
    finite = PCFG.from_text('S -> A "b" "x" [0.5] | B "b" "y" [0.5]  A -> "a" [1]  B -> "a" [1]')
    assert finite.ambiguity.reason == "each of its 2 strings has one derivation"
    assert finite.entropy_bits == 1
    assert PALINDROMES.ambiguity.ambiguity is Ambiguity.UNKNOWN


def test_all_strings_of_a_length_are_different_and_sorted():
    language = PCFG.from_text('S -> S S [0.2] | "a" [0.3] | "b" S "b" [0.1] | "c" [0.4]')
    n_strings = sum(language.count(length) for length in range(7))
    listed = language.first_strings(n_strings)
    keys = [(len(string), *string.tolist()) for string in listed]
    assert all(before < behind for before, behind in itertools.pairwise(keys))
    assert language.contains(listed).all()
    assert np.bincount(listed.lengths).tolist() == [language.count(length) for length in range(7)]
