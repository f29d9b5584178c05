import re

import pytest
from automata_worlds import language, words
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.canonical_form import canonical_text
from wug.languages.automata.dfa import Word
from wug.languages.automata.formulas import (
    And,
    Blocks,
    Concatenation,
    Count,
    Formula,
    Implies,
    Matches,
    Not,
    Occurrences,
    Or,
    Prefix,
    Suffix,
    Tier,
    Times,
    Xor,
    compile_formula,
    from_formula,
    parse_formula,
)
from wug.languages.automata.minimisation import minimise

LONGEST = 5
SYMBOLS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZáàǎéèěóòǒúùǔ"


def holds(formula: Formula, word: str) -> bool:
    """Return whether the word satisfies the formula, by the plain meaning of each node."""
    match formula:
        case Blocks(blocks):
            return re.fullmatch(".*" + ".*".join(map("".join, blocks)) + ".*", word) is not None
        case Prefix(start):
            return word.startswith("".join(start))
        case Suffix(end):
            return word.endswith("".join(end))
        case Occurrences(factor, at_least):
            return sum(word.startswith("".join(factor), place) for place in range(len(word))) >= at_least
        case Count(letter, modulus, remainders):
            return word.count(letter) % modulus in remainders
        case Matches(regex):
            return re.fullmatch(regex, word) is not None
        case Not(body):
            return not holds(body, word)
        case Tier(letters, body):
            return holds(body, "".join(letter for letter in word if letter in letters))
        case Times(number, body):
            if number == 0:
                return word == ""
            return any(
                holds(body, word[:cut]) and holds(Times(number - 1, body), word[cut:]) for cut in range(len(word) + 1)
            )
        case Concatenation(parts):
            if len(parts) == 1:
                return holds(parts[0], word)
            rest = Concatenation(parts[1:])
            return any(holds(parts[0], word[:cut]) and holds(rest, word[cut:]) for cut in range(len(word) + 1))
        case And(parts):
            return all(holds(part, word) for part in parts)
        case Or(parts):
            return any(holds(part, word) for part in parts)
        case Xor(parts):
            return sum(holds(part, word) for part in parts) % 2 == 1
        case Implies(condition, consequence):
            return not holds(condition, word) or holds(consequence, word)
    raise AssertionError(formula)


def formulas(letters: str) -> st.SearchStrategy[Formula]:
    """Return formulas in which every letter is one of ``letters``, over any tier of at least one of them."""
    word = st.text(letters, max_size=3).map(tuple)
    nonempty = st.text(letters, min_size=1, max_size=3).map(tuple)
    atoms = st.one_of(
        st.builds(Blocks, st.lists(nonempty, min_size=1, max_size=3).map(tuple)),
        st.just(Blocks(((),))),
        st.builds(Prefix, word),
        st.builds(Suffix, word),
        st.builds(Occurrences, nonempty, st.integers(0, 3)),
        st.builds(Count, st.sampled_from(letters), st.just(3), st.sampled_from([(), (0,), (1, 2)])),
        st.builds(Matches, word.map(lambda w: "".join(w) + f"({letters[0]}|{letters[-1]}.)*")),
    )

    def larger(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        several = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Not, parts),
            st.builds(Times, st.integers(0, 2), parts),
            st.builds(And, several),
            st.builds(Or, several),
            st.builds(Xor, several),
            st.builds(Concatenation, several),
            st.builds(Implies, parts, parts),
        )

    own = st.recursive(atoms, larger, max_leaves=4)
    if len(letters) == 1:
        return own
    tiers = st.builds(Tier, st.just(tuple(letters[1:])), formulas(letters[1:]))
    return st.recursive(st.one_of(own, tiers), larger, max_leaves=3)


@settings(deadline=None, max_examples=100)
@given(formulas("abc"))
def test_compiled_formulas_mean_what_their_nodes_say(formula: Formula) -> None:
    dfa = compile_formula(formula, "abcd")
    assert language(dfa, LONGEST) == {word for word in words("abcd", LONGEST) if holds(formula, word)}
    assert canonical_text(dfa) == canonical_text(minimise(dfa))
    assert minimise(dfa).transitions.tolist() == dfa.transitions.tolist()


@settings(deadline=None, max_examples=100)
@given(formulas("abc"))
def test_formulas_are_read_as_they_are_written(formula: Formula) -> None:
    assert parse_formula(str(formula)) == formula


def letters(text: str) -> Word:
    return tuple(text)


