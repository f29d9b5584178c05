"""Files with languages of one's own."""

import pytest

from wug.errors import InputError
from wug.languages.subregular import language_in, read_pattern_file

HARMONY = """
[shorthands]
"APART(m,n)" = "not [s_m s_n]"

[[languages]]
name = "harmony"
alphabet = "sztaoi"
tier = "sz"
pattern = "APART(0,1) and APART(1,0)"

[[languages]]
name = "no-doubles"
alphabet = ["ba", "bo"]
pattern = "AND_{i<2}(not [s_i^k])"
parameters = { k = 2 }
"""


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "patterns.toml"
        path.write_text(content, encoding="utf-8")
        return path

    return write


def test_a_file_gives_its_languages_in_order(write):
    languages = read_pattern_file(write(HARMONY))
    assert list(languages) == ["harmony", "no-doubles"]
    assert languages["harmony"].accepts("sasotsi")
    assert not languages["harmony"].accepts("sazi")
    assert languages["no-doubles"].accepts("ba bo ba")
    assert not languages["no-doubles"].accepts("bo ba ba")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "there is no language"),
        ("[[languages]]\nname = 'x'\nalphabet = 'ab'", "language 1 has no 'pattern'"),
        ("[[languages]]\nname = 'x'\nalphabet = 'ab'\npattern = '[c]'", "language 'x'"),
        ("[[languages]]\nname = 'x/y'\nalphabet = 'ab'\npattern = '[a]'", "file names"),
        ("[[languages]]\nname = 'x'\nalphabet = 'ab'\npatern = '[a]'", "did you mean 'pattern'"),
        ("[[languages]]\nname = 'x'\nalphabet = 3\npattern = '[a]'", "'alphabet' cannot be 3"),
        ("[[languages]]\nname = 'x'\nalphabet = [1, 2]\npattern = '[a]'", "must be texts"),
        ("[[languages]]\nname = 'x'\nalphabet = 'ab'\npattern = '[a]'\nparameters = {k = 'a'}", "whole number"),
        ("[language]\nname = 'x'", "did you mean 'languages'"),
        ("[[languages]\n", "no TOML file"),
        (HARMONY.replace("no-doubles", "harmony"), "the name 'harmony' is taken"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(write, content, reason):
    with pytest.raises(InputError, match=r"patterns\.toml") as caught:
        read_pattern_file(write(content))
    assert reason in str(caught.value)


def test_a_name_that_the_file_does_not_have(write):
    with pytest.raises(InputError, match="did you mean 'harmony'"):
        language_in(write(HARMONY), "harmonie")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_pattern_file(tmp_path / "none.toml")
