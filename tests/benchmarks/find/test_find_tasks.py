"""Tasks: what is trained, asked and held out, and what the rules answer."""

import doctest
import importlib
import pkgutil
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wug.benchmarks.find.tasks as tasks_package
from wug.benchmarks.find.tasks import (
    FindTask,
    Pair,
    add_or_multiply_task,
    check_task,
    composition_task,
    controlled_task,
    count_task,
    hierarchical_task,
    mirror_task,
    new_task,
    odd_one_out_depths_task,
    odd_one_out_task,
    scan_task,
)
from wug.benchmarks.find.tasks.hierarchical import BRACKETS
from wug.errors import InputError

MODULES = [f"{tasks_package.__name__}.{module.name}" for module in pkgutil.iter_modules(tasks_package.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def mirrors():
    return [
        mirror_task("mirror", seed, brackets=brackets, drawn_depths=drawn)
        for seed in (1, 2)
        for brackets in (False, True)
        for drawn in (False, True)
    ]


def everything():
    yield from map(count_task, (1, 10, 20, 30, 40))
    yield from map(add_or_multiply_task, (2, 5, 10, 15, 20))
    yield from map(hierarchical_task, (1, 2, 3, 4, 5, 8))
    yield from (composition_task(40, M) for M in (1, 6, 24, 36))
    yield odd_one_out_task(4)
    yield from map(odd_one_out_depths_task, (1, 2))
    yield from mirrors()
    for M in (1, 6, 24, 36):
        yield controlled_task("controlled", M)
        yield controlled_task("proportion", M, constant_proportion=True)
        yield controlled_task("two", M, constant_proportion=True, two_functions=True)


@pytest.mark.parametrize("task", list(everything()), ids=lambda task: task.name)
def test_rules_explain_the_training_pairs_and_differ_on_the_hold_out(task):
    check_task(task)
    for rule in task.rules:
        assert all(task.answers(rule)[pair.source] == pair.target for pair in task.training)
    for one, other in combinations(task.rules, 2):
        assert any(task.answers(one)[source] != task.answers(other)[source] for source in task.hold_out)


@pytest.mark.parametrize(
    ("task", "trained", "probes", "held_out"),
    [
        *((count_task(length), 1, 21, 20) for length in (10, 20, 30, 40)),
        *((add_or_multiply_task(length), 1, 7, 6) for length in (5, 10, 15, 20)),
        (hierarchical_task(4), 4, 20, 16),
        *((composition_task(40, M), 40 + M, 40 - M, 40 - M) for M in (6, 24, 36)),
        (odd_one_out_task(4), 4, 100, 96),
        *((task, 40, 60, 60) for task in mirrors()),
        *((controlled_task("x", M), 100 + M, 50, 50) for M in (1, 6, 24, 36)),
        *((controlled_task("x", M, constant_proportion=True), 136, 50, 50) for M in (1, 6, 24, 36)),
        *((controlled_task("x", M, constant_proportion=True, two_functions=True), 236, 50, 50) for M in (1, 6, 24, 36)),
    ],
    ids=lambda value: value.name if isinstance(value, FindTask) else str(value),
)
def test_sizes_are_those_of_the_papers(task, trained, probes, held_out):
    assert (len(task.training), len(task.probes), len(task.hold_out)) == (trained, probes, held_out)


def test_block_sizes():
    assert [count_task(40).block_size, add_or_multiply_task(20).block_size, hierarchical_task(4).block_size] == [
        1,
        1,
        4,
    ]


def test_the_hold_out_rises_and_leaves_the_trained_length_out():
    assert [len(source) for source in count_task(40).hold_out] == [*range(30, 40), *range(41, 51)]
    assert [len(source) for source in count_task(10).probes] == list(range(21))
    assert [len(source) for source in add_or_multiply_task(20).hold_out] == [17, 18, 19, 21, 22, 23]


def test_nested_strings_stand_in_the_order_of_the_published_files():
    task = hierarchical_task(4)
    assert ["".join(pair.source) for pair in task.training] == ["aaaaaaaaa", "bbbbabbbb", "aaaabaaaa", "bbbbbbbbb"]
    assert [pair.target for pair in task.training] == [("a",), ("a",), ("b",), ("b",)]
    differing = [x for x in task.hold_out if task.answers("hierar")[x] != task.answers("linear")[x]]
    assert len(differing) == 8
    assert all(len(set(source)) == 2 for source in differing)


def test_the_truth_table_of_hierarchical_or_linear():
    task = hierarchical_task(4)
    for depth in (2, 3, 5, 6):
        for centre, wrapper in (("a", "b"), ("b", "a")):
            source = (wrapper,) * depth + (centre,) + (wrapper,) * depth
            assert (task.answers("hierar")[source], task.answers("linear")[source]) == ((centre,), (wrapper,))


def test_off_centre_probes_put_the_odd_symbol_everywhere():
    task = odd_one_out_task(4)
    by_length = Counter(len(source) for source in task.probes)
    assert by_length == {2 * depth + 1: 2 * (2 * depth + 1) + 2 for depth in range(2, 7)}
    for source in task.probes:
        (odd,) = task.answers("oddone")[source]
        assert source.count(odd) in (1, len(source))
    with pytest.raises(InputError, match="position 5"):
        odd_one_out_task(5)


@pytest.mark.parametrize("task", mirrors(), ids=lambda task: task.name)
def test_mirrors_separate_the_middle_from_the_rarer_symbol(task):
    def bare(source):
        return [symbol for symbol in source if symbol not in BRACKETS]

    for pair in task.training:
        string = bare(pair.source)
        assert string == string[::-1]
        (centre,) = pair.target
        assert len(set(string)) == 1 or 2 * string.count(centre) < len(string)
    for source in task.probes:
        assert bare(source) == bare(source)[::-1]
        assert task.answers("oddone")[source] != task.answers("hierar")[source]
    assert Counter(len(bare(source)) for source in task.probes) == {5: 4, 7: 6, 9: 20, 11: 30}


def test_all_depths_are_trained_where_they_are_not_drawn():
    task = mirror_task("mirror", 3, brackets=False, drawn_depths=False)
    assert Counter(len(pair.source) for pair in task.training) == {3: 8, 5: 8, 7: 8, 9: 8, 11: 8}


def test_drawn_training_pairs_follow_from_the_seed():
    sources = [[pair.source for pair in odd_one_out_depths_task(seed).training] for seed in (1, 1, 2)]
    assert sources[0] == sources[1] != sources[2]


def test_repeated_composites_keep_their_proportion():
    def times(M):
        task = controlled_task("x", M, constant_proportion=True)
        return Counter(pair.source[1] for pair in task.training if pair.source[0] == "thrice")

    assert times(1) == {"a1": 36}
    assert set(times(6).values()) == {6}
    assert {name for name, n in times(24).items() if n == 2} == {f"a{i}" for i in range(1, 25, 2)}
    assert set(times(36).values()) == {1}


def test_the_output_of_a_composite_is_a_rule_with_one_and_a_kind_of_answer_with_several():
    one, several = composition_task(5, 1), composition_task(5, 2)
    assert one.answers("mem_func")[("thrice", "a3")] == ("b1",) * 3
    assert "mem_func" not in several.rules
    assert several.responses["mem_func"](("thrice", "a3")) == {("b1",) * 3, ("b2",) * 3}
    for M in (5, 6):
        with pytest.raises(InputError, match="M"):
            composition_task(5, M)
    for limit, options in ((50, {}), (36, {"constant_proportion": True})):
        check_task(controlled_task("x", limit, **options))
        with pytest.raises(InputError, match=f"at most {limit}"):
            controlled_task("x", limit + 1, **options)


def test_symbols_are_ordered_by_frequency_in_training():
    assert composition_task(40, 6).source_symbols[:8] == ("thrice", "a1", "a2", "a3", "a4", "a5", "a6", "a10")
    assert composition_task(40, 6).target_symbols[:3] == ("b1", "b2", "b3")
    assert hierarchical_task(4).source_symbols == ("a", "b")
    task = new_task(
        "x", {"b a a": "y"}, ["c"], {"one": lambda _: ["y"], "two": lambda x: ["y"] if len(x) > 1 else ["w"]}
    )
    assert (task.source_symbols, task.target_symbols) == (("a", "b", "c"), ("y", "w"))


# --- refusals ---------------------------------------------------------------------------------------------------------

TWICE, FOUR = (lambda x: ("b",) * 2 * len(x)), (lambda x: ("b",) * 4)


def make(training=(("a a", "b b b b"),), probes=("a", "a a a"), rules=None, **more):
    return new_task("mine", training, probes, rules or {"twice": TWICE, "four": FOUR}, **more)


def test_a_task_of_one_s_own():
    task = make(probes=("a", "a a", "a a a"))
    assert [len(source) for source in task.hold_out] == [1, 3]
    assert make(hold_out=["a a a"]).hold_out == (("a",) * 3,)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"training": ()}, "no training pair"),
        ({"probes": ()}, "no probe"),
        ({"probes": ("a a",)}, "holds no input out"),
        ({"training": (("a a", "b b b b"), ("a a", "b"))}, "two outputs .* 'a a': 'b\\^4' and 'b'"),
        ({"probes": ("a", "a")}, "the probe 'a' 2 times"),
        ({"hold_out": ("a", "a")}, "held-out input 'a' 2 times"),
        ({"hold_out": ("a", "a a")}, "holds 'a a' out, which is a training input"),
        ({"rules": {"four": FOUR, "copy": lambda x: x}}, "'copy' .* answers 'a a' with 'a a', not 'b\\^4'"),
        ({"rules": {"four": FOUR, "same": lambda x: list("bbbb")}}, "'four' and 'same' .* nowhere differ .* 'a' with"),
        ({"rules": {"text": lambda x: "bbbb"}}, "'text' answers 'a a' with 'bbbb'; an answer is a sequence"),
        ({"rules": {"fails": lambda x: x[5]}}, "'fails' has no answer to 'a a': IndexError"),
        ({"rules": {"numbers": lambda x: [1, 2]}}, "a sequence of symbols"),
    ],
)
def test_tasks_that_cannot_be_measured_are_refused_naming_the_pair(changes, reason):
    with pytest.raises(InputError, match=reason):
        make(**changes)


