import gzip
from pathlib import Path

import pytest
from automata_worlds import dfas, language, shared_dfas, shared_file, words
from hypothesis import given, settings
from hypothesis import strategies as st

from wug.errors import InputError
from wug.languages.automata.building import empty_language, from_table, from_transitions, from_words
from wug.languages.automata.canonical_form import canonical_text, sha256
from wug.languages.automata.comparison import equivalent
from wug.languages.automata.dfa import DFA
from wug.languages.automata.formats import att, graphviz, jflap, json_lines, read_automata
from wug.languages.automata.formulas import from_formula

NO_AA = from_table([[1, 0, 0], [2, 0, 0], [2, 2, 2]], [0, 1], "abc")


@settings(deadline=None, max_examples=60)
@given(dfas(alphabet="ba", max_states=6))
def test_every_format_keeps_the_language(dfa: DFA) -> None:
    assert equivalent(att.from_text(att.to_text(dfa), alphabet="ba"), dfa)
    assert equivalent(json_lines.from_text(json_lines.to_text({"x": dfa}))["x"], dfa)
    assert equivalent(graphviz.from_text(graphviz.to_text(dfa)), dfa)
    assert equivalent(graphviz.from_text(graphviz.to_text(dfa, with_dead=True)), dfa)
    assert equivalent(jflap.from_text(jflap.to_text(dfa), alphabet="ba"), dfa)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text("a,\\\"'<&]>0#é", min_size=1, max_size=3), min_size=1, max_size=4, unique=True))
def test_odd_letters_survive(letters: list[str]) -> None:
    dfa = from_transitions([(q, letter, (q + 1) % 5) for q, letter in enumerate(letters)], [0, 3], 0, letters)
    symbols = {symbol: number for number, symbol in enumerate(["<EPS>", *letters])}
    assert equivalent(att.from_text(att.to_text(dfa), symbols=symbols, alphabet=letters), dfa)
    assert equivalent(json_lines.from_text(json_lines.to_text({"x": dfa}))["x"], dfa)
    assert equivalent(graphviz.from_text(graphviz.to_text(dfa, name='"\\')), dfa)
    assert equivalent(jflap.from_text(jflap.to_text(dfa), alphabet=letters), dfa)


def test_files_are_chosen_by_their_names(tmp_path: Path) -> None:
    att.write(NO_AA, tmp_path / "x.att", symbols=tmp_path / "x.syms")
    json_lines.write({"one": NO_AA, "two": empty_language("ab")}, tmp_path / "x.jsonl.gz")
    graphviz.write(NO_AA, tmp_path / "x.dot")
    jflap.write(NO_AA, tmp_path / "x.jff")
    expected = canonical_text(NO_AA)
    assert canonical_text(read_automata(tmp_path / "x.att", symbols=tmp_path / "x.syms")["x"]) == expected
    assert canonical_text(read_automata(tmp_path / "x.att", alphabet="abc")["x"]) == expected
    assert canonical_text(read_automata(tmp_path / "x.dot")["x"]) == expected
    assert canonical_text(read_automata(tmp_path / "x.jff", alphabet="abc")["x"]) == expected
    assert [*read_automata(tmp_path / "x.jsonl.gz")] == ["one", "two"]
    with pytest.raises(InputError, match="read from files named"):
        read_automata(tmp_path / "x.xml")


def test_compressed_files_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    json_lines.write({"one": NO_AA}, tmp_path / "a.jsonl.gz")
    json_lines.write({"one": NO_AA}, tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        (b"\x1f\x8b broken", "cannot be read"),
        (gzip.compress(b"{}\n\xff", mtime=0), "line 2: not UTF-8 text"),
    ],
)
def test_unreadable_files_are_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "x.jsonl.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=rf"x\.jsonl\.gz.*{message}"):
        read_automata(path)


def test_unwritable_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.dot: cannot be written"):
        graphviz.write(NO_AA, tmp_path / "absent" / "x.dot")


# AT&T text


def test_att_of_the_specification() -> None:
    assert att.to_text(from_table([[1, 0], [2, 0], [2, 2]], [0, 1], "ab")) == (
        "0\t1\ta\ta\n0\t0\tb\tb\n1\t0\tb\tb\n0\n1\n"
    )
    assert att.symbols_text(("a", "b")) == "<EPS>\t0\na\t1\nb\t2\n"


def test_att_reads_numbers_names_weights_and_silent_arcs(tmp_path: Path) -> None:
    (tmp_path / "syms").write_text("<EPS> 0\nb 98\na 97\n")
    (tmp_path / "x.att").write_text("7 3 97 97 0\n\n3 7 <EPS> <EPS>\n7\t7\tb\n3 0.0\n")
    dfa = att.read(tmp_path / "x.att", symbols=tmp_path / "syms")
    assert dfa.alphabet == ("b", "a")
    assert language(dfa, 3) == {word for word in words("ba", 3) if word.endswith("a")}


