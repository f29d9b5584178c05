from fractions import Fraction

import pytest
from hypothesis import given, settings
from pcfg_oracle import grammars

from wug.errors import InputError
from wug.languages.pcfg import PCFG, read_grammar
from wug.sequences import Corpus, Vocabulary


def test_notation():
    grammar = read_grammar(
        """
        # a comment, then a rule over several lines
        S -> "a" X 'b' [ 1/2 ]   # the first symbol is the start symbol
           | '"' "'" "\\"\\\\" [0.25]
           | [2.5e-1]
        X→"#"[.5]|Y-1[0.5]
        Y-1 -> "two" [1/3]
        Y-1 -> S [2/3]
        """
    )
    assert [(rule.left, " ".join(map(str, rule.right)), rule.probability, rule.line) for rule in grammar.rules] == [
        ("S", '"a" X "b"', Fraction(1, 2), 3),
        ("S", '"\\"" "\'" "\\"\\\\"', Fraction(1, 4), 4),
        ("S", "", Fraction(1, 4), 5),
        ("X", '"#"', Fraction(1, 2), 6),
        ("X", "Y-1", Fraction(1, 2), 6),
        ("Y-1", '"two"', Fraction(1, 3), 7),
        ("Y-1", "S", Fraction(2, 3), 8),
    ]
    assert [rule.is_exact for rule in grammar.rules] == [True, False, False, False, False, True, True]
    assert grammar.start == "S"
    assert grammar.terminals == ("a", "b", '"', "'", '"\\', "#", "two")


@settings(deadline=None, max_examples=50)
@given(grammars())
def test_what_is_written_is_read_again(language):
    again = PCFG.from_text(str(language.grammar), vocabulary=language.vocabulary)
    assert [(rule.left, rule.right, rule.probability) for rule in again.grammar.rules] == [
        (rule.left, rule.right, rule.probability) for rules in language.grammar.alternatives.values() for rule in rules
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "grammar: there is no rule"),
        ("# nothing\n", "grammar: there is no rule"),
        ('S "a" [1]', "line 1, column 3: expected '->' after 'S', found '\"a\"'"),
        ('\n  | "a" [1]', "line 2, column 3: expected a rule"),
        (
            'S -> "a"',
            "line 1, column 9: expected a probability in brackets to end the alternative of 'S', found the end",
        ),
        ('S -> "a"\nX -> [1]', "line 2, column 1: expected a probability .* of 'S', found 'X'"),
        ('S -> "a" [1] "b"', "line 1, column 14: expected a rule"),
        ('S -> "a [1]', "line 1, column 6: the quoted terminal is not closed"),
        ('S -> "a" [1', r"line 1, column 10: '\]' is missing"),
        ("S -> ] [1]", r"line 1, column 6: '\]' does not belong here"),
        ('S -> "" [1]', "line 1, column 6: a terminal must be one or more characters"),
        ('S -> "a b" [1]', "line 1, column 6: a terminal must be one or more characters without blanks"),
        *(
            (f'S -> "a" [{wrong}]', "line 1, column 10: a probability must be a decimal or a fraction above 0")
            for wrong in ("", "x", "0", "0/5", "1/0", "2", "7/5", "-1", "1.1", "nan", "1e-999999999", "1_0", "0.5.5")
        ),
    ],
)
def test_what_cannot_be_read(text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_grammar(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("S -> A [1]", "line 1: the nonterminal 'A' has no rule; .* write \"A\" in quotes"),
        ('S -> "a" [0.5]\n   | [0.4]', "line 1: the probabilities of 'S' sum to 0.9, not 1"),
        ('S -> "a" X [1]\nX -> "a" [1/3] | [1/3] | "b" [1/4]', "line 2: the probabilities of 'X' sum to 11/12, not 1"),
        ('S -> "a" [333333/1000000] | [2/3]', "line 1: the probabilities of 'S' sum to 2999999/3000000, not 1"),
        ('S -> "a" [1]\n\nX -> "b" [1]', "line 3: 'X' cannot be reached from the start symbol 'S'"),
        ('S -> "a" [0.5] | X [0.5]\nX -> "b" X [1]', "line 2: no finite string can be derived from 'X'"),
        ("S -> S [1]", "line 1: no finite string can be derived from 'S'"),
        ('S -> S S [0.6] | "a" [0.4]', "line 1: .* total probability 0.666667 instead of 1; the expansions of 'S'"),
        (
            'S -> "b" X [1]\nX -> X X X [0.5] | "a" [0.5]',
            "line 2: .* total probability 0.618034 instead of 1; the expansions of 'X'",
        ),
        (
            'S -> A [1/2] | [1/2]\nA -> S S S [7/10] | "a" [3/10]',
            f"line 1: .* total probability {(-0.7 + 4.13**0.5) / 1.4:.6g} instead of 1",
        ),
        ('S -> "#" [1]', "grammar: the terminal '#' is the start or end symbol"),
    ],
)
def test_what_makes_no_language(text, sentence):
    with pytest.raises(InputError, match=sentence):
        PCFG.from_text(text)