def test_a_task_without_rules_is_refused():
    with pytest.raises(InputError, match="no rule"):
        check_task(FindTask("mine", (Pair(("a",), ("b",)),), (("a", "a"),), (("a", "a"),), {}))


@given(st.integers(1, 60))
@settings(deadline=None, max_examples=30)
def test_lengths_of_answers(l):  # noqa: E741
    task = count_task(l)
    for source in task.probes:
        assert len(task.answers("count")[source]) == len(source)
        assert len(task.answers("mem")[source]) == l
    task = add_or_multiply_task(l)
    for source in task.probes:
        lengths = [len(task.answers(rule)[source]) for rule in ("add", "mul", "mem")]
        assert lengths == [len(source) + l, 2 * len(source), 2 * l]


# --- SCAN -------------------------------------------------------------------------------------------------------------

SCAN_TRAINING = """IN: jump OUT: I_JUMP
IN: jump OUT: I_JUMP
IN: walk OUT: I_WALK
IN: turn opposite right OUT: I_TURN_RIGHT I_TURN_RIGHT
IN: walk twice and run left thrice OUT: I_WALK I_WALK I_TURN_LEFT I_RUN I_TURN_LEFT I_RUN I_TURN_LEFT I_RUN
IN: look around left after turn left OUT: I_TURN_LEFT{}
""".format(" I_TURN_LEFT I_LOOK" * 4)
SCAN_TEST = "IN: jump twice OUT: I_JUMP I_JUMP\nIN: walk and jump left OUT: I_WALK I_TURN_LEFT I_JUMP\n"