def test_att_start_is_the_first_lines_source() -> None:
    assert language(att.from_text("4\n4 5 a\n"), 3) == {""}
    assert language(att.from_text("", alphabet="ab"), 3) == set()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 a b\n", "line 1: the arc changes 'a' into 'b'"),
        ("0 1 a\n0 1 a a 2.5\n", "line 2: the weight '2.5' has no meaning"),
        ("0 1 a\n1 nan\n", "line 2: the weight 'nan'"),
        ("0 1 a a 0 0\n", "line 1: expected an arc or a final state, found 6 fields"),
        ("0 1 a\n1 0 x\n", "line 2: 'x' is not in the alphabet a b"),
    ],
)
def test_wrong_att_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        att.from_text(text, alphabet="ab")


@pytest.mark.parametrize(
    ("symbols", "text", "message"),
    [
        ("a\n", "", "syms, line 1: expected a symbol and its number"),
        ("a 1\nb x\n", "", "syms, line 2: expected a symbol and its number"),
        ("a 1\n\nb 1\n", "", "syms, line 3: the symbol 'b' or its number 1 is there twice"),
        ("a 1\n", "0 1 a\n1 0 2\n", r"x\.att, line 2: '2' is neither a symbol nor a number"),
    ],
)
def test_wrong_symbol_tables_are_refused(tmp_path: Path, symbols: str, text: str, message: str) -> None:
    (tmp_path / "syms").write_text(symbols)
    (tmp_path / "x.att").write_text(text)
    with pytest.raises(InputError, match=message):
        att.read(tmp_path / "x.att", symbols=tmp_path / "syms")


def test_letters_that_att_cannot_hold_are_refused() -> None:
    for letter in ("a b", "<eps>"):
        with pytest.raises(InputError, match="cannot be written in AT&T text"):
            att.to_text(from_words([[letter]], [letter]))


# JSON lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not a JSON object"),
        ("[1]", "expected a JSON object"),
        ('{"alphabet":"a","accept":[],"delta":[[0]]}', "'name' is missing"),
        (
            '{"name":"x","alphabet":3,"accept":[],"delta":[[0]]}',
            "'alphabet' is missing or has a value of the wrong kind",
        ),
        ('{"name":"x","alphabet":["a",1],"accept":[],"delta":[[0,0]]}', "list of strings"),
        ('{"name":"x","alphabet":"aa","accept":[],"delta":[[0,0]]}', "'a' is there twice"),
        ('{"name":"x","alphabet":"ab","accept":[],"delta":[[0]]}', "row 0 of 'delta' must be a list of 2 states"),
        ('{"name":"x","alphabet":"a","accept":[],"delta":[[true]]}', "row 0 of 'delta' must be a list of 1 states"),
        ('{"name":"x","alphabet":"a","accept":[2],"delta":[[0]]}', r"there is no state 2; states are 0\.\.0"),
        ('{"name":"x","alphabet":"a","accept":[0.5],"delta":[[0]]}', "'accept' must be a list of states"),
        ('{"name":"x","alphabet":"a","accept":[],"delta":[[99999999999999999999]]}', "there is no state 9+;"),
        ('{"name":"x","alphabet":"a","states":2,"accept":[],"delta":[[0]]}', "'states' is 2, but 'delta' has 1 rows"),
        ('{"name":"x","alphabet":"a","start":1,"accept":[],"delta":[[0]]}', "start state must be one of"),
        ('{"name":"x","alphabet":"a","start":"0","accept":[],"delta":[[0]]}', "'start' must be a state, got '0'"),
        ('{"name":"x","alphabet":"a","accept":[],"delta":[]}', "at least one row"),
        ('{"name":"good","alphabet":"a","accept":[],"delta":[[0]]}', "the name 'good' is there twice"),
        ("[" * 100000, "not a JSON object"),
        ("1" * 5000, "not a JSON object"),
    ],
)
def test_wrong_json_lines_are_refused(line: str, message: str) -> None:
    good = '{"name":"good","alphabet":"a","accept":[],"delta":[[0]]}'
    with pytest.raises(InputError, match=f"line 3: .*{message}"):
        json_lines.from_text(f"{good}\n\n{line}\n")


def test_json_lines_keep_every_state_and_long_letters() -> None:
    dfa = from_table([[0, 2], [1, 1], [2, 0]], [2], ["tsch", "a"], 2)
    again = json_lines.from_text(json_lines.to_text({"x": dfa}))["x"]
    assert (again.transitions.tolist(), again.alphabet, again.start) == (dfa.transitions.tolist(), dfa.alphabet, 2)


# Graphviz