@pytest.mark.parametrize(
    ("text", "formula", "written"),
    [
        ("[ab]", Blocks((letters("ab"),)), "[ab]"),
        ("[]", Blocks(((),)), "[]"),
        ("[a^3~(ab)^2 ~ b]", Blocks((letters("aaa"), letters("abab"), letters("b"))), "[aaa ~ abab ~ b]"),
        ("<(ab)^4>", Blocks(tuple((x,) for x in "abababab")), "<(ab)^4>"),
        ("[a ~ b]", Blocks((("a",), ("b",))), "<ab>"),
        ("^a^5", Prefix(letters("aaaaa")), "^a^5"),
        ("not$", Suffix(letters("not")), "not$"),
        ("not a$", Not(Suffix(letters("a"))), "not a$"),
        ("(ab)^2$", Suffix(letters("abab")), "abab$"),
        ("(ab$)", Suffix(letters("ab")), "ab$"),
        ("occ>=2(a^4)", Occurrences(letters("aaaa"), 2), "occ>=2(a^4)"),
        ("#c mod 3 in {2, 0}", Count("c", 3, (0, 2)), "#c mod 3 in {0,2}"),
        ("/(a|b)*/", Matches("(a|b)*"), "/(a|b)*/"),
        (r"/a\/b/", Matches(r"a\/b"), r"/a\/b/"),
        ("{ab}: [a]", Tier(("a", "b"), Blocks((("a",),))), "{a,b}: [a]"),
        ("3 x [a] . b$", Concatenation((Times(3, Blocks((("a",),))), Suffix(("b",)))), "3 x [a] · b$"),
        (r"[\[\$]", Blocks((("[", "$"),)), r"[\[\$]"),
        ("['tsch'a]", Blocks((("tsch", "a"),)), "['tsch'a]"),
        ("[0^2 ~ 12]", Blocks((("0", "0"), ("1", "2"))), "[00 ~ 12]"),
    ],
)
def test_notation(text: str, formula: Formula, written: str) -> None:
    assert parse_formula(text) == formula
    assert str(formula) == written
    assert parse_formula(written) == formula


@pytest.mark.parametrize(
    ("text", "bracketed"),
    [
        ("not [a] and [b]", "(not [a]) and [b]"),
        ("[a] · [b] and [c]", "([a] · [b]) and [c]"),
        ("[a] and [b] xor [c] or [d] -> [e]", "((([a] and [b]) xor [c]) or [d]) -> [e]"),
        ("[a] -> [b] -> [c]", "[a] -> ([b] -> [c])"),
        ("2 x not [a] or [b]", "(2 x (not [a])) or [b]"),
        ("[c] and {ab}: [a] and [b] -> [a]", "[c] and ({ab}: (([a] and [b]) -> [a]))"),
        ("not {ab}: [a] and [b]", "not ({ab}: ([a] and [b]))"),
        ("[a]and[b]", "[a] and [b]"),
    ],
)
def test_binding(text: str, bracketed: str) -> None:
    assert parse_formula(text) == parse_formula(bracketed)


def test_sixty_four_letters() -> None:
    formula = "not (<(ab)^3> or <(ba)^3> or <(bc)^3> or <(cd)^3> or <d^6>)"
    small, large = from_formula(formula, SYMBOLS[:5]), from_formula(formula, SYMBOLS)
    assert large.n_states == small.n_states == 613
    assert large.transitions[:, :5].tolist() == small.transitions.tolist()
    assert (large.transitions[:, 5:] == small.transitions[:, 4:]).all()


def test_the_specifications_example() -> None:
    dfa = from_formula("not [aa] and not [bb]", SYMBOLS[:4])
    assert canonical_text(dfa).splitlines()[0] == "4 4"
    assert canonical_text(from_formula("not [aa]", SYMBOLS[:4])) == "3 4\n1 1 0 0 0\n1 2 0 0 0\n0 2 2 2 2\n"
    assert canonical_text(from_formula("{abc}: not [aa]", SYMBOLS[:4])) == "3 4\n1 1 0 0 0\n1 2 0 0 1\n0 2 2 2 2\n"


def test_tiers_within_tiers_and_alphabet_order() -> None:
    nested = from_formula("{cba}: {ab}: /(ab)*/", "abcd")
    assert canonical_text(nested) == canonical_text(from_formula("{b,a}: /(ab)*/", "abcd"))
    assert language(from_formula("{ab}: /[a-b]/", "abc"), 2) == {
        w for w in words("abc", 2) if len(w.replace("c", "")) == 1
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: expected a formula, found the end"),
        ("[aa] and", "column 9: expected a formula, found the end"),
        ("[aa] [bb]", r"column 6: expected a connective, found '\['"),
        ("[a", r"column 3: expected '~' or '\]', found the end"),
        ("{a}: a -> [b]", "column 6: expected a formula, found 'a'"),
        ("#ab mod 2 in {1}", "column 2: one letter is counted at a time"),
        ("#a mod 0 in {0}", "column 8: a modulus must be at least 1"),
        ("#a mod 2 in {0,2}", r"column 16: a remainder modulo 2 must be one of 0\.\.1"),
        ("[b] or /a(/", "column 8: regular expression 'a.', column 3: expected an expression"),
        ("[a^99999]", "column 2: a word must have at most 10000 letters"),
        ("10001 x [a]", "column 1: 10001 is more than 10000"),
        ("not " * 5000 + "[a]", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_column(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_formula(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ax]", "names 'x', which is not among the letters a b c there"),
        ("{ab}: [c]", "names 'c', which is not among the letters a b there"),
        ("{ab}: {bc}: [b]", "names 'c', which is not among the letters a b there"),
        ("{ab}: /c/", "column 1: 'c' is not in the alphabet a b"),
        ("#x mod 2 in {0}", "names 'x'"),
    ],
)
def test_letters_outside_alphabet_or_tier_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_formula(text, "abc")
