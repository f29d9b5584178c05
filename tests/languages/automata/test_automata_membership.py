import numpy as np
import pytest
from automata_worlds import dfas, memberships, words
from hypothesis import given, settings

from wug.errors import InputError
from wug.languages.automata.building import from_transitions
from wug.languages.automata.dfa import DFA
from wug.languages.automata.membership import accepts, accepts_corpus, accepts_words
from wug.sequences import Corpus, Vocabulary


@settings(deadline=None, max_examples=50)
@given(dfas(alphabet="bca"))
def test_all_ways_of_asking_agree(dfa: DFA) -> None:
    asked = words("abc", 4)
    expected = memberships(dfa, asked)
    assert accepts_words(dfa, asked).tolist() == expected
    assert accepts_words(dfa, [tuple(word) for word in asked]).tolist() == expected
    assert [accepts(dfa, word) for word in asked[:20]] == expected[:20]
    corpus = Corpus.from_strings(asked, Vocabulary(("#", "a", "b", "c")))
    assert accepts_corpus(dfa, corpus).tolist() == expected


def test_letters_of_several_characters_are_separated_by_blanks() -> None:
    dfa = from_transitions([(0, "tsch", 1), (1, "a", 0)], [0], 0)
    assert accepts_words(dfa, ["tsch a", "", "tsch", ["tsch", "a", "tsch", "a"]]).tolist() == [True, True, False, True]
    corpus = Corpus.from_strings(["tsch a", "a"], Vocabulary(("END", "a", "tsch")))
    assert accepts_corpus(dfa, corpus).tolist() == [True, False]


def test_letters_beyond_the_basic_plane() -> None:
    dfa = from_transitions([(0, "ǎ", 1), (1, "𝔸", 0)], [0], 0)
    assert accepts_words(dfa, ["ǎ𝔸", "ǎ"]).tolist() == [True, False]


def test_no_words() -> None:
    dfa = from_transitions([(0, "a", 0)], [0], 0)
    assert accepts_words(dfa, []).shape == (0,)
    assert accepts_words(dfa, []).dtype == np.bool_


def test_unknown_letters_are_named_with_their_place() -> None:
    dfa = from_transitions([(0, "a", 0), (0, "b", 0)], [0], 0)
    with pytest.raises(InputError, match="word 2, 'abx', has 'x' at position 3, which is not in the alphabet a b"):
        accepts_words(dfa, ["ab", "abx"])
    with pytest.raises(InputError, match=r"word 1, .* has 'c' at position 1"):
        accepts(dfa, ["c"])
    with pytest.raises(InputError, match="string 2 has 'c' at position 2"):
        accepts_corpus(dfa, Corpus.from_strings(["a", "ac"], Vocabulary(("#", "a", "c"))))
    with pytest.raises(InputError, match="has 'a' at position 1"):
        accepts(from_transitions([], [0], 0, ""), "a")