def test_graphviz_text() -> None:
    assert graphviz.to_text(NO_AA, name="no aa").splitlines() == [
        'digraph "no aa" {',
        '  alphabet="a, b, c";',
        "  rankdir=LR;",
        "  node [shape=circle];",
        "  start [shape=point];",
        "  0 [shape=doublecircle];",
        "  1 [shape=doublecircle];",
        "  start -> 0;",
        '  0 -> 1 [label="a"];',
        '  0 -> 0 [label="b, c"];',
        '  1 -> 0 [label="b, c"];',
        "}",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("  rankdir=LR;", "  subgraph x"), "line 3: not a statement of a drawn automaton: subgraph x"),
        (('label="a"', 'label="x"'), "line 9: 'x' is not in the graph's attribute 'alphabet'"),
        (('1 [label="a"', '1 [label="a, b"'), "line 10: state 0 has another arc by 'b'"),
        (("  start -> 0;", ""), "line 12: expected one arc from 'start', found 0"),
        (('  alphabet="a, b, c";', ""), "line 9: 'a' is not in"),
    ],
)
def test_wrong_graphviz_text_is_refused(change: tuple[str, str], message: str) -> None:
    text = graphviz.to_text(NO_AA)
    assert change[0] in text
    with pytest.raises(InputError, match=message):
        graphviz.from_text(text.replace(*change))


# JFLAP

NONDETERMINISTIC = """<?xml version="1.0" encoding="UTF-8" standalone="no"?><!--Created with JFLAP 7.1.-->
<structure>
	<type>fa</type>
	<automaton>
		<!--The list of states.-->
		<state id="0" name="q0"><x>77.0</x><y>92.0</y><initial/></state>
		<state id="1" name="q1"><x>177.0</x><y>92.0</y></state>
		<state id="2" name="q2"><x>277.0</x><y>92.0</y><final/></state>
		<transition><from>0</from><to>0</to><read>a</read></transition>
		<transition><from>0</from><to>0</to><read>b</read></transition>
		<transition><from>0</from><to>1</to><read>a</read></transition>
		<transition><from>1</from><to>2</to><read/></transition>
	</automaton>
</structure>
"""


def test_jflap_reads_nondeterministic_automata() -> None:
    dfa = jflap.from_text(NONDETERMINISTIC)
    assert language(dfa, 4) == {word for word in words("ab", 4) if word.endswith("a")}


def test_jflap_reads_files_of_older_versions() -> None:
    flat = NONDETERMINISTIC.replace("<automaton>", "").replace("</automaton>", "")
    assert equivalent(jflap.from_text(flat), jflap.from_text(NONDETERMINISTIC))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("<type>fa", "<type>turing"), "line 3: not a finite automaton of JFLAP"),
        (("structure>", "struct>"), "line 2: not a finite automaton of JFLAP"),
        (("<initial/>", ""), "line 4: no state is <initial/>"),
        (('id="1"', 'id="0"'), "line 7: every <state> needs an id of its own"),
        (("<to>2</to>", "<to>9</to>"), "line 12: <to> must name the id of a state"),
        (("<from>1</from>", ""), "line 12: <from> must name the id of a state"),
        (("</automaton>", ""), "line 14: not XML .mismatched tag"),
        (("<structure>", '<!DOCTYPE x [<!ENTITY e "boom">]><structure>'), "line 2: document types and entities"),
    ],
)
def test_wrong_jflap_files_are_refused(change: tuple[str, str], message: str) -> None:
    assert change[0] in NONDETERMINISTIC
    with pytest.raises(InputError, match=message):
        jflap.from_text(NONDETERMINISTIC.replace(*change))


def test_letters_that_jflap_cannot_hold_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be written in a JFLAP file"):
        jflap.to_text(empty_language([" "]))


# The benchmark's own files


@pytest.mark.golden
def test_largest_automaton_of_the_benchmark_in_every_format(tmp_path: Path) -> None:
    dfa = shared_dfas()["64.64.coSP.6.1.8"]
    expected = sha256(dfa)
    att.write(dfa, tmp_path / "x.att", symbols=tmp_path / "x.syms")
    assert sha256(att.read(tmp_path / "x.att", symbols=tmp_path / "x.syms")) == expected
    assert sha256(graphviz.from_text(graphviz.to_text(dfa))) == expected
    assert sha256(jflap.from_text(jflap.to_text(dfa), alphabet=dfa.alphabet)) == expected


@pytest.mark.golden
def test_shared_json_lines_are_written_as_they_were_read() -> None:
    path = shared_file("dfas.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        assert json_lines.to_text(json_lines.read(path)) == lines.read()


def test_a_formula_survives_a_journey_through_all_formats() -> None:
    dfa = from_formula("{abc}: [aa] -> [bb]", "abcd")
    travelled = att.from_text(att.to_text(dfa), alphabet="abcd")
    travelled = graphviz.from_text(graphviz.to_text(travelled))
    travelled = jflap.from_text(jflap.to_text(travelled), alphabet="abcd")
    assert sha256(json_lines.from_text(json_lines.to_text({"x": travelled}))["x"]) == sha256(dfa)