@pytest.fixture
def scan(tmp_path):
    folder = tmp_path / "SCAN" / "add_prim_split"
    folder.mkdir(parents=True)
    (folder / "tasks_train_addprim_jump.txt").write_text(SCAN_TRAINING)
    (folder / "tasks_test_addprim_jump.txt").write_text(SCAN_TEST + SCAN_TEST)
    (folder / "tasks_train_simple.txt").write_text(SCAN_TRAINING)
    (folder / "tasks_test_simple.txt").write_text("IN: run OUT: I_RUN\n")
    return tmp_path / "SCAN"


def test_scan_is_read_from_the_user_s_copy(scan):
    task = scan_task(scan, "addprim_jump")
    check_task(task)
    assert len(task.training) == 6
    assert [" ".join(source) for source in task.hold_out] == ["jump twice", "walk and jump left"]
    answers = {rule: [" ".join(task.answers(rule)[source]) for source in task.hold_out] for rule in task.rules}
    assert answers == {
        "comp": ["I_JUMP I_JUMP", "I_WALK I_TURN_LEFT I_JUMP"],
        "mem": ["I_JUMP", "I_JUMP"],
    }
    assert list(scan_task(scan, "simple").rules) == ["comp"]


def test_copies_of_scan_that_cannot_be_read(scan, tmp_path):
    with pytest.raises(InputError, match="did you mean 'addprim_jump'"):
        scan_task(scan, "addprim_jmp")
    with pytest.raises(InputError, match="is no folder"):
        scan_task(tmp_path / "nothing", "simple")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no copy of SCAN"):
        scan_task(tmp_path / "empty", "simple")
    (scan / "add_prim_split" / "tasks_train_simple.txt").write_text("IN: run OUT: I_RUN\nrun I_RUN\n")
    with pytest.raises(InputError, match="line 2"):
        scan_task(scan, "simple")
    (scan / "add_prim_split" / "tasks_train_simple.txt").write_text("IN: look OUT: I_WALK\n")
    with pytest.raises(InputError, match=r"'comp' .* disagrees"):
        check_task(scan_task(scan, "simple"))