def test_rounded_decimals_are_normalised():
    language = PCFG.from_text('S -> "a" [0.3333333] | "b" [0.3333333] | "c" [0.3333333]')
    assert {rule.probability for rule in language.grammar.rules} == {Fraction(1, 3)}


def test_critical_grammars_pass_exactly():
    """The total probability is 1 up to a spectral radius of exactly 1."""
    PCFG.from_text('S -> S S [1/2] | "a" [1/2]')
    PCFG.from_text('S -> A B [1/2] | "a" [1/2]  A -> S [1]  B -> S [1]')
    beyond = 'S -> S S [{}/2000000001] | "a" [{}/2000000001]'
    PCFG.from_text(beyond.format(1000000000, 1000000001))
    with pytest.raises(InputError, match="does not always end"):
        PCFG.from_text(beyond.format(1000000001, 1000000000))
    with pytest.raises(InputError, match="does not always end"):
        PCFG.from_text('S -> A B [500001/1000000] | "a" [499999/1000000]  A -> S [1]  B -> S [1]')


def test_files(tmp_path):
    path = tmp_path / "words.pcfg"
    path.write_text('S -> "jump" S [0.5] | "twice" [0.5]\n', encoding="utf-8")
    language = PCFG.read(path)
    assert (language.name, language.vocabulary.symbols) == ("words", ("#", "jump", "twice"))
    assert language.contains(Corpus.from_strings(["jump jump twice", "jump"], language.vocabulary)).tolist() == [
        True,
        False,
    ]
    path.write_text('S -> "a"\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"words\.pcfg, line 2, column 1: expected a probability"):
        PCFG.read(path)
    path.write_bytes(b"S -> \xff")
    for unreadable in (path, tmp_path / "none.pcfg"):
        with pytest.raises(InputError, match="cannot be read"):
            PCFG.read(unreadable)


def test_a_given_vocabulary():
    symbols = Vocabulary(("#", "b", "a"))
    assert PCFG.from_text('S -> "a" "b" [1]', vocabulary=symbols).vocabulary is symbols
    assert PCFG.from_text('S -> "a" "b" [1]').vocabulary == Vocabulary(("#", "a", "b"))
    with pytest.raises(InputError, match="the terminal 'c' is not in the vocabulary"):
        PCFG.from_text('S -> "a" "c" [1]', vocabulary=symbols)
    ends = Vocabulary(("<", ">", "#"), start=0, end=1)
    assert PCFG.from_text('S -> "#" [1]', vocabulary=ends).count(1) == 1
    with pytest.raises(InputError, match="the terminal '>' is the start or end symbol"):
        PCFG.from_text('S -> ">" [1]', vocabulary=ends)
